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
 * What somebody did by whose word a payout goes where it goes, or did not arrive. `file_…`: of a file
 * that was said not to be sent. `earlier`: a hand in how an earlier payout of the same money ended.
 */
export type HandAct = (typeof HAND_ACTS)[number];

/**
 * Somebody who had a hand in a payout and so does not approve it. The database writes who asked,
 * whose word the account rests on, who had its file and whoever comes from an earlier payout, and
 * refuses to change any.
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
