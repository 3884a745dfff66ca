import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, type Statement } from '../database.js';
import { Membership, type MerchantRole } from './membership.entity.js';

/** A member of a merchant's team. */
export interface Member {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly role: MerchantRole;
  readonly createdAt: Date;
  readonly hasSecondFactor: boolean;
  readonly isDisabled: boolean;
}

const LIST: Statement = {
  name: 'membership_list',
  text: `SELECT m.user_id AS "userId", u.name, u.email, m.role, m.created_at AS "createdAt",
      u.totp_confirmed_at IS NOT NULL AS "hasSecondFactor",
      u.disabled_at IS NOT NULL AS "isDisabled"
    FROM memberships m JOIN users u ON u.id = m.user_id
    WHERE m.merchant_id = $1 ORDER BY m.created_at, m.user_id`,
};

/**
 * Locks the owners who can sign in: concurrent changes of each other are serialized, and the second one sees the first.
 */
const OWNERS = `WITH owners AS MATERIALIZED (
    SELECT o.user_id FROM memberships o JOIN users u ON u.id = o.user_id
    WHERE o.merchant_id = $1 AND o.role = 'owner' AND u.disabled_at IS NULL
    ORDER BY o.user_id FOR UPDATE OF o
  )`;

/** The actor (`$3`) is an owner, the member's (`$2`) role is still `$4`, and at least one owner remains. */
const MAY_GO = `m.role = $4 AND $3 IN (SELECT user_id FROM owners)
  AND (m.role <> 'owner' OR EXISTS (SELECT FROM owners WHERE user_id <> $2))`;

const REMOVE = `${OWNERS} DELETE FROM memberships m
  WHERE m.merchant_id = $1 AND m.user_id = $2 AND ${MAY_GO} RETURNING m.role`;

const CHANGE = `${OWNERS} UPDATE memberships m SET role = $5
  WHERE m.merchant_id = $1 AND m.user_id = $2 AND ${MAY_GO} RETURNING 1`;

/** Serializes with a change of the owner's role, and with closing the account. */
const HOLD_OWNER = `SELECT 1 FROM memberships m JOIN users u ON u.id = m.user_id
  WHERE m.merchant_id = $1 AND m.user_id = $2 AND m.role = 'owner' AND u.disabled_at IS NULL FOR SHARE`;

const JOIN_ANEW = `INSERT INTO memberships (merchant_id, user_id, role, created_at)
  VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING 1`;

/**
 * Includes disabled owners: disabling them may be the very event of the notification. `$2`: former owners since then.
 */
export const OWNERS_SINCE = `SELECT user_id AS "userId" FROM memberships
    WHERE merchant_id = $1 AND role = 'owner'
  UNION SELECT user_id FROM former_owners WHERE merchant_id = $1 AND until > $2`;

const OWNED_SINCE = `SELECT merchant_id AS "merchantId" FROM memberships
    WHERE user_id = $1 AND role = 'owner'
  UNION SELECT merchant_id FROM former_owners WHERE user_id = $1 AND until > $2`;

/** Result of UPDATE and DELETE in a transaction. */
type Changed = [rows: unknown[], count: number];

/** Stores memberships. */
@Injectable()
export class MembershipRepository {
  constructor(private readonly database: Database) {}

  /** In order of joining. */
  list(merchantId: string): Promise<Member[]> {
    return this.database.query(LIST, [merchantId]);
  }

  /** Ids of the current owners, and of former ones since then. */
  async ownersSince(tx: EntityManager, merchantId: string, since: Date): Promise<string[]> {
    const rows = await tx.query<{ userId: string }[]>(OWNERS_SINCE, [merchantId, since]);
    return rows.map(({ userId }) => userId);
  }

  /** Ids of the merchants that the user owns, or has owned since then. */
  async ownedSince(tx: EntityManager, userId: string, since: Date): Promise<string[]> {
    const rows = await tx.query<{ merchantId: string }[]>(OWNED_SINCE, [userId, since]);
    return rows.map(({ merchantId }) => merchantId);
  }

  /** The user's roles at merchants. */
  ofUser(tx: EntityManager, userId: string): Promise<Membership[]> {
    return tx.find(Membership, { where: { userId }, order: { merchantId: 'ASC' } });
  }

  /** @returns whether the user is still an owner, until the transaction ends */
  async holdOwner(tx: EntityManager, merchantId: string, userId: string): Promise<boolean> {
    return (await tx.query<unknown[]>(HOLD_OWNER, [merchantId, userId])).length === 1;
  }

  /** @returns false when the user is a member already; the role is unchanged */
  async joinAnew(tx: EntityManager, membership: Membership): Promise<boolean> {
    const { merchantId, userId, role, createdAt } = membership;
    const rows: unknown[] = await tx.query(JOIN_ANEW, [merchantId, userId, role, createdAt]);
    return rows.length === 1;
  }

  /** @returns false when the member is the last owner or has another role by now, or `actor` is no longer an owner */
  async remove(tx: EntityManager, member: MembershipKey, actor: string): Promise<boolean> {
    const { merchantId, userId, role } = member;
    const [, count] = await tx.query<Changed>(REMOVE, [merchantId, userId, actor, role]);
    return count === 1;
  }

  /** @returns false as in `remove` */
  async changeRole(
    tx: EntityManager,
    { merchantId, userId, role }: MembershipKey,
    to: MerchantRole,
    actor: string,
  ): Promise<boolean> {
    const [, count] = await tx.query<Changed>(CHANGE, [merchantId, userId, actor, role, to]);
    return count === 1;
  }
}

/** A user's role at a merchant. */
type MembershipKey = Pick<Membership, 'merchantId' | 'userId' | 'role'>;
