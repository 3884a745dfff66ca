import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../columns.js';
import type { Mode } from '../../merchants/api-key.entity.js';
import { Order } from '../../orders/order.entity.js';
import { CollectionAccount } from '../collection-accounts/collection-account.entity.js';

/** The payment reference of a transfer for an order; created when it is first shown. */
@Entity({ name: 'transfer_references' })
@Check('transfer_references_mode_check', `mode IN ('test', 'live')`)
@Check(
  'transfer_references_reference_check',
  `reference ~ '^RF[0-9]{18}$' AND (substr(reference, 5, 1) = '0') = (mode = 'test')`,
)
@ForeignKey(() => Order, ['merchantId', 'txid'], ['merchantId', 'txid'], {
  name: 'transfer_references_order_fk',
})
@ForeignKey(() => CollectionAccount, ['collectionAccountId'], ['id'], {
  name: 'transfer_references_account_fk',
})
@Index('transfer_references_waiting', ['merchantId', 'mode', 'waitsUntil'], {
  where: 'waits_until IS NOT NULL',
})
@Index('transfer_references_newest', ['mode', 'createdAt'], {
  where: 'waits_until IS NOT NULL',
})
@Index('transfer_references_once', ['reference'], { unique: true })
export class TransferReference {
  @PrimaryColumn({
    name: 'merchant_id',
    type: 'uuid',
    primaryKeyConstraintName: 'transfer_references_pk',
  })
  merchantId: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'transfer_references_pk' })
  txid: string;

  @Column({ type: 'text' })
  mode: Mode;

  /** `RF`, two check digits and 16 digits; unique over all merchants. */
  @Column({ type: 'text' })
  reference: string;

  /** The collection account in the payer's latest instructions. */
  @Column({ name: 'collection_account_id', type: 'uuid' })
  collectionAccountId: string;

  /**
   * The last day (`YYYY-MM-DD`) on which the bank may book the money; null once the order has ended. The order expires
   * only when a statement covers that day, or some business days later.
   */
  @Column({ name: 'waits_until', type: 'date', nullable: true })
  waitsUntil: string | null;

  @TimestampColumn('created_at')
  createdAt: Date;
}
