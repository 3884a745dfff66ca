import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '../database.js';
import type { Order } from '../entities/order.entity.js';
import type { RetentionRule } from '../entities/retention-mark.entity.js';
import {
  ERASE_ORDERS,
  ERASE_REPORTS,
  ERASE_REPORTS_OF_ORDERS,
  MARK,
  ORDERS_DUE,
  ORDERS_OF_PAYER,
  PURGE_SESSIONS,
  REPORTS_DUE,
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

export type FoundOrder = Pick<Order, 'txid' | 'status'>;

/** Takes out of the tables who paid and what was written about them; money and its proof stay. */
@Injectable()
export class RetentionRepository {
  constructor(private readonly database: Database) {}

  /** Rows with ids below `before` that the rule has not reached, merchant by merchant, the oldest first. */
  due(rule: RetentionRule, before: string, limit: number): Promise<Due[]> {
    const statement = rule === 'reports' ? REPORTS_DUE : ORDERS_DUE;
    return this.database.query(statement, [rule, before, limit]);
  }

  /** Orders of both modes; a mailbox or an account alone, or both. */
  find(merchantId: string, { email, account }: PayerSearch): Promise<FoundOrder[]> {
    return this.database.query(ORDERS_OF_PAYER, [merchantId, email, account]);
  }

  /**
   * Leaves out orders that have not ended, and those with money when only the others are meant.
   * @returns the orders that nobody can be found by any more
   */
  async eraseOrders(
    tx: EntityManager,
    merchantId: string,
    txids: readonly string[],
    { unpaidOnly }: { readonly unpaidOnly: boolean },
  ): Promise<string[]> {
    const [rows] = await tx.query<[{ txid: string }[], number]>(ERASE_ORDERS, [
      merchantId,
      txids,
      unpaidOnly,
    ]);
    return rows.map(({ txid }) => txid);
  }

  async eraseReports(tx: EntityManager, merchantId: string, ids: readonly string[]): Promise<void> {
    await tx.query(ERASE_REPORTS, [merchantId, ids]);
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

  async mark(
    tx: EntityManager,
    merchantId: string,
    rule: RetentionRule,
    lastId: string,
  ): Promise<void> {
    await tx.query(MARK, [merchantId, rule, lastId]);
  }

  /** @returns how many sessions that began before the id was made are gone */
  async purgeSessions(before: string, limit: number): Promise<number> {
    return (await this.database.query(PURGE_SESSIONS, [before, limit])).length;
  }
}
