import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { columnsOf } from '../../entity-sql.js';
import type { PayoutKey } from '../../keys.js';
import type { Mode } from '../../merchants/api-key.entity.js';
import { Payout } from '../../payouts/payout.entity.js';
import type { BankLine } from '../lines/bank-line.entity.js';
import { BankPayoutLine } from './bank-payout-line.entity.js';
import { MARKS } from '../lines/line-store.statements.js';

/** A payout, and whether a bank line has debited it (`left`) or brought it back (`cameBack`). */
export type ReportedPayout = Payout & { readonly left: boolean; readonly cameBack: boolean };

const hasLine = (direction: BankPayoutLine['direction']): string => `EXISTS (
  SELECT FROM bank_payout_lines b WHERE b.merchant_id = p.merchant_id AND b.payout_id = p.id
    AND b.direction = '${direction}')`;

/** Payouts are always locked in id order, to prevent deadlocks. */
const LOCK_BY_ID = `SELECT p.id FROM payouts p
  WHERE p.id = ANY ($2::uuid[]) AND p.mode = $1 ORDER BY p.id FOR UPDATE OF p`;

const LOCK_BY_FILE = `SELECT p.id FROM payouts p
  JOIN payout_files f ON f.id = p.file_id AND f.not_sent_at IS NULL
  WHERE f.message_id = ANY ($2) AND f.mode = $1 AND p.status <> 'failed'
  ORDER BY p.id FOR UPDATE OF p`;

/** Read once locked: a statement that waits for a lock does not see the lines that the other transaction linked. */
const REPORTED = `SELECT ${columnsOf('p', Payout)}, ${hasLine('out')} AS "left", ${hasLine('in')} AS "cameBack"
  FROM payouts p WHERE p.id = ANY ($1::uuid[]) ORDER BY p.id`;

const OF_DENIED = `SELECT EXISTS (SELECT FROM payout_files f
  WHERE f.message_id = ANY ($2) AND f.mode = $1 AND (f.not_sent_at IS NOT NULL OR EXISTS (
    SELECT FROM payouts p WHERE p.file_id = f.id AND p.status = 'failed'))) AS found`;

/** Whether the end-to-end id of a line is the id of a payout, in lower or upper case: see `PAYOUT_ID`. */
const hasPayoutId = (id: string): string => {
  const name = `replace(${id}::text, '-', '')`;
  return `(${MARKS.bank_lines_end_to_end_id}) COLLATE "C" IN ('=' || ${name}, '=' || upper(${name}))`;
};

/**
 * Whether a return with the id of a payout may be other money. A merchant can collect the same amount by direct debit
 * with the id of a payout, and the bank returns it with that id. So all debits until the return must be known: its
 * statement has balances, and each debit of the amount since the payout was created is a payout or a return. The return
 * is not older than the payout's file or debit.
 */
const MAY_BE_OF_ANOTHER = `SELECT EXISTS (SELECT FROM payouts p JOIN payout_files f ON f.id = p.file_id
    WHERE p.merchant_id = $1 AND p.id = $2 AND f.created_at::date - 1 > $4::date)
  OR EXISTS (SELECT FROM bank_payout_lines b JOIN bank_lines l ON l.id = b.line_id
    WHERE b.merchant_id = $1 AND b.payout_id = $2 AND b.direction = 'out'
      AND coalesce(l.booked_on, l.valued_on) > $4::date)
  OR EXISTS (SELECT FROM bank_lines l
    WHERE ${hasPayoutId('$2')}
      AND l.mode = $3 AND l.direction = 'out' AND l.status = 'booked' AND l.state <> 'superseded'
      AND (l.kind = 'collection' OR NOT EXISTS (SELECT FROM bank_payout_lines b WHERE b.merchant_id = $1
        AND b.payout_id = $2 AND b.direction = 'out' AND b.line_id = l.id)))
  OR NOT EXISTS (SELECT FROM bank_line_places x JOIN bank_statements s ON s.id = x.statement_id
    WHERE x.line_id = $5 AND s.balanced)
  OR EXISTS (SELECT FROM bank_lines c JOIN payouts p ON p.merchant_id = $1 AND p.id = $2
    JOIN bank_lines l ON l.mode = c.mode AND l.account = c.account AND l.amount = c.amount AND l.direction = 'out'
    WHERE c.id = $5 AND l.status = 'booked' AND l.state <> 'superseded' AND l.currency = c.currency
      AND (coalesce(l.booked_on, l.valued_on) >= p.created_at::date - 1) IS NOT FALSE
      AND (coalesce(l.booked_on, l.valued_on) <= $4::date) IS NOT FALSE
      AND NOT EXISTS (SELECT FROM bank_payout_lines b WHERE b.line_id = l.id)
      AND NOT EXISTS (SELECT FROM bank_returns r WHERE r.line_id = l.id AND r.undone_at IS NULL)) AS found`;

