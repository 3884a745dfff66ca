import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Payout } from '../src/database/payouts/payout.entity.js';
import { PayoutFilesService } from '../src/payouts/payout-files.service.js';
import { PayoutsService } from '../src/payouts/payouts.service.js';
import type { SignedInContext } from '../src/people/portal-context.js';
import { SessionsService } from '../src/people/sessions/sessions.service.js';
import { UsersService } from '../src/people/users.service.js';
import { FilesPageService } from '../src/portal/platform/files/files.service.js';
import { TestApp } from './support/app.js';
import { connect, createTables, onPostgres, type TestDatabase } from './support/database.js';
import { count, select } from './support/facts.js';
import { outcomeOf } from './support/outcome.js';
import { Cashier, PAYS } from './support/payouts.js';
import { person } from './support/people.js';
import { expectGoodEnd, isOk, RaceBalance } from './support/race-balance.js';
import {
  CALLERS,
  expectBothWon,
  Handicap,
  rounds,
  tally,
  together,
  until,
} from './support/race.js';

const ENVIRONMENT = { ...PAYS, LOG_LEVEL: 'warn' };
const HALF = CALLERS / 2;
/** Payouts that a balance is enough for. */
const WINNERS = 7;

const suite = onPostgres(describe, 'the embedded database has one session: nobody races in it');

suite('races to the bank', () => {
  let database: TestDatabase;
  let app: TestApp;
  let cashier: Cashier;
  let balance: RaceBalance;

  beforeAll(async () => {
    database = await createTables();
    app = await TestApp.start({ database, env: ENVIRONMENT });
    cashier = await Cashier.of(app, await app.merchant());
    balance = new RaceBalance(app, cashier);
  });
  afterAll(() => expectGoodEnd(database, app));

  const cancel = (payout: Payout) => () => app.get(PayoutsService).cancel(cashier.scope, payout.id);

  it('put each payout into one file, however many ask for one', async () => {
    await rounds(async () => {
      await balance.release();
      await balance.pay(1_000);
      const part = Math.floor((await balance.available()) / 5);
      const ready = await together(() => cashier.request(part), 5);
      await together((n) => cashier.approve(ready[n]!), 3);
      // Two of the five are approved while the others go out.
      const outcomes = await together((n) =>
        outcomeOf(n < 2 ? () => cashier.approve(ready[3 + n]!) : () => cashier.export()),
      );
      expect(outcomes.slice(0, 2)).toEqual(['ok', 'ok']);
      const exports = outcomes.slice(2).filter(isOk).length;
      expect(exports).toBeGreaterThanOrEqual(1);
      expect(exports).toBeLessThanOrEqual(3);
      const others = outcomes.slice(2).filter((one) => !isOk(one));
      expect(new Set(others)).toEqual(new Set(['nothing_to_export']));
      await outcomeOf(() => cashier.export());
      for (const payout of ready) {
        expect((await balance.find(payout))!.status).toBe('exported');
        expect(await balance.filesWith(payout)).toBe(1);
        expect(
          (await balance.eventsOf(payout)).filter((type) => type === 'payout.exported'),
        ).toHaveLength(1);
      }
      await balance.expectSound();
    });
  });

  it('cancel or export, never both', async () => {
    const handicap = new Handicap(['cancel', 'export']);
    await rounds(async () => {
      const payout = await balance.askForAll();
      await cashier.approve(payout);
      const outcomes = await together(async (n) => {
        const side = n % 2 ? 'export' : 'cancel';
        await handicap.start(side);
        return outcomeOf(side === 'export' ? () => cashier.export() : cancel(payout));
      });
      const { status } = (await balance.find(payout))!;
      const isExported = status === 'exported';
      expect(status).toBe(isExported ? 'exported' : 'cancelled');
      expect(await balance.filesWith(payout)).toBe(isExported ? 1 : 0);
      expect(await balance.available()).toBe(isExported ? 0 : payout.amount);
      expect(tally(outcomes)).toEqual({
        ok: 1,
        nothing_to_export: HALF - (isExported ? 1 : 0),
        payout_not_possible: HALF - (isExported ? 0 : 1),
      });
      handicap.won(isExported ? 'export' : 'cancel');
      await balance.expectSound();
    });
    // A few rounds may all go to one side.
    expectBothWon(handicap.wins);
  });

  it('hand a file out or say that it was not sent, never both', async () => {
    // Whoever has a file that was not sent approves none of its money any more.
    const other = await Cashier.of(app, await app.merchant());
    const otherBalance = new RaceBalance(app, other);
    const { id: userId } = other.operator;
    const operator = await app.get(UsersService).find(userId);
    const sessions = app.get(SessionsService);
    const token = await sessions.begin(operator!, { address: '127.0.0.1', agent: '' }, null);
    const visit: SignedInContext = {
      session: (await sessions.find(token!))!,
      csrf: '',
      remember: () => undefined,
      address: '127.0.0.1',
      device: undefined,
      path: '/',
      access: null,
    };
    const pages = app.get(FilesPageService);
    await rounds(async () => {
      const payout = await otherBalance.askForAll();
      await other.approve(payout, await person(app, 'operator'));
      const { id } = await other.export();
      const key = { mode: 'test', id } as const;
      const outcomes = await together((n) =>
        outcomeOf(
          n % 2
            ? () => pages.download(visit, 'test', id)
            : () => pages.say(visit, key, 'not-sent', 0),
        ),
      );
      const said = outcomes.filter((_, n) => n % 2 === 0).filter(isOk).length;
      const handedOut = outcomes.filter((_, n) => n % 2).filter(isOk).length;
      expect([said, handedOut]).toEqual(said ? [1, 0] : [0, HALF]);
      if (!said) await app.get(PayoutFilesService).notSent(id, userId);
      const { status, approvedBy } = (await otherBalance.find(payout))!;
      expect([status, approvedBy === null]).toEqual(
        said ? ['approved', false] : ['pending_approval', true],
      );
      await app.get(PayoutsService).cancel(other.scope, payout.id);
    });
  });

  it('leave nothing behind when the connection is killed with half of a file written', async () => {
    await balance.release();
    await balance.pay(1_000);
    const ready = [await cashier.request(100), await cashier.request(200)];
    for (const payout of ready) await cashier.approve(payout);
    const session = await connect(database.url);
    const files = () => count(app, 'payout_files', 'true');
    const before = await files();
    // The file's row is there by then, and its payouts are about to move.
    await session.query('BEGIN; LOCK TABLE events IN SHARE MODE');
    const outcome = outcomeOf(() => cashier.export());
    const kill = `SELECT pg_terminate_backend(pid) AS killed FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%payouts%'`;
    // Not in the session: within its transaction it would see no session that came later.
    await until('the export waits', async () => (await select(app, kill)).length === 1);
    expect(await outcome).toBe('unavailable');
    await session.query('ROLLBACK');
    await session.end();
    expect(await files()).toBe(before);
    for (const payout of ready) expect((await balance.find(payout))!.status).toBe('approved');
    expect(await cashier.export()).toMatchObject({ payouts: 2, amount: 300 });
  });

  it('never make an exported payout one that is only approved', async () => {
    await rounds(async () => {
      const payout = await balance.askForAll();
      const outcomes = await together((n) =>
        outcomeOf(n % 2 ? () => cashier.export() : () => cashier.approve(payout)),
      );
      expect(outcomes.filter((_, n) => n % 2 === 0).filter(isOk)).toHaveLength(1);
      await outcomeOf(() => cashier.export());
      expect(await outcomeOf(() => cashier.approve(payout))).toBe('payout_not_possible');
      expect((await balance.find(payout))!.status).toBe('exported');
      expect(await balance.filesWith(payout)).toBe(1);
    });
  });
});

