import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PayoutRepository } from '../src/database/payouts/payout.repository.js';
import { PayoutScheduleRepository } from '../src/database/payouts/payout-schedule.repository.js';
import { BankAccountsService } from '../src/payouts/bank-accounts.service.js';
import { PayoutSchedulesService } from '../src/payouts/payout-schedules.service.js';
import { ScheduledPayouts } from '../src/payouts/scheduled-payouts.js';
import { Database } from '../src/database/database.js';
import type { FormBrowser } from './support/browser-form.js';
import { select } from './support/facts.js';
import { textOf } from './support/markup.js';
import { balances, Cashier, IBANS, noticed, paidOrder } from './support/payouts.js';
import { person, signedIn } from './support/people.js';
import { rounds, together } from './support/race.js';
import { openShop } from './support/shop.js';

const DAY_MS = 86_400_000;
const DAILY = { frequency: 'daily', day: null } as const;

const { app } = await openShop();
const schedules = app.get(PayoutSchedulesService);
const sweep = app.get(ScheduledPayouts);

/** Days pass quickly here, and an account is not usable before its day by the database's clock, too. */
const START = new Date('2026-01-01T00:00:00Z');
beforeEach(() => app.clock.set(START));

afterEach(() => select(app, 'DELETE FROM payout_schedules'));

/** A merchant of its own, whose orders of these amounts are paid. */
async function cashierWith(...amounts: number[]): Promise<Cashier> {
  const cashier = await Cashier.of(app, await app.merchant());
  for (const amount of amounts) await paidOrder(cashier.shop, amount);
  return cashier;
}

const switchOn = (
  { scope, account, owner }: Cashier,
  minimumAmount = 1,
  more = {},
  timeZone = 'UTC',
) => {
  const wish = { currency: 'EUR', minimumAmount, bankAccountId: account.id, ...DAILY, ...more };
  return schedules.save(scope, wish, { userId: owner.id, timeZone });
};

const scheduleOf = async ({ scope }: Cashier) => (await schedules.list(scope))[0]!;

/** Lets the next time come, and what is due happen. */
async function letItCome(cashier: Cashier): Promise<void> {
  app.clock.set((await scheduleOf(cashier)).nextRunAt);
  await sweep.run();
}

const payoutRows = ({ scope }: Cashier) =>
  app.get(PayoutRepository).list(scope, { before: null, statuses: null, limit: 10 });

const payoutsOf = async (cashier: Cashier): Promise<unknown[]> =>
  (await payoutRows(cashier)).map(({ amount, status, requestedBy }) => [
    amount,
    status,
    requestedBy,
  ]);

/** What was said about the merchant's schedule. */
const outcomes = ({ scope }: Cashier): string[] =>
  app.log
    .filter((line) => line.includes(scope.merchantId) && line.includes('payout.schedule.'))
    .map((line) => {
      const said = JSON.parse(line) as { payout?: string; skipped?: string };
      return said.skipped ?? (said.payout ? 'asked' : 'failed');
    });

