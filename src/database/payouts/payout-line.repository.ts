import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { NewLine } from './payout.repository.js';
import type { PayoutKey } from '../keys.js';

/** Rows per statement: a payout may have more lines than fit into the statement timeout. */
const BATCH = 5_000;

const INSERT = `
  INSERT INTO payout_lines (merchant_id, payout_id, number, kind, transfer_id, txid, amount)
  SELECT $1, $2, $7 + l.number, l.kind, l.transfer_id, l.txid, l.amount
  FROM unnest($3::text[], $4::uuid[], $5::uuid[], $6::bigint[]) WITH ORDINALITY
    AS l (kind, transfer_id, txid, amount, number)`;

const LAST = `SELECT coalesce(max(number), 0) AS last FROM payout_lines
  WHERE merchant_id = $1 AND payout_id = $2`;

/** Deletes the lines with numbers from `$3` (excluded) to `$4`. */
const DELETE = `DELETE FROM payout_lines
  WHERE merchant_id = $1 AND payout_id = $2 AND number > $3 AND number <= $4`;

/** Makes the transfers of the lines from `$3` (excluded) to `$4` payable again. */
const UNCOVER = `UPDATE transfers t SET covered = false FROM payout_lines l
  WHERE l.merchant_id = $1 AND l.payout_id = $2 AND l.number > $3 AND l.number <= $4
    AND t.merchant_id = l.merchant_id AND t.id = l.transfer_id AND t.covered`;

/** Stores payout lines. Callers hold the payout's lock. */
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

  /** Deletes all lines, to replace them. */
  delete(tx: EntityManager, payout: PayoutKey): Promise<void> {
    return this.inBatches(tx, DELETE, payout);
  }

  /** Makes the payout's transfers available to other payouts. The caller holds the balance's lock, too. */
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
