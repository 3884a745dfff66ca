import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { columnsOf } from '../entity-sql.js';
import type { PayoutKey } from '../keys.js';
import type { Mode } from '../merchants/api-key.entity.js';
import { Payout } from '../payouts/payout.entity.js';
import type { BankLine } from './bank-line.entity.js';
import { BankPayoutLine } from './bank-payout-line.entity.js';

/** A payout, and whether a line told already that it left, or came back. */
export type ToldPayout = Payout & { readonly left: boolean; readonly cameBack: boolean };

const told = (direction: BankPayoutLine['direction']): string => `EXISTS (
  SELECT FROM bank_payout_lines b WHERE b.merchant_id = p.merchant_id AND b.payout_id = p.id
    AND b.direction = '${direction}')`;

const COLUMNS = `${columnsOf('p', Payout)}, ${told('out')} AS "left", ${told('in')} AS "cameBack"`;

/** In the order in which payouts are locked everywhere. */
const BY_ID = `SELECT ${COLUMNS} FROM payouts p
  WHERE p.id = ANY ($2::uuid[]) AND p.mode = $1 ORDER BY p.id FOR UPDATE OF p`;

const BY_FILE = `SELECT ${COLUMNS} FROM payouts p
  JOIN payout_files f ON f.id = p.file_id AND f.not_sent_at IS NULL
  WHERE f.message_id = ANY ($2) AND f.mode = $1 AND p.status <> 'failed'
  ORDER BY p.id FOR UPDATE OF p`;

const LINK = `INSERT INTO bank_payout_lines (merchant_id, payout_id, direction, line_id, created_at)
  SELECT merchant_id, id, $3, $4, $5 FROM unnest($1::uuid[], $2::uuid[]) p (merchant_id, id)`;

/** Who brought the files in which the line stands, or decided about it. */
const BRINGERS = `SELECT DISTINCT h.user_id AS id FROM hands_of_line($1) h WHERE h.user_id IS NOT NULL`;

/** Which line of a bank tells of which payout. */
@Injectable()
export class BankPayoutLineRepository {
  /** Locks the payouts of a mode that are called so. */
  lock(tx: EntityManager, mode: Mode, ids: readonly string[]): Promise<ToldPayout[]> {
    return tx.query(BY_ID, [mode, ids]);
  }

  /** The same for those of a file that went to the bank, by the name of its message; refused ones apart. */
  lockOfMessage(tx: EntityManager, mode: Mode, names: readonly string[]): Promise<ToldPayout[]> {
    return tx.query(BY_FILE, [mode, names]);
  }

  /** @throws a unique violation of `bank_payout_lines_pk` where another line told of one of them */
  async link(
    tx: EntityManager,
    payouts: readonly PayoutKey[],
    { id, direction }: Pick<BankLine, 'id' | 'direction'>,
    now: Date,
  ): Promise<void> {
    const keys = [payouts.map(({ merchantId }) => merchantId), payouts.map((payout) => payout.id)];
    await tx.query(LINK, [...keys, direction, id, now]);
  }

  /** People by whose word the bank says what the line says. */
  async bringersOf(tx: EntityManager, { id }: Pick<BankLine, 'id'>): Promise<string[]> {
    return (await tx.query<{ id: string }[]>(BRINGERS, [id])).map((user) => user.id);
  }
}
