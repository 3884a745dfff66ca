import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '../database.js';
import type { Order } from '../orders/order.entity.js';
import {
  DUE_BY_PERIOD,
  ERASE,
  ERASE_ENDED,
  ERASE_REPORTS_OF_ORDERS,
  ERASE_STRAY_REPORTS,
  ORDERS_OF_PAYER,
  PURGE_SESSIONS,
  type RetentionRule,
} from './retention.statements.js';

/** A row whose retention period is over. */
export interface Due {
  readonly merchantId: string;
  readonly id: string;
}

/** The payer of an erasure request to a merchant. */
export interface PayerSearch {
  readonly email: string | null;
  readonly account: string | null;
}

/** Number of erased messages, and of those that still need review. */
export interface StrayReports {
  readonly erased: number;
  readonly waiting: number;
}

export type FoundOrder = Pick<Order, 'txid' | 'status'>;

/** Erases personal data of payers; money and its evidence are kept. */
@Injectable()
export class RetentionRepository {
  constructor(private readonly database: Database) {}

  /** Rows with ids below `before` that are not erased, alternating between merchants. */
  due(rule: RetentionRule, before: string, limit: number): Promise<Due[]> {
    return this.database.query(DUE_BY_PERIOD[rule], [before, limit]);
  }

  /** @returns the number of rows erased; rows that changed concurrently may be kept longer */
  async erase(
    tx: EntityManager,
    rule: RetentionRule,
    merchantId: string,
    ids: readonly string[],
  ): Promise<number> {
    return (await tx.query<[unknown[], number]>(ERASE[rule], [merchantId, ids]))[1];
  }

  /** Orders of both modes by mailbox, account or both. */
  find(merchantId: string, { email, account }: PayerSearch): Promise<FoundOrder[]> {
    return this.database.query(ORDERS_OF_PAYER, [merchantId, email, account]);
  }

  /** Erases finished orders. @returns the erased ones */
  async eraseEnded(
    tx: EntityManager,
    merchantId: string,
    txids: readonly string[],
  ): Promise<string[]> {
    const [rows] = await tx.query<[{ txid: string }[], number]>(ERASE_ENDED, [merchantId, txids]);
    return rows.map(({ txid }) => txid);
  }

  /** Erases provider reports about these orders; `since` is an id older than the orders. */
  async eraseReportsOf(
    tx: EntityManager,
    merchantId: string,
    txids: readonly string[],
    since: string,
  ): Promise<void> {
    await tx.query(ERASE_REPORTS_OF_ORDERS, [merchantId, txids, since]);
  }

  /** Erases reports about unknown payments whose text matches the regular expression. */
  async eraseStrayReports(
    tx: EntityManager,
    merchantId: string,
    words: string,
  ): Promise<StrayReports> {
    const rows = await tx.query<StrayReports[]>(ERASE_STRAY_REPORTS, [merchantId, words]);
    return rows[0]!;
  }

  /** Deletes sessions with ids below `before`. @returns the number of deleted sessions */
  async purgeSessions(before: string, limit: number): Promise<number> {
    return (await this.database.query(PURGE_SESSIONS, [before, limit])).length;
  }
}
