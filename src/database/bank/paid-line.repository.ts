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

/**
 * The line of the same amount, and called the same by somebody, whose money is still there; two are too many, also where
 * one of them has paid for nothing: the money may be its own. Only one that paid is locked.
 */
const LOCK_PAID_LIKE = `WITH alike AS (
    SELECT l.id FROM bank_lines l
    WHERE l.mode = $1 AND l.account = $2 AND l.direction = 'in' AND l.amount = $3 AND l.currency = $4
      AND l.status = 'booked' AND ${calledIn('l')} && $5::text[]
      AND l.state <> 'superseded'
      AND (l.state, l.reason) IS DISTINCT FROM ('matched', 'charged_back') LIMIT 2
  )
  SELECT ${LINE} FROM bank_lines l
  WHERE l.id IN (SELECT id FROM alike) AND (SELECT count(*) FROM alike) = 1
    AND EXISTS (SELECT FROM bank_allocations a WHERE a.line_id = l.id AND a.undone_at IS NULL)
  FOR UPDATE OF l`;

/** Lines of so much or more that somebody called the same, and those that paid for orders with references. */
const LOCK_PAID_MORE = `SELECT ${LINE} FROM bank_lines l
  WHERE l.mode = $1 AND l.account = $2 AND l.direction = 'in' AND l.amount >= $3 AND l.currency = $4
    AND l.status = 'booked' AND ${calledIn('l')} && $5::text[] AND l.state <> 'superseded'
    AND (l.state, l.reason) IS DISTINCT FROM ('matched', 'charged_back')
  ORDER BY l.id LIMIT 2 FOR UPDATE OF l`;
const LOCK_PAID_FOR = `SELECT ${LINE} FROM bank_lines l
  WHERE l.mode = $1 AND l.account = $2 AND l.currency = $4 AND l.id IN (
      SELECT a.line_id FROM transfer_references r
      JOIN payments p ON p.merchant_id = r.merchant_id AND p.txid = r.txid
      JOIN bank_allocations a ON a.merchant_id = p.merchant_id AND a.payment_id = p.id
      WHERE r.mode = $1 AND r.reference = ANY ($5::text[]) AND a.undone_at IS NULL
        AND a.amount >= $3)
  ORDER BY l.id LIMIT 2 FOR UPDATE OF l`;

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
   * with one of its names. Null where there is none, or several.
   */
  async lockPaidLike(
    tx: EntityManager,
    { mode, account, amount, currency }: BankLine,
    names: readonly string[],
  ): Promise<BankLine | null> {
    const values = [mode, account, amount, currency, names];
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

  /** The same of lines that paid so much, or more, for orders with these references. */
  async lockPaidFor(
    tx: EntityManager,
    { mode, account, currency }: BankLine,
    references: readonly string[],
    amount: number,
  ): Promise<BankLine[]> {
    if (references.length === 0) return [];
    return tx.query(LOCK_PAID_FOR, [mode, account, amount, currency, references]);
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
