import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Config } from '../config/config.js';
import { Durability } from '../database/connection/durability.js';
import type { Mode } from '../database/merchants/api-key.entity.js';

const ALL_THE_SAME = 'or allow it all the same with LIVE_ON_EMBEDDED=on.';

/** Features with real money, which require a durable database. */
export type LiveThing = 'Live keys' | 'Live collection accounts';

export class LiveRefusedError extends Error {
  /** @param settings durability settings of PostgreSQL that are off; empty = the embedded database */
  constructor(what: LiveThing, settings: readonly string[]) {
    super(
      settings.length === 0
        ? `${what} need PostgreSQL: the embedded database may lose data with a power loss. ` +
            `Set DATABASE_URL to postgres://…, ${ALL_THE_SAME}`
        : `${what} need a database that keeps what it confirms: ` +
            `switch on ${settings.join(', ')} in PostgreSQL, ${ALL_THE_SAME}`,
    );
    this.name = 'LiveRefusedError';
  }
}

/** Whether the database is durable enough for real money. */
@Injectable()
export class LiveSafety {
  constructor(
    private readonly durability: Durability,
    private readonly config: Config,
  ) {}

  /** @throws LiveRefusedError for live mode on a database that may lose committed data */
  async refuse(tx: EntityManager, mode: Mode, what: LiveThing): Promise<void> {
    const { database, liveOnEmbedded } = this.config;
    if (mode !== 'live' || liveOnEmbedded) return;
    const settings = await this.durability.unsafeSettings(tx);
    if (database.kind !== 'postgres' || settings.length > 0)
      throw new LiveRefusedError(what, settings);
  }
}
