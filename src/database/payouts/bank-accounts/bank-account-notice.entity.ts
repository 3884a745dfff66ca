import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../columns.js';
import { User } from '../../people/user.entity.js';
import { BankAccount } from './bank-account.entity.js';

const PK = 'bank_account_notices_pk';

/** A mail about a new bank account to a user who owned the merchant when it was added. */
@Entity({ name: 'bank_account_notices' })
@Check('bank_account_notices_sent_check', 'sent_at IS NULL OR next_attempt_at IS NULL')
@ForeignKey(() => BankAccount, ['merchantId', 'bankAccountId'], ['merchantId', 'id'], {
  name: 'bank_account_notices_account_fk',
})
@ForeignKey(() => User, ['userId'], ['id'], { name: 'bank_account_notices_user_fk' })
@Index('bank_account_notices_unsent', ['nextAttemptAt'], { where: 'next_attempt_at IS NOT NULL' })
export class BankAccountNotice {
  @PrimaryColumn({ name: 'merchant_id', type: 'uuid', primaryKeyConstraintName: PK })
  merchantId: string;

  @PrimaryColumn({ name: 'bank_account_id', type: 'uuid', primaryKeyConstraintName: PK })
  bankAccountId: string;

  @PrimaryColumn({ name: 'user_id', type: 'uuid', primaryKeyConstraintName: PK })
  userId: string;

  /** Attempts to send the mail, including a running one. */
  @Column({ type: 'smallint', default: 0 })
  attempts: number;

  /** Next attempt, or end of the current sender's lease; null when sent or given up. */
  @TimestampColumn('next_attempt_at', { nullable: true })
  nextAttemptAt: Date | null;

  @TimestampColumn('sent_at', { nullable: true })
  sentAt: Date | null;

  /** Whether the recipient had been an owner for seven days when the account was added. Set by a trigger. */
  @Column({ name: 'is_seasoned', type: 'boolean', default: false })
  isSeasoned: boolean;
}
