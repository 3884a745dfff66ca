import { randomUUID } from 'node:crypto';
import { Browser, formOn, type Page } from './browser.js';
import { payOut } from './payout.js';
import { expectSame, heading, object, step } from './report.js';
import type { Service } from './service.js';
import { createdText, type DemoOrder, type Reply, Shop } from './shop.js';
import { showNews, subscribe, type Subscriptions } from './subscriptions.js';
import { payByTransfer } from './transfer.js';
import { until } from './wait.js';

/** Result of a tour. */
export interface Toured {
  readonly subscriptions: Subscriptions;
  /** Key of the operator's second factor. */
  readonly operatorSecret: string;
}

/** An order from its creation to the notification of its payment, then a repeat, a cancellation and a payout. */
export async function tour(service: Service): Promise<Toured> {
  const { url, apiKey, merchant } = service;
  const shop = new Shop(url, apiKey);
  const key = randomUUID();
  heading(`${merchant} subscribes to notifications`);
  const subscriptions = await subscribe(shop, service);
  heading(`${merchant} sells a lamp`);
  const created = await create(shop, key);
  const { txid, orderMerchantId, paymentPageUrl } = created.body;
  await payAtTheBank(paymentPageUrl);
  heading('The news arrives by itself');
  await showNews(subscriptions, txid);
  heading('The order can be queried, too');
  await step('Order paid', () => untilPaid(shop, txid), statusText);
  await step('Status by orderMerchantId', () => paid(shop, { orderMerchantId }), statusText);
  await step(
    'Status by orderTransactionId',
    () => paid(shop, { orderTransactionId: txid }),
    statusText,
  );
  await showPayment(shop, txid);
  heading('What else a shop does');
  await repeat(shop, key, created);
  await cancelAnother(shop);
  await payByTransfer(shop, service);

  return { subscriptions, operatorSecret: await payOut(shop, service) };
}

/** An unpaid order for a look around. */
export const openOrder = async ({ url, apiKey }: Service): Promise<DemoOrder> =>
  (await new Shop(url, apiKey).create(`DEMO-${randomUUID().slice(0, 8)}`)).body;

const statusText = ({ body }: Reply<DemoOrder>): string => `${body.status}, ${body.statusReason}`;

function create(shop: Shop, key: string): Promise<Reply<DemoOrder>> {
  return step(
    'Order created',
    async () => {
      const reply = await shop.create('DEMO-1', key);
      expectSame('the status', reply.body.status, 'open');
      return reply;
    },
    createdText,
  );
}

async function payAtTheBank(paymentPageUrl: string): Promise<void> {
  const payer = new Browser();
  const page = await step(
    'Payment page opened',
    () => payer.open(paymentPageUrl),
    ({ url }) => url,
  );
  const bank = await step(
    'Payment started',
    () => payer.submit(page, '/start'),
    ({ url }) => `on to ${url}`,
  );
  const { fields } = formOn(bank);
  await step(
    'Sandbox bank pays',
    () => payer.submit(bank),
    () => `${fields.get('payerAccountName')}, ${fields.get('payerAccountNumber')}`,
  ).then(({ url }: Page) => expectSame('the page that the bank leads to', url, paymentPageUrl));
}

const untilPaid = (shop: Shop, txid: string): Promise<Reply<DemoOrder>> =>
  until('the order is not paid', async () => {
    const reply = await shop.status(`orderTransactionId=${txid}`);
    return reply.body.status === 'paid' ? reply : undefined;
  });

async function paid(shop: Shop, query: Record<string, string>): Promise<Reply<DemoOrder>> {
  const reply = await shop.status(String(new URLSearchParams(query)));
  expectSame('the status', reply.body.status, 'paid');
  return reply;
}

async function showPayment(shop: Shop, txid: string): Promise<void> {
  const { body } = await step('Order read, with its payment', () => shop.read(txid));
  expectSame('the payer', body.payment?.['payerAccountName'], 'Erika Mustermann');
  expectSame('the account', body.payment?.['payerAccountNumber'], 'DE89370400440532013000');
  object(body.payment ?? {});
}

async function repeat(shop: Shop, key: string, first: Reply<DemoOrder>): Promise<void> {
  const again = await step(
    'Same request sent again',
    () => shop.create('DEMO-1', key),
    ({ headers }) => `same order, Idempotent-Replayed: ${headers.get('idempotent-replayed')}`,
  );
  expectSame('the repeated answer', again.text, first.text);
  expectSame('Idempotent-Replayed', again.headers.get('idempotent-replayed'), 'true');
}

async function cancelAnother(shop: Shop): Promise<void> {
  const { body } = await shop.create('DEMO-2');
  const cancelled = await step('Another order cancelled', () => shop.cancel(body.txid), statusText);
  expectSame('the status', cancelled.body.status, 'cancelled');
}
