import { expect, it } from '@jest/globals';
import { canonicalZone } from '../src/common/time/time-format.js';
import { select } from './support/facts.js';
import { openShop } from './support/shop.js';

const { app } = await openShop();

it('every time zone that a merchant can choose is one of the database', async () => {
  const legacy = ['IST', 'ACT', 'CTT', 'ECT', 'US/Pacific-New', 'Asia/Kolkata', 'Etc/GMT+5'];
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone'), ...legacy.map(canonicalZone)];
  const sql = `SELECT z FROM unnest($1::text[]) z WHERE z NOT IN (SELECT name FROM pg_timezone_names)`;
  expect(await select(app, sql, [zones])).toEqual([]);
});
