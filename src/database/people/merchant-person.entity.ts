import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Merchant } from '../merchants/merchant.entity.js';
import { User } from './user.entity.js';

/** A current or former member of a merchant. A trigger adds it with each membership. Immutable. */
@Entity({ name: 'merchant_people' })
@ForeignKey(() => Merchant, ['merchantId'], ['id'], { name: 'merchant_people_merchant_fk' })
@ForeignKey(() => User, ['userId'], ['id'], { name: 'merchant_people_user_fk' })
export class MerchantPerson {
  @PrimaryColumn({
    name: 'merchant_id',
    type: 'uuid',
    primaryKeyConstraintName: 'merchant_people_pk',
  })
  merchantId: string;

  @PrimaryColumn({ name: 'user_id', type: 'uuid', primaryKeyConstraintName: 'merchant_people_pk' })
  userId: string;
}
