import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, type Statement } from '../database.js';
import type { OutgoingAct } from '../bank/outgoing-hand.entity.js';
import type { MoneyAct } from './money-hand.entity.js';
import type { HandAct } from './payout-hand.entity.js';
import type { PayoutKey } from '../keys.js';

/** What keeps somebody from approving a payout: a hand in it or its money, or belonging to its merchant. */
export type Tie = HandAct | MoneyAct | OutgoingAct | 'member';

/** The rule for a business with one operator, while there is no other. */
export interface SingleOperator {
  /** When somebody with a hand in the payout may approve it; null while mails about it have to be sent. */
  readonly until: Date | null;
  /** Waiting time. */
  readonly hours: number;
}

const NOTE = `INSERT INTO payout_hands (merchant_id, payout_id, user_id, act)
  SELECT $1, $2, user_id, $3 FROM unnest($4::uuid[]) u (user_id) ON CONFLICT DO NOTHING`;

const NOTE_ON_ALL = `INSERT INTO payout_hands (merchant_id, payout_id, user_id, act)
  SELECT merchant_id, id, $3, $4 FROM unnest($1::uuid[], $2::uuid[]) p (merchant_id, id)
  ON CONFLICT DO NOTHING`;

const TIES: Statement = {
  name: 'payout_ties',
  text: `SELECT act AS tie FROM payout_hands
    WHERE merchant_id = $1 AND payout_id = $2 AND user_id = $3
    UNION SELECT h.act FROM payout_lines l
      JOIN money_hands h ON h.merchant_id = l.merchant_id AND h.txid = l.txid
      WHERE l.merchant_id = $1 AND l.payout_id = $2 AND h.user_id = $3
    UNION SELECT h.act FROM outgoing_hands_of($1, $2) h WHERE h.user_id = $3
    UNION ALL SELECT 'member' FROM merchant_people WHERE merchant_id = $1 AND user_id = $3`,
};

/** As the triggers decide that let a single operator approve. */
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

/** Who had a hand in which payout. */
@Injectable()
export class PayoutHandRepository {
  constructor(private readonly database: Database) {}

  /** Keeps those who did something about the payout with it. The caller holds its lock. */
  async note(
    tx: EntityManager,
    { merchantId, id }: PayoutKey,
    act: HandAct,
    userIds: readonly string[],
  ): Promise<void> {
    await tx.query(NOTE, [merchantId, id, act, userIds]);
  }

  /** The same for one person and many payouts. */
  async noteOnAll(
    tx: EntityManager,
    payouts: readonly PayoutKey[],
    act: HandAct,
    userId: string,
  ): Promise<void> {
    const keys = [payouts.map(({ merchantId }) => merchantId), payouts.map(({ id }) => id)];
    await tx.query(NOTE_ON_ALL, [...keys, userId, act]);
  }

  /** Whether a file with the payout is in somebody's hands, although it was not sent. */
  async isInOldFile(tx: EntityManager, { merchantId, id }: PayoutKey): Promise<boolean> {
    const [{ found }] = await tx.query<[{ found: boolean }]>(IN_OLD_FILE, [merchantId, id]);
    return found;
  }

  async ties({ merchantId, id }: PayoutKey, userId: string): Promise<Tie[]> {
    const rows = await this.database.query<Tied>(TIES, [merchantId, id, userId]);
    return rows.map(({ tie }) => tie);
  }

  /** Null where a second person is asked for. */
  async singleOperator({ merchantId, id }: PayoutKey): Promise<SingleOperator | null> {
    const rows = await this.database.query<SingleOperator>(SINGLE_OPERATOR, [merchantId, id]);
    return rows[0] ?? null;
  }

  /** The same, as the transaction sees it. */
  async singleOperatorIn(
    tx: EntityManager,
    { merchantId, id }: PayoutKey,
  ): Promise<SingleOperator | null> {
    const rows = await tx.query<SingleOperator[]>(SINGLE_OPERATOR.text, [merchantId, id]);
    return rows[0] ?? null;
  }

  /** Ties, as the transaction sees them. */
  async tiesIn(tx: EntityManager, { merchantId, id }: PayoutKey, userId: string): Promise<Tie[]> {
    const rows = await tx.query<Tied[]>(TIES.text, [merchantId, id, userId]);
    return rows.map(({ tie }) => tie);
  }
}
