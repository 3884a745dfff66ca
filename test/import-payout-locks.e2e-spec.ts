import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { readCsvProfile } from '../src/bank-statements/csv/csv-profile.js';
import { CsvProfilesService } from '../src/bank/import/csv-profiles.service.js';
import { BankImportService } from '../src/bank/import/import.service.js';
import { ManualReconciliation } from '../src/bank/matching/manual-reconciliation.service.js';
import { MatcherService } from '../src/bank/matching/matcher.service.js';
import type { Payout } from '../src/database/payouts/payout.entity.js';
import { PayoutsService } from '../src/payouts/payouts.service.js';
import { TestApp } from './support/app.js';
import { camtFile, csvProfileOf } from './support/bank-file.js';
import { awaited, collectionAccount, OWN_ACCOUNT, told } from './support/bank-lines.js';
import type { Client } from './support/client.js';
import { connect, createTables, onPostgres, type TestDatabase } from './support/database.js';
import { count, select } from './support/facts.js';
import { Cashier, paidOrder, PAYS } from './support/payouts.js';
import { person, type Person } from './support/people.js';
import { until } from './support/race.js';

/** An import that waits for no lock takes a tenth of it; a lock makes it wait for 3 s. */
const AT_ONCE_MS = 2_000;

const suite = onPostgres(
  describe,
  'the embedded database has one session: no other one holds a row',
);

suite('while a merchant’s payout is being changed', () => {
  let database: TestDatabase;
  let app: TestApp;
  let other: pg.Client;
  let busy: Cashier;
  let bringer: Person;
  let number = 0;

  beforeAll(async () => {
    database = await createTables();
    app = await TestApp.start({ database, env: PAYS });
    other = await connect(database.url);
    await collectionAccount(app);
    busy = await Cashier.of(app, await app.merchant());
    bringer = await person(app, 'operator');
  });
  afterAll(async () => {
    await app.stop();
    await other.end();
    await database.drop();
  });

  async function expectAtOnce<T>(work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    const result = await work();
    expect(performance.now() - start).toBeLessThan(AT_ONCE_MS);
    return result;
  }

  /** Another session holds its row while `work` is under way. */
  async function whileHeld(
    payout: Payout,
    work: () => Promise<void>,
    lock = 'UPDATE',
  ): Promise<void> {
    await other.query('BEGIN');
    try {
      await other.query(`SELECT FROM payouts WHERE id = $1 FOR ${lock}`, [payout.id]);
      await work();
    } finally {
      await other.query('ROLLBACK');
    }
  }

  const pending = async (): Promise<Payout> => {
    await paidOrder(busy.shop, 1_000);
    return busy.request(1_000);
  };

  /** A statement of one line that pays an order. */
  async function statementFor(shop: Client, txid?: string): Promise<Buffer> {
    const order = txid === undefined ? await shop.order({ amount: 1_000 }) : { txid };
    const reference = await told(app, shop, order);
    await awaited(app, order);
    const id = `HELD-${++number}`;
    const day = app.clock.now().toISOString().slice(0, 10);
    const entries = [{ amount: 1_000, reference, bankReference: id }];
    const opening = number * 1_000;
    return Buffer.from(camtFile('053', { account: OWN_ACCOUNT, id, day, opening, entries }));
  }

  const bring = (bytes: Buffer, broughtBy: string | undefined = bringer.id) =>
    app
      .get(BankImportService)
      .import({ bytes }, { mode: 'test', name: 'x.xml', source: 'portal', broughtBy });

  it.each([
    ['by a person', () => bringer.id],
    ['by the watched folder', () => undefined],
  ])('a statement is imported at once: %s', async (_, by) => {
    const bytes = await statementFor(await app.merchant());
    await whileHeld(await pending(), async () => {
      const imported = await expectAtOnce(() => bring(bytes, by()));
      expect(imported).toMatchObject({ result: 'imported', new: 1, matched: 1 });
    });
  });

  it('a profile for CSV is written at once', async () => {
    const profile = readCsvProfile(JSON.stringify({ ...csvProfileOf(OWN_ACCOUNT), name: 'held' }));
    await whileHeld(await pending(), async () => {
      const added = await expectAtOnce(() => app.get(CsvProfilesService).add(profile, bringer.id));
      expect(added).toBe('added');
    });
  });

  it('money comes for an order that is in the payout, and for others in the same look', async () => {
    const { txid } = await paidOrder(busy.shop, 1_000);
    const payout = await busy.request(1_000);
    const matcher = await person(app, 'operator');
    const files = [await statementFor(busy.shop, txid), await statementFor(await app.merchant())];
    let changing: Promise<unknown> = Promise.resolve();
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const wish = { amount: 999, bankAccountId: busy.account.id };
    changing = app
      .get(PayoutsService)
      .change(busy.scope, payout.id, wish, busy.owner.id, async () => {
        begin();
        await over;
      });
    await begun;
    try {
      await expectAtOnce(async () => {
        for (const bytes of files) await bring(bytes);
      });
      expect(await app.get(MatcherService).matchNew()).toBe(true);
      const waiting = `SELECT id FROM bank_lines WHERE reason = 'more_than_due'`;
      const [line] = await select<{ id: string }>(app, waiting, []);
      const part = { merchantId: busy.shop.merchantId, txid, amount: 1_000 };
      const byHand = () =>
        app
          .get(ManualReconciliation)
          .matchManually('test', line!.id, [part], matcher.id, 'Paid twice.');
      expect(await expectAtOnce(byHand)).toBe('matched');
      expect(
        await count(app, 'money_hands', 'user_id = $1 AND txid = $2', [bringer.id, txid]),
      ).toBe(1);
    } finally {
      end();
      await changing;
    }
    await until('the change is there', async () => {
      const { amount } = await app.get(PayoutsService).find(busy.scope, payout.id);
      return amount === 999;
    });
  });
});
