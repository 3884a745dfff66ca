import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { MomentColumn } from '../columns.js';
import { User } from './user.entity.js';

/** Stands in once for a code, when the telephone is lost. */
@Entity({ name: 'user_recovery_codes' })
@ForeignKey(() => User, ['userId'], ['id'], { name: 'user_recovery_codes_user_fk' })
export class UserRecoveryCode {
  @PrimaryColumn({
    name: 'user_id',
    type: 'uuid',
    primaryKeyConstraintName: 'user_recovery_codes_pk',
  })
  userId: string;

  /** SHA-256: the code is long enough that nobody can try them all. */
  @PrimaryColumn({
    name: 'code_hash',
    type: 'bytea',
    primaryKeyConstraintName: 'user_recovery_codes_pk',
  })
  codeHash: Buffer;

  @MomentColumn('used_at', { nullable: true })
  usedAt: Date | null;
}
