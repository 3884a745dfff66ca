import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** The one row that says which programs may work on these tables. */
@Entity({ name: 'schema_fence' })
@Check('schema_fence_id_check', 'id = 1')
export class SchemaFence {
  @PrimaryColumn({ type: 'smallint', primaryKeyConstraintName: 'schema_fence_pk' })
  id: number;

  /** The least `SCHEMA_READS` of a program that may. */
  @Column({ type: 'integer' })
  reads: number;
}
