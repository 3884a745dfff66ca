import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Payout } from '../src/database/payouts/payout.entity.js';
import { PayoutsService } from '../src/payouts/payouts.service.js';
import type { FormBrowser } from './support/browser-form.js';
import { select } from './support/facts.js';
import { textOf } from './support/markup.js';
import { Cashier, paidOrder, PAYS } from './support/payouts.js';
import { codeOf, person, type Person, signedIn, withTotp } from './support/people.js';
import { openShop } from './support/shop.js';

const PLATFORM_PAYOUTS = '/portal/platform/payouts/test';
const MINUTE_MS = 60_000;

const { app } = await openShop({ env: PAYS });

type Operator = Person & { readonly totp: string; readonly browser: FormBrowser };

let olga: Operator;
let pete: Operator;

async function operator(): Promise<Operator> {
  const made = await withTotp(app, await person(app, 'operator'));
  return { ...made, browser: await signedIn(app, made) };
}

beforeAll(async () => {
  [olga, pete] = [await operator(), await operator()];
});

const pathOf = ({ merchantId, id }: Pick<Payout, 'merchantId' | 'id'>): string =>
  `${PLATFORM_PAYOUTS}/${merchantId}/${id}`;

/** Sends a form of the platform's pages, and a code when one is asked for. */
async function send({ browser, totp }: Operator, path: string, fields = {}) {
  const reply = await browser.post(path, fields);
  if (!reply.html.includes('name="code"')) return reply;
  app.clock.advance(30_000);
  return browser.post(path, { ...fields, code: await codeOf(app, totp) });
}

/** What the operator is told who approves what the page shows; null when it is approved. */
async function refusalTo(who: Operator, payout: Payout): Promise<string | null> {
  const { html } = await who.browser.get(pathOf(payout));
  const contentHash = /name="contentHash" value="([^"]+)"/.exec(html)?.[1] ?? '';
  const { status, html: answer } = await send(who, `${pathOf(payout)}/approve`, { contentHash });
  return status === 303 ? null : textOf(answer);
}

const statusOf = async ({ id }: Pick<Payout, 'id'>): Promise<unknown> =>
  (await select(app, 'SELECT status FROM payouts WHERE id = $1', [id]))[0]!['status'];

/** The rule by which the database refuses to do that to the payout. */
const refusalOf = (sql: string, { id }: Pick<Payout, 'id'>): Promise<unknown> =>
  select(app, sql, [id]).then(
    () => null,
    ({ driverError }: { driverError: { constraint?: string } }) => driverError.constraint,
  );

const handsOn = async ({ id }: Pick<Payout, 'id'>): Promise<string[]> => {
  const sql = 'SELECT user_id AS who, act FROM payout_hands WHERE payout_id = $1 ORDER BY act';
  const names: Record<string, string> = { [olga.id]: 'olga', [pete.id]: 'pete' };
  const rows = await select<{ who: string; act: string }>(app, sql, [id]);
  return rows.filter(({ who }) => names[who]).map(({ who, act }) => `${names[who]}: ${act}`);
};

/** Makes a file of what is approved. */
async function fileBy(who: Operator): Promise<string> {
  const reply = await send(who, `${PLATFORM_PAYOUTS}/files/new`, { currency: 'EUR' });
  return /(\S+files\/[0-9a-f-]{36})/.exec(reply.location ?? '')![1]!;
}

/** A payout of a merchant of its own that one operator has approved and taken to the bank. */
async function takenToTheBank(): Promise<{ cashier: Cashier; payout: Payout; file: string }> {
  const cashier = await Cashier.of(app, await app.merchant());
  await paidOrder(cashier.shop, 1_000);
  const payout = await cashier.request(1_000);
  expect(await refusalTo(olga, payout)).toBeNull();
  const file = await fileBy(olga);
  expect((await olga.browser.post(`${file}/download`)).status).toBe(200);
  return { cashier, payout, file };
}

const notSent = (who: Operator, file: string) => send(who, `${file}/not-sent`, { downloads: '1' });

