import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { OutgoingAct } from '../bank/lines/outgoing-hand.entity.js';
import { MARKS } from '../bank/lines/line-store.statements.js';
import { UNKNOWN_MONEY_OUT } from '../bank/lines/waiting-lines.js';
import { Database, type Statement } from '../database.js';
import type { PayoutKey } from '../keys.js';
import type { MoneyAct } from './money-hand.entity.js';
import type { PayoutStatus } from './payout.entity.js';

/** Where the money of a payout's orders arrived: on a collection account or at a provider. */
export interface MoneySource {
  /** As `Payment.provider`. */
  readonly provider: string;
  /** Null without a bank line. */
  readonly account: string | null;
  readonly currency: string;
  readonly payments: number;
  /** Amount received for these orders in minor units, including parts in other payouts. */
  readonly amount: number;
  /** Part of it that banks took back, in minor units. */
  readonly returned: number;
  /** When the collection account was added; null when it is none, for example for a provider. */
  readonly since: Date | null;
  readonly holder: string | null;
  /** Null when unknown, for example in test mode; also the next one. */
  readonly proposedByName: string | null;
  readonly confirmedByName: string | null;
  /** Unresolved returns on the account, 100 at most: one may be the return of this money. */
  readonly returns: number;
  /** Other unknown outgoing amounts, 100 at most. */
  readonly unknown: number;
}

/** Why a payout cannot be approved now: `account_waits` for the payer's entry, the others as of `why_payout_waits`. */
export type PayoutWait =
  | 'account_waits'
  | 'return_waits'
  | 'left_before'
  | 'report_waits'
  | 'money_went_back'
  | 'balance_negative';

/** How a user influenced the money of a payout's orders. */
export interface MoneyHandShown {
  readonly act: MoneyAct | OutgoingAct;
  readonly userName: string;
  readonly email: string;
  /** Number of orders influenced; 0 = all money on the account. */
  readonly orders: number;
  /** The latest time. */
  readonly at: Date;
}

/** An earlier payout of the same money, or a part of it. */
export interface EarlierPayout {
  readonly id: string;
  readonly status: PayoutStatus;
  readonly statusReason: string | null;
  /**
   * Whether a bank line debited it, even if an operator explained that line differently, and whether one returned it.
   */
  readonly left: boolean;
  readonly cameBack: boolean;
  /** Users who reported how it ended; empty when none had to. */
  readonly saidBy: readonly string[];
}

/** Limit far above the number of acts per payout. */
const SHOWN_MAX = 100;

const ORDERS = `(SELECT $1::uuid AS merchant_id, txid FROM payout_orders($1, $2))`;

/** Number of outgoing lines of a source's account in a state. */
const leftCount = (state: string): string => `(SELECT count(*)::integer FROM (
  SELECT FROM bank_lines WHERE mode = s.mode AND account = s.account AND direction = 'out'
    AND status = 'booked' AND ${state} LIMIT ${SHOWN_MAX}) x)`;

