import { beforeAll, describe, expect, it } from '@jest/globals';
import { nextBankDay } from '../src/common/time/bank-days.js';
import { transferReferencesIn } from '../src/common/money/creditor-reference.js';
import { MerchantRepository } from '../src/database/merchants/merchant.repository.js';
import { Database } from '../src/database/database.js';
import { CollectionAccountsService } from '../src/collection-accounts/collection-accounts.service.js';
import { credited } from './support/bank-lines.js';
import type { Client, OrderJson } from './support/client.js';
import { factsOf, select } from './support/facts.js';
import { expectHealthy } from './support/payout-invariants.js';
import { openShop } from './support/shop.js';
import { awaitingTransfer, choose, offerTransfers, TRANSFER_ACCOUNT } from './support/transfers.js';

const { app, shop, bank } = await openShop();
const IBAN = TRANSFER_ACCOUNT.account;

const read = async ({ txid }: Pick<OrderJson, 'txid'>, as: Client = shop): Promise<OrderJson> =>
  (await as.read(txid)).body;

const transferOf = ({ payment }: OrderJson) => payment!['transfer'] as Record<string, unknown>;

async function eventsOf({ txid }: OrderJson): Promise<readonly Record<string, unknown>[]> {
  const { body } = await shop.call('GET', `/api/event?txid=${txid}&limit=100`);
  return body['data'] as Record<string, unknown>[];
}

const orderIn = (event: Record<string, unknown>): OrderJson => event['data'] as OrderJson;

describe('before there is an account', () => {
  it('nobody pays by transfer', async () => {
    const order = await shop.order();
    expect(await (await fetch(order.paymentPageUrl)).text()).not.toContain('bank_transfer');
    const answer = await choose(order, 'bank_transfer');
    expect(answer.headers.get('location')).toBe(new URL(order.paymentPageUrl).pathname);
    expect(await read(order)).toMatchObject({ status: 'open', payments: [] });
  });
});

describe('choosing a transfer', () => {
  beforeAll(() => offerTransfers(app).then(() => undefined));

  it('tells the payer where to send the money, and gives days for it', async () => {
    app.clock.set(new Date('2026-11-20T10:00:00Z'));
    const order = await shop.order({ amount: 12_050 });
    expect(await (await fetch(order.paymentPageUrl)).text()).toContain('bank_transfer');
    const answer = await choose(order, 'bank_transfer', 12_050);
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(new URL(order.paymentPageUrl).pathname);

    const waiting = await read(order);
    const { reference } = transferOf(waiting);
    expect(transferReferencesIn(String(reference))).toEqual([reference]);
    expect(reference).toMatch(/^RF\d\d0\d{15}$/);
    expect(waiting).toMatchObject({
      status: 'processing',
      statusReason: 'awaiting_transfer',
      cancelable: true,
      expiresAt: '2026-12-04T23:59:59.999Z',
      processingUntil: '2026-12-09T23:59:59.999Z',
      payment: {
        provider: 'bank_transfer',
        method: 'bank_transfer',
        status: 'pending',
        amount: 12_050,
        providerReference: reference,
        transfer: {
          holder: 'Platform GmbH',
          iban: IBAN,
          bic: 'COBADEFFXXX',
          reference,
          amount: 12_050,
          currency: 'EUR',
          epc: `BCD\n002\n1\nSCT\nCOBADEFFXXX\nPlatform GmbH\n${IBAN}\nEUR120.50\n\n${String(reference)}`,
        },
      },
    });
    expect(waiting.payments).toEqual([waiting.payment]);
    const older = await shop.call<OrderJson>('GET', `/api/order?txid=${order.txid}`, undefined, {
      'api-version': '1.2.2',
    });
    expect(older.body.statusReason).toBe('awaiting_transfer');
    expect(older.body.payment).not.toHaveProperty('transfer');
    expect((await factsOf(app, order.txid)).payments).toMatchObject([{ next_poll_at: null }]);
  });

  it('again changes nothing, and asks for the same', async () => {
    const order = await awaitingTransfer(shop);
    await choose(order, 'bank_transfer');
    await choose(order, 'bank_transfer', 1);
    await fetch(`${order.paymentPageUrl}/return`, { redirect: 'manual' });
    expect(await read(order)).toEqual(order);
  });

  it('needs the amount that the page told', async () => {
    const order = await shop.order({ amount: 100 });
    await choose(order, 'bank_transfer', 99);
    expect(await read(order)).toMatchObject({ status: 'open', payments: [] });
  });

  it('never lets an order expire earlier than before', async () => {
    const order = await shop.order({ expiresInMinutes: 60 * 24 * 30 });
    await choose(order, 'bank_transfer');
    expect((await read(order))['expiresAt']).toBe(order['expiresAt']);
    expect((await factsOf(app, order.txid)).order).toMatchObject({ original_expires_at: null });
  });

  it('keeps what events before and after told of the last moment', async () => {
    const order = await awaitingTransfer(shop);
    const created = orderIn((await eventsOf(order))[0]!);
    expect(created['expiresAt']).not.toBe(order['expiresAt']);
    await shop.cancel(order.txid);
    const events = await eventsOf(order);
    expect(events.map(({ type }) => type)).toEqual([
      'order.created',
      'order.processing',
      'order.cancelled',
    ]);
    expect(events.map((event) => orderIn(event)['expiresAt'])).toEqual([
      created['expiresAt'],
      order['expiresAt'],
      order['expiresAt'],
    ]);
    expect(orderIn(events[1]!)).toEqual(order);
  });

  it('of orders in another currency is not possible, and without an IBAN shows no code', async () => {
    const order = await shop.order({ currency: 'GBP' });
    await choose(order, 'bank_transfer');
    expect((await read(order)).status).toBe('open');
    await offerTransfers(app, { currency: 'GBP', account: '12345678', bic: null });
    await choose(order, 'bank_transfer');
    expect(transferOf(await read(order))).toMatchObject({ iban: '12345678', bic: null, epc: null });
  });
});

