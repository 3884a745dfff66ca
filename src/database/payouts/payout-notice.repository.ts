import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, type Statement } from '../database.js';
import type { PayoutKey } from '../keys.js';
import type { Payout } from './payout.entity.js';

/** A payout that a single operator may approve although he had a hand in it, and that nobody was told of. */
export interface UnnoticedPayout extends Pick<
  Payout,
  'merchantId' | 'id' | 'amount' | 'currency' | 'updatedAt'
> {
  /** Waiting time. */
  readonly hours: number;
}

/** Mails about it since it was last asked for or changed are those that `payout_waits_since` counts. */
const UNNOTICED = `payouts p CROSS JOIN operating_rules r
  WHERE lone_operator_since() IS NOT NULL AND p.status = 'pending_approval' AND p.mode = 'live'
    AND NOT EXISTS (SELECT FROM user_notices n WHERE n.merchant_id = p.merchant_id
      AND n.kind = 'payout-waits' AND n.data ->> 'payout' = p.id::text AND n.created_at >= p.updated_at)
    AND EXISTS (SELECT FROM users u WHERE u.platform_role IS NOT NULL AND (
      EXISTS (SELECT FROM payout_hands h WHERE h.merchant_id = p.merchant_id
        AND h.payout_id = p.id AND h.user_id = u.id)
      OR EXISTS (SELECT FROM payout_lines l JOIN money_hands h
        ON h.merchant_id = l.merchant_id AND h.txid = l.txid
        WHERE l.merchant_id = p.merchant_id AND l.payout_id = p.id AND h.user_id = u.id)))`;

const COLUMNS = `p.merchant_id AS "merchantId", p.id, p.amount, p.currency,
  p.updated_at AS "updatedAt", r.waiting_hours AS hours`;

const FIND: Statement = {
  name: 'payout_unnoticed',
  text: `SELECT ${COLUMNS} FROM ${UNNOTICED} ORDER BY p.id LIMIT $1`,
};

const LOCK = `SELECT ${COLUMNS} FROM ${UNNOTICED} AND p.merchant_id = $1 AND p.id = $2
  FOR UPDATE OF p`;

/** Payouts about which people have to be written to. */
@Injectable()
export class PayoutNoticeRepository {
  constructor(private readonly database: Database) {}

  /** The oldest first. */
  find(limit: number): Promise<UnnoticedPayout[]> {
    return this.database.query(FIND, [limit]);
  }

  /** Null when somebody else has written meanwhile, or nobody has to any more. */
  async lock(tx: EntityManager, { merchantId, id }: PayoutKey): Promise<UnnoticedPayout | null> {
    return (await tx.query<UnnoticedPayout[]>(LOCK, [merchantId, id]))[0] ?? null;
  }
}
