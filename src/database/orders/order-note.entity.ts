import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MomentColumn } from '../columns.js';
import { User } from '../people/user.entity.js';
import { Order } from './order.entity.js';

const PK = 'order_notes_pk';

/** Notes that still say what was written. */
export const WITH_TEXT = `text <> '[erased]'`;

/** What somebody wrote about an order. The database refuses to change it. */
@Entity({ name: 'order_notes' })
@Check('order_notes_text_check', 'char_length(text) BETWEEN 1 AND 1000')
@ForeignKey(() => Order, ['merchantId', 'txid'], ['merchantId', 'txid'], {
  name: 'order_notes_order_fk',
})
@ForeignKey(() => User, ['userId'], ['id'], { name: 'order_notes_user_fk' })
@Index('order_notes_order', ['merchantId', 'txid', 'id'])
@Index('order_notes_kept', ['merchantId', 'id'], { where: WITH_TEXT })
export class OrderNote {
  @PrimaryColumn({ name: 'merchant_id', type: 'uuid', primaryKeyConstraintName: PK })
  merchantId: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: PK })
  id: string;

  @Column({ type: 'uuid' })
  txid: string;

  @Column({ name: 'user_id', type: 'uuid' })
  userId: string;

  @Column({ type: 'text' })
  text: string;

  @MomentColumn('created_at')
  createdAt: Date;
}
