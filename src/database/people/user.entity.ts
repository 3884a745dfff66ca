import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { MinorColumn, TimestampColumn } from '../columns.js';

export const PLATFORM_ROLES = ['support', 'operator'] as const;
/** Role of a platform user, who works for no merchant. */
export type PlatformRole = (typeof PLATFORM_ROLES)[number];

/** A portal user. */
@Entity({ name: 'users' })
@Check('users_email_check', 'email = lower(email)')
@Check('users_name_check', 'char_length(name) BETWEEN 1 AND 140')
@Check('users_platform_role_check', `platform_role IN ('support', 'operator')`)
@Check('users_totp_check', 'totp_confirmed_at IS NULL OR totp_secret IS NOT NULL')
@Index('users_email', ['email'], { unique: true })
export class User {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'users_pk' })
  id: string;

  /** In lower case. */
  @Column({ type: 'text' })
  email: string;

  @Column({ type: 'text' })
  name: string;

  /** Argon2id, in the PHC string format. */
  @Column({ name: 'password_hash', type: 'text' })
  passwordHash: string;

  @Column({ name: 'platform_role', type: 'text', nullable: true })
  platformRole: PlatformRole | null;

  /** Base32; active only once `totpConfirmedAt` is set by a first code. */
  @Column({ name: 'totp_secret', type: 'text', nullable: true })
  totpSecret: string | null;

  @TimestampColumn('totp_confirmed_at', { nullable: true })
  totpConfirmedAt: Date | null;

  /** Time step of the last accepted code: each code is accepted once. */
  @MinorColumn('totp_last_step', { nullable: true })
  totpLastStep: number | null;

  /** Consecutive sign-ins with a wrong code. */
  @Column({ name: 'wrong_codes', type: 'integer', default: 0 })
  wrongCodes: number;

  /** Codes are rejected before this time; null = no delay. */
  @TimestampColumn('codes_from', { nullable: true })
  codesFrom: Date | null;

  @TimestampColumn('created_at')
  createdAt: Date;

  @TimestampColumn('disabled_at', { nullable: true })
  disabledAt: Date | null;
}
