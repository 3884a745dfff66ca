import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { columnsOf } from '../entity-sql.js';
import { BankLine } from './bank-line.entity.js';
import { MARKS, SHORT_END_TO_END_ID } from './line-store.statements.js';

const LINE = columnsOf('l', BankLine);

/** What whoever made it, or handed it on, called a booking. */
export const calledIn = (
  line: string,
): string => `ARRAY[${line}.end_to_end_id, ${line}.bank_reference,
  ${line}.identifiers ->> 'transactionId', ${line}.identifiers ->> 'transactionBankReference',
  ${line}.identifiers ->> 'uetr']`;

/** Money that is still there, or that nobody has looked at: what went back as a whole does not go back again. */
const IS_THERE = `l.mode = $1 AND l.account = $2 AND l.direction = 'in' AND l.currency = $4
  AND l.status = 'booked' AND l.state <> 'superseded'
  AND (l.state, l.reason) IS DISTINCT FROM ('matched', 'charged_back')`;

/**
 * The line of the same amount, and called the same by somebody, whose money is still there; two are too many, also where
 * one of them has paid for nothing, or brought more of which this is a part: the money may be its own. Only one that paid
 * is locked.
 */
const LOCK_PAID_LIKE = `WITH alike AS (
    SELECT l.id FROM bank_lines l
    WHERE ${IS_THERE} AND l.amount BETWEEN $3 AND $6 AND ${calledIn('l')} && $5::text[] LIMIT 2
  )
  SELECT ${LINE} FROM bank_lines l
  WHERE l.id IN (SELECT id FROM alike) AND (SELECT count(*) FROM alike) = 1 AND l.amount = $3
    AND EXISTS (SELECT FROM bank_allocations a WHERE a.line_id = l.id AND a.undone_at IS NULL)
  FOR UPDATE OF l`;

/** Lines of so much or more that somebody called the same. */
const LOCK_PAID_MORE = `SELECT ${LINE} FROM bank_lines l
  WHERE ${IS_THERE} AND l.amount >= $3 AND ${calledIn('l')} && $5::text[]
  ORDER BY l.id LIMIT 2 FOR UPDATE OF l`;

/** What a payer wrote, of which no sign but letters and digits is left. */
const WORDS = `regexp_replace(
  normalize(concat_ws('|', l.text, l.payer_references::text, l.end_to_end_id), NFKC), '[^A-Za-z0-9]', '', 'g')`;

/**
 * The one line of so much or more that names one of the references, by their digits, if it paid for an order with one. Two
 * are too many: what goes back may be the money of a line that paid for nothing, or for something else.
 */
const LOCK_PAID_FOR = `WITH named AS (
    SELECT l.id FROM bank_lines l
    WHERE ${IS_THERE} AND l.amount >= $3 AND ${WORDS} LIKE ANY ($6::text[]) LIMIT 2
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
  AND l.status = 'booked' AND l.booked_on <= $4::date IS NOT FALSE`;
/** A payment that came in no later, and for which its payer chose the same name. */
const HAS_PAYMENT_CALLED = `SELECT EXISTS (
    SELECT FROM bank_lines l WHERE (${MARKS.bank_lines_end_to_end_id}) COLLATE "C" = '=' || left($5::text, ${SHORT_END_TO_END_ID})
      AND l.end_to_end_id = $5::text AND ${CAME_IN}
  ) OR EXISTS (
    SELECT FROM bank_lines l WHERE l.amount = $3 AND ${CAME_IN}
      AND ARRAY[l.identifiers ->> 'instructionId', l.identifiers ->> 'messageId',
        l.identifiers ->> 'paymentInformationId'] && $6::text[]
  ) AS found`;

/** Which money that came in may be that which goes out again. */
@Injectable()
export class PaidLineRepository {
  /**
   * Locks the line that paid for orders and whose money another one takes back: the only one of its account and amount
   * with one of its names, of which a return may be a part. Null where there is none, or several.
   */
  async lockPaidLike(
    tx: EntityManager,
    { mode, account, amount, currency, kind }: BankLine,
    names: readonly string[],
  ): Promise<BankLine | null> {
    const most = kind === 'return' ? Number.MAX_SAFE_INTEGER : amount;
    const values = [mode, account, amount, currency, names, most];
    return (await tx.query<BankLine[]>(LOCK_PAID_LIKE, values))[0] ?? null;
  }

  /**
   * Locks the lines of which another one may take back a part: of the same account, with as much money or more and one
   * of its names; two at most, for those are too many.
   */
  lockPaidMore(
    tx: EntityManager,
    { mode, account, amount, currency }: BankLine,
    names: readonly string[],
  ): Promise<BankLine[]> {
    return tx.query(LOCK_PAID_MORE, [mode, account, amount, currency, names]);
  }

  /** Locks the line that paid so much, or more, for an order with one of the references, if no other one names any. */
  async lockPaidFor(
    tx: EntityManager,
    { mode, account, amount, currency }: BankLine,
    references: readonly string[],
  ): Promise<BankLine[]> {
    if (references.length === 0) return [];
    const digits = references.map((reference) => `%${reference.slice(2)}%`);
    return tx.query(LOCK_PAID_FOR, [mode, account, amount, currency, references, digits]);
  }

  /** Whether a payer, too, has called a payment so: money that left under the name may be what goes back to them. */
  async hasPaymentCalled(
    tx: EntityManager,
    { mode, account, amount, bookedOn, endToEndId, identifiers }: BankLine,
  ): Promise<boolean> {
    const { instructionId, messageId, paymentInformationId } = identifiers;
    const others = [instructionId, messageId, paymentInformationId].filter(Boolean);
    const values = [mode, account, amount, bookedOn, endToEndId, others];
    const [row] = await tx.query<[{ found: boolean }]>(HAS_PAYMENT_CALLED, values);
    return row.found;
  }
}
