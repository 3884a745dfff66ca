import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { brokenIn, Doctor } from '../src/database/doctor/doctor.js';
import { UserNotices } from '../src/people/mails/user-notices.js';
import { TestApp } from './support/app.js';
import { createTables, onPostgres, type TestDatabase } from './support/database.js';
import { select } from './support/facts.js';
import { cutByMerchant } from './support/partitions.js';
import { PAYS } from './support/payouts.js';
import { liveRichly } from './support/rich-life.js';

const suite = onPostgres(describe, 'parts by merchant are made on a server');

suite('a database whose tables are cut by merchant', () => {
  let database: TestDatabase;
  let tables: string[];
  let app: TestApp;

  beforeAll(async () => {
    database = await createTables();
    await (await TestApp.start({ database })).stop();
    tables = await cutByMerchant(database.url);
    app = await TestApp.start({ database, env: PAYS });
  });
  afterAll(async () => {
    await app.stop();
    await database.drop();
  });

  it('holds everything that a merchant owns in parts', async () => {
    expect(tables).toEqual(expect.arrayContaining(['orders', 'payments', 'transfers', 'payouts']));
    const cut = await select<{ name: string }>(
      app,
      `SELECT relname AS name FROM pg_class WHERE relkind = 'p' ORDER BY 1`,
    );
    expect(cut.map(({ name }) => name)).toEqual(tables);
  });

  it('serves every life of an order and of a payout, and the doctor finds nothing', async () => {
    for (let merchants = 0; merchants < 3; merchants++) await liveRichly(app);
    const used = await select(
      app,
      'SELECT DISTINCT tableoid FROM orders UNION SELECT DISTINCT tableoid FROM transfers',
    );
    expect(used.length).toBeGreaterThan(2);
    await app.get(UserNotices).run();
    const report = await app.get(Doctor).examine({ overdue: true });
    expect(
      brokenIn(report).flatMap(({ fact, violations }) =>
        violations.map(({ subject, detail }) => `${fact.name}: ${subject}: ${detail}`),
      ),
    ).toEqual([]);
  });
});
