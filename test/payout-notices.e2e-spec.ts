import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Payout } from '../src/database/payouts/payout.entity.js';
import { ApprovalsService } from '../src/payouts/approvals.service.js';
import { PayoutNotices } from '../src/payouts/payout-notices.js';
import { PAYOUTS_WAITING_MAX, PayoutsService } from '../src/payouts/payouts.service.js';
import { UserNotices } from '../src/people/mails/user-notices.js';
import { TestApp } from './support/app.js';
import { connect, createTables, onPostgres, type TestDatabase } from './support/database.js';
import { select, withoutTriggers } from './support/facts.js';
import { MailServer } from './support/mail-server.js';
import { MoneyActor } from './support/money-acts.js';
import { startWithRules } from './support/operating-rules.js';
import { Cashier, PAYS } from './support/payouts.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const ALONE = { singleOperator: true, secondPersonWaitHours: 12 };

let database: TestDatabase;
let app: TestApp;
let mails: MailServer;
let actor: MoneyActor;

beforeAll(async () => {
  database = await createTables();
  mails = await MailServer.start();
  app = await TestApp.start({ database, env: { ...PAYS, SMTP_URL: mails.url } });
  actor = await MoneyActor.of(app);
  await startWithRules(app, ALONE);
});
afterAll(async () => {
  await app.stop();
  await mails.stop();
  await database.drop();
});
// Nothing is left that one test has requested.
beforeEach(() =>
  select(app, `UPDATE payouts SET status = 'cancelled' WHERE status = 'pending_approval'`),
);

/** A merchant with 10.00 of live money in which the operator had a hand. */
async function funded(): Promise<Cashier> {
  const cashier = await Cashier.of(app, await app.merchant(), undefined, 'live');
  await actor.signInAgain();
  await actor.acts.transfers_allowed(cashier.shop);
  return cashier;
}

async function requested(cashier: Cashier, payouts: number): Promise<Payout[]> {
  const all: Payout[] = [];
  for (let n = 0; n < payouts; n++) all.push(await cashier.request(1));
  return all;
}

/** The other operators have been gone for ever. */
const leaveAlone = () =>
  withoutTriggers(
    app,
    `UPDATE users SET disabled_at = created_at WHERE platform_role = 'operator' AND id <> $1
      AND disabled_at IS NULL`,
    [actor.who.id],
  );

/** Payouts of the merchant about which mails were written, once for each time. */
const writtenAbout = ({ shop }: Cashier) =>
  select<{ id: string }>(
    app,
    `SELECT DISTINCT data ->> 'payout' AS id, created_at FROM user_notices
     WHERE kind = 'payout-waits' AND merchant_id = $1`,
    [shop.merchantId],
  );

const change = (cashier: Cashier, { id }: Payout, amount: number): Promise<Payout> => {
  const wish = { amount, bankAccountId: cashier.account.id };
  return app.get(PayoutsService).change(cashier.scope, id, wish, cashier.owner.id);
};

const barTo = (payout: Payout) => app.get(ApprovalsService).barTo(payout, actor.who.id);