describe('a payout schedule', () => {
  it('asks for all that is available, when its time has come', async () => {
    const cashier = await cashierWith(1000, 500);
    await switchOn(cashier, 1500);
    const { nextRunAt } = await scheduleOf(cashier);
    app.clock.set(new Date(nextRunAt.getTime() - 1));
    await sweep.run();
    expect(await payoutsOf(cashier)).toEqual([]);
    await letItCome(cashier);
    expect(await payoutsOf(cashier)).toEqual([[1500, 'pending_approval', null]]);
    expect((await balances(app, cashier.shop))['EUR']).toMatchObject({ payout_pending: 1500 });
    const after = (await scheduleOf(cashier)).nextRunAt;
    expect(after.getTime() - nextRunAt.getTime()).toBe(DAY_MS);
    await sweep.run();
    expect(outcomes(cashier)).toEqual(['asked']);
  });

  it('waits for the next time below the minimum', async () => {
    const cashier = await cashierWith(999);
    await switchOn(cashier, 1000);
    await letItCome(cashier);
    expect(await payoutsOf(cashier)).toEqual([]);
    await paidOrder(cashier.shop, 1);
    await sweep.run();
    expect(await payoutsOf(cashier)).toEqual([]);
    await letItCome(cashier);
    expect(await payoutsOf(cashier)).toEqual([[1000, 'pending_approval', null]]);
    expect(outcomes(cashier)).toEqual(['insufficient_balance', 'asked']);
  });

  it('waits while the account cannot be used', async () => {
    const cashier = await cashierWith(1000);
    const accounts = app.get(BankAccountsService);
    const account = { holder: 'Test Shop', iban: IBANS[1] };
    const added = await accounts.add(cashier.scope, account, cashier.owner.id);
    await switchOn(cashier, 1, { bankAccountId: added!.id });
    await letItCome(cashier);
    await accounts.confirm(cashier.scope, added!.id, cashier.owner.id);
    await letItCome(cashier);
    await noticed(app, added!.id);
    await letItCome(cashier);
    const refused = 'bank_account_not_usable';
    expect(outcomes(cashier)).toEqual([refused, refused, 'asked']);
    expect(await payoutsOf(cashier)).toEqual([[1000, 'pending_approval', null]]);
  });

  it('asks in the name of everybody who made or changed it, and none of them approves', async () => {
    const cashier = await cashierWith(1000);
    const [maker, changer] = [await person(app, 'operator'), await person(app, 'operator')];
    for (const owner of [maker, changer]) {
      await switchOn(new Cashier(app, cashier.shop, owner, cashier.operator, cashier.account));
    }
    await letItCome(cashier);
    const [payout] = await payoutRows(cashier);
    for (const by of [maker, changer]) {
      await expect(cashier.approve(payout!, by)).rejects.toMatchObject({
        code: 'second_person_required',
        detail: expect.stringMatching(/^You made or changed the schedule/),
      });
    }
    await cashier.approve(payout!);
  });

  it('stops when the account is removed', async () => {
    const cashier = await cashierWith(1000);
    await switchOn(cashier);
    await app.get(BankAccountsService).retire(cashier.scope, cashier.account.id);
    await letItCome(cashier);
    expect(outcomes(cashier)).toEqual(['bank_account_not_usable']);
    expect((await balances(app, cashier.shop))['EUR']).toMatchObject({ available: 1000 });
  });

  it('asks once for the days on which the service did not run', async () => {
    const cashier = await cashierWith(1000);
    await switchOn(cashier);
    app.clock.advance(4 * DAY_MS);
    await sweep.run();
    await paidOrder(cashier.shop, 500);
    await sweep.run();
    expect(await payoutsOf(cashier)).toEqual([[1000, 'pending_approval', null]]);
    expect((await scheduleOf(cashier)).nextRunAt > app.clock.now()).toBe(true);
  });

  it('goes by the clocks of the merchant, in summer and in winter', async () => {
    const cashier = await cashierWith(1000);
    app.clock.set(new Date('2026-03-28T12:00:00Z'));
    await select(app, 'UPDATE merchants SET time_zone = $2 WHERE id = $1', [
      cashier.scope.merchantId,
      'Europe/Berlin',
    ]);
    await switchOn(cashier, 1, {}, 'Europe/Berlin');
    const times = [(await scheduleOf(cashier)).nextRunAt.toISOString()];
    app.clock.set(new Date('2026-10-24T03:00:00Z'));
    for (let days = 0; days < 2; days++) {
      await sweep.run();
      times.push((await scheduleOf(cashier)).nextRunAt.toISOString());
      app.clock.set((await scheduleOf(cashier)).nextRunAt);
    }
    expect(times).toEqual([
      '2026-03-29T04:00:00.000Z',
      '2026-10-24T04:00:00.000Z',
      '2026-10-25T05:00:00.000Z',
    ]);
  });

  it('asks once, however many look at the same moment', async () => {
    const cashier = await cashierWith();
    await switchOn(cashier);
    await rounds(async (round) => {
      await paidOrder(cashier.shop, 1000 + round);
      app.clock.set((await scheduleOf(cashier)).nextRunAt);
      await together(() => sweep.run(), 4);
      expect((await payoutsOf(cashier))[0]).toEqual([1000 + round, 'pending_approval', null]);
      // Whoever comes second finds nothing to do, rather than nothing that is available.
      expect(outcomes(cashier)).toEqual(Array(round + 1).fill('asked'));
    });
  });

  it('is not moved on by whoever read it before somebody changed it', async () => {
    const cashier = await cashierWith(1000);
    await switchOn(cashier);
    const stale = await scheduleOf(cashier);
    app.clock.advance(1);
    await switchOn(cashier, 5000);
    const repository = app.get(PayoutScheduleRepository);
    const moved = await app
      .get(Database)
      .transaction((tx) => repository.advance(tx, stale, app.clock.now()));
    expect(moved).toBe(false);
  });

  it('is due as before after a crash, and then asks once', async () => {
    const cashier = await cashierWith(1000);
    const other = await cashierWith(400);
    await switchOn(cashier);
    await switchOn(other);
    const { nextRunAt } = await scheduleOf(cashier);
    const broken = `CREATE FUNCTION break_payouts() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN IF NEW.merchant_id = '${cashier.scope.merchantId}' THEN RAISE 'broken'; END IF;
      RETURN NEW; END $$`;
    await select(app, broken);
    await select(
      app,
      `CREATE TRIGGER break_payouts BEFORE UPDATE ON payouts
       FOR EACH ROW EXECUTE FUNCTION break_payouts()`,
    );
    await letItCome(cashier);
    await select(app, 'DROP FUNCTION break_payouts CASCADE');
    expect(await payoutsOf(cashier)).toEqual([]);
    expect(await scheduleOf(cashier)).toMatchObject({ nextRunAt });
    expect(await payoutsOf(other)).toEqual([[400, 'pending_approval', null]]);
    await sweep.run();
    expect(await payoutsOf(cashier)).toEqual([[1000, 'pending_approval', null]]);
    expect(outcomes(cashier)).toEqual(['failed', 'asked']);
  });
});

