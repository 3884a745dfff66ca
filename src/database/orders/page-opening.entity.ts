import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../columns.js';
import { Order } from './order.entity.js';

const PK = 'page_openings_pk';

/** When an order's payment page was first opened. */
@Entity({ name: 'page_openings' })
@ForeignKey(() => Order, ['merchantId', 'txid'], ['merchantId', 'txid'], {
  name: 'page_openings_order_fk',
})
export class PageOpening {
  @PrimaryColumn({ name: 'merchant_id', type: 'uuid', primaryKeyConstraintName: PK })
  merchantId: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: PK })
  txid: string;

  @TimestampColumn('opened_at')
  openedAt: Date;
}