describe('mails about payouts for which a single operator waits', () => {
  it('go to a merchant in the first run, whatever another one requests and changes', async () => {
    const [bad, good] = [await funded(), await funded()];
    const many = await requested(bad, PAYOUTS_WAITING_MAX);
    app.clock.advance(1_000);
    const victim = await good.request(1_000);
    await leaveAlone();
    for (let minute = 1; minute <= 2; minute++) {
      app.clock.advance(MINUTE_MS);
      await app.get(PayoutNotices).run();
      expect(await writtenAbout(good)).toEqual([expect.objectContaining({ id: victim.id })]);
      expect(await writtenAbout(bad)).toHaveLength(20);
      for (const payout of many) await change(bad, payout, 1 + (minute % 2));
    }
    await app.get(UserNotices).run();
    expect((await barTo(victim))?.text).toContain('you can approve it from');
    app.clock.advance(12 * HOUR_MS);
    expect((await good.approve(victim, actor.who)).status).toBe('approved');
  });

  it('come once an hour about a payout that is changed, and the waiting time begins with them', async () => {
    const cashier = await funded();
    const [payout] = await requested(cashier, 1);
    await leaveAlone();
    const look = async (): Promise<number> => {
      await app.get(PayoutNotices).run();
      await app.get(UserNotices).run();
      return (await writtenAbout(cashier)).length;
    };
    expect(await look()).toBe(1);
    app.clock.advance(MINUTE_MS);
    await change(cashier, payout!, 2);
    expect(await look()).toBe(1);
    app.clock.advance(HOUR_MS - MINUTE_MS);
    expect(await look()).toBe(1);
    expect((await barTo(payout!))?.text).toContain('after the e-mails about it have been sent');
    app.clock.advance(1);
    expect(await look()).toBe(2);
    app.clock.advance(12 * HOUR_MS - 1);
    expect((await barTo(payout!))?.text).toContain('you can approve it from');
    expect(await look()).toBe(2);
    app.clock.advance(1);
    expect(await barTo(payout!)).toBeNull();
  });

  it('come for 20 payouts of a merchant an hour, those that were requested first', async () => {
    const cashier = await funded();
    const all = await requested(cashier, 25);
    await leaveAlone();
    const hours = [20, 25, 25];
    for (const expected of hours) {
      for (let run = 0; run < 2; run++) await app.get(PayoutNotices).run();
      const ids = (await writtenAbout(cashier)).map(({ id }) => id);
      expect(ids.toSorted()).toEqual(
        all
          .slice(0, expected)
          .map(({ id }) => id)
          .toSorted(),
      );
      app.clock.advance(HOUR_MS + 1);
    }
  });
});

describe('a merchant', () => {
  it('has 100 payouts that wait for approval, and no more', async () => {
    const cashier = await funded();
    const [first] = await requested(cashier, PAYOUTS_WAITING_MAX);
    const refused = {
      code: 'payout_not_possible',
      detail: expect.stringContaining('100 payouts wait for approval already'),
    };
    await expect(cashier.request(1)).rejects.toMatchObject(refused);
    const payouts = app.get(PayoutsService);
    const wish = { amount: 1, bankAccountId: cashier.account.id };
    const balance = { ...cashier.scope, currency: 'EUR' };
    const draft = await payouts.draft(balance, wish, cashier.owner.id);
    const submit = () => payouts.submit(cashier.scope, draft.id, cashier.owner.id);
    await expect(submit()).rejects.toMatchObject(refused);
    await payouts.cancel(cashier.scope, first!.id);
    expect((await submit()).status).toBe('pending_approval');
    await expect(cashier.request(1)).rejects.toMatchObject(refused);
  });
});

const suite = onPostgres(
  describe,
  'the embedded database has one session: no other one holds a row',
);

suite('a payout whose row is held', () => {
  it('holds up no mails about others, and gets its own later', async () => {
    const [bad, good] = [await funded(), await funded()];
    const [held] = await requested(bad, 1);
    app.clock.advance(1_000);
    const [free] = await requested(good, 1);
    await leaveAlone();
    const other = await connect(database.url);
    await other.query('BEGIN');
    await other.query('SELECT FROM payouts WHERE id = $1 FOR UPDATE', [held!.id]);
    try {
      const start = performance.now();
      await app.get(PayoutNotices).run();
      expect(performance.now() - start).toBeLessThan(2_000);
    } finally {
      await other.end();
    }
    expect(await writtenAbout(good)).toEqual([expect.objectContaining({ id: free!.id })]);
    expect(await writtenAbout(bad)).toEqual([]);
    await Promise.all([app.get(PayoutNotices).run(), app.get(PayoutNotices).run()]);
    expect(await writtenAbout(bad)).toHaveLength(1);
    const twice = `SELECT user_id FROM user_notices WHERE data ->> 'payout' = $1
      GROUP BY user_id HAVING count(*) > 1`;
    expect(await select(app, twice, [held!.id])).toEqual([]);
  });
});
