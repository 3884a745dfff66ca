import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../columns.js';
import { User } from '../../people/user.entity.js';
import { BankLine } from './bank-line.entity.js';

/** An operator's decision that a line is not the booking of another line. */
@Entity({ name: 'bank_line_distinctions' })
@ForeignKey(() => BankLine, ['lineId'], ['id'], { name: 'bank_line_distinctions_line_fk' })
@ForeignKey(() => BankLine, ['otherId'], ['id'], { name: 'bank_line_distinctions_other_fk' })
@ForeignKey(() => User, ['userId'], ['id'], { name: 'bank_line_distinctions_user_fk' })
export class BankLineDistinction {
  @PrimaryColumn({
    name: 'line_id',
    type: 'uuid',
    primaryKeyConstraintName: 'bank_line_distinctions_pk',
  })
  lineId: string;

  @PrimaryColumn({
    name: 'other_id',
    type: 'uuid',
    primaryKeyConstraintName: 'bank_line_distinctions_pk',
  })
  otherId: string;

  @Column({ name: 'user_id', type: 'uuid' })
  userId: string;

  @TimestampColumn('created_at')
  createdAt: Date;
}
