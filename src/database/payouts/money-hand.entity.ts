import { Check, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { FILE_ACTS } from '../bank/files/bank-file-hand.entity.js';
import { LINE_ACTS } from '../bank/lines/bank-line-hand.entity.js';
import { Order } from '../orders/order.entity.js';
import { User } from '../people/user.entity.js';

export const MONEY_ACTS = [
  ...FILE_ACTS,
  ...LINE_ACTS,
  'marked_distinct',
  'account_proposed',
  'matched',
  'transfers_allowed',
  'money_accepted',
  'refund_recorded',
  'return_booked',
  'report_handled',
  'return_undone',
  'return_spared',
] as const;
/** How a user influenced that money belongs to an order. */
export type MoneyAct = (typeof MONEY_ACTS)[number];

/**
 * A user who influenced the money of an order and so may not approve a payout of it. Written by triggers only: when a
 * line pays an order, and when the audit log records an act.
 */
@Entity({ name: 'money_hands' })
@Check(
  'money_hands_act_check',
  `act IN ('file_brought', 'profile_written', 'match_undone', 'payer_added', 'same_booking', 'same_booking_undone', 'marked_distinct_undone', 'marked_distinct',
    'account_proposed', 'matched', 'transfers_allowed', 'money_accepted', 'refund_recorded', 'return_booked', 'report_handled',
    'return_undone', 'return_spared')`,
)
@Index('money_hands_of_merchant', ['merchantId'], {
  where: `act = 'return_spared'`,
})
@ForeignKey(() => Order, ['merchantId', 'txid'], ['merchantId', 'txid'], {
  name: 'money_hands_order_fk',
})
@ForeignKey(() => User, ['userId'], ['id'], { name: 'money_hands_user_fk' })
export class MoneyHand {
  @PrimaryColumn({ name: 'merchant_id', type: 'uuid', primaryKeyConstraintName: 'money_hands_pk' })
  merchantId: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'money_hands_pk' })
  txid: string;

  @PrimaryColumn({ name: 'user_id', type: 'uuid', primaryKeyConstraintName: 'money_hands_pk' })
  userId: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'money_hands_pk' })
  act: MoneyAct;

  @PrimaryColumn({
    name: 'created_at',
    type: 'timestamptz',
    precision: 3,
    primaryKeyConstraintName: 'money_hands_pk',
  })
  createdAt: Date;
}
