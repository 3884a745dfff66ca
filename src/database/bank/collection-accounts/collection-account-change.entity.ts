import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../columns.js';
import { User } from '../../people/user.entity.js';

export type CollectionAccountChangeKind = 'add' | 'prefer' | 'disable';

/** The rule by which a change was authorized. */
export type CollectionAccountRule = 'two_people' | 'command_line' | 'single_operator' | 'earlier';

const OPEN = 'applied_at IS NULL AND withdrawn_at IS NULL';

/**
 * A change of the live collection accounts. Triggers update the account when the change is applied, and reject any
 * other update.
 */
@Entity({ name: 'collection_account_changes' })
@Check('collection_account_changes_kind_check', `kind IN ('add', 'prefer', 'disable')`)
@Check(
  'collection_account_changes_rule_check',
  `rule IN ('two_people', 'command_line', 'single_operator', 'earlier')`,
)
@Check(
  'collection_account_changes_confirmed_check',
  `num_nonnulls(confirmed_at, effective_at, rule) IN (0, 3)
    AND (confirmed_by IS NULL) = (coalesce(rule, 'earlier') = 'earlier')`,
)
@Check(
  'collection_account_changes_withdrawn_check',
  '(withdrawn_by IS NULL) = (withdrawn_at IS NULL)',
)
@Check(
  'collection_account_changes_applied_check',
  `applied_at IS NULL
    OR (withdrawn_at IS NULL AND coalesce(effective_at <= applied_at, false))`,
)
@Check(
  'collection_account_changes_position_check',
  `(position IS NULL) = (applied_at IS NULL OR kind = 'disable')`,
)
@ForeignKey(() => User, ['proposedBy'], ['id'], {
  name: 'collection_account_changes_proposed_by_fk',
})
@ForeignKey(() => User, ['confirmedBy'], ['id'], {
  name: 'collection_account_changes_confirmed_by_fk',
})
@ForeignKey(() => User, ['withdrawnBy'], ['id'], {
  name: 'collection_account_changes_withdrawn_by_fk',
})
@Index('collection_account_changes_once', ['accountId', 'kind'], { unique: true, where: OPEN })
@Index('collection_account_changes_add_once', ['currency', 'account'], {
  unique: true,
  where: `kind = 'add' AND ${OPEN}`,
})
@Index('collection_account_changes_account', ['accountId'])
export class CollectionAccountChange {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'collection_account_changes_pk' })
  id: string;

  @Column({ type: 'text' })
  kind: CollectionAccountChangeKind;

  /** Id of the account; its row exists once the change that adds it is applied. */
  @Column({ name: 'account_id', type: 'uuid' })
  accountId: string;

  @Column({ type: 'text' })
  currency: string;

  @Column({ type: 'text' })
  holder: string;

  @Column({ type: 'text' })
  account: string;

  @Column({ type: 'text', nullable: true })
  bic: string | null;

  @Column({ name: 'bank_name', type: 'text', nullable: true })
  bankName: string | null;

  /** Null for the command line, which has no signed-in user. */
  @Column({ name: 'proposed_by', type: 'uuid', nullable: true })
  proposedBy: string | null;

  /** IP address of the browser, or host name of the command line. */
  @Column({ name: 'proposed_from', type: 'text' })
  proposedFrom: string;

  @TimestampColumn('proposed_at')
  proposedAt: Date;

  @Column({ name: 'confirmed_by', type: 'uuid', nullable: true })
  confirmedBy: string | null;

  @TimestampColumn('confirmed_at', { nullable: true })
  confirmedAt: Date | null;

  /** Set by a trigger with the confirmation. */
  @Column({ type: 'text', nullable: true })
  rule: CollectionAccountRule | null;

  /** End of the waiting period; set by a trigger with the confirmation. */
  @TimestampColumn('effective_at', { nullable: true })
  effectiveAt: Date | null;

  @Column({ name: 'withdrawn_by', type: 'uuid', nullable: true })
  withdrawnBy: string | null;

  @TimestampColumn('withdrawn_at', { nullable: true })
  withdrawnAt: Date | null;

  @TimestampColumn('applied_at', { nullable: true })
  appliedAt: Date | null;

  /** The account's new position; set by a trigger. */
  @Column({ type: 'integer', nullable: true })
  position: number | null;
}