describe('changing the way to pay', () => {
  it('gives the transfer up, and takes it up again under the same reference', async () => {
    const order = await awaitingTransfer(shop);
    const away = await choose(order, 'sandbox');
    expect(away.headers.get('location')).toContain('/sandbox-bank/');
    const elsewhere = await read(order);
    expect(elsewhere).toMatchObject({
      status: 'processing',
      statusReason: 'awaiting_provider',
      expiresAt: order['expiresAt'],
      payments: [
        { provider: 'bank_transfer', status: 'cancelled' },
        { provider: 'sandbox', status: 'pending' },
      ],
    });
    await choose(order, 'bank_transfer');
    expect(await read(order)).toEqual(elsewhere);

    await bank.send(bank.message(order, String(elsewhere.payment!['id']), 'refused'));
    await bank.settled();
    app.clock.advance(3 * 24 * 60 * 60_000);
    await choose(order, 'bank_transfer');
    const again = await read(order);
    // The last day is the one of which the payer was told first.
    expect(again).toMatchObject({ status: 'processing', expiresAt: order['expiresAt'] });
    const { reference } = transferOf(order);
    expect(transferOf(again)).toEqual(transferOf(order));
    expect(again.payment).toMatchObject({ providerReference: `${String(reference)}-2` });
    expect((await eventsOf(order)).map(({ type }) => type)).toEqual([
      'order.created',
      'order.processing',
      'order.processing',
      'payment.failed',
      'order.processing',
    ]);
  });

  it('ends at ten payments', async () => {
    const order = await awaitingTransfer(shop);
    await select(app, 'UPDATE orders SET attempts = 10 WHERE txid = $1', [order.txid]);
    await choose(order, 'sandbox');
    expect(await read(order)).toMatchObject({ statusReason: 'awaiting_transfer' });
    await select(app, 'UPDATE orders SET attempts = 1 WHERE txid = $1', [order.txid]);
  });

  it('does not matter to money of an earlier payment, which ends the transfer', async () => {
    const order = await shop.order();
    await choose(order, 'sandbox');
    const first = (await read(order)).payment!;
    await bank.send(bank.message(order, String(first['id']), 'refused'));
    await bank.settled();
    await choose(order, 'bank_transfer');
    await bank.send(bank.message(order, String(first['id']), 'booked'));
    await bank.settled();
    expect(await read(order)).toMatchObject({
      status: 'paid',
      payment: { id: first['id'] },
      payments: [{ status: 'succeeded' }, { provider: 'bank_transfer', status: 'cancelled' }],
    });
    await expectHealthy(app);
  });
});

