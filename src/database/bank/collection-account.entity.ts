import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { MomentColumn } from '../columns.js';
import type { Mode } from '../merchants/api-key.entity.js';

/** An account of the platform at a bank, to which payers transfer money. */
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

  /** An IBAN without blanks, or any other text that names the account at its bank. */
  @Column({ type: 'text' })
  account: string;

  @Column({ type: 'text', nullable: true })
  bic: string | null;

  @Column({ name: 'bank_name', type: 'text', nullable: true })
  bankName: string | null;

  /** The lowest of a mode and currency is shown to payers; the others are read all the same. */
  @Column({ type: 'integer' })
  position: number;

  @MomentColumn('created_at')
  createdAt: Date;

  /** Nobody is sent here any more; what still comes is matched as before. */
  @MomentColumn('disabled_at', { nullable: true })
  disabledAt: Date | null;

  /** Operators know that no statement tells of the days after this one; null = none was missing yet. */
  @Column({ name: 'told_missing_after', type: 'date', nullable: true })
  toldMissingAfter: string | null;
}