suite('two processes that pay merchants out', () => {
  let database: TestDatabase;
  let apps: [TestApp, TestApp];
  let cashiers: readonly Cashier[];
  let balance: RaceBalance;

  beforeAll(async () => {
    database = await createTables();
    const first = await TestApp.start({ database, env: ENVIRONMENT });
    const second = await TestApp.start({ database, env: ENVIRONMENT });
    apps = [first, second];
    const cashier = await Cashier.of(first, await first.merchant());
    cashiers = [cashier, cashier.at(second)];
    balance = new RaceBalance(first, cashier);
  });
  afterAll(() => expectGoodEnd(database, ...apps));

  const cashierOf = (n: number): Cashier => cashiers[n % 2]!;

  it('grant as many requests as the balance allows, and no more', async () => {
    await rounds(async () => {
      await balance.release();
      await balance.pay(1_000);
      const all = await balance.available();
      const part = Math.floor(all / WINNERS);
      const outcomes = await together((n) => outcomeOf(() => cashierOf(n).request(part)));
      expect(tally(outcomes)).toEqual({ ok: WINNERS, insufficient_balance: CALLERS - WINNERS });
      await balance.expectSound();
    });
  });

  it('export each payout once, or cancel it', async () => {
    await rounds(async () => {
      await balance.release();
      await balance.pay(1_000);
      const payout = await cashierOf(0).request(await balance.available());
      await cashierOf(1).approve(payout);
      const { scope } = cashierOf(0);
      const outcomes = await together((n) =>
        outcomeOf(
          n % 4 < 2
            ? () => cashierOf(n).export()
            : () => apps[n % 2]!.get(PayoutsService).cancel(scope, payout.id),
        ),
      );
      expect(outcomes.filter(isOk)).toHaveLength(1);
      await balance.expectSound();
    });
  });
});
