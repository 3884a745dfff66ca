import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, LessThanOrEqual, Not } from 'typeorm';
import { Database, type Statement } from '../database.js';
import { dueAtOnce, dueBy, LEASE, LONGEST_RETRY } from '../due.js';
import type { LimitedRepository } from '../limited-repository.js';
import { UserLink } from './user-link.entity.js';
import type { MerchantRole } from './membership.entity.js';
import { columnsOf } from '../entity-sql.js';

/** An open invitation. */
export interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly role: MerchantRole;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly sentAt: Date | null;
  /** The mail is not sent yet. */
  readonly isWaiting: boolean;
}

/** An invitation as the invited person sees it. */
export interface OpenInvitation extends Pick<Invitation, 'id' | 'email' | 'role'> {
  readonly merchantId: string;
  readonly merchantName: string;
  /** User with this address; null when there is none. */
  readonly userId: string | null;
  readonly isDisabled: boolean;
  /** The user works for the platform, and so cannot join a merchant. */
  readonly isStaff: boolean;
}

const DUE = ['id', 'kind', 'email', 'role', 'attempts', 'token', 'tokenHash', 'expiresAt'] as const;

/** A link whose mail is due. */
export interface DueLink extends Pick<UserLink, (typeof DUE)[number]> {
  readonly token: string;
  readonly merchantName: string | null;
  readonly inviterName: string | null;
}

/** A new token for a link, and when it expires. */
export type Renewal = Pick<UserLink, 'token' | 'tokenHash' | 'createdAt' | 'expiresAt'>;

/** The inviter is still an owner: an invitation is void once its sender loses the role. */
const STILL_INVITES = `EXISTS (SELECT FROM memberships i JOIN users s ON s.id = i.user_id
  WHERE i.merchant_id = l.merchant_id AND i.user_id = l.created_by AND i.role = 'owner'
    AND s.disabled_at IS NULL)`;

const PENDING: Statement = {
  name: 'user_link_pending',
  text: `SELECT id, email, role, created_at AS "createdAt", expires_at AS "expiresAt",
      sent_at AS "sentAt", token IS NOT NULL AS "isWaiting"
    FROM user_links WHERE merchant_id = $1 AND kind = 'invitation' AND used_at IS NULL
    ORDER BY created_at DESC, id DESC LIMIT 200`,
};

const OPEN_INVITATION: Statement = {
  name: 'user_link_invitation',
  text: `SELECT l.id, l.email, l.role, m.id AS "merchantId", m.name AS "merchantName",
      u.id AS "userId", u.disabled_at IS NOT NULL AS "isDisabled",
      u.platform_role IS NOT NULL AS "isStaff"
    FROM user_links l JOIN merchants m ON m.id = l.merchant_id LEFT JOIN users u ON u.email = l.email
    WHERE l.token_hash = $1 AND l.kind = 'invitation' AND l.used_at IS NULL AND l.expires_at > $2
      AND ${STILL_INVITES}`,
};

const OPEN_RESET: Statement = {
  name: 'user_link_reset',
  text: `SELECT l.id, u.id AS "userId", u.email, u.name FROM user_links l JOIN users u ON u.email = l.email
    WHERE l.token_hash = $1 AND l.kind = 'reset' AND l.used_at IS NULL AND l.expires_at > $2
      AND u.disabled_at IS NULL`,
};

/** Concurrent uses are serialized by the row lock; the second one finds the link used. */
const USE = `UPDATE user_links l SET used_at = $3, token = NULL, next_attempt_at = NULL
  WHERE id = $1 AND token_hash = $2 AND used_at IS NULL AND expires_at > $3
    AND (kind = 'reset' OR ${STILL_INVITES})`;

const RENEW = `UPDATE user_links SET token = $3, token_hash = $4, created_at = $5, expires_at = $6,
    attempts = 0, next_attempt_at = ${dueBy('$5')}, sent_at = NULL
  WHERE id = $1 AND merchant_id = $2 AND kind = 'invitation' AND used_at IS NULL AND created_at <= $7
  RETURNING email`;

const REVOKE = `DELETE FROM user_links
  WHERE id = $1 AND merchant_id = $2 AND kind = 'invitation' AND used_at IS NULL RETURNING email`;

const WITHDRAW = `DELETE FROM user_links
  WHERE (created_by = $1 OR email = (SELECT email FROM users WHERE id = $1))
    AND ($2::uuid IS NULL OR merchant_id = $2) AND kind = 'invitation' AND used_at IS NULL
  RETURNING id, merchant_id AS "merchantId", email`;

/** Alternates between merchants and addresses with password resets. Few mails wait in total. */
const CLAIM: Statement = {
  name: 'user_link_claim',
  text: `WITH waiting AS (
      SELECT id, row_number() OVER (PARTITION BY coalesce(merchant_id::text, email)
        ORDER BY next_attempt_at) AS place
      FROM user_links WHERE token IS NOT NULL AND next_attempt_at <= $1 AND expires_at > $1
    ), due AS (
      SELECT l.id FROM user_links l JOIN waiting w ON w.id = l.id
      WHERE l.token IS NOT NULL AND l.next_attempt_at <= $1
      ORDER BY w.place, random() LIMIT $3 FOR UPDATE OF l SKIP LOCKED
    ), taken AS (
      UPDATE user_links l SET next_attempt_at = ${dueBy('$2', LEASE)}, attempts = l.attempts + 1
      FROM due WHERE l.id = due.id RETURNING l.*
    )
    SELECT ${columnsOf('t', UserLink, DUE)},
      m.name AS "merchantName", u.name AS "inviterName"
    FROM taken t LEFT JOIN merchants m ON m.id = t.merchant_id
      LEFT JOIN users u ON u.id = t.created_by`,
};

