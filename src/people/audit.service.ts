import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/clock.js';
import { uuidv7 } from '../common/ids.js';
import { Database } from '../database/database.js';
import { AuditRepository, type ReadEntry } from '../database/people/audit.repository.js';
import type { PortalContext } from './portal-context.js';

/** Entries on one page. */
export const AUDIT_PAGE = 50;

export interface NewAuditEntry {
  readonly action: string;
  /** The id of what it was done to. */
  readonly subject?: string;
  /** Nothing secret, and no payer. */
  readonly data?: Record<string, unknown>;
  /** Where the context has no merchant. */
  readonly merchantId?: string;
  /** Where the context has no session yet. */
  readonly userId?: string;
}

export type Actor = Pick<PortalContext, 'session' | 'access' | 'address'>;

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
  async record(tx: EntityManager, context: Actor, entry: NewAuditEntry): Promise<void> {
    const now = this.clock.now();
    const { session } = context;
    const userId = entry.userId ?? session?.userId ?? null;
    await this.entries.insert(tx, {
      id: uuidv7(now.getTime()),
      merchantId: entry.merchantId ?? context.access?.merchantId ?? null,
      userId,
      sessionId: session?.userId === userId ? session.id : null,
      action: entry.action,
      subject: entry.subject ?? null,
      data: entry.data ?? {},
      address: context.address,
      createdAt: now,
    });
  }

  /** For a view, which changes nothing else. It is written down before anything is shown. */
  recordView(context: Actor, entry: NewAuditEntry): Promise<void> {
    return this.database.transaction((tx) => this.record(tx, context, entry));
  }

  /** A merchant's entries, or all (null); the newest first, those before the entry `before`. */
  page(merchantId: string | null, before: string | null): Promise<ReadEntry[]> {
    return this.entries.page(merchantId, before, AUDIT_PAGE + 1);
  }
}