describe('the page of automatic payouts', () => {
  interface Visited {
    readonly cashier: Cashier;
    readonly browser: FormBrowser;
    readonly page: string;
  }

  let there: Visited;
  beforeAll(async () => {
    app.clock.set(START);
    there = await visited();
  });

  async function visited(): Promise<Visited> {
    const cashier = await cashierWith();
    const { merchantId } = cashier.scope;
    const zone = 'UPDATE merchants SET time_zone = $2 WHERE id = $1';
    await select(app, zone, [merchantId, 'Europe/Berlin']);
    const browser = await signedIn(app, await person(app, 'finance', merchantId));
    return { cashier, browser, page: `/portal/m/${merchantId}/test/payout-schedule` };
  }

  const fields = (more: Record<string, string> = {}) => ({
    currency: 'EUR',
    frequency: 'monthly',
    weekday: '3',
    monthDay: '28',
    minimum: '50.00',
    bankAccountId: there.cashier.account.id,
    ...more,
  });

  const lastAudit = async () =>
    (
      await select<{ action: string; data: object }>(
        app,
        'SELECT action, data FROM audit_entries WHERE merchant_id = $1 ORDER BY id DESC LIMIT 1',
        [there.cashier.scope.merchantId],
      )
    )[0]!;

  it('switches them on, changes them, and switches them off', async () => {
    const { cashier, browser, page } = there;
    expect(textOf((await browser.get(page)).html)).toContain('No automatic payouts');
    const saved = await browser.post(page, fields());
    expect([saved.status, saved.location]).toEqual([303, `${page}?done=saved#top`]);
    const list = textOf((await browser.get(page)).html);
    expect(list).toContain('EUR Every month on day 28 50.00 EUR Test Shop FR14 2004 ');
    expect(list).toMatch(/28 \w+ 2026, 06:00/);
    expect(await lastAudit()).toMatchObject({
      action: 'payout-schedule.changed',
      data: { mode: 'test', currency: 'EUR', frequency: 'monthly', day: 28, minimumAmount: 5000 },
    });

    const form = (await browser.get(`${page}?currency=EUR`)).html;
    expect(form).toContain('value="50.00"');
    expect(form).toMatch(/value="monthly" checked|checked[^>]*value="monthly"/);
    await browser.post(page, fields({ frequency: 'weekly', minimum: '1249,5' }));
    await browser.post(page, fields({ currency: 'JPY', frequency: 'daily', minimum: '900' }));
    expect(await schedules.list(cashier.scope)).toMatchObject([
      { currency: 'EUR', frequency: 'weekly', day: 3, minimumAmount: 124_950 },
      { currency: 'JPY', frequency: 'daily', day: null, minimumAmount: 900 },
    ]);

    await browser.post(`${page}/off`, { currency: 'EUR' });
    expect(await schedules.list(cashier.scope)).toMatchObject([{ currency: 'JPY' }]);
    expect(await lastAudit()).toMatchObject({
      action: 'payout-schedule.removed',
      data: { mode: 'test', currency: 'EUR' },
    });
  });

  it.each([
    [{ currency: 'eur' }, 'currency'],
    [{ frequency: 'hourly' }, 'frequency'],
    [{ frequency: 'weekly', weekday: '8' }, 'weekday'],
    [{ monthDay: '29' }, 'monthDay'],
    [{ monthDay: '1.5' }, 'monthDay'],
    [{ minimum: '' }, 'minimum'],
    [{ minimum: '0' }, 'minimum'],
    [{ minimum: '-5' }, 'minimum'],
    [{ minimum: '1.000' }, 'minimum'],
    [{ minimum: '5.0010' }, 'minimum'],
    [{ bankAccountId: 'none' }, 'bankAccountId'],
  ])('says what is wrong with %j', async (wrong, field) => {
    const { browser, page } = there;
    const reply = await browser.fill(page, fields(wrong as Record<string, string>));
    expect(reply.status).toBe(422);
    expect(reply.html.match(/id="(\w+)-problem"/g)).toEqual([`id="${field}-problem"`]);
    expect(await schedules.list(there.cashier.scope)).toEqual([]);
  });

  it('pays to no account of somebody else, or of the other mode', async () => {
    const other = await cashierWith();
    const wish = { currency: 'EUR', minimumAmount: 1, ...DAILY };
    const live = { ...there.cashier.scope, mode: 'live' } as const;
    const refused = { code: 'bank_account_not_found' };
    const mine = { ...wish, bankAccountId: there.cashier.account.id };
    const theirs = { ...wish, bankAccountId: other.account.id };
    const author = { userId: other.owner.id, timeZone: 'UTC' };
    await expect(schedules.save(there.cashier.scope, theirs, author)).rejects.toMatchObject(
      refused,
    );
    await expect(schedules.save(live, mine, author)).rejects.toMatchObject(refused);
  });

  it('tells when the account of a schedule was removed', async () => {
    const { cashier, browser, page } = there;
    await browser.fill(page, fields());
    const owner = await signedIn(app, cashier.owner);
    const accounts = `/portal/m/${cashier.scope.merchantId}/test/bank-accounts`;
    const removal = await owner.get(`${accounts}/${cashier.account.id}/remove`);
    expect(textOf(removal.html)).toContain('Automatic payouts in EUR use this account');
    await app.get(BankAccountsService).retire(cashier.scope, cashier.account.id);
    expect(textOf((await browser.get(page)).html)).toContain('Account removed');
  });
});
