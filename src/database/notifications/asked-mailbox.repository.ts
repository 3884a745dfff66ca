import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, LessThan } from 'typeorm';
import type { GatedRepository } from '../gated-repository.js';
import { AskedMailbox } from './asked-mailbox.entity.js';
import type { Owner } from '../keys.js';

/** What a merchant knows of a mailbox before it asks. */
export interface Asked {
  /** In any mode. */
  readonly isRefused: boolean;
  /** Null when it was never asked in this mode, or has agreed since. */
  readonly askedAt: Date | null;
  /** Questions without an answer. */
  readonly questions: number;
  /** Mailboxes that the merchant has asked lately, all together. */
  readonly others: number;
}

/** A hash of each merchant's own: nobody can tell whom two of them have asked. */
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

/** Mailboxes that a merchant has asked, whatever became of the recipients. */
@Injectable()
export class AskedMailboxRepository {
  constructor(
    @InjectRepository(AskedMailbox) private readonly mailboxes: GatedRepository<AskedMailbox>,
  ) {}

  /** @param since from when `others` are counted */
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

  /** In both modes: the mailbox has agreed, or the operator lets it be asked again. */
  async forget(tx: EntityManager, merchantId: string, email: string): Promise<void> {
    await tx.query(FORGET, [merchantId, email]);
  }

  /** Forgets questions before `before` that nobody has answered. */
  async purge(before: Date): Promise<void> {
    await this.mailboxes.delete({ refusedAt: IsNull(), askedAt: LessThan(before) });
  }
}
