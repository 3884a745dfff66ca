import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, type Statement } from '../../database.js';
import { columnsOf } from '../../entity-sql.js';
import type { Mode } from '../../merchants/api-key.entity.js';
import { Order } from '../../orders/order.entity.js';
import { BankLine } from '../lines/bank-line.entity.js';
import { calledIn } from './gone-back.statements.js';
import { LOCK_ACCOUNTS, MAYBE_TOTALS } from './several-formats.statements.js';

/** Columns of an order that matching rules use. */
const KNOWN_ORDER = [
  'merchantId',
  'txid',
  'mode',
  'orderMerchantId',
  'status',
  'statusReason',
  'currency',
  'amount',
  'amountReceived',
] as const;

/** An order for which a line may pay. */
export type KnownOrder = Pick<Order, (typeof KNOWN_ORDER)[number]> & {
  /** Null when the payer has not been shown a reference. */
  readonly reference: string | null;
  /** The collection account in the payer's latest instructions, or null. */
  readonly instructedAccount: string | null;
};

/** A possible merchant's order id in a transfer's text, with the amount due. */
export interface WantedNumber {
  readonly number: string;
  readonly currency: string;
  /** Minor units. */
  readonly due: number;
}

/** The result of matching a line. */
export type LineVerdict = Pick<BankLine, 'id' | 'state' | 'reason'>;

/** The bank names no payer; or another line has paid that may be the total or a payment of the line. */
export type TotalDoubt = 'payer_not_named' | 'total_or_payment' | 'statements_differ';

/** A line with the version of its row. */
export type VersionedLine = BankLine & { readonly version: string };

const COLUMNS = `${columnsOf('o', Order, KNOWN_ORDER)}, r.reference,
  (SELECT c.account FROM collection_accounts c WHERE c.id = r.collection_account_id) AS "instructedAccount"`;
const LINE = columnsOf('l', BankLine);

const NEW_LINES: Statement = {
  name: 'bank_lines_new',
  text: `SELECT ${LINE}, l.xmin::text AS version FROM bank_lines l
    WHERE l.looked_at IS NULL AND l.id > $1 ORDER BY l.id LIMIT $2`,
};

/** Skips lines that another process is matching. */
const CLAIM = `SELECT ${LINE} FROM bank_lines l
  WHERE l.id = ANY ($1::uuid[]) AND l.looked_at IS NULL ORDER BY l.id FOR UPDATE SKIP LOCKED`;

/** Includes lines that another process is matching and waits for it, because it has not seen this payment. */
const RECALL = `UPDATE bank_lines l SET looked_at = NULL FROM bank_lines p
  WHERE p.id = ANY ($1::uuid[]) AND l.mode = p.mode AND l.account = p.account
    AND l.amount <= p.amount AND l.currency = p.currency
    AND l.direction = 'out' AND l.kind <> 'payment' AND l.status = 'booked'
    AND (l.looked_at IS NULL OR l.state = 'unmatched' AND l.reason = 'unknown_money_out')
    AND (${calledIn('l')} && ${calledIn('p')} OR l.named_reference = p.named_reference)
  RETURNING ${LINE}`;

/**
 * Queues lines whose reason has ceased to hold: money of their order was taken back, or their account has become a
 * collection account. Locked lines wait for the next call.
 */
const REQUEUE: Statement = {
  name: 'bank_lines_requeue',
  text: `UPDATE bank_lines SET looked_at = NULL WHERE id IN (
      SELECT id FROM bank_lines WHERE looked_at IS NOT NULL AND id IN (
        SELECT l.id FROM bank_lines l
        JOIN transfer_references r ON r.reference = l.named_reference AND r.mode = l.mode
        JOIN orders o ON o.merchant_id = r.merchant_id AND o.txid = r.txid
        WHERE l.state = 'suggested' AND l.reason = 'more_than_due' AND l.amount <= o.amount - o.amount_received
        UNION ALL
        SELECT l.id FROM collection_accounts c
        JOIN bank_lines l ON l.mode = c.mode AND l.account = c.account AND l.currency = c.currency
        WHERE l.state IN ('suggested', 'unmatched') AND l.reason IN ('unknown_account', 'payout_elsewhere')
      ) FOR NO KEY UPDATE SKIP LOCKED
    )`,
};

const LOCK_LINE = `SELECT ${LINE} FROM bank_lines l WHERE l.id = $1 AND l.mode = $2 FOR UPDATE`;

