import { Check, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { User } from '../people/user.entity.js';
import { Payout } from './payout.entity.js';

export const HAND_ACTS = [
  'requested',
  'submitted',
  'changed',
  'scheduled',
  'account_added',
  'account_confirmed',
  'file_made',
  'file_downloaded',
  'not_sent',
  'failed',
  'returned',
  'earlier',
] as const;
/**
 * How a user was involved in a payout's destination or result. `file_…`: with a file that was marked as not sent.
 * `earlier`: in the result of an earlier payout of the same money.
 */
export type HandAct = (typeof HAND_ACTS)[number];

/**
 * A user involved in a payout, who so may not approve it. Triggers record who requested it, added or confirmed its
 * account, had its file, or was involved in an earlier payout of the same money. They reject updates and deletions.
 */
@Entity({ name: 'payout_hands' })
@Check(
  'payout_hands_act_check',
  `act IN ('requested', 'submitted', 'changed', 'scheduled', 'account_added', 'account_confirmed',
    'file_made', 'file_downloaded', 'not_sent', 'failed', 'returned', 'earlier')`,
)
@ForeignKey(() => Payout, ['merchantId', 'payoutId'], ['merchantId', 'id'], {
  name: 'payout_hands_payout_fk',
})
@ForeignKey(() => User, ['userId'], ['id'], { name: 'payout_hands_user_fk' })
export class PayoutHand {
  @PrimaryColumn({ name: 'merchant_id', type: 'uuid', primaryKeyConstraintName: 'payout_hands_pk' })
  merchantId: string;

  @PrimaryColumn({ name: 'payout_id', type: 'uuid', primaryKeyConstraintName: 'payout_hands_pk' })
  payoutId: string;

  @PrimaryColumn({ name: 'user_id', type: 'uuid', primaryKeyConstraintName: 'payout_hands_pk' })
  userId: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'payout_hands_pk' })
  act: HandAct;
}
