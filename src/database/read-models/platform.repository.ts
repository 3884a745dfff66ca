import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, type Statement } from '../database.js';
import type { MerchantRole } from '../people/membership.entity.js';
import { User } from '../people/user.entity.js';

export interface PersonMembership {
  readonly id: string;
  readonly name: string;
  readonly role: MerchantRole;
}

/** A user, as operators see it. */
export interface ListedPerson extends Pick<
  User,
  'id' | 'email' | 'name' | 'platformRole' | 'createdAt' | 'disabledAt'
> {
  readonly hasSecondFactor: boolean;
  /** Last sign-in, including two-factor authentication. */
  readonly signedInAt: Date | null;
  readonly places: readonly PersonMembership[];
}

export interface PeopleSearch {
  /** Part of the name or address, case-insensitive; empty = all. */
  readonly text: string;
  /** Cursor: only users created before this one. */
  readonly after: string | null;
  readonly limit: number;
}

const PEOPLE: Statement = {
  name: 'platform_people',
  text: `SELECT u.id, u.email, u.name, u.platform_role AS "platformRole",
      u.created_at AS "createdAt", u.disabled_at AS "disabledAt",
      u.totp_confirmed_at IS NOT NULL AS "hasSecondFactor",
      (SELECT max(s.created_at) FROM user_sessions s WHERE s.user_id = u.id
        AND (s.second_factor_at IS NOT NULL OR u.totp_confirmed_at IS NULL)) AS "signedInAt",
      (SELECT coalesce(jsonb_agg(jsonb_build_object('id', m.id, 'name', m.name, 'role', p.role)
          ORDER BY m.name, m.id), '[]')
        FROM memberships p JOIN merchants m ON m.id = p.merchant_id
        WHERE p.user_id = u.id) AS places
    FROM users u
    WHERE ($1 = '' OR position(lower($1) IN lower(u.name)) > 0 OR position(lower($1) IN u.email) > 0)
      AND ($2::uuid IS NULL OR u.id < $2)
    ORDER BY u.id DESC LIMIT $3`,
};

/** Queries for platform users only. */
@Injectable()
export class PlatformRepository {
  constructor(private readonly database: Database) {}

  /** Newest first. */
  people({ text, after, limit }: PeopleSearch): Promise<ListedPerson[]> {
    return this.database.query(PEOPLE, [text, after, limit]);
  }

  /** Locks the user until the transaction ends. */
  lockUser(tx: EntityManager, id: string): Promise<User | null> {
    return tx.findOne(User, { where: { id }, lock: { mode: 'for_no_key_update' } });
  }
}
