import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { CollectionAccountChangesService } from '../src/collection-accounts/collection-account-changes.service.js';
import { TestApp } from './support/app.js';
import { bookedLine, collectionAccount, credited, told } from './support/bank-lines.js';
import { openBrowser, Visitor } from './support/browser.js';
import { type FormBrowser } from './support/browser-form.js';
import { proposer } from './support/live-accounts.js';
import { person, signedIn, withTotp } from './support/people.js';
import { plantLine } from './support/planted-lines.js';
import { offerTransfers, TRANSFER_ACCOUNT } from './support/transfers.js';

const PHONE = { width: 320, height: 720 };
const DESKTOP = { width: 1280, height: 900 };

const PAGES = [
  'bank/test',
  'bank/test?tab=matched',
  'bank/test?q=nothing',
  'bank/live',
  'bank/test/lines/WAITING',
  'bank/test/lines/MATCHED',
  'bank/test/lines/DUPLICATE',
  'bank/test/lines/MONEYOUT',
  'bank/test/lines/APART',
  'bank/test/lines/UNNAMED',
  'bank/test/lines/DENIED',
  'bank/test/lines/MATCHED/payments/PAYMENT/undo',
  'bank/test/lines/MATCHED/payments/PAYMENT/payer',
  'bank/test/balance',
  'bank/test?account=DE02120300000000202051',
  'bank/test/uploads',
  'bank/test/uploads/UPLOAD',
  'bank/profiles',
  'bank/profiles/new',
  'collection-accounts/test',
  'collection-accounts/live',
  'collection-accounts/test/new',
  'collection-accounts/test/ACCOUNT/disable',
  'collection-accounts/live/new',
  'collection-accounts/live/changes/CHANGE/confirm',
  'collection-accounts/live/changes/CHANGE/withdraw',
  'merchants/MERCHANT',
  'health',
];

const LIVE = '/portal/platform/collection-accounts/live';

const FILE = [
  ':20:START',
  ':25:DE89370400440532013000',
  ':28C:1/1',
  ':60F:C260101EUR100,00',
  ':61:2601020102C12,34NTRFNONREF//B1',
  ':86:Payment',
  ':62F:C260102EUR112,34',
  '-',
  '',
].join('\r\n');

