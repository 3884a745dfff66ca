import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, type Statement } from '../database.js';
import { fairOrder } from '../fair-order.js';
import type { PayoutKey } from '../keys.js';
import type { Payout } from './payout.entity.js';

/** A payout that a single operator may approve despite being involved, and whose mails are not queued yet. */
export interface UnnoticedPayout extends Pick<
  Payout,
  'merchantId' | 'id' | 'amount' | 'currency' | 'updatedAt'
> {
  /** Waiting period in hours. */
  readonly hours: number;
}

/** Rate limits of the notification mails. */
export interface NoticeLimits {
  /** Later mails about a payout suffice, even if it was changed since. */
  readonly since: Date;
  /** Maximum payouts per merchant with mails since then. */
  readonly payoutsMax: number;
}

/** Whether mails are missing since the payout was requested or changed; `payout_waits_since` counts the same mails. */
const unnoticed = (payout: string, since: string): string => `${payout}.status = 'pending_approval'
    AND ${payout}.mode = 'live'
    AND NOT EXISTS (SELECT FROM user_notices n WHERE n.merchant_id = ${payout}.merchant_id
      AND n.kind = 'payout-waits' AND n.data ->> 'payout' = ${payout}.id::text
      AND n.created_at >= least(${payout}.updated_at, ${since}))`;

const FIND: Statement = {
  name: 'payout_unnoticed',
  text: `WITH rule AS MATERIALIZED (SELECT WHERE lone_operator_since() IS NOT NULL)
    ${fairOrder({
      columns: 'merchant_id AS "merchantId", id',
      table: 'payouts',
      due: `EXISTS (SELECT FROM rule) AND ${unnoticed('r', '$1')}`,
      order: 'id',
      limit: '$2',
    })}`,
};

/** Skips a payout that is locked by a change or by another process; the next run finds it again. */
const LOCK = `SELECT FROM payouts WHERE merchant_id = $1 AND id = $2 FOR NO KEY UPDATE SKIP LOCKED`;

/** A separate statement, so that its snapshot is taken after the lock. */
const READ = `SELECT p.merchant_id AS "merchantId", p.id, p.amount, p.currency, p.updated_at AS "updatedAt",
    r.waiting_hours AS hours
  FROM payouts p CROSS JOIN operating_rules r
  WHERE p.merchant_id = $1 AND p.id = $2 AND lone_operator_since() IS NOT NULL AND ${unnoticed('p', '$3')}
    AND (SELECT count(DISTINCT n.data ->> 'payout') FROM user_notices n
      WHERE n.merchant_id = $1 AND n.kind = 'payout-waits' AND n.created_at >= $3) < $4
    AND EXISTS (SELECT FROM hands_in_payout(p.merchant_id, p.id) h
      JOIN users u ON u.id = h.user_id AND u.platform_role IS NOT NULL)`;

/** Finds payouts whose notification mails have to be queued. */
@Injectable()
export class PayoutNoticeRepository {
  constructor(private readonly database: Database) {}

  /** Payouts that may need mails, alternating between merchants, oldest first. */
  find({ since }: NoticeLimits, limit: number): Promise<PayoutKey[]> {
    return this.database.query(FIND, [since, limit]);
  }

  /**
   * Locks a payout that needs mails. Null when another process was faster, when no mails are needed or allowed now, or
   * while the payout is locked, for example by a change.
   */
  async lock(
    tx: EntityManager,
    { merchantId, id }: PayoutKey,
    { since, payoutsMax }: NoticeLimits,
  ): Promise<UnnoticedPayout | null> {
    const locked = await tx.query<object[]>(LOCK, [merchantId, id]);
    if (locked.length === 0) return null;
    const values = [merchantId, id, since, payoutsMax];
    return (await tx.query<UnnoticedPayout[]>(READ, values))[0] ?? null;
  }
}
