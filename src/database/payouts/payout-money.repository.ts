import { Injectable } from '@nestjs/common';
import type { OutgoingAct } from '../bank/outgoing-hand.entity.js';
import { IS_WAITING } from '../bank/waiting-lines.js';
import { Database, type Statement } from '../database.js';
import type { PayoutKey } from '../keys.js';
import type { MoneyAct } from './money-hand.entity.js';

/** Where money of a payout's orders came in: on an account of the platform, or through a provider. */
export interface MoneySource {
  /** As payments name it. */
  readonly provider: string;
  /** Null where no bank line tells of the money. */
  readonly account: string | null;
  readonly currency: string;
  readonly payments: number;
  /** Minor units that came in for these orders, also where they are paid out in another payout. */
  readonly amount: number;
  /** Since when payers are sent to the account; null where they never were, as with a provider. */
  readonly since: Date | null;
  readonly holder: string | null;
  /** Null where nobody is known, as in test mode; so is the next one. */
  readonly proposedByName: string | null;
  readonly confirmedByName: string | null;
  /** Amounts that left the account and wait for a person, 100 at most: one may be the return of this money. */
  readonly waiting: number;
}

/** What somebody did by whose word the money is the orders'. */
export interface MoneyHandShown {
  readonly act: MoneyAct | OutgoingAct;
  readonly userName: string;
  readonly email: string;
  /** Orders in whose money it is a hand; 0 = in all that came on the account. */
  readonly orders: number;
  /** When it was done last. */
  readonly at: Date;
}

/** More than there are acts of all operators in one payout. */
const SHOWN_MAX = 100;

const ORDERS = `(SELECT DISTINCT merchant_id, txid FROM payout_lines
  WHERE merchant_id = $1 AND payout_id = $2)`;

const SOURCES: Statement = {
  name: 'payout_money_sources',
  text: `SELECT s.*, c.created_at AS since, c.holder, p.name AS "proposedByName",
      w.name AS "confirmedByName", o.waiting
    FROM (
      SELECT p.provider, b.mode, b.account, p.received_currency AS currency,
        count(*)::integer AS payments, sum(p.amount_received)::bigint AS amount
      FROM ${ORDERS} l
      JOIN payments p ON p.merchant_id = l.merchant_id AND p.txid = l.txid
        AND p.status = 'succeeded' AND p.amount_received IS NOT NULL
      LEFT JOIN bank_allocations a ON a.merchant_id = p.merchant_id AND a.payment_id = p.id
      LEFT JOIN bank_lines b ON b.id = a.line_id
      GROUP BY p.provider, b.mode, b.account, p.received_currency
    ) s
    LEFT JOIN LATERAL (
      SELECT * FROM collection_accounts c
      WHERE c.mode = s.mode AND c.account = s.account AND c.currency = s.currency
      ORDER BY c.created_at LIMIT 1
    ) c ON true
    LEFT JOIN collection_account_changes h ON h.account_id = c.id AND h.kind = 'add'
      AND h.applied_at IS NOT NULL
    CROSS JOIN LATERAL (SELECT count(*)::integer AS waiting FROM (
      SELECT FROM bank_lines WHERE mode = s.mode AND account = s.account AND direction = 'out'
        AND status = 'booked' AND ${IS_WAITING} LIMIT ${SHOWN_MAX}
    ) x) o
    LEFT JOIN users p ON p.id = h.proposed_by LEFT JOIN users w ON w.id = h.confirmed_by
    ORDER BY s.amount DESC, s.account LIMIT ${SHOWN_MAX}`,
};

const HANDS: Statement = {
  name: 'payout_money_hands',
  text: `SELECT h.act, u.name AS "userName", u.email, count(DISTINCT h.txid)::integer AS orders,
      max(h.created_at) AS at
    FROM (
      SELECT h.act, h.user_id, h.txid, h.created_at
      FROM ${ORDERS} l JOIN money_hands h ON h.merchant_id = l.merchant_id AND h.txid = l.txid
      UNION ALL
      SELECT o.act, o.user_id, NULL, o.created_at FROM outgoing_hands_of($1, $2) o
    ) h JOIN users u ON u.id = h.user_id
    GROUP BY h.act, u.id ORDER BY max(h.created_at) DESC, h.act, u.id LIMIT ${SHOWN_MAX}`,
};

/** Where the money of a payout comes from, and by whose word. */
@Injectable()
export class PayoutMoneyRepository {
  constructor(private readonly database: Database) {}

  /** The most money first. */
  sources({ merchantId, id }: PayoutKey): Promise<MoneySource[]> {
    return this.database.query(SOURCES, [merchantId, id]);
  }

  /** What was done last comes first. */
  hands({ merchantId, id }: PayoutKey): Promise<MoneyHandShown[]> {
    return this.database.query(HANDS, [merchantId, id]);
  }
}
