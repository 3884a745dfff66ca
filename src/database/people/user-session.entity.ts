import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MomentColumn } from '../columns.js';
import { User } from './user.entity.js';

/** A browser in which a user has signed in. */
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

  /** SHA-256 of what the cookie holds. */
  @Column({ name: 'token_hash', type: 'bytea' })
  tokenHash: Buffer;

  /** The browser's, at sign-in. */
  @Column({ type: 'text' })
  address: string;

  /** What the browser calls itself, cut short. */
  @Column({ type: 'text' })
  agent: string;

  @MomentColumn('created_at')
  createdAt: Date;

  /** To the minute or so. */
  @MomentColumn('seen_at')
  seenAt: Date;

  /** When a code was last given; null while it is still owed, or never asked for. */
  @MomentColumn('second_factor_at', { nullable: true })
  secondFactorAt: Date | null;

  /** Wrong codes and passwords in a row. */
  @Column({ name: 'wrong_guesses', type: 'integer', default: 0 })
  wrongGuesses: number;

  @MomentColumn('ended_at', { nullable: true })
  endedAt: Date | null;
}
