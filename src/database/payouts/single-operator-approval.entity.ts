import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../columns.js';
import { User } from '../people/user.entity.js';
import { Payout } from './payout.entity.js';

/** An approval by an involved single operator after the waiting period. Written by a trigger only. */
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

  /** Start of the waiting period: the latest of involvement, notification mail and start of the rule. */
  @TimestampColumn('waited_since')
  waitedSince: Date;

  @Column({ name: 'waiting_hours', type: 'integer' })
  waitingHours: number;
}
