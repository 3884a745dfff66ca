import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import {
  type OrderFilter,
  NO_FILTER,
} from '../../src/database/read-models/order-list/order-list.model.js';
import {
  type ExportOptions,
  ExportStreamService,
} from '../../src/exports/export-stream.service.js';
import type { TestApp } from './app.js';
import type { Client } from './client.js';
import { select } from './facts.js';

/** Leaves every order in. */
export const EVERYTHING: OrderFilter = { ...NO_FILTER, payerSight: 'full' };

/** Everything of a merchant's test orders, for a program in Berlin. */
export const requestOf = (
  shop: Pick<Client, 'merchantId'>,
  overrides: Partial<ExportOptions> = {},
): ExportOptions => ({
  scope: { merchantId: shop.merchantId, mode: 'test' },
  filter: EVERYTHING,
  preset: 'machine',
  locale: 'en',
  timeZone: 'Europe/Berlin',
  columns: null,
  ...overrides,
});

/** The file's bytes. */
export async function exported(app: TestApp, request: ExportOptions): Promise<Buffer> {
  return buffer((await app.get(ExportStreamService).stream(request)).stream);
}

type Row = Record<string, string>;

/** What a program reads in a file. */
export const rowsIn = (file: Buffer, delimiter = ','): Row[] =>
  parse(file, { bom: true, columns: true, delimiter });

export const readRows = async (app: TestApp, request: ExportOptions): Promise<Row[]> =>
  rowsIn(await exported(app, request));

/** As many as a statement of the service has time for, on a busy machine too. */
const BATCH = 10_000;

const WRITE = `INSERT INTO orders (merchant_id, txid, mode, order_merchant_id, content_hash, status,
    amount, currency, description, optional_fields, page_token, created_at, updated_at, expires_at)
  SELECT $1, gen_random_uuid(), 'test', $4::text || n, '', 'open', n, 'EUR',
    d, '{}', gen_random_uuid(), t, t, t + interval '1 hour'
  FROM generate_series($5::integer, $6::integer) n,
    LATERAL (SELECT $3::timestamptz - make_interval(secs => $2::integer - n) AS t,
      (SELECT string_agg(md5(n::text || k), '') FROM generate_series(1, 8) k) AS d) x`;

/**
 * Writes many open orders at once, a second apart, the last one at `newest`. Their descriptions can
 * hardly be compressed.
 */
export async function writeOrders(
  app: TestApp,
  { merchantId }: Pick<Client, 'merchantId'>,
  count: number,
  newest: Date = app.clock.now(),
): Promise<void> {
  const name = `many-${randomUUID().slice(0, 8)}-`;
  for (let from = 1; from <= count; from += BATCH) {
    const to = Math.min(from + BATCH - 1, count);
    await select(app, WRITE, [merchantId, count, newest, name, from, to]);
  }
}
