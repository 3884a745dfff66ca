import { Check, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { MomentColumn } from '../columns.js';
import { User } from '../people/user.entity.js';
import { BankFile } from './bank-file.entity.js';

export const FILE_ACTS = ['file_brought', 'profile_written'] as const;

/** Somebody by whose word a file says what it says. The database writes who brought it. */
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

  @MomentColumn('created_at')
  createdAt: Date;
}
