import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { readConfig } from '../src/config/config.js';
import { connectionOf, dataSourceOptions } from '../src/database/data-source.js';
import { brokenIn, Doctor } from '../src/database/doctor/doctor.js';
import { TOLD_MAX } from '../src/database/doctor/fact.js';
import { FACTS } from '../src/database/doctor/facts.js';
import { createTables, type TestDatabase } from './support/database.js';
import { Cashier, PAYS } from './support/payouts.js';
import { Program, removeFolder, type Result, temporaryFolder } from './support/program.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop({ env: PAYS });

/** Several programs start one after the other, on a busy machine too. */
const PROGRAMS_MS = 180_000;
const TIMELESS = FACTS.filter(({ isOverdue }) => !isOverdue).length;

/** On the server of the tests when there is one, else on an embedded database in a folder. */
describe('the command that examines the facts', () => {
  let folder: string;
  let database: TestDatabase;
  let url: string;

  beforeAll(async () => {
    folder = temporaryFolder();
    database = await createTables();
    url = database.isPostgres ? database.url : `file:${folder}/data`;
  });
  afterAll(async () => {
    await database.drop();
    removeFolder(folder);
  });

  const cli = (...args: string[]): Promise<Result> =>
    new Program('cli/cli.js', args, { DATABASE_URL: url }, folder).result;

  /** Does something to the database while nobody else has it open. */
  async function tamper(sql: string): Promise<void> {
    const connection = await connectionOf(readConfig({ DATABASE_URL: url }));
    const dataSource = await new DataSource(dataSourceOptions(connection, 1)).initialize();
    await dataSource.query(sql);
    await dataSource.destroy();
    if (connection.kind === 'embedded') await connection.close();
  }

  it('finds nothing in an empty database', async () => {
    const verdict = `${TIMELESS} checks passed, 0 failed\n`;
    expect(await cli('doctor')).toEqual({ code: 0, out: verdict, err: '' });
  });

  it(
    'finds nothing among invented orders',
    async () => {
      const { out } = await cli('merchant', 'create', '--name', 'Seeds', '--json');
      const { id } = JSON.parse(out) as { id: string };
      await cli('seed-orders', '--merchant', id, '--count', '2000', '--days', '400');
      const seeded = await cli('doctor', '--overdue', '--json');
      expect({ code: seeded.code, err: seeded.err }).toEqual({ code: 0, err: '' });
      expect(JSON.parse(seeded.out)).toEqual({
        facts: FACTS.length,
        broken: 0,
        seconds: expect.any(Number),
        singleOperator: false,
        findings: [],
      });
    },
    PROGRAMS_MS,
  );

  it('says that a single operator approves, which is no fault', async () => {
    await tamper('UPDATE operating_rules SET single_operator = true');
    const { code, out } = await cli('doctor');
    await tamper('UPDATE operating_rules SET single_operator = false');
    expect(code).toBe(0);
    expect(out.trimEnd().split('\n')).toEqual([
      'Single operator: an approval waits 24 hours instead of a second person.',
      `${TIMELESS} checks passed, 0 failed`,
    ]);
  });

  it(
    'names each violation, twenty of a fact, and ends with 1',
    async () => {
      await tamper(`UPDATE orders SET fee = 1 WHERE status = 'paid'`);
      const { code, out, err } = await cli('doctor');
      expect({ code, err }).toEqual({ code: 1, err: '' });
      const lines = out.trimEnd().split('\n');
      expect(lines[0]).toMatch(/^fee-booked failed: [A-Z].*\.$/);
      expect(lines.slice(1, 1 + TOLD_MAX)).toEqual(
        Array.from({ length: TOLD_MAX }, () =>
          expect.stringMatching(/^ {2}order \S+: paid, fee 1, 0 booked \(merchant \S+\)$/),
        ),
      );
      expect(lines[1 + TOLD_MAX]).toMatch(/^ {2}and 1\d\d\d more$/);
      expect(lines.at(-1)).toBe(`${TIMELESS - 1} checks passed, 1 failed`);

      const json = await cli('doctor', '--json');
      expect(json.code).toBe(1);
      expect(JSON.parse(json.out)).toMatchObject({
        broken: 1,
        findings: [{ fact: 'fee-booked', total: expect.any(Number) }],
      });
    },
    PROGRAMS_MS,
  );

  it('refuses options that it does not know', async () => {
    const { code, err } = await cli('doctor', '--overdue=yes');
    expect(code).toBe(2);
    expect(err).toContain('Usage: npm run --silent cli -- doctor [--overdue]');
  });
});

describe('the doctor', () => {
  const PAYERS = 4;

  it('takes no payment or payout under way for a fault', async () => {
    const cashier = await Cashier.of(app, shop);
    let busy = true;
    const sell = async (): Promise<void> => {
      for (let n = 0; n < 15; n++) {
        const { txid } = await shop.order({ amount: 1_000 });
        await shop.pay(txid, { repeat: 2 });
        if (n % 3 === 0) await cashier.request(100).catch(() => undefined);
      }
    };
    const sales = Promise.all(Array.from({ length: PAYERS }, sell)).finally(() => (busy = false));
    let looks = 0;
    for (; busy; looks++) {
      expect(brokenIn(await app.get(Doctor).examine({ overdue: true }))).toEqual([]);
    }
    await sales;
    expect(looks).toBeGreaterThan(1);
  });
});
