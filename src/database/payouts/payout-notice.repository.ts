import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, type Statement } from '../database.js';
import { fairOrder } from '../fair-order.js';
import type { PayoutKey } from '../keys.js';
import type { Payout } from './payout.entity.js';

/** A payout that a single operator may approve although he had a hand in it, and about which mails have to be sent. */
export interface UnnoticedPayout extends Pick<
  Payout,
  'merchantId' | 'id' | 'amount' | 'currency' | 'updatedAt'
> {
  /** Waiting period in hours. */
  readonly hours: number;
}

/** When mails may be sent again, and how many. */
export interface NoticeLimits {
  /** Mails about a payout that were sent later are enough, also where it was changed since. */
  readonly since: Date;
  /** Payouts of a merchant about which mails are sent since then, at most. */
  readonly payoutsMax: number;
}

/** Mails about it since it was requested or changed are those that `payout_waits_since` counts. */
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

/** A change of the payout, or another process that writes about it, has the row: the next run finds it again. */
const LOCK = `SELECT FROM payouts WHERE merchant_id = $1 AND id = $2 FOR NO KEY UPDATE SKIP LOCKED`;

/** Reads what was committed before the lock was taken. */
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

  /** Payouts that may need mails, in turns: the oldest of each merchant first. */
  find({ since }: NoticeLimits, limit: number): Promise<PayoutKey[]> {
    return this.database.query(FIND, [since, limit]);
  }

  /**
   * Null when another process has written meanwhile, when no mails are needed or allowed now, or while the payout is
   * locked, as by a change.
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
