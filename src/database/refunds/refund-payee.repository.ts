import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, type Statement } from '../database.js';
import { columnsOf } from '../entity-sql.js';
import type { Refund } from './refund.entity.js';
import type { RefundKey } from './refund.repository.js';
import { RefundPayee } from './refund-payee.entity.js';

export type NewPayee = Pick<RefundPayee, 'merchantId' | 'refundId' | 'token' | 'expiresAt'>;
export type EnteredPayee = Pick<RefundPayee, 'holder' | 'iban' | 'enteredAt'>;

const COLUMNS = columnsOf('e', RefundPayee);

const INSERT = `INSERT INTO refund_payees (merchant_id, refund_id, token, expires_at)
  VALUES ($1, $2, $3, $4)`;

const FIND: Statement = {
  name: 'refund_payee_find',
  text: `SELECT ${COLUMNS} FROM refund_payees e WHERE e.merchant_id = $1 AND e.refund_id = $2`,
};

const FIND_BY_TOKEN: Statement = {
  name: 'refund_payee_find_by_token',
  text: `SELECT ${COLUMNS} FROM refund_payees e WHERE e.token = $1`,
};

const ENTER = `WITH entered AS (
    UPDATE refund_payees SET holder = $3, iban = $4, entered_at = $5
    WHERE merchant_id = $1 AND refund_id = $2 AND entered_at IS NULL AND expires_at > $5 RETURNING refund_id
  ) SELECT refund_id FROM entered`;

const CONFIRM = `WITH confirmed AS (
    UPDATE refund_payees SET confirmed_by = $3, confirmed_at = $4
    WHERE merchant_id = $1 AND refund_id = $2 AND entered_at IS NOT NULL AND confirmed_at IS NULL RETURNING refund_id
  ) SELECT refund_id FROM confirmed`;

const IS_NAMED = 'SELECT bank_names_payer($1, $2) AS "isNamed"';

@Injectable()
export class RefundPayeeRepository {
  constructor(private readonly database: Database) {}

  /** Whether the bank named the account from which it received the payment. */
  async isNamed(
    tx: EntityManager,
    { merchantId, paymentId }: Pick<Refund, 'merchantId' | 'paymentId'>,
  ): Promise<boolean> {
    const [row] = await tx.query<[{ isNamed: boolean }]>(IS_NAMED, [merchantId, paymentId]);
    return row.isNamed;
  }

  async insert(tx: EntityManager, payee: NewPayee): Promise<void> {
    const { merchantId, refundId, token, expiresAt } = payee;
    await tx.query(INSERT, [merchantId, refundId, token, expiresAt]);
  }

  async find({ merchantId, id }: RefundKey): Promise<RefundPayee | null> {
    return (await this.database.query<RefundPayee>(FIND, [merchantId, id]))[0] ?? null;
  }

  async findByToken(token: string): Promise<RefundPayee | null> {
    return (await this.database.query<RefundPayee>(FIND_BY_TOKEN, [token]))[0] ?? null;
  }

  /** @returns false if an account was entered before, or the time is over */
  async enter(
    tx: EntityManager,
    { merchantId, refundId }: RefundPayee,
    { holder, iban, enteredAt }: EnteredPayee,
  ): Promise<boolean> {
    const rows = await tx.query<unknown[]>(ENTER, [merchantId, refundId, holder, iban, enteredAt]);
    return rows.length > 0;
  }

  /** @returns false if no account was entered, or it was confirmed before */
  async confirm(
    tx: EntityManager,
    { merchantId, id }: RefundKey,
    userId: string,
    now: Date,
  ): Promise<boolean> {
    const rows = await tx.query<unknown[]>(CONFIRM, [merchantId, id, userId, now]);
    return rows.length > 0;
  }
}
