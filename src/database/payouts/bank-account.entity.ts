import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MomentColumn } from '../columns.js';
import type { Mode } from '../merchants/api-key.entity.js';
import { Merchant } from '../merchants/merchant.entity.js';
import { User } from '../people/user.entity.js';

/** Where a merchant is paid out to. A changed account is a new one. */
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

  /** The name that the bank knows. */
  @Column({ type: 'text' })
  holder: string;

  /** Without blanks. */
  @Column({ type: 'text' })
  iban: string;

  @Column({ name: 'created_by', type: 'uuid' })
  createdBy: string;

  @MomentColumn('created_at')
  createdAt: Date;

  /**
   * Nothing is paid out to it before: a day after it was added, confirmed and told of, whatever came last.
   * The database moves it on.
   */
  @MomentColumn('usable_from')
  usableFrom: Date;

  /**
   * When the last mail about it was accepted, of those to owners of seven days who neither added nor
   * confirmed it; where there are none, of those to others. Null until none of these is under way. The database sets it, and pays nothing out before.
   */
  @MomentColumn('noticed_at', { nullable: true })
  noticedAt: Date | null;

  @Column({ name: 'confirmed_by', type: 'uuid', nullable: true })
  confirmedBy: string | null;

  @MomentColumn('confirmed_at', { nullable: true })
  confirmedAt: Date | null;

  @MomentColumn('retired_at', { nullable: true })
  retiredAt: Date | null;
}
