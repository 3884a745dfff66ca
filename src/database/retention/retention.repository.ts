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

/** A row whose time is over. */
export interface Due {
  readonly merchantId: string;
  readonly id: string;
}

/** Whom a merchant was asked to forget. */
export interface PayerSearch {
  readonly email: string | null;
  readonly account: string | null;
}

/** How many messages are erased, and how many a person has still to look at. */
export interface StrayReports {
  readonly erased: number;
  readonly waiting: number;
}

export type FoundOrder = Pick<Order, 'txid' | 'status'>;

/** Takes out of the tables who paid and what was written about them; money and its proof stay. */
@Injectable()
export class RetentionRepository {
  constructor(private readonly database: Database) {}

  /** Rows with ids below `before` that have not been forgotten, merchants in turns. */
  due(rule: RetentionRule, before: string, limit: number): Promise<Due[]> {
    return this.database.query(DUE_BY_PERIOD[rule], [before, limit]);
  }

  /** @returns how many of these rows are forgotten now; what changed meanwhile may be kept longer */
  async erase(
    tx: EntityManager,
    rule: RetentionRule,
    merchantId: string,
    ids: readonly string[],
  ): Promise<number> {
    return (await tx.query<[unknown[], number]>(ERASE[rule], [merchantId, ids]))[1];
  }

  /** Orders of both modes; a mailbox or an account alone, or both. */
  find(merchantId: string, { email, account }: PayerSearch): Promise<FoundOrder[]> {
    return this.database.query(ORDERS_OF_PAYER, [merchantId, email, account]);
  }

  /** @returns the orders that nobody can be found by any more: not those that have not ended */
  async eraseEnded(
    tx: EntityManager,
    merchantId: string,
    txids: readonly string[],
  ): Promise<string[]> {
    const [rows] = await tx.query<[{ txid: string }[], number]>(ERASE_ENDED, [merchantId, txids]);
    return rows.map(({ txid }) => txid);
  }

  /** What providers said about these orders; `since` is an id that is older than they are. */
  async eraseReportsOf(
    tx: EntityManager,
    merchantId: string,
    txids: readonly string[],
    since: string,
  ): Promise<void> {
    await tx.query(ERASE_REPORTS_OF_ORDERS, [merchantId, txids, since]);
  }

  /** What providers said about no payment of ours, in words that match the regular expression. */
  async eraseStrayReports(
    tx: EntityManager,
    merchantId: string,
    words: string,
  ): Promise<StrayReports> {
    const rows = await tx.query<StrayReports[]>(ERASE_STRAY_REPORTS, [merchantId, words]);
    return rows[0]!;
  }

  /** @returns how many sessions that began before the id was made are gone */
  async purgeSessions(before: string, limit: number): Promise<number> {
    return (await this.database.query(PURGE_SESSIONS, [before, limit])).length;
  }
}