describe('the platform’s pages about banks, in a browser', () => {
  let browser: Browser;
  let app: TestApp;
  let operator: FormBrowser;
  let ids: Record<string, string>;
  const visitors: Visitor[] = [];

  beforeAll(async () => {
    [browser, app] = await Promise.all([openBrowser(), TestApp.start()]);
    operator = await signedIn(app, await withTotp(app, await person(app, 'operator')));
    ids = await filled();
  });
  afterAll(async () => {
    await browser.close();
    await app.stop();
  });
  afterEach(async () => {
    const visited = visitors.splice(0);
    await Promise.all(visited.map((each) => each.close()));
    expect(visited.flatMap(({ faults }) => faults)).toEqual([]);
  });

  /** Lines in every state, an upload that waits, and an account. */
  async function filled(): Promise<Record<string, string>> {
    const shop = await app.merchant({ name: 'Nordlicht Store' });
    const account = await collectionAccount(app);
    const order = await shop.order({ amount: 124_900 });
    const reference = await told(app, shop, order);
    const waiting = await bookedLine(app, {
      amount: 124_900,
      text: 'Rechnung 4711\nThank you very much for the lamp',
      endToEndId: 'E2E-4711',
      lookedAt: app.clock.now(),
      reason: 'no_reference',
    });
    for (let i = 0; i < 12; i++) {
      const counterpartyName = `Payer ${i} ${'of a long name '.repeat(i % 4)}`;
      await plantLine(app, { amount: 1_000 * i + 990, counterpartyName, text: 'x'.repeat(i * 40) });
    }
    const paid = await shop.order({ amount: 5_000 });
    const payer = { accountNumber: null, accountType: null, accountName: null };
    const { line, payment } = await credited(app, shop, paid, 5_000, { payer });
    await operator.get('/portal/platform/bank/test/uploads');
    const bytes = new Uint8Array(Buffer.from(FILE));
    const upload = await operator.upload(
      '/portal/platform/bank/test/uploads',
      { profile: '', account: '' },
      { name: 'umsaetze-2026-01-02.sta', bytes },
    );
    const lookedAt = app.clock.now();
    const [first, duplicate, out] = [
      await bookedLine(app, { amount: 7_700, text: 'Invoice 77', lookedAt }),
      { state: 'suggested', reason: 'possible_duplicate' } as const,
      { direction: 'out', state: 'not_a_payment', reason: 'unknown_money_out' } as const,
    ];
    const again = { amount: 7_700, text: 'Invoice 78', duplicateOf: first.id, lookedAt };
    const twin = await app.merchant({ name: 'Twin' });
    for (const each of [shop, twin]) await each.order({ orderMerchantId: 'SAME', amount: 1 });
    await twin.order({ orderMerchantId: 'SPLIT', amount: 124_800, customer: { name: 'Ada' } });
    const { id: markedDistinctBy } = await person(app, 'operator');
    const apart = { markedDistinctBy, state: 'unmatched' } as const;
    const denied = { state: 'unmatched', reason: 'payout_contradicted' } as const;
    const unnamed = { state: 'suggested', reason: 'payer_not_named', text: reference } as const;
    return {
      DUPLICATE: (await bookedLine(app, { ...again, ...duplicate })).id,
      MONEYOUT: (await bookedLine(app, { amount: 2_500, text: 'Return', lookedAt, ...out })).id,
      APART: (await bookedLine(app, { ...again, ...apart })).id,
      DENIED: (await bookedLine(app, { amount: 42_300, lookedAt, ...out, ...denied })).id,
      UNNAMED: (await bookedLine(app, { amount: 124_900, lookedAt, ...unnamed })).id,
      WAITING: waiting.id,
      MATCHED: line.id,
      PAYMENT: payment.id,
      UPLOAD: upload.location!.split('/').at(-1)!,
      ACCOUNT: account,
      CHANGE: await changed(),
      MERCHANT: shop.merchantId,
    };
  }

  /** A change that waits for this operator, and one that was confirmed. */
  async function changed(): Promise<string> {
    const changes = app.get(CollectionAccountChangesService);
    const { id } = await offerTransfers(app, { mode: 'live' });
    const account = { ...TRANSFER_ACCOUNT, mode: 'live', account: 'NL91ABNA0417164300' } as const;
    const added = await changes.proposeAdd(await proposer(app), account);
    await offerTransfers(app, { mode: 'live', account: 'DE02120300000000202051' });
    const confirmed = await changes.proposeFor(await proposer(app), 'disable', id);
    await operator.fill(LIVE, {}, `${LIVE}/changes/${confirmed!.id}/confirm`);
    return added!.id;
  }

  async function open(path: string): Promise<Visitor> {
    const visitor = await Visitor.in(browser, app.url);
    visitors.push(visitor);
    const cookie = { name: 'portal', value: operator.cookie()!, url: app.url };
    await visitor.page.context().addCookies([cookie]);
    const address = path.replaceAll(/[A-Z]{5,}/g, (name) => ids[name] ?? name);
    await visitor.page.goto(`${app.url}/portal/platform/${address}`);
    return visitor;
  }

  it.each([
    ['SPLIT', 'Is this the order?'],
    ['SAME', 'Which order?'],
  ])('the page that asks about %s can be used by everybody, too', async (number, title) => {
    const visitor = await open('bank/test/lines/WAITING');
    await visitor.page.getByLabel('Order', { exact: true }).fill(number);
    await visitor.page.getByRole('button', { name: 'Match', exact: true }).click();
    await visitor.page.getByRole('heading', { name: title }).waitFor();
    expect(await visitor.flaws([PHONE, DESKTOP], title)).toEqual([]);
  });

  it.each(PAGES)('%s can be used by everybody, on a phone and in the dark', async (path) => {
    const visitor = await open(path);
    expect(await visitor.flaws([PHONE, DESKTOP], path)).toEqual([]);
  });
});
