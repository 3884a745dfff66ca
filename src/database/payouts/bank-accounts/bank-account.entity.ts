import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../columns.js';
import type { Mode } from '../../merchants/api-key.entity.js';
import { Merchant } from '../../merchants/merchant.entity.js';
import { User } from '../../people/user.entity.js';

/** A merchant's bank account for payouts. Changing an account creates a new row. */
@Entity({ name: 'bank_accounts' })
@Check('bank_accounts_mode_check', `mode IN ('test', 'live')`)
@Check('bank_accounts_holder_check', `char_length(holder) BETWEEN 1 AND 70`)
@Check('bank_accounts_iban_check', `iban ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{8,30}$'`)
@Check('bank_accounts_confirmed_check', `(confirmed_by IS NULL) = (confirmed_at IS NULL)`)
@Check(
  'bank_accounts_times_check',
  `usable_from - greatest(created_at, noticed_at, confirmed_at) >= interval '24 hours'`,
)
@ForeignKey(() => Merchant, ['merchantId'], ['id'], { name: 'bank_accounts_merchant_fk' })
@ForeignKey(() => User, ['createdBy'], ['id'], { name: 'bank_accounts_created_by_fk' })
@ForeignKey(() => User, ['confirmedBy'], ['id'], { name: 'bank_accounts_confirmed_by_fk' })
@Index('bank_accounts_once', ['merchantId', 'mode', 'iban'], {
  unique: true,
  where: 'retired_at IS NULL',
})
export class BankAccount {
  @PrimaryColumn({
    name: 'merchant_id',
    type: 'uuid',
    primaryKeyConstraintName: 'bank_accounts_pk',
  })
  merchantId: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'bank_accounts_pk' })
  id: string;

  @Column({ type: 'text' })
  mode: Mode;

  /** Account holder as known to the bank. */
  @Column({ type: 'text' })
  holder: string;

  /** Without spaces. */
  @Column({ type: 'text' })
  iban: string;

  @Column({ name: 'created_by', type: 'uuid' })
  createdBy: string;

  @TimestampColumn('created_at')
  createdAt: Date;

  /** Earliest payout: 24 hours after it was added, confirmed and notified, whichever is last. Set by a trigger. */
  @TimestampColumn('usable_from')
  usableFrom: Date;

  /**
   * When the last notification was accepted by the mail server: of those to owners of seven days who neither added nor
   * confirmed it, or without any of these, of those to other owners. Null while one of them is pending. Set by a
   * trigger, which rejects payouts before.
   */
  @TimestampColumn('noticed_at', { nullable: true })
  noticedAt: Date | null;

  @Column({ name: 'confirmed_by', type: 'uuid', nullable: true })
  confirmedBy: string | null;

  @TimestampColumn('confirmed_at', { nullable: true })
  confirmedAt: Date | null;

  @TimestampColumn('retired_at', { nullable: true })
  retiredAt: Date | null;
}
