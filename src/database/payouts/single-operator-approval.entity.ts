import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { MomentColumn } from '../columns.js';
import { User } from '../people/user.entity.js';
import { Payout } from './payout.entity.js';

/** An approval by somebody with a hand in the payout, after the waiting time. Only a trigger writes it. */
@Entity({ name: 'single_operator_approvals' })
@ForeignKey(() => Payout, ['merchantId', 'payoutId'], ['merchantId', 'id'], {
  name: 'single_operator_approvals_payout_fk',
})
@ForeignKey(() => User, ['userId'], ['id'], { name: 'single_operator_approvals_user_fk' })
export class SingleOperatorApproval {
  @PrimaryColumn({
    name: 'merchant_id',
    type: 'uuid',
    primaryKeyConstraintName: 'single_operator_approvals_pk',
  })
  merchantId: string;

  @PrimaryColumn({
    name: 'payout_id',
    type: 'uuid',
    primaryKeyConstraintName: 'single_operator_approvals_pk',
  })
  payoutId: string;

  @Column({ name: 'user_id', type: 'uuid' })
  userId: string;

  @PrimaryColumn({
    name: 'approved_at',
    type: 'timestamptz',
    precision: 3,
    primaryKeyConstraintName: 'single_operator_approvals_pk',
  })
  approvedAt: Date;

  /** When the last hand, the last mail about it or the rule itself began the waiting time. */
  @MomentColumn('waited_since')
  waitedSince: Date;

  /** 0 = before there was such a rule. */
  @Column({ name: 'waiting_hours', type: 'integer' })
  waitingHours: number;
}