const LINK = `INSERT INTO bank_payout_lines (merchant_id, payout_id, direction, line_id, created_at)
  SELECT merchant_id, id, $3, $4, $5 FROM unnest($1::uuid[], $2::uuid[]) p (merchant_id, id)`;

/** Queues returns of the payouts for matching that were imported before the debit. */
const REQUEUE_RETURNS = `UPDATE bank_lines l SET looked_at = NULL FROM unnest($2::uuid[]) p (id)
  WHERE ${hasPayoutId('p.id')}
    AND l.mode = $1 AND l.direction = 'in' AND l.state = 'unmatched' AND l.reason = 'unknown_money_back'`;

/** Users who uploaded the line's files or decided about the line. */
const INVOLVED_USERS = `SELECT DISTINCT h.user_id AS id FROM hands_of_line($1) h WHERE h.user_id IS NOT NULL`;

/** Stores which bank line debited or returned which payout. */
@Injectable()
export class BankPayoutLineRepository {
  /** Locks payouts by id. */
  lock(tx: EntityManager, mode: Mode, ids: readonly string[]): Promise<ReportedPayout[]> {
    return lockedBy(tx, LOCK_BY_ID, [mode, ids]);
  }

  /** Locks the payouts of a file sent to the bank, by its message id; without failed ones. */
  lockOfMessage(
    tx: EntityManager,
    mode: Mode,
    names: readonly string[],
  ): Promise<ReportedPayout[]> {
    return lockedBy(tx, LOCK_BY_FILE, [mode, names]);
  }

  /** Whether an operator marked a file with one of these message ids as not sent, or one of its payouts as failed. */
  async isOfDenied(tx: EntityManager, mode: Mode, names: readonly string[]): Promise<boolean> {
    const [{ found }] = await tx.query<[{ found: boolean }]>(OF_DENIED, [mode, names]);
    return found;
  }

  /** Whether returned money with the id of a payout may be other money. */
  async mayBeOfAnother(
    tx: EntityManager,
    { merchantId, id, mode }: PayoutKey & { readonly mode: Mode },
    line: BankLine,
  ): Promise<boolean> {
    const values = [merchantId, id, mode, line.bookedOn ?? line.valuedOn, line.id];
    const [{ found }] = await tx.query<[{ found: boolean }]>(MAY_BE_OF_ANOTHER, values);
    return found;
  }

  /** @throws a unique violation of `bank_payout_lines_pk` when another line is linked to one of the payouts */
  async link(
    tx: EntityManager,
    payouts: readonly PayoutKey[],
    { id, mode, direction }: Pick<BankLine, 'id' | 'mode' | 'direction'>,
    now: Date,
  ): Promise<void> {
    const keys = [payouts.map(({ merchantId }) => merchantId), payouts.map((payout) => payout.id)];
    await tx.query(LINK, [...keys, direction, id, now]);
    if (direction === 'out')
      await tx.query(REQUEUE_RETURNS, [mode, payouts.map((payout) => payout.id)]);
  }

  /** Users who influenced the line: uploaders of its files, and users who decided about it. */
  async involvedUsers(tx: EntityManager, { id }: Pick<BankLine, 'id'>): Promise<string[]> {
    return (await tx.query<{ id: string }[]>(INVOLVED_USERS, [id])).map((user) => user.id);
  }
}

async function lockedBy(
  tx: EntityManager,
  lock: string,
  values: readonly unknown[],
): Promise<ReportedPayout[]> {
  const locked: Pick<Payout, 'id'>[] = await tx.query(lock, [...values]);
  return locked.length > 0 ? tx.query(REPORTED, [locked.map(({ id }) => id)]) : [];
}
