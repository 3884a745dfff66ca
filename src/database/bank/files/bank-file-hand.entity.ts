import { Check, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../columns.js';
import { User } from '../../people/user.entity.js';
import { BankFile } from './bank-file.entity.js';

export const FILE_ACTS = ['file_brought', 'profile_written'] as const;

/**
 * A user who influenced a file's content (uploaded it, wrote its CSV profile) and so may not approve payouts of its
 * money. A trigger records the upload.
 */
@Entity({ name: 'bank_file_hands' })
@Check('bank_file_hands_act_check', `act IN ('file_brought', 'profile_written')`)
@ForeignKey(() => BankFile, ['fileId'], ['id'], { name: 'bank_file_hands_file_fk' })
@ForeignKey(() => User, ['userId'], ['id'], { name: 'bank_file_hands_user_fk' })
export class BankFileHand {
  @PrimaryColumn({ name: 'file_id', type: 'uuid', primaryKeyConstraintName: 'bank_file_hands_pk' })
  fileId: string;

  @PrimaryColumn({ name: 'user_id', type: 'uuid', primaryKeyConstraintName: 'bank_file_hands_pk' })
  userId: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'bank_file_hands_pk' })
  act: (typeof FILE_ACTS)[number];

  @TimestampColumn('created_at')
  createdAt: Date;
}
