import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, type Statement } from '../database.js';
import type { OutgoingAct } from '../bank/lines/outgoing-hand.entity.js';
import type { MoneyAct } from './money-hand.entity.js';
import type { HandAct } from './payout-hand.entity.js';
import type { PayoutKey } from '../keys.js';

/** What excludes a user from approving a payout: involvement in it or its money, or membership of its merchant. */
export type Tie = HandAct | MoneyAct | OutgoingAct | 'member';

/** The waiting period that replaces the second person while there is only one operator. */
export interface SingleOperator {
  /** When an involved operator may approve; null while notification mails are pending. */
  readonly until: Date | null;
  /** Waiting period in hours. */
  readonly hours: number;
}

const NOTE = `INSERT INTO payout_hands (merchant_id, payout_id, user_id, act)
  SELECT $1, $2, user_id, $3 FROM unnest($4::uuid[]) u (user_id) ON CONFLICT DO NOTHING`;

const NOTE_ON_ALL = `INSERT INTO payout_hands (merchant_id, payout_id, user_id, act)
  SELECT merchant_id, id, $3, $4 FROM unnest($1::uuid[], $2::uuid[]) p (merchant_id, id)
  ON CONFLICT DO NOTHING`;

const TIES: Statement = {
  name: 'payout_ties',
  text: `SELECT DISTINCT act AS tie FROM hands_in_payout($1, $2) WHERE user_id = $3
    UNION ALL SELECT 'member' FROM merchant_people WHERE merchant_id = $1 AND user_id = $3`,
};

/** Same condition as in the triggers that check the approval. */
const SINGLE_OPERATOR: Statement = {
  name: 'payout_single_operator',
  text: `SELECT r.waiting_hours AS hours, CASE p.mode WHEN 'test' THEN p.created_at
      ELSE payout_waits_since(p.merchant_id, p.id, p.updated_at)
        + r.waiting_hours * interval '1 hour' END AS until
    FROM operating_rules r CROSS JOIN payouts p
    WHERE lone_operator_since() IS NOT NULL AND p.merchant_id = $1 AND p.id = $2`,
};

const IN_OLD_FILE = `SELECT EXISTS (SELECT FROM payout_hands
  WHERE merchant_id = $1 AND payout_id = $2 AND act = 'not_sent') AS found`;

interface Tied {
  readonly tie: Tie;
}

/** Stores users involved in payouts. */
@Injectable()
export class PayoutHandRepository {
  constructor(private readonly database: Database) {}

  /** Records users involved in a payout. The caller holds its lock. */
  async note(
    tx: EntityManager,
    { merchantId, id }: PayoutKey,
    act: HandAct,
    userIds: readonly string[],
  ): Promise<void> {
    await tx.query(NOTE, [merchantId, id, act, userIds]);
  }

  /** Records one user for many payouts. */
  async noteOnAll(
    tx: EntityManager,
    payouts: readonly PayoutKey[],
    act: HandAct,
    userId: string,
  ): Promise<void> {
    const keys = [payouts.map(({ merchantId }) => merchantId), payouts.map(({ id }) => id)];
    await tx.query(NOTE_ON_ALL, [...keys, userId, act]);
  }

  /** Whether the payout is in an existing file that was marked as not sent. */
  async isInOldFile(tx: EntityManager, { merchantId, id }: PayoutKey): Promise<boolean> {
    const [{ found }] = await tx.query<[{ found: boolean }]>(IN_OLD_FILE, [merchantId, id]);
    return found;
  }

  async ties({ merchantId, id }: PayoutKey, userId: string): Promise<Tie[]> {
    const rows = await this.database.query<Tied>(TIES, [merchantId, id, userId]);
    return rows.map(({ tie }) => tie);
  }

  /** @returns null when a second person has to approve */
  async singleOperator({ merchantId, id }: PayoutKey): Promise<SingleOperator | null> {
    const rows = await this.database.query<SingleOperator>(SINGLE_OPERATOR, [merchantId, id]);
    return rows[0] ?? null;
  }

  /** The same within the transaction. */
  async singleOperatorIn(
    tx: EntityManager,
    { merchantId, id }: PayoutKey,
  ): Promise<SingleOperator | null> {
    const rows = await tx.query<SingleOperator[]>(SINGLE_OPERATOR.text, [merchantId, id]);
    return rows[0] ?? null;
  }

  /** `ties` within the transaction. */
  async tiesIn(tx: EntityManager, { merchantId, id }: PayoutKey, userId: string): Promise<Tie[]> {
    const rows = await tx.query<Tied[]>(TIES.text, [merchantId, id, userId]);
    return rows.map(({ tie }) => tie);
  }
}
