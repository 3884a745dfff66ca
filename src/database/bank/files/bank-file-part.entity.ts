import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { BankFile } from './bank-file.entity.js';

/** A chunk of a bank file, stored as gzip: the evidence of what was imported. */
@Entity({ name: 'bank_file_parts' })
@ForeignKey(() => BankFile, ['fileId'], ['id'], {
  name: 'bank_file_parts_file_fk',
  onDelete: 'CASCADE',
})
export class BankFilePart {
  @PrimaryColumn({ name: 'file_id', type: 'uuid', primaryKeyConstraintName: 'bank_file_parts_pk' })
  fileId: string;

  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'bank_file_parts_pk' })
  number: number;

  @Column({ type: 'bytea' })
  content: Buffer;
}
