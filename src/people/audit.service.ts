import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/time/clock.js';
import { uuidv7 } from '../common/ids.js';
import { Database } from '../database/database.js';
import { AuditRepository, type ReadEntry } from '../database/people/audit.repository.js';
import type { PortalContext } from './portal-context.js';

/** Entries per page. */
export const AUDIT_PAGE = 50;

export interface NewAuditEntry {
  readonly action: string;
  /** Id of the changed object. */
  readonly subject?: string;
  /** No secrets and no payer data. */
  readonly data?: Record<string, unknown>;
  /** For contexts without a merchant. */
  readonly merchantId?: string;
  /** For contexts without a session. */
  readonly userId?: string;
}

export type Actor = Pick<PortalContext, 'session' | 'access' | 'address'>;

/** Records who did what, when and from where. */
@Injectable()
export class AuditService {
  constructor(
    private readonly database: Database,
    private readonly entries: AuditRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Records an action in its transaction, which fails if the session has ended.
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

  /** Records a view, before anything is shown. */
  recordView(context: Actor, entry: NewAuditEntry): Promise<void> {
    return this.database.transaction((tx) => this.record(tx, context, entry));
  }

  /** Entries of a merchant, or of all (null), newest first, older than the entry `before`. */
  page(merchantId: string | null, before: string | null): Promise<ReadEntry[]> {
    return this.entries.page(merchantId, before, AUDIT_PAGE + 1);
  }
}