const SOURCES: Statement = {
  name: 'payout_money_sources',
  text: `SELECT s.*, c.created_at AS since, c.holder, p.name AS "proposedByName",
      w.name AS "confirmedByName", o.*
    FROM (
      SELECT p.provider, b.mode, b.account, p.received_currency AS currency,
        count(*)::integer AS payments, sum(p.amount_received)::bigint AS amount,
        coalesce(sum(r.amount), 0)::bigint AS returned
      FROM ${ORDERS} l
      JOIN payments p ON p.merchant_id = l.merchant_id AND p.txid = l.txid
        AND p.status = 'succeeded' AND p.amount_received IS NOT NULL
      LEFT JOIN bank_allocations a ON a.merchant_id = p.merchant_id AND a.payment_id = p.id
      LEFT JOIN bank_lines b ON b.id = a.line_id
      LEFT JOIN LATERAL (SELECT sum(amount) AS amount FROM bank_returns
        WHERE merchant_id = a.merchant_id AND payment_id = a.payment_id AND undone_at IS NULL) r ON true
      GROUP BY p.provider, b.mode, b.account, p.received_currency
    ) s
    LEFT JOIN LATERAL (
      SELECT * FROM collection_accounts c
      WHERE c.mode = s.mode AND c.account = s.account AND c.currency = s.currency
      ORDER BY c.created_at LIMIT 1
    ) c ON true
    LEFT JOIN collection_account_changes h ON h.account_id = c.id AND h.kind = 'add'
      AND h.applied_at IS NOT NULL
    CROSS JOIN LATERAL (
      SELECT ${leftCount(`state IN ('suggested', 'unmatched')`)} AS returns, ${leftCount(UNKNOWN_MONEY_OUT)} AS unknown
    ) o
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

const EARLIER: Statement = {
  name: 'payout_earlier',
  text: `SELECT * FROM (SELECT p.id, p.status, p.status_reason AS "statusReason",
      EXISTS (SELECT FROM bank_lines b WHERE b.mode = p.mode AND b.direction = 'out' AND b.status = 'booked'
        AND b.state <> 'superseded' AND (${MARKS.bank_lines_end_to_end_id.replaceAll('l.', 'b.')}) COLLATE "C" IN ('=' || replace(p.id::text, '-', ''), '=' || upper(replace(p.id::text, '-', '')),
          '=' || (SELECT message_id FROM payout_files f WHERE f.id = p.file_id)))
      OR EXISTS (SELECT FROM bank_payout_lines b WHERE b.merchant_id = $1 AND b.payout_id = p.id
        AND b.direction = 'out') AS "left",
      EXISTS (SELECT FROM bank_payout_lines b WHERE b.merchant_id = $1 AND b.payout_id = p.id
        AND b.direction = 'in') AS "cameBack",
      ARRAY(SELECT u.name FROM payout_hands h JOIN users u ON u.id = h.user_id
        WHERE h.merchant_id = $1 AND h.payout_id = p.id AND h.act IN ('failed', 'returned', 'not_sent')
        ORDER BY u.name) AS "saidBy"
    FROM payouts p WHERE p.merchant_id = $1 AND p.id <> $2 AND (p.id IN (
        SELECT o.payout_id FROM payout_lines l JOIN payout_lines o USING (merchant_id, transfer_id)
        WHERE l.merchant_id = $1 AND l.payout_id = $2)
      -- A refund took money of the whole balance, and gave it back to all of it.
      OR p.refund_id IS NOT NULL AND p.status IN ('rejected', 'cancelled', 'failed', 'returned')
        AND (p.mode, p.currency) = (SELECT o.mode, o.currency FROM payouts o WHERE o.merchant_id = $1 AND o.id = $2)
        AND EXISTS (SELECT FROM payout_hands h WHERE h.merchant_id = $1 AND h.payout_id = p.id
          AND h.act IN ('failed', 'returned', 'not_sent')))) e
    ORDER BY "left" DESC, cardinality("saidBy") > 0 DESC, id DESC LIMIT ${SHOWN_MAX}`,
};

const WAIT: Statement = {
  name: 'payout_wait',
  text: `SELECT CASE WHEN coalesce(payee_usable_from($1, $2) > $3, true)
      AND EXISTS (SELECT FROM refund_payees WHERE merchant_id = $1 AND refund_id = $2)
    THEN 'account_waits' ELSE why_payout_waits($1, $2) END AS wait`,
};

interface Waiting {
  readonly wait: PayoutWait | null;
}

/** Finds where the money of a payout comes from, and who influenced it. */
@Injectable()
export class PayoutMoneyRepository {
  constructor(private readonly database: Database) {}

  /** Largest amount first. */
  sources({ merchantId, id }: PayoutKey): Promise<MoneySource[]> {
    return this.database.query(SOURCES, [merchantId, id]);
  }

  /** Same decision as in the triggers; null when it can be approved. */
  async wait({ merchantId, id }: PayoutKey, now: Date): Promise<PayoutWait | null> {
    const rows = await this.database.query<Waiting>(WAIT, [merchantId, id, now]);
    return rows[0]!.wait;
  }

  /** The same within the transaction. */
  async waitIn(
    tx: EntityManager,
    { merchantId, id }: PayoutKey,
    now: Date,
  ): Promise<PayoutWait | null> {
    const [{ wait }] = await tx.query<[Waiting]>(WAIT.text, [merchantId, id, now]);
    return wait;
  }

  /** Those that the bank debited or that a user reported first, then the newest. */
  earlier({ merchantId, id }: PayoutKey): Promise<EarlierPayout[]> {
    return this.database.query(EARLIER, [merchantId, id]);
  }

  /** Latest first. */
  hands({ merchantId, id }: PayoutKey): Promise<MoneyHandShown[]> {
    return this.database.query(HANDS, [merchantId, id]);
  }
}
