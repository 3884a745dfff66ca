import { Check, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../merchants/api-key.entity.js';
import { User } from '../../people/user.entity.js';

export const OUTGOING_ACTS = ['outgoing_brought', 'outgoing_decided'] as const;
/**
 * How a user influenced whether a payment was taken back by its bank. `profile_changed` (creating or removing a CSV
 * profile) is derived from the profiles.
 */
export type OutgoingAct = (typeof OUTGOING_ACTS)[number] | 'profile_changed';

/**
 * A user who decided about outgoing money of an account and so may not approve payouts of money that arrived on it
 * before: assigning a return to the wrong order would leave the returned money to the right one. Written by triggers
 * only.
 */
@Entity({ name: 'outgoing_hands' })
@Check('outgoing_hands_act_check', `act IN ('outgoing_brought', 'outgoing_decided')`)
@ForeignKey(() => User, ['userId'], ['id'], { name: 'outgoing_hands_user_fk' })
export class OutgoingHand {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'outgoing_hands_pk' })
  mode: Mode;

  /** As `BankLine.account`. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'outgoing_hands_pk' })
  account: string;

  @PrimaryColumn({ name: 'user_id', type: 'uuid', primaryKeyConstraintName: 'outgoing_hands_pk' })
  userId: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'outgoing_hands_pk' })
  act: OutgoingAct;

  @PrimaryColumn({
    name: 'created_at',
    type: 'timestamptz',
    precision: 3,
    primaryKeyConstraintName: 'outgoing_hands_pk',
  })
  createdAt: Date;

  /**
   * Booking day of the outgoing line, or its value day if later; `infinity` without any day. It may lie in the future,
   * and is compared with tolerance for nearby days.
   */
  @PrimaryColumn({
    name: 'booked_on',
    type: 'date',
    primaryKeyConstraintName: 'outgoing_hands_pk',
  })
  bookedOn: string;
}
