import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { MinorColumn, MomentColumn } from '../columns.js';

export const PLATFORM_ROLES = ['support', 'operator'] as const;
/** What somebody may who works for the platform and not for one merchant. */
export type PlatformRole = (typeof PLATFORM_ROLES)[number];

/** A person who signs in to the portal. */
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

  /** Base32; of use only once a first code has confirmed it. */
  @Column({ name: 'totp_secret', type: 'text', nullable: true })
  totpSecret: string | null;

  @MomentColumn('totp_confirmed_at', { nullable: true })
  totpConfirmedAt: Date | null;

  /** The time step of the code that was taken last: none is taken twice. */
  @MinorColumn('totp_last_step', { nullable: true })
  totpLastStep: number | null;

  /** Half sign-ins in a row in which a code was given that was not right. */
  @Column({ name: 'wrong_codes', type: 'integer', default: 0 })
  wrongCodes: number;

  /** No code is looked at before; null when nobody has to wait. */
  @MomentColumn('codes_from', { nullable: true })
  codesFrom: Date | null;

  @MomentColumn('created_at')
  createdAt: Date;

  @MomentColumn('disabled_at', { nullable: true })
  disabledAt: Date | null;
}
