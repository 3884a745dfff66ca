import { Check, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { User } from '../../people/user.entity.js';
import { BankLine } from './bank-line.entity.js';

export const LINE_ACTS = [
  'match_undone',
  'payer_added',
  'same_booking',
  'same_booking_undone',
  'marked_distinct_undone',
] as const;

/**
 * A user who decided something about a line and so may not approve payouts of its money. A trigger copies it from the
 * audit log.
 */
@Entity({ name: 'bank_line_hands' })
@Check(
  'bank_line_hands_act_check',
  `act IN ('match_undone', 'payer_added', 'same_booking', 'same_booking_undone', 'marked_distinct_undone')`,
)
@ForeignKey(() => BankLine, ['lineId'], ['id'], { name: 'bank_line_hands_line_fk' })
@ForeignKey(() => User, ['userId'], ['id'], { name: 'bank_line_hands_user_fk' })
export class BankLineHand {
  @PrimaryColumn({ name: 'line_id', type: 'uuid', primaryKeyConstraintName: 'bank_line_hands_pk' })
  lineId: string;

  @PrimaryColumn({ name: 'user_id', type: 'uuid', primaryKeyConstraintName: 'bank_line_hands_pk' })
  userId: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'bank_line_hands_pk' })
  act: (typeof LINE_ACTS)[number];

  @PrimaryColumn({
    name: 'created_at',
    type: 'timestamptz',
    precision: 3,
    primaryKeyConstraintName: 'bank_line_hands_pk',
  })
  createdAt: Date;
}
