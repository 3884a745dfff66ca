import { Injectable } from '@nestjs/common';
import { type EntityManager, In } from 'typeorm';
import { columnsOf } from '../../entity-sql.js';
import type { BankAllocation } from './bank-allocation.entity.js';
import { BankLine } from '../lines/bank-line.entity.js';
import type { OrderKey } from '../../keys.js';
import { isDebitOf, MAY_HAVE_GONE_BACK, mayBeCalled } from './gone-back.statements.js';
import { REPORTED_ELSEWHERE } from './other-accounts.statements.js';
import { POSSIBLE_TOTALS } from './possible-totals.statements.js';
import { TransferReference } from './transfer-reference.entity.js';
import { MARKS, SHORT_END_TO_END_ID } from '../lines/line-store.statements.js';

const LINE = columnsOf('l', BankLine);

/** Incoming lines of the account until the day of the return ($6) that were not returned in full. */
const IS_THERE = `l.mode = $1 AND l.account = $2 AND l.direction = 'in' AND l.currency = $4
  AND l.status = 'booked' AND l.state <> 'superseded'
  AND (least(l.booked_on, l.valued_on) <= $6::date) IS NOT FALSE
  AND (l.state, l.reason) IS DISTINCT FROM ('matched', 'charged_back')`;

/** A booking that the bank repeats is stored a few times; with this many candidates, none is chosen. */
const ALIKE_MAX = 10;
/**
 * The line with a common identifier and the same amount whose money was not returned. Several candidates match only if
 * they have the same amount, payer and reference, and paid the same orders or wait because these are paid: a bank
 * reverses and repeats a booking. Then the newest allocated one is chosen. Otherwise they match none, even if one is
 * unallocated, or larger and this may be its partial return: the returned money may belong to any of them. Locks only
 * an allocated line.
 */
const LOCK_PAID_LIKE = `WITH alike AS (
    SELECT l.id, ROW(l.amount, l.counterparty_account, l.named_reference) AS booking, ARRAY(
      SELECT (a.merchant_id, a.txid, a.amount)::text FROM bank_allocations a
      WHERE a.line_id = l.id AND a.undone_at IS NULL ORDER BY 1
    ) AS paid, (l.state, l.reason) IS NOT DISTINCT FROM ('suggested', 'more_than_due') AS is_excess
    FROM bank_lines l
    WHERE ${IS_THERE} AND l.amount BETWEEN $3 AND $7 AND ${mayBeCalled('l', '$5::text[]')}
    LIMIT ${ALIKE_MAX}
  )
  SELECT ${LINE} FROM bank_lines l
  WHERE l.id IN (SELECT id FROM alike) AND l.amount = $3
    AND (SELECT count(DISTINCT booking) = 1 AND count(DISTINCT paid) FILTER (WHERE NOT is_excess) = 1
      AND count(*) < ${ALIKE_MAX} FROM alike)
    AND EXISTS (SELECT FROM bank_allocations a WHERE a.line_id = l.id AND a.undone_at IS NULL)
  ORDER BY l.id DESC LIMIT 1 FOR UPDATE OF l`;

/** Lines of at least the amount with a common identifier. */
const LOCK_PAID_MORE = `SELECT ${LINE} FROM bank_lines l
  WHERE ${IS_THERE} AND l.amount >= $3 AND ${mayBeCalled('l', '$5::text[]')}
  ORDER BY l.id LIMIT 2 FOR UPDATE OF l`;

/** The payer's text, reduced to letters and digits. */
const WORDS =
  "letters_and_digits(concat_ws('|', l.text, l.payer_references::text, l.end_to_end_id))";

/**
 * The only line of at least the amount that contains one of the references, if it paid for an order with one. Several
 * candidates match none: the returned money may belong to an unallocated line, or to one that paid for something else.
 * A line with several references is found by the stored one, by its allocations and, while it waits, by the digits in
 * its text.
 */
