import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MinorColumn, TimestampColumn } from '../../columns.js';
import type { Mode } from '../../merchants/api-key.entity.js';
import type { AccountType } from '../../payments/payment.entity.js';
import { User } from '../../people/user.entity.js';
import { UNKNOWN_MONEY_OUT } from './waiting-lines.js';

export const LINE_STATES = [
  'announced',
  'matched',
  'suggested',
  'unmatched',
  'not_a_payment',
  'ignored',
  'superseded',
] as const;
export type LineState = (typeof LINE_STATES)[number];

/** Why a booked line is not matched automatically. */
export type UnprovenReason =
  'statement_not_balanced' | 'statement_without_balance' | 'read_before' | 'booked_in_future';

/**
 * A booking on an account of the platform: one row however many files contain it. A trigger keeps the bank's data
 * immutable, except for details that a later file adds. `state`, `reason` and related columns may change.
 */
@Entity({ name: 'bank_lines' })
@Check('bank_lines_mode_check', `mode IN ('test', 'live')`)
@Check('bank_lines_direction_check', `direction IN ('in', 'out')`)
@Check('bank_lines_status_check', `status IN ('booked', 'announced')`)
@Check(
  'bank_lines_state_check',
  `state IN ('announced', 'matched', 'suggested', 'unmatched', 'not_a_payment', 'ignored', 'superseded')`,
)
@Check('bank_lines_amount_check', `(amount IS NULL) = (amount_text IS NOT NULL) AND amount >= 0`)
@Check(
  'bank_lines_unproven_check',
  `unproven IN ('statement_not_balanced', 'statement_without_balance', 'read_before',
    'booked_in_future')`,
)
@Check('bank_lines_marked_distinct_check', `marked_distinct_by IS NULL OR duplicate_of IS NOT NULL`)
@Check('bank_lines_duplicate_check', `duplicate_of <> id`)
@ForeignKey(() => BankLine, ['duplicateOf'], ['id'], { name: 'bank_lines_duplicate_of_fk' })
@ForeignKey(() => User, ['markedDistinctBy'], ['id'], { name: 'bank_lines_marked_distinct_by_fk' })
@Index('bank_lines_once', ['key', 'account', 'mode', 'ordinal'], { unique: true })
@Index('bank_lines_day', ['mode', 'account', 'bookedOn', 'id'])
@Index('bank_lines_state', ['mode', 'state', 'id'])
@Index('bank_lines_new', ['id'], { where: 'looked_at IS NULL' })
@Index('bank_lines_amount', ['mode', 'account', 'amount'], { where: `direction = 'in'` })
@Index('bank_lines_amount_out', ['mode', 'amount', 'account'], { where: `direction = 'out'` })
@Index('bank_lines_payer', { synchronize: false })
@Index('bank_lines_bank_reference', { synchronize: false })
@Index('bank_lines_entry_reference', { synchronize: false })
@Index('bank_lines_end_to_end_id', { synchronize: false })
@Index('bank_lines_uetr', { synchronize: false })
@Index('bank_lines_transaction_id', { synchronize: false })
@Index('bank_lines_named_reference', ['namedReference', 'account', 'mode', 'key', 'ordinal'], {
  where: 'named_reference IS NOT NULL',
})
@Index('bank_lines_waiting', ['mode', 'id'], { where: `state IN ('suggested', 'unmatched')` })
@Index('bank_lines_unknown_money_out', ['mode', 'id'], { where: UNKNOWN_MONEY_OUT })
@Index('bank_lines_waiting_returns', ['mode', 'account'], {
  where: `direction = 'out' AND status = 'booked' AND state IN ('suggested', 'unmatched')`,
})
@Index('bank_lines_naming_out', ['mode', 'bookedOn'], {
  where: `direction = 'out' AND named_reference IS NOT NULL`,
})
@Index('bank_lines_announced', ['mode', 'account', 'key'], { where: `status = 'announced'` })
@Index('bank_lines_announced_out', ['mode', 'account'], {
  where: `direction = 'out' AND state = 'announced'`,
})
@Index('bank_lines_duplicate_of', ['duplicateOf'], { where: 'duplicate_of IS NOT NULL' })
@Index('bank_lines_requeued', ['reason', 'mode', 'account'], {
  where: `reason IN ('more_than_due', 'unknown_account', 'payout_elsewhere', 'total_or_payment', 'statements_differ', 'unknown_money_back')`,
})
@Index('bank_lines_paid', { synchronize: false })
@Index('bank_lines_parent', ['parentId'], { where: 'parent_id IS NOT NULL' })
@Index('bank_lines_batch', ['mode', 'account', 'batchKey'], { where: 'batch_key IS NOT NULL' })
export class BankLine {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'bank_lines_pk' })
  id: string;

  @Column({ type: 'text' })
  mode: Mode;

  /** As `StoredStatement.account`. */
  @Column({ type: 'text' })
  account: string;

  /** Deduplication key: direction, amount, currency and day. */
  @Column({ type: 'text', collation: 'C' })
  key: string;

  /** Number of the booking among those of the account with the same key, from 0. */
  @Column({ type: 'integer' })
  ordinal: number;

  /** `YYYY-MM-DD` */
  @Column({ name: 'booked_on', type: 'date', nullable: true })
  bookedOn: string | null;

  @Column({ name: 'valued_on', type: 'date', nullable: true })
  valuedOn: string | null;

  /** Minor units; null when the bank's text could not be parsed and is in `amountText`. */
  @MinorColumn('amount', { nullable: true })
  amount: number | null;

  @Column({ name: 'amount_text', type: 'text', nullable: true })
  amountText: string | null;

  @Column({ type: 'text', nullable: true })
  currency: string | null;

  @Column({ type: 'text' })
  direction: 'in' | 'out';

  @Column({ type: 'text' })
  status: 'booked' | 'announced';

  /** As the parser's `LineKind`. */
  @Column({ type: 'text' })
  kind: string;

  @Column({ type: 'boolean' })
  reversal: boolean;

  @Column({ type: 'boolean' })
  returned: boolean;

  @Column({ type: 'text', nullable: true })
  contradicts: string | null;

  @Column({ name: 'counterparty_name', type: 'text', nullable: true })
  counterpartyName: string | null;

  @Column({ name: 'counterparty_account', type: 'text', nullable: true })
  counterpartyAccount: string | null;

  @Column({ name: 'counterparty_account_type', type: 'text', nullable: true })
  counterpartyAccountType: AccountType | null;

  @Column({ name: 'counterparty_bic', type: 'text', nullable: true })
  counterpartyBic: string | null;

  @Column({ name: 'payer_references', type: 'json' })
  references: readonly { readonly value: string; readonly type: string | null }[];

  @Column({ name: 'end_to_end_id', type: 'text', nullable: true })
  endToEndId: string | null;

  @Column({ name: 'bank_reference', type: 'text', nullable: true })
  bankReference: string | null;

  /** The payer's remittance text, then the bank's additions. */
  @Column({ type: 'text', nullable: true })
  text: string | null;

  /** The payment reference issued by this service that the line contains, normalized; one of several. */
  @Column({ name: 'named_reference', type: 'text', nullable: true, collation: 'C' })
  namedReference: string | null;

  /** As the parser's `LineIdentifiers`, and the sequence number by kind of message. */
  @Column({ type: 'json' })
  identifiers: Readonly<Record<string, string | null>>;

  @Column({ type: 'text' })
  state: LineState;

  /** A code of `LINE_REASONS`; for an operator's decision, what they wrote. */
  @Column({ type: 'text', nullable: true })
  reason: string | null;

  /** The batch total that includes this line. */
  @Column({ name: 'parent_id', type: 'uuid', nullable: true })
  parentId: string | null;

  /** Shared by all payments of a batch booking and the line of their total. */
  @Column({ name: 'batch_id', type: 'uuid', nullable: true })
  batchId: string | null;

  /** For a payment of a batch booking: the `key` of the batch total. */
  @Column({ name: 'batch_key', type: 'text', nullable: true, collation: 'C' })
  batchKey: string | null;

  /** Why no statement's balances prove the line, although statements of this kind usually do; null = proven. */
  @Column({ type: 'text', nullable: true })
  unproven: UnprovenReason | null;

  /** The line of which this one is a possible duplicate; a confirmed one when the reason is `same_booking`. */
  @Column({ name: 'duplicate_of', type: 'uuid', nullable: true })
  duplicateOf: string | null;

  /** The operator who marked it as a separate booking. */
  @Column({ name: 'marked_distinct_by', type: 'uuid', nullable: true })
  markedDistinctBy: string | null;

  /** Formats that have booked the line, or the total of which it is a part; maintained by triggers. */
  @Column({ type: 'text', array: true, default: () => "'{}'", select: false })
  formats?: readonly string[];

  /** Whether it has ever moved money of an order; a trigger sets it, and nothing resets it. */
  @Column({ name: 'has_paid', type: 'boolean', default: false, select: false })
  hasPaid?: boolean;

  @TimestampColumn('created_at')
  createdAt: Date;

  /** When matching last processed it; null = pending. */
  @TimestampColumn('looked_at', { nullable: true })
  lookedAt: Date | null;
}
