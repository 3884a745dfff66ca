import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../database.js';
import type { PageOpening } from './page-opening.entity.js';

/** Sorted by key, to prevent deadlocks between processes. */
const INSERT: Statement = {
  name: 'page_opening_insert',
  text: `INSERT INTO page_openings (merchant_id, txid, opened_at)
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) ORDER BY 1, 2
    ON CONFLICT DO NOTHING`,
};

/** Stores when payment pages were first opened. */
@Injectable()
export class PageOpeningRepository {
  constructor(private readonly database: Database) {}

  /** Keeps existing rows. */
  async insert(openings: readonly PageOpening[]): Promise<void> {
    await this.database.query(INSERT, [
      openings.map(({ merchantId }) => merchantId),
      openings.map(({ txid }) => txid),
      openings.map(({ openedAt }) => openedAt),
    ]);
  }
}
