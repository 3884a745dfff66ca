import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../columns.js';
import { Merchant } from '../merchants/merchant.entity.js';
import { User } from '../people/user.entity.js';

const PK = 'saved_views_pk';

/** A named filter of the order list, saved by a user for one merchant. */
@Entity({ name: 'saved_views' })
@Check('saved_views_name_check', 'char_length(name) BETWEEN 1 AND 60')
@ForeignKey(() => Merchant, ['merchantId'], ['id'], { name: 'saved_views_merchant_fk' })
@ForeignKey(() => User, ['userId'], ['id'], { name: 'saved_views_user_fk' })
export class SavedView {
  @PrimaryColumn({ name: 'merchant_id', type: 'uuid', primaryKeyConstraintName: PK })
  merchantId: string;

  @PrimaryColumn({ name: 'user_id', type: 'uuid', primaryKeyConstraintName: PK })
  userId: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: PK })
  name: string;

  /** The filter as URL query; relative periods stay relative. */
  @Column({ type: 'text' })
  query: string;

  @TimestampColumn('created_at')
  createdAt: Date;
}