const VERDICTS = `unnest($1::uuid[], $2::text[], $3::text[]) AS v (id, state, reason)`;

const DECIDED = `UPDATE bank_lines l SET state = v.state, reason = v.reason, looked_at = $4
  FROM ${VERDICTS} WHERE l.id = v.id`;

/** Skips lines that another process has matched or is matching, or that changed since they were read. */
const DECIDED_TOGETHER: Statement = {
  name: 'bank_lines_decided',
  text: `UPDATE bank_lines l SET state = v.state, reason = v.reason, looked_at = $4
    FROM (
      SELECT c.id, v.state, v.reason
      FROM unnest($1::uuid[], $2::text[], $3::text[], $5::text[]) AS v (id, state, reason, version)
      JOIN bank_lines c ON c.id = v.id AND c.looked_at IS NULL AND c.xmin::text = coalesce(v.version, c.xmin::text)
      FOR UPDATE OF c SKIP LOCKED
    ) v WHERE l.id = v.id RETURNING l.id`,
};

/** Maximum orders searched by amount, because a page waits for the result. */
const WAITING_MAX = 10_000;

const BY_REFERENCE: Statement = {
  name: 'orders_by_transfer_reference',
  text: `SELECT ${COLUMNS} FROM transfer_references r
    JOIN orders o ON o.merchant_id = r.merchant_id AND o.txid = r.txid
    WHERE r.reference = ANY ($2::text[]) AND r.mode = $1`,
};

/**
 * Orders with the number and amount due, `$5` of each number at most; those with transfer instructions first, because
 * any merchant can copy another one's order id.
 */
const BY_NUMBER: Statement = {
  name: 'orders_by_number_in_text',
  text: `SELECT ${COLUMNS}
    FROM unnest($2::text[], $3::text[], $4::bigint[]) AS w (number, currency, due)
    CROSS JOIN LATERAL (
      SELECT n.* FROM orders n
      LEFT JOIN transfer_references t ON t.merchant_id = n.merchant_id AND t.txid = n.txid
      WHERE n.order_merchant_id = w.number AND n.mode = $1 AND n.holds_merchant_id
        AND n.status IN ('open', 'processing') AND n.currency = w.currency
        AND n.amount - n.amount_received = w.due
      ORDER BY t.reference IS NULL, n.txid LIMIT $5
    ) o
    LEFT JOIN transfer_references r ON r.merchant_id = o.merchant_id AND r.txid = o.txid`,
};

/**
 * Orders with the amount due, of merchants whom this account has paid before; `$5` at most: one of each merchant before
 * the second of any, and those with transfer instructions first.
 */
const BY_PAYER: Statement = {
  name: 'orders_by_known_payer',
  text: `SELECT ${COLUMNS} FROM (
      SELECT DISTINCT a.merchant_id FROM bank_lines l JOIN bank_allocations a ON a.line_id = l.id
      WHERE l.mode = $1 AND left(l.counterparty_account, 64) = left($2, 64)
        AND l.counterparty_account = $2 AND l.state = 'matched' LIMIT 20
    ) m
    JOIN orders o ON o.merchant_id = m.merchant_id AND o.mode = $1 AND o.currency = $3
      AND o.amount > 0 AND o.amount >= $4 AND o.amount - o.amount_received = $4
      AND o.status IN ('open', 'processing')
    LEFT JOIN transfer_references r ON r.merchant_id = o.merchant_id AND r.txid = o.txid
    ORDER BY row_number() OVER (
        PARTITION BY o.merchant_id ORDER BY r.reference IS NULL, o.txid DESC
      ), r.reference IS NULL, o.txid DESC
    LIMIT $5`,
};

/**
 * Orders with the amount due among the latest that wait for a transfer; `$4` at most, one of each merchant before the
 * second of any.
 */
const BY_AMOUNT: Statement = {
  name: 'orders_by_due_amount',
  text: `SELECT ${COLUMNS} FROM (
      SELECT merchant_id, txid, reference, collection_account_id, created_at FROM transfer_references
      WHERE mode = $1 AND waits_until IS NOT NULL ORDER BY created_at DESC LIMIT ${WAITING_MAX}
    ) r
    JOIN orders o ON o.merchant_id = r.merchant_id AND o.txid = r.txid
    WHERE o.currency = $2 AND o.amount - o.amount_received = $3
      AND o.status IN ('open', 'processing')
    ORDER BY row_number() OVER (PARTITION BY o.merchant_id ORDER BY r.created_at DESC, o.txid),
      r.created_at DESC, o.txid LIMIT $4`,
};

