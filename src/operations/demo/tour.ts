import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { formOn, open, type Page, submit } from './payer.js';
import { Difference, expectSame, heading, object, step } from './report.js';
import type { Service } from './service.js';
import { type DemoOrder, type Reply, Shop } from './shop.js';

/** A bank answers at once here; a real one may take days. */
const PAID_LIMIT_MS = 10_000;
const POLL_MS = 20;

/** One order from its creation to the payer's name, then a repeat and a cancellation. */
export async function tour({ url, apiKey, merchant }: Service): Promise<void> {
  const shop = new Shop(url, apiKey);
  const key = randomUUID();
  heading(`${merchant} sells a lamp`);
  const created = await create(shop, key);
  const { txid, orderMerchantId, paymentPageUrl } = created.body;
  await payAtTheBank(paymentPageUrl);
  await step('Order paid', () => untilPaid(shop, txid), toldStatus);
  await step('Status by orderMerchantId', () => paid(shop, { orderMerchantId }), toldStatus);
  await step(
    'Status by orderTransactionId',
    () => paid(shop, { orderTransactionId: txid }),
    toldStatus,
  );
  await showPayment(shop, txid);
  heading('What else a shop does');
  await repeat(shop, key, created);
  await cancelAnother(shop);
}

/** For a look around: an order that nobody has paid yet. */
export const openOrder = async ({ url, apiKey }: Service): Promise<DemoOrder> =>
  (await new Shop(url, apiKey).create(`DEMO-${randomUUID().slice(0, 8)}`)).body;

const toldStatus = ({ body }: Reply<DemoOrder>): string => `${body.status}, ${body.statusReason}`;

function create(shop: Shop, key: string): Promise<Reply<DemoOrder>> {
  return step(
    'Order created',
    async () => {
      const reply = await shop.create('DEMO-1', key);
      expectSame('the status', reply.body.status, 'open');
      return reply;
    },
    ({ body }) => `${body.orderMerchantId}, 89.90 EUR, ${body.status}`,
  );
}

async function payAtTheBank(paymentPageUrl: string): Promise<void> {
  const page = await step(
    'Payment page opened',
    () => open(paymentPageUrl),
    ({ url }) => url,
  );
  const bank = await step(
    'Payment started',
    () => submit(page, '/start'),
    ({ url }) => `on to ${url}`,
  );
  const { fields } = formOn(bank);
  await step(
    'Sandbox bank pays',
    () => submit(bank),
    () => `${fields.get('payerAccountName')}, ${fields.get('payerAccountNumber')}`,
  ).then(({ url }: Page) => expectSame('the page that the bank leads to', url, paymentPageUrl));
}

async function untilPaid(shop: Shop, txid: string): Promise<Reply<DemoOrder>> {
  const end = Date.now() + PAID_LIMIT_MS;
  for (;;) {
    const reply = await shop.status(`orderTransactionId=${txid}`);
    if (reply.body.status === 'paid') return reply;
    if (Date.now() > end) throw new Difference(`the order is still ${reply.body.status}`);
    await sleep(POLL_MS);
  }
}

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
  const cancelled = await step('Another order cancelled', () => shop.cancel(body.txid), toldStatus);
  expectSame('the status', cancelled.body.status, 'cancelled');
}
