import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../columns.js';
import { User } from '../../people/user.entity.js';

/**
 * A CSV profile: the columns of a bank's CSV files, entered by an operator. Rows are never deleted: users who created
 * or removed a profile influenced the money in its files, and so may not approve payouts of it.
 */
@Entity({ name: 'csv_profiles' })
@Check('csv_profiles_name_check', `char_length(name) BETWEEN 1 AND 140 AND name !~* '/|\\.json$'`)
@ForeignKey(() => User, ['createdBy'], ['id'], { name: 'csv_profiles_created_by_fk' })
@ForeignKey(() => User, ['removedBy'], ['id'], { name: 'csv_profiles_removed_by_fk' })
@Check('csv_profiles_removed_check', '(removed_by IS NULL) = (removed_at IS NULL)')
@Index('csv_profiles_once', ['name'], { unique: true, where: 'removed_at IS NULL' })
export class KeptCsvProfile {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'csv_profiles_pk' })
  id: string;

  @Column({ type: 'text' })
  name: string;

  /** Input of `readCsvProfile`. */
  @Column({ type: 'json' })
  profile: Readonly<Record<string, unknown>>;

  @Column({ name: 'created_by', type: 'uuid' })
  createdBy: string;

  @TimestampColumn('created_at')
  createdAt: Date;

  @Column({ name: 'removed_by', type: 'uuid', nullable: true })
  removedBy?: string | null;

  /** Not used for files since then. */
  @TimestampColumn('removed_at', { nullable: true })
  removedAt?: Date | null;
}
