import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../columns.js';
import type { Mode } from '../../merchants/api-key.entity.js';

/** A collection account: a bank account of the platform to which payers transfer money. */
@Entity({ name: 'collection_accounts' })
@Check('collection_accounts_mode_check', `mode IN ('test', 'live')`)
@Check('collection_accounts_currency_check', `currency ~ '^[A-Z]{3}$'`)
@Check('collection_accounts_holder_check', `char_length(holder) BETWEEN 1 AND 70`)
@Check('collection_accounts_account_check', `char_length(account) BETWEEN 1 AND 64`)
@Index('collection_accounts_once', ['mode', 'currency', 'account'], {
  unique: true,
  where: 'disabled_at IS NULL',
})
export class CollectionAccount {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'collection_accounts_pk' })
  id: string;

  @Column({ type: 'text' })
  mode: Mode;

  @Column({ type: 'text' })
  currency: string;

  @Column({ type: 'text' })
  holder: string;

  /** IBAN without spaces, or another account identifier. */
  @Column({ type: 'text' })
  account: string;

  @Column({ type: 'text', nullable: true })
  bic: string | null;

  @Column({ name: 'bank_name', type: 'text', nullable: true })
  bankName: string | null;

  /**
   * Payers are shown the account with the lowest position of a mode and currency. Statements of the others are
   * imported, too.
   */
  @Column({ type: 'integer' })
  position: number;

  @TimestampColumn('created_at')
  createdAt: Date;

  /** Disabled: no longer shown to payers; late payments are still matched. */
  @TimestampColumn('disabled_at', { nullable: true })
  disabledAt: Date | null;

  /** Operators were notified that statements after this day are missing; null = never missing so far. */
  @Column({ name: 'missing_notified_after', type: 'date', nullable: true })
  missingNotifiedAfter: string | null;
}
