import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { uuidv7 } from '../../common/ids.js';
import { Database } from '../../database/database.js';
import { AuditRepository, type ReadEntry } from '../../database/repositories/audit.repository.js';
import type { Visit } from '../visit.js';

/** Entries on one page. */
export const AUDIT_PAGE = 50;

export interface Deed {
  readonly action: string;
  /** The id of what it was done to. */
  readonly subject?: string;
  /** Nothing secret, and no payer. */
  readonly data?: Record<string, unknown>;
  /** Where the visit has no place. */
  readonly merchantId?: string;
  /** Where the visit has no session yet. */
  readonly userId?: string;
}

export type Doer = Pick<Visit, 'session' | 'place' | 'address'>;

/** Writes down who did what, when and from where. */
@Injectable()
export class AuditService {
  constructor(
    private readonly database: Database,
    private readonly entries: AuditRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * In the transaction of what was done, which is not done when the session has ended meanwhile.
   * @throws SessionEndedError
   */
  async record(tx: EntityManager, visit: Doer, deed: Deed): Promise<void> {
    const now = this.clock.now();
    const { session } = visit;
    const userId = deed.userId ?? session?.userId ?? null;
    await this.entries.insert(tx, {
      id: uuidv7(now.getTime()),
      merchantId: deed.merchantId ?? visit.place?.merchantId ?? null,
      userId,
      sessionId: session?.userId === userId ? session.id : null,
      action: deed.action,
      subject: deed.subject ?? null,
      data: deed.data ?? {},
      address: visit.address,
      createdAt: now,
    });
  }

  /** For a look, which changes nothing else. It is written down before anything is shown. */
  look(visit: Doer, deed: Deed): Promise<void> {
    return this.database.transaction((tx) => this.record(tx, visit, deed));
  }

  /** A merchant's entries, or all (null); the newest first, those before the entry `before`. */
  page(merchantId: string | null, before: string | null): Promise<ReadEntry[]> {
    return this.entries.page(merchantId, before, AUDIT_PAGE + 1);
  }
}