const LOCK_PAID_FOR = `WITH named AS (
    SELECT l.id FROM bank_lines l
    WHERE ${IS_THERE} AND l.amount >= $3 AND l.named_reference = ANY ($5::text[])
    UNION
    SELECT l.id FROM transfer_references r
    JOIN payments p ON p.merchant_id = r.merchant_id AND p.txid = r.txid
    JOIN bank_allocations a ON a.merchant_id = p.merchant_id AND a.payment_id = p.id
    JOIN bank_lines l ON l.id = a.line_id
    WHERE r.mode = $1 AND r.reference = ANY ($5::text[]) AND ${IS_THERE} AND l.amount >= $3
    UNION
    SELECT l.id FROM bank_lines l
    WHERE ${IS_THERE} AND l.amount >= $3 AND l.state IN ('suggested', 'unmatched')
      AND l.named_reference IS NOT NULL AND ${WORDS} LIKE ANY ($7::text[])
    LIMIT 2
  )
  SELECT ${LINE} FROM bank_lines l
  WHERE l.id IN (SELECT id FROM named) AND (SELECT count(*) FROM named) = 1 AND EXISTS (
      SELECT FROM transfer_references r
      JOIN payments p ON p.merchant_id = r.merchant_id AND p.txid = r.txid
      JOIN bank_allocations a ON a.merchant_id = p.merchant_id AND a.payment_id = p.id
      WHERE r.mode = $1 AND r.reference = ANY ($5::text[]) AND a.line_id = l.id
        AND a.undone_at IS NULL AND a.amount >= $3)
  FOR UPDATE OF l`;

const CAME_IN = `l.mode = $1 AND l.account = $2 AND l.direction = 'in' AND l.kind = 'payment'
  AND l.status = 'booked' AND l.booked_on <= $4::date IS NOT FALSE
  AND ($7::text IS NULL OR l.counterparty_account = $7)`;
/** An incoming payment on the same day or earlier with a common identifier. */
const HAS_PAYMENT_CALLED = `SELECT EXISTS (
    SELECT FROM bank_lines l WHERE (${MARKS.bank_lines_end_to_end_id}) COLLATE "C" = '=' || left($5::text, ${SHORT_END_TO_END_ID})
      AND l.end_to_end_id = $5::text AND l.amount >= $3 AND ${CAME_IN}
  ) OR EXISTS (
    SELECT FROM bank_lines l WHERE l.amount = $3 AND ${CAME_IN} AND ((ARRAY[l.identifiers ->> 'instructionId',
      l.identifiers ->> 'messageId', l.identifiers ->> 'paymentInformationId'] && $6::text[])
      OR ${mayBeCalled('l', '$6::text[]')})
  ) AS found`;

const HAS_EQUAL_PAYMENT = `SELECT EXISTS (
    SELECT FROM bank_lines l WHERE l.direction = 'in' AND (l.mode, l.account, l.amount) BETWEEN ($1, $2, $3) AND ($1, $2, $3)
      AND l.counterparty_account = $4 AND l.id <> $5::uuid AND l.status = 'booked' AND l.state <> 'superseded'
  ) AS found`;

/** Whether a debit that an operator explained names the order `t`, or spells it in another way and has the payment's amount. */
const HAS_EXPLAINED_DEBIT = `SELECT EXISTS (
    SELECT FROM transfer_references t JOIN bank_lines r ON r.named_reference = t.reference AND r.mode = t.mode
    WHERE t.merchant_id = $1 AND t.txid = $2 AND r.direction = 'out' AND r.state = 'ignored'
  ) OR EXISTS (
    SELECT FROM transfer_references t CROSS JOIN bank_lines p JOIN bank_lines r ON ${isDebitOf('p')}
    WHERE t.merchant_id = $1 AND t.txid = $2 AND p.id = $3 AND r.state = 'ignored'
      AND t.reference = ANY (references_in_line(r))
  ) AS found`;

/** Finds the incoming line whose money an outgoing line returns. */
@Injectable()
export class PaidLineRepository {
  /**
   * Locks the allocated line whose money another line takes back: of the same account and amount, with a common
   * identifier. A `return` may be a part of it. Null for none, or for several that paid different orders.
   */
  async lockPaidLike(
    tx: EntityManager,
    line: BankLine,
    names: readonly string[],
  ): Promise<BankLine | null> {
    const { mode, account, amount, currency, kind } = line;
    const most = kind === 'return' ? Number.MAX_SAFE_INTEGER : amount;
    const values = [mode, account, amount, currency, names, dayOf(line), most];
    return (await tx.query<BankLine[]>(LOCK_PAID_LIKE, values))[0] ?? null;
  }