describe('money that comes in many parts', () => {
  it('pays an order, however many they are', async () => {
    const order = await awaitingTransfer(shop, { amount: 1_200 });
    for (let part = 0; part < 11; part++) await credited(app, shop, order, 100);
    expect(await read(order)).toMatchObject({
      status: 'open',
      exception: 'underpaid',
      amountReceived: 1_100,
    });
    await credited(app, shop, order, 100);
    expect(await read(order)).toMatchObject({ status: 'paid', exception: 'none' });
    await expectHealthy(app);
  });
});

describe('cancelling while a transfer is awaited', () => {
  it('only means to wait no longer: money that comes is late', async () => {
    const order = await awaitingTransfer(shop, { amount: 1_000 });
    const reply = await shop.cancel(order.txid);
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      status: 'cancelled',
      statusReason: 'by_merchant',
      payment: { status: 'cancelled' },
    });
    await credited(app, shop, order, 1_000);
    expect(await read(order)).toMatchObject({
      status: 'cancelled',
      exception: 'paid_late',
      amountReceived: 1_000,
      payments: [{ status: 'succeeded' }],
    });
    await expectHealthy(app);
  });

  it('is for the payer, too', async () => {
    const order = await awaitingTransfer(shop);
    await fetch(`${order.paymentPageUrl}/cancel`, { method: 'POST', redirect: 'manual' });
    expect(await read(order)).toMatchObject({ status: 'cancelled', statusReason: 'by_payer' });
  });
});

describe('an order that awaits a transfer', () => {
  it('can be changed in all that its payer was not told', async () => {
    const order = await awaitingTransfer(shop);
    const change = (body: object) =>
      shop.call<OrderJson>('PATCH', `/api/order/${order.txid}`, body);
    const changed = await change({ description: 'Another', expiresInMinutes: 60 * 24 * 29 });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({ description: 'Another', status: 'processing' });
    const [{ until }] = (await select(
      app,
      `SELECT waits_until::text AS until FROM transfer_references WHERE txid = $1`,
      [order.txid],
    )) as [{ until: string }];
    expect(changed.body['expiresAt']).toBe(`${until}T23:59:59.999Z`);
    expect(nextBankDay(until)).toBe(until);
    for (const body of [{ amount: 1 }, { expiresInMinutes: 5 }]) {
      expect(await change(body)).toMatchObject({
        status: 409,
        body: { code: 'payment_in_progress' },
      });
    }
  });

  it('shows the rest when a part has come', async () => {
    const order = await awaitingTransfer(shop, { amount: 1_000 });
    await credited(app, shop, order, 400);
    expect(await read(order)).toMatchObject({ status: 'open', exception: 'underpaid' });
    await choose(order, 'bank_transfer', 600);
    const rest = await read(order);
    expect(transferOf(rest)).toMatchObject({
      amount: 600,
      reference: transferOf(order)['reference'],
    });
    await credited(app, shop, order, 600);
    expect(await read(order)).toMatchObject({ status: 'paid', amountReceived: 1_000 });
    await expectHealthy(app);
  });
});

describe('live orders', () => {
  it('can be paid by transfer where an operator has allowed it', async () => {
    const live = await app.merchant({ mode: 'live' });
    await offerTransfers(app, { mode: 'live' });
    expect(await live.create()).toMatchObject({ status: 422, body: { code: 'no_payment_method' } });
    const other = await app.merchant({ mode: 'live' });
    await app
      .get(Database)
      .transaction((tx) =>
        app.get(MerchantRepository).update(tx, other.merchantId, { takesTransfers: true }),
      );
    const order = await awaitingTransfer(other);
    expect(transferOf(order)['reference']).toMatch(/^RF\d\d[1-9]\d{15}$/);
    expect((await other.create({ currency: 'USD' })).body).toMatchObject({
      code: 'no_payment_method',
    });
  });

  it('are sent to another account once the first is disabled', async () => {
    const accounts = app.get(CollectionAccountsService);
    const [first] = await accounts.list('test');
    const order = await shop.order({ currency: first!.currency });
    await accounts.disable(first!.id);
    await choose(order, 'bank_transfer');
    expect(await read(order)).toMatchObject({ status: 'open' });
  });
});
