import { generate } from 'otplib';
import { toMajorUnits } from '../common/money/money.js';
import { Browser, formOn } from './browser.js';
import { expectSame, heading, step } from './report.js';
import type { DemoUser, Service } from './service.js';
import type { DemoBalance, DemoPayout, Reply, Shop } from './shop.js';

/**
 * Pays the payer's money out to the merchant, with two people involved.
 * @returns key of the operator's second factor
 */
export async function payOut(shop: Shop, service: Service): Promise<string> {
  heading(`${service.merchant} is paid out`);
  const { body } = await step('Balance read', () => shop.balance(), balanceText);
  expectSame('the balance', body.data[0]?.available, 17_980);
  const payoutPage = await askFor(service);
  const operator = await signIn(service, service.operator, 'Operator signs in');
  const secret = await setUpApp(operator, service);
  const payout = await approve(operator, payoutPage);
  await bringToBank(operator, service);
  const { body: paid } = await step('Payout read', () => shop.payout(payout), payoutText);
  expectSame('the payout', paid.status, 'paid');
  expectSame('its amount', paid.amount, 17_980);
  return secret;
}

const balanceText = ({ body }: Reply<DemoBalance>): string =>
  body.data
    .map(({ available, currency }) => `${toMajorUnits(available, currency)} ${currency} available`)
    .join(', ');

const payoutText = ({ body }: Reply<DemoPayout>): string =>
  `${body.status}, to ${body.bankAccount.holder}, ${body.bankAccount.iban}`;

async function signIn({ url }: Service, user: DemoUser, title: string): Promise<Browser> {
  const browser = new Browser();
  const { email, password } = user;
  await step(
    title,
    async () =>
      browser.submit(await browser.open(`${url}/portal/sign-in`), '', { email, password }),
    () => email,
  );
  return browser;
}

/** @returns URL of the payout in the operator's pages */
async function askFor(service: Service): Promise<string> {
  const { url, merchantId, owner } = service;
  const browser = await signIn(service, owner, 'Owner signs in');
  const form = await browser.open(`${url}/portal/m/${merchantId}/test/payouts/new`);
  const page = await step(
    'Payout of all asked for',
    () => browser.submit(form, '/new', { currency: 'EUR', amount: '' }),
    () => 'reserved, and waits for approval',
  );
  const id = new URL(page.url).pathname.split('/').at(-1)!;
  return `${url}/portal/platform/payouts/test/${merchantId}/${id}`;
}

async function setUpApp(browser: Browser, { url, operator }: Service): Promise<string> {
  const page = await browser.open(`${url}/portal/security/second-factor`);
  const secret = formOn(page, '/second-factor').fields.get('secret') ?? '';
  await step(
    'Operator sets up an app',
    async () => {
      const code = await generate({ secret });
      return browser.submit(page, '/second-factor', { proof: operator.password, code });
    },
    () => 'its codes approve payouts',
  );
  return secret;
}

/** @returns the payout's id */
async function approve(browser: Browser, url: string): Promise<string> {
  const page = await browser.open(url);
  await step(
    'Operator approves',
    () => browser.submit(page, '/approve'),
    () => 'what was seen, and nothing else',
  );
  return url.split('/').at(-1)!;
}

async function bringToBank(browser: Browser, { url }: Service): Promise<void> {
  const files = `${url}/portal/platform/payouts/test/files`;
  const form = await browser.open(`${files}/new?currency=EUR`);
  const file = await step(
    'Bank file made',
    () => browser.submit(form, '/new'),
    ({ url: at }) => `pain.001.001.09, ${new URL(at).pathname.split('/').at(-1)}`,
  );
  const address = file.url.split('?')[0]!;
  await step('Bank has the file', async () =>
    browser.submit(await browser.open(address), '/submitted'),
  );
  await step('Bank has paid', async () => browser.submit(await browser.open(address), '/paid'));
}
