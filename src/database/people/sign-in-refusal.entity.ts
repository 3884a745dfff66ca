import { Check, Entity, Index, PrimaryColumn } from 'typeorm';
import { MinorColumn } from '../columns.js';

const PK = 'sign_in_refusals_pk';

/** Number of wrong passwords per account and hour. */
@Entity({ name: 'sign_in_refusals' })
@Check('sign_in_refusals_tries_check', 'tries > 0')
@Index('sign_in_refusals_age', ['hour'])
export class SignInRefusal {
  /** User id, or the nil UUID for all addresses without an account. */
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: PK })
  whose: string;

  /** Start of the hour. */
  @PrimaryColumn({ type: 'timestamptz', precision: 3, primaryKeyConstraintName: PK })
  hour: Date;

  @MinorColumn('tries')
  tries: number;
}
