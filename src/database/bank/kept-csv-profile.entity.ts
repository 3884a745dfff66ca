import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MomentColumn } from '../columns.js';
import { User } from '../people/user.entity.js';

/** How a bank writes CSV, as an operator wrote it down. */
@Entity({ name: 'csv_profiles' })
@Check('csv_profiles_name_check', 'char_length(name) BETWEEN 1 AND 140')
@ForeignKey(() => User, ['createdBy'], ['id'], { name: 'csv_profiles_created_by_fk' })
@Index('csv_profiles_once', ['name'], { unique: true })
export class KeptCsvProfile {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'csv_profiles_pk' })
  id: string;

  @Column({ type: 'text' })
  name: string;

  /** As `readCsvProfile` takes it. */
  @Column({ type: 'json' })
  profile: Readonly<Record<string, unknown>>;

  @Column({ name: 'created_by', type: 'uuid' })
  createdBy: string;

  @MomentColumn('created_at')
  createdAt: Date;
}
