import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, LessThanOrEqual, Not } from 'typeorm';
import { Database, type Statement } from '../database.js';
import { dueAtOnce, dueBy, LEASE, LONGEST_RETRY } from '../due.js';
import type { GatedRepository } from '../gated-repository.js';
import { UserLink } from './user-link.entity.js';
import type { MerchantRole } from './membership.entity.js';
import { columnsOf } from '../entity-sql.js';

/** An invitation that nobody has taken yet. */
export interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly role: MerchantRole;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly sentAt: Date | null;
  /** The mail has still to leave. */
  readonly isWaiting: boolean;
}

/** An invitation as the invited see it. */
export interface OpenInvitation extends Pick<Invitation, 'id' | 'email' | 'role'> {
  readonly merchantId: string;
  readonly merchantName: string;
  /** Of the account with this address, when there is one. */
  readonly userId: string | null;
  readonly isDisabled: boolean;
  /** It works for the platform, and so for no merchant. */
  readonly isStaff: boolean;
}

const DUE = ['id', 'kind', 'email', 'role', 'attempts', 'token', 'tokenHash', 'expiresAt'] as const;

/** A link whose mail is due. */
export interface DueLink extends Pick<UserLink, (typeof DUE)[number]> {
  readonly token: string;
  readonly merchantName: string | null;
  readonly inviterName: string | null;
}

/** A new token for a link, and until when it works. */
export type Renewal = Pick<UserLink, 'token' | 'tokenHash' | 'createdAt' | 'expiresAt'>;

/** Whoever sent the invitation could send it now: a role that ended meanwhile invites nobody. */
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

/** Of two who come at once, the second waits here and then finds it used. */
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

/** Merchants take turns, with those who forgot a password; few wait in all. */
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

/** No mail is due any more, and so nobody needs the token. */
const SENT = { token: null, nextAttemptAt: null } as const;

type Changed<Row = unknown> = [rows: Row[], count: number];

/** Links that mails bring: invitations, and those to a new password. */
@Injectable()
export class UserLinkRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(UserLink) private readonly links: GatedRepository<UserLink>,
  ) {}

  /** @returns false when the address has an open invitation of the merchant already */
  async insert(tx: EntityManager, link: UserLink): Promise<boolean> {
    const row = { ...link, nextAttemptAt: dueAtOnce(link.createdAt) };
    const insert = tx.createQueryBuilder().insert().into(UserLink).values(row).orIgnore();
    const { raw } = await insert.returning('id').execute();
    return (raw as unknown[]).length === 1;
  }

  /** A merchant's invitations that nobody has taken, the newest first, expired ones among them. */
  pending(merchantId: string): Promise<Invitation[]> {
    return this.database.query(PENDING, [merchantId]);
  }

  async openInvitation(tokenHash: Buffer, now: Date): Promise<OpenInvitation | null> {
    const rows = await this.database.query<OpenInvitation>(OPEN_INVITATION, [tokenHash, now]);
    return rows[0] ?? null;
  }

  /** The link, with the user whom it gives a new password. */
  async openReset(tokenHash: Buffer, now: Date): Promise<OpenReset | null> {
    return (await this.database.query<OpenReset>(OPEN_RESET, [tokenHash, now]))[0] ?? null;
  }

  /** @returns false when it was used, revoked or renewed meanwhile, or is too old */
  async use(tx: EntityManager, id: string, tokenHash: Buffer, now: Date): Promise<boolean> {
    const [, count] = await tx.query<Changed>(USE, [id, tokenHash, now]);
    return count === 1;
  }

  /** No other link to a new password works for this address any more. */
  async endResets(tx: EntityManager, email: string, now: Date): Promise<void> {
    const open = { kind: 'reset', email, usedAt: IsNull() } as const;
    await tx.update(UserLink, open, { ...SENT, usedAt: now });
  }

  /**
   * Gives an invitation a new token; the old one is worth nothing from then on.
   * @param notAfter an invitation that was sent later than this is left alone
   * @returns the address, or null when there is no such invitation
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

  /** @returns the address, or null when there is no such invitation */
  async revoke(tx: EntityManager, id: string, merchantId: string): Promise<string | null> {
    const [rows] = await tx.query<Changed<{ email: string }>>(REVOKE, [id, merchantId]);
    return rows[0]?.email ?? null;
  }

  /** Takes back the invitations that the user has sent, and those that were sent to him, at one merchant or everywhere (null). */
  async withdraw(
    tx: EntityManager,
    userId: string,
    merchantId: string | null,
  ): Promise<Withdrawn[]> {
    const [rows] = await tx.query<Changed<Withdrawn>>(WITHDRAW, [userId, merchantId]);
    return rows;
  }

  /** Takes links whose mails are due; nobody else takes them before `leaseUntil`. */
  claim(now: Date, leaseUntil: Date, limit: number): Promise<DueLink[]> {
    return this.database.query(CLAIM, [now, leaseUntil, limit]);
  }

  /**
   * Forgets the token. A link that was renewed meanwhile has another, and its new mail is still due.
   * @param sentAt null when the mail will never leave */
  async done({ id, tokenHash }: DueLink, sentAt: Date | null): Promise<void> {
    await this.links.update({ id, tokenHash }, { ...SENT, sentAt });
  }

  async tryLater({ id, tokenHash }: DueLink, nextAttemptAt: Date): Promise<void> {
    await this.database.query(LATER, [id, tokenHash, nextAttemptAt]);
  }

  /** Tokens of links that nobody could use any more. */
  async forgetTokens(now: Date): Promise<void> {
    const over = { token: Not(IsNull()), expiresAt: LessThanOrEqual(now) };
    await this.links.update(over, SENT);
  }

  /** @returns how many */
  async purge(before: Date, limit: number): Promise<number> {
    return (await this.database.query(PURGE, [before, limit])).length;
  }
}

/** An invitation that is no more. */
export interface Withdrawn extends Pick<Invitation, 'id' | 'email'> {
  readonly merchantId: string;
}

export interface OpenReset {
  readonly id: string;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
}