  /**
   * Locks lines of which another line may take back a part: of the same account, at least the amount and a common
   * identifier. Returns two at most, because two are already ambiguous.
   */
  lockPaidMore(tx: EntityManager, line: BankLine, names: readonly string[]): Promise<BankLine[]> {
    const { mode, account, amount, currency } = line;
    return tx.query(LOCK_PAID_MORE, [mode, account, amount, currency, names, dayOf(line)]);
  }

  /**
   * Locks the line that paid at least the amount for an order with one of the references, if no other line contains
   * one.
   */
  async lockPaidFor(
    tx: EntityManager,
    line: BankLine,
    references: readonly string[],
  ): Promise<BankLine[]> {
    if (references.length === 0) return [];
    const { mode, account, amount, currency } = line;
    const digits = references.map((reference) => `%${reference.slice(2)}%`);
    const values = [mode, account, amount, currency, references, dayOf(line), digits];
    return tx.query(LOCK_PAID_FOR, values);
  }

  /** @returns ids of those lines that may be outgoing money that came back, or have gone back */
  async mayHaveGoneBack(tx: EntityManager, ids: readonly string[]): Promise<string[]> {
    return (await tx.query<{ id: string }[]>(MAY_HAVE_GONE_BACK, [ids])).map(({ id }) => id);
  }

  /** @returns ids of those lines that may be a total of payments of one order, or one of these payments */
  async possibleTotals(tx: EntityManager, ids: readonly string[]): Promise<string[]> {
    return (await tx.query<{ id: string }[]>(POSSIBLE_TOTALS, [ids])).map(({ id }) => id);
  }

  /**
   * @param paid orders by id of the line that is to pay them; the caller has locked them
   * @returns ids of those lines that may be a transfer which another account of the platform reports, too
   */
  async reportedElsewhere(
    tx: EntityManager,
    ids: readonly string[],
    paid: ReadonlyMap<string, readonly OrderKey[]>,
  ): Promise<string[]> {
    const pairs = [...paid].flatMap(([id, orders]) => orders.map((order) => ({ id, ...order })));
    const rows = await tx.query<{ id: string }[]>(REPORTED_ELSEWHERE, [
      ids,
      pairs.map(({ id }) => id),
      pairs.map(({ merchantId }) => merchantId),
      pairs.map(({ txid }) => txid),
    ]);
    return rows.map(({ id }) => id);
  }

  /** Whether the payer has another booked payment of this amount on the account. */
  async hasEqualPayment(tx: EntityManager, paid: BankLine): Promise<boolean> {
    const { id, mode, account, amount, counterpartyAccount } = paid;
    const values = [mode, account, amount, counterpartyAccount, id];
    const [row] = await tx.query<[{ found: boolean }]>(HAS_EQUAL_PAYMENT, values);
    return row.found;
  }

  /** Whether an operator explained a debit that names the order, so that its money may have gone back before. */
  async hasExplainedDebit(
    tx: EntityManager,
    { merchantId, txid, lineId }: Pick<BankAllocation, 'merchantId' | 'txid' | 'lineId'>,
  ): Promise<boolean> {
    const values = [merchantId, txid, lineId];
    const [row] = await tx.query<[{ found: boolean }]>(HAS_EXPLAINED_DEBIT, values);
    return row.found;
  }

  /** Whether one of the references is that of an order. */
  async hasReference(tx: EntityManager, references: readonly string[]): Promise<boolean> {
    return references.length > 0 && tx.existsBy(TransferReference, { reference: In(references) });
  }

  /**
   * Whether an incoming payment has the same identifier: the outgoing line may then be a repayment to its payer.
   * @param names the banks' identifiers of the line
   * @param from the payer’s account; null for any
   */
  async hasPaymentCalled(
    tx: EntityManager,
    { mode, account, amount, bookedOn, endToEndId, identifiers }: BankLine,
    names: readonly string[],
    from: string | null,
  ): Promise<boolean> {
    const { instructionId, messageId, paymentInformationId } = identifiers;
    const others = [...names, instructionId, messageId, paymentInformationId].filter(Boolean);
    const values = [mode, account, amount, bookedOn, endToEndId, others, from];
    const [row] = await tx.query<[{ found: boolean }]>(HAS_PAYMENT_CALLED, values);
    return row.found;
  }
}

/** The latest day on which the money of a line can have moved. */
const dayOf = ({ bookedOn, valuedOn }: BankLine): string | null =>
  [bookedOn, valuedOn]
    .filter((day) => day !== null)
    .toSorted()
    .at(-1) ?? null;
