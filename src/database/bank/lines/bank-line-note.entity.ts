import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../columns.js';
import { User } from '../../people/user.entity.js';
import { BankLine } from './bank-line.entity.js';

/** An operator's note about a line. Immutable: a trigger rejects updates. */
@Entity({ name: 'bank_line_notes' })
@Check('bank_line_notes_text_check', 'char_length(text) BETWEEN 1 AND 1000')
@ForeignKey(() => BankLine, ['lineId'], ['id'], { name: 'bank_line_notes_line_fk' })
@ForeignKey(() => User, ['userId'], ['id'], { name: 'bank_line_notes_user_fk' })
@Index('bank_line_notes_line', ['lineId', 'id'])
export class BankLineNote {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'bank_line_notes_pk' })
  id: string;

  @Column({ name: 'line_id', type: 'uuid' })
  lineId: string;

  @Column({ name: 'user_id', type: 'uuid' })
  userId: string;

  @Column({ type: 'text' })
  text: string;

  @TimestampColumn('created_at')
  createdAt: Date;
}
