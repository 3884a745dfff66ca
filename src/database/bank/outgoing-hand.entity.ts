import { Check, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { Mode } from '../merchants/api-key.entity.js';
import { User } from '../people/user.entity.js';

export const OUTGOING_ACTS = ['outgoing_brought', 'outgoing_decided'] as const;
/** What somebody did by whose word a payment was taken back by its bank, or was not. */
export type OutgoingAct = (typeof OUTGOING_ACTS)[number];

/**
 * Somebody who decided what money was that left an account, and so approves no payout of the money that had come on it
 * until then: a return that is taken for another order's leaves its own order the money. Only triggers write here.
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
   * Of what left, or of its value if that is later; `infinity` without any day. It may be ahead, and is taken for one with
   * bookings of days nearby.
   */
  @PrimaryColumn({
    name: 'booked_on',
    type: 'date',
    primaryKeyConstraintName: 'outgoing_hands_pk',
  })
  bookedOn: string;
}