/** The lowest UUID. */
const FIRST = '00000000-0000-0000-0000-000000000000';

/** Finds candidate orders for bank lines, and stores the results of matching. */
@Injectable()
export class MatchingRepository {
  constructor(private readonly database: Database) {}

  /** Unprocessed lines after an id, in id order. */
  newLines(limit: number, behind: string = FIRST): Promise<VersionedLine[]> {
    return this.database.query(NEW_LINES, [behind, limit]);
  }

  /** Locks the given lines that are unprocessed and not locked, in id order. */
  claim(tx: EntityManager, ids: readonly string[]): Promise<BankLine[]> {
    return tx.query(CLAIM, [ids]);
  }

  /** Locks a line for an operator's action; null when it does not exist in the mode. */
  async lock(tx: EntityManager, mode: Mode, id: string): Promise<BankLine | null> {
    return (await tx.query<BankLine[]>(LOCK_LINE, [id, mode]))[0] ?? null;
  }

  /** The caller holds the lines' locks. */
  async decided(tx: EntityManager, verdicts: readonly LineVerdict[], now: Date): Promise<void> {
    if (verdicts.length > 0) await tx.query(DECIDED, [...columnsOfVerdicts(verdicts), now]);
  }

  /**
   * Queues possible returns of newly matched lines for matching again, because they were processed before.
   * @param ids of newly matched lines; the caller holds their locks
   */
  async recall(tx: EntityManager, ids: readonly string[]): Promise<BankLine[]> {
    if (ids.length === 0) return [];
    const [lines]: [BankLine[], number] = await tx.query(RECALL, [ids]);
    return lines;
  }

  /** Queues lines for matching again whose reason to wait has ceased to hold. */
  async requeue(): Promise<void> {
    await this.database.query(REQUEUE, []);
  }

  /** Locks the accounts of lines against imports and other matching. Call it before `claim`. */
  async lockAccounts(tx: EntityManager, ids: readonly string[]): Promise<void> {
    await tx.query(LOCK_ACCOUNTS, [ids]);
  }

  /**
   * Lines of accounts that files in several formats report: one format may report a total, another its payments.
   * @returns by id the reason for which an operator decides, or null; the caller holds `lockAccounts`
   */
  async maybeTotals(
    tx: EntityManager,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, TotalDoubt | null>> {
    const rows: { id: string; reason: TotalDoubt | null }[] = await tx.query(MAYBE_TOTALS, [ids]);
    return new Map(rows.map(({ id, reason }) => [id, reason]));
  }

  /**
   * @param verdicts with the version of the line on which they are based, if they depend on its content
   * @returns the number of lines stored; without those processed or changed concurrently
   */
  async decidedTogether(
    verdicts: readonly (LineVerdict & { readonly version?: string })[],
    now: Date,
  ): Promise<number> {
    const versions = verdicts.map(({ version }) => version ?? null);
    const values = [...columnsOfVerdicts(verdicts), now, versions];
    return (await this.database.query(DECIDED_TOGETHER, values)).length;
  }

  /** The orders of a mode with one of the references. */
  findByReference(mode: Mode, references: readonly string[]): Promise<KnownOrder[]> {
    return this.database.query(BY_REFERENCE, [mode, references]);
  }

  /** @param each maximum orders per number */
  findByNumber(mode: Mode, wanted: readonly WantedNumber[], each: number): Promise<KnownOrder[]> {
    const numbers = wanted.map(({ number }) => number);
    const currencies = wanted.map(({ currency }) => currency);
    const dues = wanted.map(({ due }) => due);
    return this.database.query(BY_NUMBER, [mode, numbers, currencies, dues, each]);
  }

  /** @param due amount due, in minor units */
  findByPayer(
    mode: Mode,
    payerAccount: string,
    currency: string,
    due: number,
    limit: number,
  ): Promise<KnownOrder[]> {
    return this.database.query(BY_PAYER, [mode, payerAccount, currency, due, limit]);
  }

  /** @param due amount due, in minor units */
  findByAmount(mode: Mode, currency: string, due: number, limit: number): Promise<KnownOrder[]> {
    return this.database.query(BY_AMOUNT, [mode, currency, due, limit]);
  }
}

const columnsOfVerdicts = (verdicts: readonly LineVerdict[]): unknown[] => [
  verdicts.map(({ id }) => id),
  verdicts.map(({ state }) => state),
  verdicts.map(({ reason }) => reason),
];
