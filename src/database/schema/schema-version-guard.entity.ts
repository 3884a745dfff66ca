import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** The minimum program version for these tables; a single row. */
@Entity({ name: 'schema_fence' })
@Check('schema_fence_id_check', 'id = 1')
export class SchemaVersionGuard {
  @PrimaryColumn({ type: 'smallint', primaryKeyConstraintName: 'schema_fence_pk' })
  id: number;

  /** Minimum `SCHEMA_READS` of a program. */
  @Column({ type: 'integer' })
  reads: number;
}
