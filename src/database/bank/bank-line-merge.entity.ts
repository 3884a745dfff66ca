import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MomentColumn } from '../columns.js';
import type { BankLinePlace } from './bank-line-place.entity.js';
import { BankLine, type UnprovenReason } from './bank-line.entity.js';

/**
 * A line that a person called the same booking as another one, and what that changed, so that it can be undone; the row
 * goes with the merge. It stays where the other line has moved money that only this one proved.
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

  /** Where the line was seen itself. */
  @Column({ type: 'json' })
  places: readonly Pick<BankLinePlace, 'statementId' | 'entry' | 'detail'>[];

  /** As the other line had it before, like what follows. */
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

  @MomentColumn('created_at')
  createdAt: Date;
}
