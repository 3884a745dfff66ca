import { Check, Entity, Index, PrimaryColumn } from 'typeorm';
import { MinorColumn } from '../columns.js';

const PK = 'sign_in_refusals_pk';

/** Wrong passwords of an hour for one account: a row, however many they are. */
@Entity({ name: 'sign_in_refusals' })
@Check('sign_in_refusals_tries_check', 'tries > 0')
@Index('sign_in_refusals_age', ['hour'])
export class SignInRefusal {
  /** A user, or the nil UUID for all addresses that nobody has. */
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: PK })
  whose: string;

  /** Its beginning. */
  @PrimaryColumn({ type: 'timestamptz', precision: 3, primaryKeyConstraintName: PK })
  hour: Date;

  @MinorColumn('tries')
  tries: number;
}
