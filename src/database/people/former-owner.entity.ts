import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { MomentColumn } from '../columns.js';
import { Merchant } from '../merchants/merchant.entity.js';
import { User } from './user.entity.js';

const PK = 'former_owners_pk';

/** Somebody who owned a merchant; the database writes it down with the end of the membership. */
@Entity({ name: 'former_owners' })
@ForeignKey(() => Merchant, ['merchantId'], ['id'], { name: 'former_owners_merchant_fk' })
@ForeignKey(() => User, ['userId'], ['id'], { name: 'former_owners_user_fk' })
export class FormerOwner {
  @PrimaryColumn({ name: 'merchant_id', type: 'uuid', primaryKeyConstraintName: PK })
  merchantId: string;

  @PrimaryColumn({ name: 'user_id', type: 'uuid', primaryKeyConstraintName: PK })
  userId: string;

  /** By the clock of the database. */
  @MomentColumn('until')
  until: Date;

  /** Null for those of older versions. */
  @MomentColumn('since', { nullable: true })
  since?: Date | null;
}