const LATER: Statement = {
  name: 'user_link_later',
  text: `UPDATE user_links SET next_attempt_at = ${dueBy('$3', LONGEST_RETRY)}
    WHERE id = $1 AND token_hash = $2 AND token IS NOT NULL`,
};

const PURGE: Statement = {
  name: 'user_link_purge',
  text: `DELETE FROM user_links WHERE id IN (
      SELECT id FROM user_links WHERE expires_at < $1 ORDER BY expires_at LIMIT $2)
    RETURNING 1`,
};

/** Deletes the token, which is needed only for the mail. */
const SENT = { token: null, nextAttemptAt: null } as const;

type Changed<Row = unknown> = [rows: Row[], count: number];

/** Stores links in mails: invitations and password resets. */
@Injectable()
export class UserLinkRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(UserLink) private readonly links: LimitedRepository<UserLink>,
  ) {}

  /** @returns false when the merchant has an open invitation for the address */
  async insert(tx: EntityManager, link: UserLink): Promise<boolean> {
    const row = { ...link, nextAttemptAt: dueAtOnce(link.createdAt) };
    const insert = tx.createQueryBuilder().insert().into(UserLink).values(row).orIgnore();
    const { raw } = await insert.returning('id').execute();
    return (raw as unknown[]).length === 1;
  }

  /** A merchant's open invitations, including expired ones, newest first. */
  pending(merchantId: string): Promise<Invitation[]> {
    return this.database.query(PENDING, [merchantId]);
  }

  async openInvitation(tokenHash: Buffer, now: Date): Promise<OpenInvitation | null> {
    const rows = await this.database.query<OpenInvitation>(OPEN_INVITATION, [tokenHash, now]);
    return rows[0] ?? null;
  }

  /** The link with its user. */
  async openReset(tokenHash: Buffer, now: Date): Promise<OpenReset | null> {
    return (await this.database.query<OpenReset>(OPEN_RESET, [tokenHash, now]))[0] ?? null;
  }

  /** @returns false when it was used, revoked or renewed concurrently, or has expired */
  async use(tx: EntityManager, id: string, tokenHash: Buffer, now: Date): Promise<boolean> {
    const [, count] = await tx.query<Changed>(USE, [id, tokenHash, now]);
    return count === 1;
  }

  /** Invalidates all open password resets of an address. */
  async endResets(tx: EntityManager, email: string, now: Date): Promise<void> {
    const open = { kind: 'reset', email, usedAt: IsNull() } as const;
    await tx.update(UserLink, open, { ...SENT, usedAt: now });
  }

  /**
   * Replaces an invitation's token; the old one becomes invalid.
   * @param notAfter an invitation sent later than this is not renewed
   * @returns the address; null when there is no such invitation
   */
  async renew(
    tx: EntityManager,
    id: string,
    merchantId: string,
    renewal: Renewal,
    notAfter: Date,
  ): Promise<string | null> {
    const { token, tokenHash, createdAt, expiresAt } = renewal;
    const values = [id, merchantId, token, tokenHash, createdAt, expiresAt, notAfter];
    const [rows] = await tx.query<Changed<{ email: string }>>(RENEW, values);
    return rows[0]?.email ?? null;
  }

  /** Deletes an invitation. @returns the address; null when there is no such invitation */
  async revoke(tx: EntityManager, id: string, merchantId: string): Promise<string | null> {
    const [rows] = await tx.query<Changed<{ email: string }>>(REVOKE, [id, merchantId]);
    return rows[0]?.email ?? null;
  }

  /** Deletes open invitations sent by the user or to the user, of one merchant or of all (null). */
  async withdraw(
    tx: EntityManager,
    userId: string,
    merchantId: string | null,
  ): Promise<Withdrawn[]> {
    const [rows] = await tx.query<Changed<Withdrawn>>(WITHDRAW, [userId, merchantId]);
    return rows;
  }

  /** Claims links whose mails are due; no other process claims them before `leaseUntil`. */
  claim(now: Date, leaseUntil: Date, limit: number): Promise<DueLink[]> {
    return this.database.query(CLAIM, [now, leaseUntil, limit]);
  }

  /**
   * Deletes the token. A link renewed meanwhile has another token, and its new mail stays due.
   * @param sentAt null when the mail is given up
   */
  async done({ id, tokenHash }: DueLink, sentAt: Date | null): Promise<void> {
    await this.links.update({ id, tokenHash }, { ...SENT, sentAt });
  }

  async tryLater({ id, tokenHash }: DueLink, nextAttemptAt: Date): Promise<void> {
    await this.database.query(LATER, [id, tokenHash, nextAttemptAt]);
  }

  /** Deletes tokens of expired links. */
  async forgetTokens(now: Date): Promise<void> {
    const over = { token: Not(IsNull()), expiresAt: LessThanOrEqual(now) };
    await this.links.update(over, SENT);
  }

  /** @returns the number of deleted links */
  async purge(before: Date, limit: number): Promise<number> {
    return (await this.database.query(PURGE, [before, limit])).length;
  }
}

/** A deleted invitation. */
export interface Withdrawn extends Pick<Invitation, 'id' | 'email'> {
  readonly merchantId: string;
}

export interface OpenReset {
  readonly id: string;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
}
