import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../columns.js';
import type { BankLinePlace } from './bank-line-place.entity.js';
import { BankLine, type UnprovenReason } from './bank-line.entity.js';

/**
 * A line that an operator merged with another one as the same booking, and the previous values, to undo the merge.
 * Undoing deletes the row. A merge cannot be undone once the other line has moved money that only this line proved.
 */
@Entity({ name: 'bank_line_merges' })
@ForeignKey(() => BankLine, ['lineId'], ['id'], { name: 'bank_line_merges_line_fk' })
@ForeignKey(() => BankLine, ['otherId'], ['id'], { name: 'bank_line_merges_other_fk' })
@Index('bank_line_merges_other', ['otherId'])
export class BankLineMerge {
  @PrimaryColumn({ name: 'line_id', type: 'uuid', primaryKeyConstraintName: 'bank_line_merges_pk' })
  lineId: string;

  @Column({ name: 'other_id', type: 'uuid' })
  otherId: string;

  /** The line's own places before the merge. */
  @Column({ type: 'json' })
  places: readonly Pick<BankLinePlace, 'statementId' | 'entry' | 'detail'>[];

  /** Previous values of the other line, from here on. */
  @Column({ type: 'text', nullable: true })
  text: string | null;

  @Column({ name: 'payer_references', type: 'json' })
  references: BankLine['references'];

  @Column({ name: 'end_to_end_id', type: 'text', nullable: true })
  endToEndId: string | null;

  @Column({ name: 'named_reference', type: 'text', nullable: true })
  namedReference: string | null;

  @Column({ name: 'counterparty_name', type: 'text', nullable: true })
  counterpartyName: string | null;

  @Column({ name: 'counterparty_account', type: 'text', nullable: true })
  counterpartyAccount: string | null;

  @Column({ name: 'counterparty_account_type', type: 'text', nullable: true })
  counterpartyAccountType: BankLine['counterpartyAccountType'];

  @Column({ name: 'counterparty_bic', type: 'text', nullable: true })
  counterpartyBic: string | null;

  @Column({ type: 'text', nullable: true })
  unproven: UnprovenReason | null;

  @TimestampColumn('created_at')
  createdAt: Date;
}
