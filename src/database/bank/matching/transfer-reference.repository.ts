import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { newTransferReference } from '../../../common/money/creditor-reference.js';
import { Database, type Statement } from '../../database.js';
import type { OrderKey } from '../../keys.js';
import type { Order } from '../../orders/order.entity.js';
import { fairOrder } from '../../fair-order.js';
import { TransferReference } from './transfer-reference.entity.js';

/** There are at least 10^15 references: repeated collisions do not happen by chance. */
const DRAWS_MAX = 5;

const REISSUE = `UPDATE transfer_references SET collection_account_id = $3, waits_until = $4
  WHERE merchant_id = $1 AND txid = $2 RETURNING reference`;

const INSERT = `INSERT INTO transfer_references
    (merchant_id, txid, mode, reference, collection_account_id, waits_until, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING RETURNING reference`;

const MOVE = `UPDATE transfer_references SET waits_until = $3
  WHERE merchant_id = $1 AND txid = $2 AND waits_until IS NOT NULL`;

const FORGET = `UPDATE transfer_references SET waits_until = NULL WHERE merchant_id = $1 AND txid = $2`;

/**
 * A statement of the payer's account covers the day, and all its lines were matched. Statements that claim to cover
 * future days are ignored.
 */
const IS_COVERED = `EXISTS (
  SELECT FROM collection_accounts a JOIN bank_statements s ON s.mode = a.mode
    AND s.account = a.account AND s.covers_until BETWEEN r.waits_until AND $1
    AND coalesce(s.covers_from, r.waits_until) <= r.waits_until
  WHERE a.id = r.collection_account_id AND NOT EXISTS (
    SELECT FROM bank_lines l
    WHERE l.mode = a.mode AND l.account = a.account AND l.looked_at IS NULL))`;

const OVER: Statement = {
  name: 'transfers_over',
  text: fairOrder({
    columns: 'merchant_id AS "merchantId", txid',
    table: 'transfer_references',
    due: `r.waits_until < $1 AND EXISTS (
      SELECT FROM orders o WHERE o.merchant_id = r.merchant_id AND o.txid = r.txid
        AND (o.status NOT IN ('open', 'processing')
          OR (o.status = 'open' OR o.status_reason = 'awaiting_transfer') AND o.expires_at <= $2
            AND (r.waits_until <= $3 OR ${IS_COVERED})))`,
    order: 'waits_until',
    mode: 'r.mode',
    limit: '$4',
  }),
};

/** Stores payment references of transfers, and until when orders wait for the money. */
@Injectable()
export class TransferReferenceRepository {
  constructor(private readonly database: Database) {}

  /**
   * Returns the order's reference, and creates it when it is first shown. The caller holds the order's lock.
   * @param instructions the collection account shown to the payer, and the last day to pay
   */
  async issue(
    tx: EntityManager,
    { merchantId, txid, mode }: Pick<Order, 'merchantId' | 'txid' | 'mode'>,
    instructions: Pick<TransferReference, 'collectionAccountId' | 'waitsUntil'>,
    now: Date,
  ): Promise<string> {
    const { collectionAccountId, waitsUntil } = instructions;
    const again = [merchantId, txid, collectionAccountId, waitsUntil];
    const [known] = await tx.query<[{ reference: string }[], number]>(REISSUE, again);
    if (known[0]) return known[0].reference;
    for (let draw = 0; draw < DRAWS_MAX; draw++) {
      const drawn = newTransferReference(mode);
      const values = [merchantId, txid, mode, drawn, collectionAccountId, waitsUntil, now];
      const [made] = await tx.query<{ reference: string }[]>(INSERT, values);
      if (made) return made.reference;
    }
    throw new Error('every reference that was drawn is taken');
  }

  /** Whether a payer has ever received the order's transfer details. */
  isIssued(tx: EntityManager, { merchantId, txid }: OrderKey): Promise<boolean> {
    return tx.existsBy(TransferReference, { merchantId, txid });
  }

  /** Changes the last day of a waiting order; does nothing without a reference. */
  async moveDay(tx: EntityManager, order: OrderKey, waitsUntil: string): Promise<void> {
    await tx.query(MOVE, [order.merchantId, order.txid, waitsUntil]);
  }

  /** Stops waiting because the order has ended. */
  async forget(tx: EntityManager, { merchantId, txid }: OrderKey): Promise<void> {
    await tx.query(FORGET, [merchantId, txid]);
  }

  /**
   * Orders whose last day is over and that have ended or expire now, alternating between merchants.
   * @param givenUp last days up to this one expire even without a statement
   */
  listOver(today: string, now: Date, givenUp: string, limit: number): Promise<OrderKey[]> {
    return this.database.query(OVER, [today, now, givenUp, limit]);
  }
}
