import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../columns.js';
import { User } from './user.entity.js';

/** A user's session in a browser. */
@Entity({ name: 'user_sessions' })
@Check('user_sessions_hash_check', 'octet_length(token_hash) = 32')
@ForeignKey(() => User, ['userId'], ['id'], { name: 'user_sessions_user_fk' })
@Index('user_sessions_token', ['tokenHash'], { unique: true })
@Index('user_sessions_user', ['userId'], { where: 'ended_at IS NULL' })
export class UserSession {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'user_sessions_pk' })
  id: string;

  @Column({ name: 'user_id', type: 'uuid' })
  userId: string;

  /** SHA-256 of the cookie's token. */
  @Column({ name: 'token_hash', type: 'bytea' })
  tokenHash: Buffer;

  /** IP address at sign-in. */
  @Column({ type: 'text' })
  address: string;

  /** User-Agent, truncated. */
  @Column({ type: 'text' })
  agent: string;

  @TimestampColumn('created_at')
  createdAt: Date;

  /** Accurate to about a minute. */
  @TimestampColumn('seen_at')
  seenAt: Date;

  /** When a two-factor code was last entered; null before, or without two-factor authentication. */
  @TimestampColumn('second_factor_at', { nullable: true })
  secondFactorAt: Date | null;

  /** Consecutive wrong codes and passwords. */
  @Column({ name: 'wrong_guesses', type: 'integer', default: 0 })
  wrongGuesses: number;

  @TimestampColumn('ended_at', { nullable: true })
  endedAt: Date | null;
}
