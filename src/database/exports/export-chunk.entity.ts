import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Export } from './export.entity.js';

/** A chunk of an export's gzip file. Stored in the database, because processes share nothing else. */
@Entity({ name: 'export_chunks' })
@ForeignKey(() => Export, ['exportId'], ['id'], {
  name: 'export_chunks_export_fk',
  onDelete: 'CASCADE',
})
export class ExportChunk {
  @PrimaryColumn({ name: 'export_id', type: 'uuid', primaryKeyConstraintName: 'export_chunks_pk' })
  exportId: string;

  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'export_chunks_pk' })
  number: number;

  @Column({ type: 'bytea' })
  content: Buffer;
}
