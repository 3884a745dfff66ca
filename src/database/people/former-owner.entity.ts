import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../columns.js';
import { Merchant } from '../merchants/merchant.entity.js';
import { User } from './user.entity.js';

const PK = 'former_owners_pk';

/** A former owner of a merchant. A trigger adds it when the ownership ends. */
@Entity({ name: 'former_owners' })
@ForeignKey(() => Merchant, ['merchantId'], ['id'], { name: 'former_owners_merchant_fk' })
@ForeignKey(() => User, ['userId'], ['id'], { name: 'former_owners_user_fk' })
export class FormerOwner {
  @PrimaryColumn({ name: 'merchant_id', type: 'uuid', primaryKeyConstraintName: PK })
  merchantId: string;

  @PrimaryColumn({ name: 'user_id', type: 'uuid', primaryKeyConstraintName: PK })
  userId: string;

  /** By the database's clock. */
  @TimestampColumn('until')
  until: Date;

  /** Null for rows of earlier versions. */
  @TimestampColumn('since', { nullable: true })
  since?: Date | null;
}