describe('a file that somebody has, and that is said not to be sent', () => {
  it('is followed by another one only when somebody else approves', async () => {
    const { payout, file } = await takenToTheBank();
    expect((await notSent(olga, file)).status).toBe(303);
    expect(await statusOf(payout)).toBe('pending_approval');
    expect(await handsOn(payout)).toEqual([
      'olga: file_downloaded',
      'olga: file_made',
      'olga: not_sent',
    ]);
    expect(await refusalTo(olga, payout)).toContain('another operator has to approve it');
    expect(await refusalTo(pete, payout)).toBeNull();
    expect(await statusOf(payout)).toBe('approved');
    await send(pete, `${pathOf(payout)}/reject`, { reason: 'Enough of it' });
  });

  it('stays as it is, and its hands go on with its money', async () => {
    const { cashier, payout, file } = await takenToTheBank();
    await notSent(olga, file);
    const wish = { amount: 1, bankAccountId: cashier.account.id };
    const { scope, owner } = cashier;
    const payouts = app.get(PayoutsService);
    await expect(payouts.change(scope, payout.id, wish, owner.id)).rejects.toMatchObject({
      code: 'payout_not_possible',
    });
    const remove = 'DELETE FROM payout_lines WHERE payout_id = $1';
    expect(await refusalOf(remove, payout)).toBe('payout_lines_of_approved');
    await payouts.cancel(scope, payout.id);
    const second = await cashier.request(700);
    await payouts.cancel(scope, second.id);
    const third = await cashier.request(1_000);
    expect(await handsOn(third)).toEqual(['olga: earlier']);
    expect(await refusalTo(olga, third)).toContain('another operator has to approve it');
    await payouts.cancel(scope, third.id);
  });

  it('takes a new approval for the database, too, and somebody who said so', async () => {
    const { payout, file } = await takenToTheBank();
    const back = `UPDATE payouts SET status = 'approved', file_id = NULL WHERE id = $1`;
    expect(await refusalOf(back, payout)).toBe('payouts_new_approval');
    const unsaid = back.replace(
      `'approved'`,
      `'pending_approval', approved_by = NULL,
      approved_at = NULL, approved_hash = NULL`,
    );
    expect(await refusalOf(unsaid, payout)).toBe('payouts_said');
    await send(olga, `${file}/submitted`);
    const failed = `UPDATE payouts SET status = 'failed' WHERE id = $1`;
    expect(await refusalOf(failed, payout)).toBe('payouts_said');
  });

  it('is as it was approved when nobody has the file', async () => {
    const cashier = await Cashier.of(app, await app.merchant());
    await paidOrder(cashier.shop, 1_000);
    const payout = await cashier.request(1_000);
    await refusalTo(olga, payout);
    expect((await send(olga, `${await fileBy(olga)}/not-sent`, { downloads: '0' })).status).toBe(
      303,
    );
    expect(await statusOf(payout)).toBe('approved');
    expect(await handsOn(payout)).toEqual([]);
    await fileBy(olga);
  });
});

describe('money of a payout that is said to have failed or come back', () => {
  it.each(['failed', 'returned', 'returned after it was paid'])(
    'goes out again only when somebody else approves: %s',
    async (how) => {
      const { cashier, payout, file } = await takenToTheBank();
      await send(olga, `${file}/submitted`);
      if (how.endsWith('paid')) await send(olga, `${file}/paid`);
      const [end] = how.split(' ');
      await send(olga, `${pathOf(payout)}/${end}`, { reason: 'The bank said no' });
      expect(await statusOf(payout)).toBe(end);
      const again = await cashier.request(600);
      expect(await handsOn(again)).toEqual(['olga: earlier']);
      expect(await refusalTo(olga, again)).toContain('another operator has to approve it');
      expect(await refusalTo(pete, again)).toBeNull();
    },
  );
});

describe('what an operator says about money', () => {
  it('takes a code of the last five minutes', async () => {
    const { payout, file } = await takenToTheBank();
    const owed = async (path: string, fields = {}): Promise<void> => {
      app.clock.advance(5 * MINUTE_MS + 1);
      const { status, html } = await olga.browser.post(path, fields);
      expect([path, status]).toEqual([path, 422]);
      expect(html).toContain('name="code"');
    };
    await owed(`${PLATFORM_PAYOUTS}/files/new`, { currency: 'EUR' });
    await owed(`${file}/download`);
    const again = await send(olga, `${file}/download`);
    expect(again.location).toBe(`${file}?done=confirmed`);
    expect((await olga.browser.get(file)).html).toContain('This file was already downloaded');
    expect((await olga.browser.post(`${file}/download`)).status).toBe(200);
    await owed(`${file}/not-sent`, { downloads: '1' });
    await owed(`${file}/submitted`);
    expect(await statusOf(payout)).toBe('exported');
    await send(olga, `${file}/submitted`);
    for (const end of ['paid', 'failed', 'returned']) {
      await owed(`${pathOf(payout)}/${end}`, { reason: 'No' });
    }
    await owed(`${pathOf(payout)}/reject`, { reason: 'No' });
    await owed(`${file}/paid`);
    expect(await statusOf(payout)).toBe('submitted');
    const fee = { provider: 'sandbox', currency: 'EUR', percent: '100', fixed: '0' };
    await owed(`/portal/platform/merchants/${payout.merchantId}`, fee);
    expect(await select(app, 'SELECT * FROM fee_rates')).toEqual([]);
  });
});
