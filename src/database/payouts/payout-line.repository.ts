import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { NewLine } from './payout.repository.js';
import type { PayoutKey } from '../keys.js';

/** Lines that one statement writes: a payout may have many, and a statement has some seconds. */
const BATCH = 5_000;

const INSERT = `
  INSERT INTO payout_lines (merchant_id, payout_id, number, kind, transfer_id, txid, amount)
  SELECT $1, $2, $7 + l.number, l.kind, l.transfer_id, l.txid, l.amount
  FROM unnest($3::text[], $4::uuid[], $5::uuid[], $6::bigint[]) WITH ORDINALITY
    AS l (kind, transfer_id, txid, amount, number)`;

const LAST = `SELECT coalesce(max(number), 0) AS last FROM payout_lines
  WHERE merchant_id = $1 AND payout_id = $2`;

/** Of the lines behind number `$3`, up to `$4`. */
const DELETE = `DELETE FROM payout_lines
  WHERE merchant_id = $1 AND payout_id = $2 AND number > $3 AND number <= $4`;

/** Transfers of the payout's lines behind number `$3`, up to `$4`, can be paid out again. */
const UNCOVER = `UPDATE transfers t SET covered = false FROM payout_lines l
  WHERE l.merchant_id = $1 AND l.payout_id = $2 AND l.number > $3 AND l.number <= $4
    AND t.merchant_id = l.merchant_id AND t.id = l.transfer_id AND t.covered`;

/** What payouts are made of. The caller holds the payout's lock. */
@Injectable()
export class PayoutLineRepository {
  async insert(
    tx: EntityManager,
    { merchantId, id }: PayoutKey,
    lines: readonly NewLine[],
  ): Promise<void> {
    for (let from = 0; from < lines.length; from += BATCH) {
      const batch = lines.slice(from, from + BATCH);
      await tx.query(INSERT, [
        merchantId,
        id,
        batch.map(({ kind }) => kind),
        batch.map(({ transferId }) => transferId),
        batch.map(({ txid }) => txid),
        batch.map(({ amount }) => amount),
        from,
      ]);
    }
  }

  /** For a payout that is about to get others. */
  delete(tx: EntityManager, payout: PayoutKey): Promise<void> {
    return this.inBatches(tx, DELETE, payout);
  }

  /** Lets other payouts pay what this one was to pay. The caller holds the balance, too. */
  uncover(tx: EntityManager, payout: PayoutKey): Promise<void> {
    return this.inBatches(tx, UNCOVER, payout);
  }

  private async inBatches(
    tx: EntityManager,
    statement: string,
    { merchantId, id }: PayoutKey,
  ): Promise<void> {
    const values = [merchantId, id];
    const [{ last }] = await tx.query<[{ last: number }]>(LAST, values);
    for (let from = 0; from < last; from += BATCH) {
      await tx.query(statement, [...values, from, from + BATCH]);
    }
  }
}
