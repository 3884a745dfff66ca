import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../columns.js';
import { User } from './user.entity.js';

/** A single-use recovery code for two-factor authentication. */
@Entity({ name: 'user_recovery_codes' })
@ForeignKey(() => User, ['userId'], ['id'], { name: 'user_recovery_codes_user_fk' })
export class UserRecoveryCode {
  @PrimaryColumn({
    name: 'user_id',
    type: 'uuid',
    primaryKeyConstraintName: 'user_recovery_codes_pk',
  })
  userId: string;

  /** SHA-256 without salt: the code is too long for brute force. */
  @PrimaryColumn({
    name: 'code_hash',
    type: 'bytea',
    primaryKeyConstraintName: 'user_recovery_codes_pk',
  })
  codeHash: Buffer;

  @TimestampColumn('used_at', { nullable: true })
  usedAt: Date | null;
}
