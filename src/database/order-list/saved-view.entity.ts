import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { MomentColumn } from '../columns.js';
import { Merchant } from '../merchants/merchant.entity.js';
import { User } from '../people/user.entity.js';

const PK = 'saved_views_pk';

/** A filter of the list of orders that somebody keeps for one merchant, under a name. */
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

  /** The filter as the address of the list has it: days of a preset are other days tomorrow. */
  @Column({ type: 'text' })
  query: string;

  @MomentColumn('created_at')
  createdAt: Date;
}
