import { describe, expect, it } from '@jest/globals';
import { ExportSourceRepository } from '../src/database/exports/export-source.repository.js';
import { requestOf, writeOrders } from './support/exports.js';
import { select } from './support/facts.js';
import { openShop } from './support/shop.js';

const ORDERS = 300;
const NAMES_MAX = 101;
const ADD_NAMES = `UPDATE orders SET optional_fields =
    (SELECT json_object_agg(left(md5(txid::text || n), 12), '') FROM generate_series(1, 20) n)
  WHERE merchant_id = $1`;
const NAMES = 'SELECT json_object_keys(optional_fields) AS name FROM orders WHERE merchant_id = $1';

const { app } = await openShop();

describe('the names of 6,000 optional fields', () => {
  it.each([null, 1_000, ORDERS])(
    'are read as far as they get columns: %j rows',
    async (rowsMax) => {
      const { merchantId } = await app.merchant();
      await writeOrders(app, { merchantId }, ORDERS);
      await select(app, ADD_NAMES, [merchantId]);
      const rows = await select<{ name: string }>(app, NAMES, [merchantId]);
      const names = rows.map(({ name }) => name).toSorted();
      expect(names).toHaveLength(20 * ORDERS);
      const options = { lane: 'download', timeZone: 'UTC', merchantId } as const;
      const session = await app.get(ExportSourceRepository).open(options);
      const found = await session.fieldNames(requestOf({ merchantId }), rowsMax, NAMES_MAX);
      session.close();
      expect(found).toEqual(names.slice(0, NAMES_MAX));
    },
  );
});
