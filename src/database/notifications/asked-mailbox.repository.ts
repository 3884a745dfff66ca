import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, LessThan } from 'typeorm';
import type { LimitedRepository } from '../limited-repository.js';
import { AskedMailbox } from './asked-mailbox.entity.js';
import type { Owner } from '../keys.js';

/** Previous confirmation mails to a mailbox. */
export interface Asked {
  /** Unsubscribed, in any mode. */
  readonly isRefused: boolean;
  /** Null when it was never asked in this mode, or has confirmed since. */
  readonly askedAt: Date | null;
  /** Confirmation mails without an answer. */
  readonly questions: number;
  /** Number of mailboxes that the merchant has asked recently. */
  readonly others: number;
}

/** Salted with the merchant's id, so that hashes of two merchants cannot be compared. */
const HASH = `sha256(convert_to($1::uuid::text || ' ' || $2::text, 'UTF8'))`;
const ITS = `merchant_id = $1 AND address_hash = ${HASH}`;

const FIND = `SELECT coalesce(bool_or(refused_at IS NOT NULL), false) AS "isRefused",
    max(asked_at) FILTER (WHERE mode = $3) AS "askedAt",
    coalesce(max(questions) FILTER (WHERE mode = $3), 0) AS questions,
    (SELECT count(*) FROM asked_mailboxes WHERE merchant_id = $1 AND asked_at > $4)::integer AS others
  FROM asked_mailboxes WHERE ${ITS}`;

const INSERT = `INSERT INTO asked_mailboxes
    (merchant_id, address_hash, mode, asked_at, questions, refused_at)`;

const ASK = `${INSERT} VALUES ($1, ${HASH}, $3, $4, 1, NULL)
  ON CONFLICT (merchant_id, address_hash, mode) DO UPDATE
  SET asked_at = EXCLUDED.asked_at, questions = asked_mailboxes.questions + 1`;

const REFUSE = `${INSERT} VALUES ($1, ${HASH}, $3, $4, 1, $4)
  ON CONFLICT (merchant_id, address_hash, mode) DO UPDATE SET refused_at = EXCLUDED.refused_at`;

const FORGET = `DELETE FROM asked_mailboxes WHERE ${ITS}`;

/** Stores which mailboxes a merchant has asked for confirmation, independently of the recipients. */
@Injectable()
export class AskedMailboxRepository {
  constructor(
    @InjectRepository(AskedMailbox) private readonly mailboxes: LimitedRepository<AskedMailbox>,
  ) {}

  /** @param since start of the period for `others` */
  async find(tx: EntityManager, owner: Owner, email: string, since: Date): Promise<Asked> {
    const rows = await tx.query<Asked[]>(FIND, [owner.merchantId, email, owner.mode, since]);
    return rows[0]!;
  }

  async ask(
    tx: EntityManager,
    { merchantId, mode }: Owner,
    email: string,
    now: Date,
  ): Promise<void> {
    await tx.query(ASK, [merchantId, email, mode, now]);
  }

  async refuse(
    tx: EntityManager,
    { merchantId, mode }: Owner,
    email: string,
    now: Date,
  ): Promise<void> {
    await tx.query(REFUSE, [merchantId, email, mode, now]);
  }

  /** Deletes the records of both modes, when the mailbox has confirmed or an operator allows asking it again. */
  async forget(tx: EntityManager, merchantId: string, email: string): Promise<void> {
    await tx.query(FORGET, [merchantId, email]);
  }

  /** Deletes unanswered records older than `before`. */
  async purge(before: Date): Promise<void> {
    await this.mailboxes.delete({ refusedAt: IsNull(), askedAt: LessThan(before) });
  }
}
