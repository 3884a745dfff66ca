import type { Merchant } from '../merchants/merchant.entity.js';
import type { MerchantRole } from './membership.entity.js';

/** A user's merchant and role. */
export interface UserMembership extends Pick<Merchant, 'id' | 'name' | 'timeZone'> {
  readonly role: MerchantRole;
}

/** SQL for the memberships of user `u` as JSON, by merchant name; empty for platform users. */
export const placesOf = (u: string): string => `(
  SELECT coalesce(json_agg(json_build_object('id', m.id, 'name', m.name, 'timeZone', m.time_zone,
    'role', p.role) ORDER BY m.name, m.id), '[]')
  FROM memberships p JOIN merchants m ON m.id = p.merchant_id
  WHERE p.user_id = ${u}.id AND ${u}.platform_role IS NULL)`;
