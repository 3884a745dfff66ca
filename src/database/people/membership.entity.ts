import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../columns.js';
import { Merchant } from '../merchants/merchant.entity.js';
import { User } from './user.entity.js';

export const MERCHANT_ROLES = ['owner', 'developer', 'finance', 'viewer'] as const;
/** A user's role at a merchant. */
export type MerchantRole = (typeof MERCHANT_ROLES)[number];

/** A user's membership of a merchant. */
@Entity({ name: 'memberships' })
@Check('memberships_role_check', `role IN ('owner', 'developer', 'finance', 'viewer')`)
@ForeignKey(() => Merchant, ['merchantId'], ['id'], { name: 'memberships_merchant_fk' })
@ForeignKey(() => User, ['userId'], ['id'], { name: 'memberships_user_fk' })
@Index('memberships_user', ['userId'])
export class Membership {
  @PrimaryColumn({ name: 'merchant_id', type: 'uuid', primaryKeyConstraintName: 'memberships_pk' })
  merchantId: string;

  @PrimaryColumn({ name: 'user_id', type: 'uuid', primaryKeyConstraintName: 'memberships_pk' })
  userId: string;

  @Column({ type: 'text' })
  role: MerchantRole;

  @TimestampColumn('created_at')
  createdAt: Date;

  /** Maintained by a trigger, which rejects other values; null for other roles. */
  @TimestampColumn('owner_since', { nullable: true })
  ownerSince?: Date | null;
}
