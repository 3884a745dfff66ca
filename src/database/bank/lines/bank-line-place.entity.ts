import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { BankLine } from './bank-line.entity.js';
import { StoredStatement } from '../files/stored-statement.entity.js';

/** A position in a statement of a file at which a line appeared. */
@Entity({ name: 'bank_line_places' })
@ForeignKey(() => StoredStatement, ['statementId'], ['id'], {
  name: 'bank_line_places_statement_fk',
})
@ForeignKey(() => BankLine, ['lineId'], ['id'], { name: 'bank_line_places_line_fk' })
@Check('bank_line_places_status_check', `status IN ('booked', 'announced')`)
@Index('bank_line_places_line', ['lineId'])
export class BankLinePlace {
  @PrimaryColumn({
    name: 'statement_id',
    type: 'uuid',
    primaryKeyConstraintName: 'bank_line_places_pk',
  })
  statementId: string;

  /** Index within the statement, from 0. */
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'bank_line_places_pk' })
  entry: number;

  /** Index within the entry, from 0. */
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'bank_line_places_pk' })
  detail: number;

  @Column({ name: 'line_id', type: 'uuid' })
  lineId: string;

  /** The line's status in this statement; null for rows older than this column. */
  @Column({ type: 'text', nullable: true })
  status: 'booked' | 'announced' | null;
}
