import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { MomentColumn } from '../columns.js';
import { Order } from './order.entity.js';

const PK = 'page_openings_pk';

/** That somebody opened an order's payment page, and when that was first. */
@Entity({ name: 'page_openings' })
@ForeignKey(() => Order, ['merchantId', 'txid'], ['merchantId', 'txid'], {
  name: 'page_openings_order_fk',
})
export class PageOpening {
  @PrimaryColumn({ name: 'merchant_id', type: 'uuid', primaryKeyConstraintName: PK })
  merchantId: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: PK })
  txid: string;

  @MomentColumn('opened_at')
  openedAt: Date;
}
