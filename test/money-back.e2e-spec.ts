import { describe, expect, it } from '@jest/globals';
import { ManualReconciliation } from '../src/bank/matching/manual-reconciliation.service.js';
import { MatcherService } from '../src/bank/matching/matcher.service.js';
import { newTransferReference } from '../src/common/money/creditor-reference.js';
import type { BankLine } from '../src/database/bank/lines/bank-line.entity.js';
import { MESSAGES } from '../src/payment-page/messages.js';
import type { PageState } from '../src/payment-page/page.model.js';
import { AcceptanceService } from '../src/payments/acceptance.service.js';
import { Sweeper } from '../src/payments/sweeper.js';
import {
  allocationsOf,
  bookedLine,
  collectionAccount,
  credited,
  lineOf,
  type NewLine,
  told,
} from './support/bank-lines.js';
import { Bank } from './support/bank.js';
import type { Client, OrderJson } from './support/client.js';
import { factsOf, select } from './support/facts.js';
import { addRecipient } from './support/mailbox.js';
import { expectHealthy, expectSound } from './support/payout-invariants.js';
import { balances, Cashier, PAYS } from './support/payouts.js';
import { person } from './support/people.js';
import { sentBack, takenBack } from './support/refunds.js';
import { returned, undone } from './support/returns.js';
import { openShop } from './support/shop.js';
import { awaitTransfer } from './support/transfers.js';

/** What an order costs that a transfer pays. */
const TRANSFER_FEE = `INSERT INTO fee_rates (merchant_id, provider, currency, parts_per_million, fixed,
  updated_at) VALUES ($1, 'bank_transfer', 'EUR', 0, 59, now())`;

const DAY_MS = 86_400_000;

const { app } = await openShop({ env: PAYS });
await collectionAccount(app);
const reconciliation = app.get(ManualReconciliation);
const operator = await person(app, 'operator');

const read = async (shop: Client, { txid }: OrderJson) => (await shop.read(txid)).body;
const lastEvent = async (order: OrderJson) => (await factsOf(app, order.txid)).events.at(-1);
const matching = () => app.get(MatcherService).matchNew();

async function pageShows(order: OrderJson, state: PageState): Promise<void> {
  const html = await (await fetch(order.paymentPageUrl)).text();
  const shown = [...html.matchAll(/data-state="(\w+)\.\d+"/g)].map(([, name]) => name);
  const title = MESSAGES.en.states[state].title;
  expect(html).toContain(`>${title}</h1>`);
  expect(shown.every((name) => name === state)).toBe(true);
}

async function waiting(shop: Client, amount = 1_000): Promise<OrderJson> {
  const order = await shop.order({ amount });
  await told(app, shop, order);
  return order;
}

async function expectBooksInOrder(shop: Client): Promise<void> {
  await expectSound(app, [shop.merchantId]);
  await expectHealthy(app);
}

describe('a match that is undone', () => {
  it('leaves an order that awaits its transfer as it was, which the true payment pays', async () => {
    const shop = await app.merchant();
    await select(app, TRANSFER_FEE, [shop.merchantId]);
    const order = await shop.order({ amount: 1_000 });
    const { reference } = await awaitTransfer(app, order);
    const before = await read(shop, order);
    const wrong = await credited(app, shop, order, 1_000);
    expect(await balances(app, shop)).toMatchObject({ EUR: { available: 941, fees: 59 } });
    expect(await undone(app, wrong)).toBe('taken_back');
    const after = await read(shop, order);
    expect(after).toMatchObject({
      status: 'processing',
      statusReason: 'awaiting_transfer',
      exception: 'none',
      amountReceived: 0,
      amountChargedBack: 0,
      paidAt: null,
      expiresAt: before['expiresAt'],
      payment: { status: 'pending', transfer: { reference } },
    });
    expect(after['payments']).toMatchObject([
      { status: 'failed', error: { code: 'match_undone' } },
      { status: 'pending' },
    ]);
    expect(await lastEvent(order)).toBe('order.reopened');
    expect(await balances(app, shop)).toEqual({});
    await pageShows(order, 'awaiting_transfer');
    await expectBooksInOrder(shop);
    await credited(app, shop, order, 1_000);
    expect(await read(shop, order)).toMatchObject({ status: 'paid', exception: 'none' });
    expect((await factsOf(app, order.txid)).events.slice(-3)).toEqual([
      'order.paid',
      'order.reopened',
      'order.paid',
    ]);
    expect(await balances(app, shop)).toMatchObject({ EUR: { available: 941, fees: 59 } });
    await pageShows(order, 'paid');
    await expectBooksInOrder(shop);
  });

  it('tells mailboxes of each payment that pays the order, once', async () => {
    const shop = await app.merchant();
    const { id } = await addRecipient(shop, 'paid@shop.example');
    const confirmed = 'UPDATE notification_recipients SET confirmed_at = created_at WHERE id = $1';
    await select(app, confirmed, [id]);
    const order = await waiting(shop);
    await undone(app, await credited(app, shop, order, 1_000));
    await credited(app, shop, order, 1_000);
    const sql = `SELECT e.type, count(*)::integer AS mails FROM deliveries d
      JOIN events e ON e.id = d.event_id WHERE d.txid = $1 AND d.recipient_id = $2
      GROUP BY e.id, e.type, e.sequence ORDER BY e.sequence`;
    expect(await select(app, sql, [order.txid, id])).toEqual([
      { type: 'order.paid', mails: 1 },
      { type: 'order.paid', mails: 1 },
    ]);
  });

  it('opens an order that nobody waited for, and a provider pays it', async () => {
    const shop = await app.merchant();
    const order = await waiting(shop);
    const wrong = await credited(app, shop, order, 1_000);
    expect(await undone(app, wrong)).toBe('taken_back');
    expect(await read(shop, order)).toMatchObject({ status: 'open', statusReason: null });
    await pageShows(order, 'open');
    await shop.pay(order.txid);
    expect(await read(shop, order)).toMatchObject({ status: 'paid', statusReason: 'exact' });
    expect(await balances(app, shop)).toMatchObject({ EUR: { available: 1_000 } });
    await expectBooksInOrder(shop);
  });

  it('goes on waiting for a payment that is under way elsewhere', async () => {
    const shop = await app.merchant();
    const order = await waiting(shop);
    await shop.pay(order.txid, { outcome: 'pending' });
    const wrong = await credited(app, shop, order, 1_000);
    await undone(app, wrong);
    expect(await read(shop, order)).toMatchObject({
      status: 'processing',
      statusReason: 'awaiting_provider',
    });
    await pageShows(order, 'processing');
    await expectBooksInOrder(shop);
  });

  it('expires an order whose time is over, which frees its id; a part of it stays', async () => {
    const shop = await app.merchant();
    const [all, rest] = [await waiting(shop), await waiting(shop)];
    const wrong = await credited(app, shop, all, 1_000);
    await credited(app, shop, rest, 300);
    const wrongRest = await credited(app, shop, rest, 700);
    app.clock.advance(DAY_MS);
    await undone(app, wrong);
    await undone(app, wrongRest);
    expect(await read(shop, all)).toMatchObject({ status: 'expired', statusReason: 'not_paid' });
    expect(await lastEvent(all)).toBe('order.expired');
    await pageShows(all, 'expired');
    expect(await read(shop, rest)).toMatchObject({
      status: 'expired',
      statusReason: 'partially_paid',
      exception: 'underpaid',
      amountReceived: 300,
    });
    expect(await balances(app, shop)).toMatchObject({ EUR: { unallocated: 300 } });
    const { orderMerchantId } = all;
    expect((await shop.create({ orderMerchantId, amount: 1_000 })).status).toBe(201);
    await sentBack(app, shop, rest, { amount: 300 });
    await expectBooksInOrder(shop);
  });

  it.each([
    ['first', 0],
    ['second', 1],
  ])('of the %s of two parts leaves the other, and the order asks for the rest', async (_, at) => {
    const shop = await app.merchant();
    const order = await waiting(shop);
    const parts = [
      await credited(app, shop, order, 300),
      await credited(app, shop, order, 700),
    ] as const;
    await undone(app, parts[at]!);
    const amountReceived = [700, 300][at]!;
    expect(await read(shop, order)).toMatchObject({
      status: 'open',
      exception: 'underpaid',
      amountReceived,
    });
    await pageShows(order, 'underpaid');
    await expectBooksInOrder(shop);
    await credited(app, shop, order, 1_000 - amountReceived);
    expect(await read(shop, order)).toMatchObject({ status: 'paid', statusReason: 'exact' });
    expect(await balances(app, shop)).toMatchObject({ EUR: { available: 1_000 } });
    await undone(app, parts[1 - at]!);
    await credited(app, shop, order, amountReceived);
    expect(await read(shop, order)).toMatchObject({ status: 'paid', exception: 'none' });
    await expectBooksInOrder(shop);
  });

  it('waits for the whole transfer again when its only part is gone', async () => {
    const shop = await app.merchant();
    const order = await shop.order({ amount: 1_000 });
    await awaitTransfer(app, order);
    const part = await credited(app, shop, order, 300);
    expect(await read(shop, order)).toMatchObject({ status: 'open' });
    await undone(app, part);
    expect(await read(shop, order)).toMatchObject({
      status: 'processing',
      statusReason: 'awaiting_transfer',
      exception: 'none',
      amountReceived: 0,
    });
    expect(await lastEvent(order)).toBe('order.processing');
    await expectBooksInOrder(shop);
  });

  it('makes what was a second payment the one that pays', async () => {
    const shop = await app.merchant();
    const order = await waiting(shop);
    const wrong = await credited(app, shop, order, 1_000);
    app.clock.advance(60_000);
    const right = await credited(app, shop, order, 1_000);
    await undone(app, wrong);
    expect(await read(shop, order)).toMatchObject({
      status: 'paid',
      statusReason: 'exact',
      exception: 'none',
      amountReceived: 1_000,
      paidAt: app.clock.now().toISOString(),
      payment: { id: right.payment.id, status: 'succeeded' },
    });
    const { events } = await factsOf(app, order.txid);
    expect(events.slice(-3)).toEqual(['order.paid', 'order.exception', 'order.exception']);
    expect(await balances(app, shop)).toMatchObject({ EUR: { available: 1_000 } });
    await pageShows(order, 'paid');
    await expectBooksInOrder(shop);
  });

  it('gives an order that was accepted late back its end, and its money can be accepted again', async () => {
    const shop = await app.merchant();
    const order = await waiting(shop);
    await shop.cancel(order.txid);
    const wrong = await credited(app, shop, order, 1_000);
    const owner = { merchantId: shop.merchantId, mode: 'test' } as const;
    await app.get(AcceptanceService).accept(owner, order.txid);
    await undone(app, wrong);
    expect(await read(shop, order)).toMatchObject({
      status: 'cancelled',
      statusReason: 'by_merchant',
      exception: 'none',
      amountReceived: 0,
    });
    await expectBooksInOrder(shop);
    await credited(app, shop, order, 1_000);
    await app.get(AcceptanceService).accept(owner, order.txid);
    expect(await read(shop, order)).toMatchObject({ status: 'paid', statusReason: 'manual' });
    await expectBooksInOrder(shop);
  });

  it('is refused where the money has left', async () => {
    const shop = await app.merchant();
    const cashier = await Cashier.of(app, shop);
    const [refunded, paidOut, partly] = [
      await waiting(shop),
      await waiting(shop),
      await waiting(shop),
    ];
    const first = await credited(app, shop, refunded, 1_200);
    await sentBack(app, shop, refunded, { amount: 200 });
    expect(await undone(app, first)).toBe('sent_back');
    const second = await credited(app, shop, paidOut, 1_000);
    const third = await credited(app, shop, partly, 1_000);
    await returned(app, third, 100);
    expect(await undone(app, third)).toBe('partly_returned');
    await cashier.request(2_900);
    expect(await undone(app, second)).toBe('paid_out');
    expect(await read(shop, paidOut)).toMatchObject({ status: 'paid', exception: 'none' });
    await expectBooksInOrder(shop);
  });
});

describe('a payout of another payment of the order', () => {
  it('does not keep a match from being undone while the order stays paid', async () => {
    const shop = await app.merchant();
    const cashier = await Cashier.of(app, shop);
    const order = await waiting(shop);
    const first = await credited(app, shop, order, 1_000);
    await cashier.request(1_000);
    await returned(app, first);
    app.clock.advance(1_000);
    const wrong = await credited(app, shop, order, 1_000);
    expect(await undone(app, wrong)).toBe('taken_back');
    expect(await read(shop, order)).toMatchObject({ status: 'paid', exception: 'charged_back' });
    await expectBooksInOrder(shop);
  });

  it('does where the undone money stands in for money that went back later', async () => {
    const shop = await app.merchant();
    const cashier = await Cashier.of(app, shop);
    const order = await waiting(shop);
    const first = await credited(app, shop, order, 1_000);
    await cashier.request(1_000);
    const duplicate = await credited(app, shop, order, 1_000);
    app.clock.advance(1_000);
    await returned(app, first);
    expect(await read(shop, order)).toMatchObject({ status: 'paid', exception: 'none' });
    expect(await undone(app, duplicate)).toBe('paid_out');
    await expectBooksInOrder(shop);
  });

  it('does where it is late money that was accepted after other money had gone back', async () => {
    const shop = await app.merchant();
    const cashier = await Cashier.of(app, shop);
    const order = await shop.order({ amount: 1_000, expiresInMinutes: 30 });
    app.clock.advance(DAY_MS);
    await app.get(Sweeper).run();
    const first = await credited(app, shop, order, 1_000);
    const second = await credited(app, shop, order, 1_000);
    app.clock.advance(1_000);
    await returned(app, first);
    await app.get(AcceptanceService).accept(cashier.scope, order.txid);
    expect(await read(shop, order)).toMatchObject({
      status: 'paid',
      statusReason: 'manual',
      exception: 'none',
    });
    await expectHealthy(app);
    await cashier.request(1_000);
    expect(await undone(app, second)).toBe('paid_out');
    await expectBooksInOrder(shop);
  });

  it('does where it is part of the same price', async () => {
    const shop = await app.merchant();
    const cashier = await Cashier.of(app, shop);
    const order = await waiting(shop);
    const part = await credited(app, shop, order, 300);
    await credited(app, shop, order, 700);
    await cashier.request(1_000);
    expect(await undone(app, part)).toBe('paid_out');
    await expectBooksInOrder(shop);
  });
});

describe('a payment that the bank took back', () => {
  const ways: [string, (shop: Client, order: OrderJson) => Promise<unknown>][] = [
    ['another transfer', (shop, order) => credited(app, shop, order, 1_000)],
    [
      'a line that the rules match',
      async (_shop, order) => {
        const sql = 'SELECT reference FROM transfer_references WHERE txid = $1';
        const [row] = await select<{ reference: string }>(app, sql, [order.txid]);
        await bookedLine(app, { amount: 1_000, text: row!.reference });
        await matching();
      },
    ],
    [
      'a line that a person matches',
      async ({ merchantId }, { txid }) => {
        const line = await bookedLine(app, { amount: 1_000 });
        await matching();
        const parts = [{ merchantId, txid, amount: 1_000 }];
        const outcome = await reconciliation.matchManually(
          'test',
          line.id,
          parts,
          operator.id,
          'Seen',
        );
        expect(outcome).toBe('matched');
      },
    ],
  ];

  it.each(ways)('is owed again: %s makes up for it', async (_, pay) => {
    const shop = await app.merchant();
    const order = await waiting(shop);
    await returned(app, await credited(app, shop, order, 1_000));
    expect(await read(shop, order)).toMatchObject({
      status: 'paid',
      exception: 'charged_back',
      amountReceived: 0,
      amountChargedBack: 1_000,
    });
    expect(await lastEvent(order)).toBe('order.exception');
    expect(await balances(app, shop)).toEqual({});
    await pageShows(order, 'charged_back');
    await expectBooksInOrder(shop);
    await pay(shop, order);
    expect(await read(shop, order)).toMatchObject({
      status: 'paid',
      exception: 'none',
      amountReceived: 1_000,
      amountChargedBack: 1_000,
    });
    expect(await lastEvent(order)).toBe('order.exception');
    expect(
      (await factsOf(app, order.txid)).events.filter((type) => type === 'order.paid'),
    ).toHaveLength(1);
    expect(await balances(app, shop)).toMatchObject({ EUR: { available: 1_000 } });
    await pageShows(order, 'paid');
    await expectBooksInOrder(shop);
  });

  it('is made up for by a payment of a provider that was under way', async () => {
    const shop = await app.merchant();
    const order = await waiting(shop);
    const { body } = await shop.pay(order.txid, { outcome: 'pending' });
    await returned(app, await credited(app, shop, order, 1_000));
    const bank = await Bank.of(app, shop);
    await bank.send(bank.message(order, String(body.payment?.['id']), 'booked'));
    await bank.settled();
    expect(await read(shop, order)).toMatchObject({
      status: 'paid',
      exception: 'none',
      amountReceived: 1_000,
    });
    expect(await balances(app, shop)).toMatchObject({ EUR: { available: 1_000 } });
    await expectBooksInOrder(shop);
  });

  it('is made up for in parts, and only what is more is kept apart', async () => {
    const shop = await app.merchant();
    const order = await waiting(shop);
    await returned(app, await credited(app, shop, order, 1_000));
    await credited(app, shop, order, 400);
    expect(await read(shop, order)).toMatchObject({
      exception: 'charged_back',
      amountReceived: 400,
    });
    expect(await balances(app, shop)).toMatchObject({ EUR: { available: 400 } });
    await credited(app, shop, order, 650);
    expect(await read(shop, order)).toMatchObject({ exception: 'overpaid', amountReceived: 1_050 });
    expect(await balances(app, shop)).toMatchObject({ EUR: { available: 1_000, unallocated: 50 } });
    await pageShows(order, 'overpaid');
    await expectBooksInOrder(shop);
  });

  it('was made up for and undone: it is owed again', async () => {
    const shop = await app.merchant();
    const order = await waiting(shop);
    await returned(app, await credited(app, shop, order, 1_000));
    await undone(app, await credited(app, shop, order, 1_000));
    expect(await read(shop, order)).toMatchObject({ status: 'paid', exception: 'charged_back' });
    await credited(app, shop, order, 1_000);
    expect(await read(shop, order)).toMatchObject({ status: 'paid', exception: 'none' });
    await expectBooksInOrder(shop);
  });

  it('was one of two: the other pays, until it goes back as well', async () => {
    const shop = await app.merchant();
    const order = await waiting(shop);
    const first = await credited(app, shop, order, 1_000);
    const second = await credited(app, shop, order, 1_000);
    await returned(app, first);
    expect(await read(shop, order)).toMatchObject({ exception: 'none', amountReceived: 1_000 });
    await pageShows(order, 'paid');
    await returned(app, second);
    expect(await read(shop, order)).toMatchObject({ exception: 'charged_back', amountReceived: 0 });
    await credited(app, shop, order, 1_000);
    expect(await read(shop, order)).toMatchObject({ exception: 'none', amountChargedBack: 2_000 });
    expect(await balances(app, shop)).toMatchObject({ EUR: { available: 1_000 } });
    await expectBooksInOrder(shop);
  });

  it('was paid again while that did not count: a person accepts it', async () => {
    const shop = await app.merchant();
    const order = await waiting(shop);
    await credited(app, shop, order, 1_000);
    const second = await credited(app, shop, order, 1_000);
    await sentBack(app, shop, order, { amount: 1_000 });
    await returned(app, second);
    expect(await read(shop, order)).toMatchObject({ exception: 'charged_back' });
    const sql = `SELECT id FROM transfers WHERE txid = $1 AND kind = 'refund'`;
    const [row] = await select<{ id: string }>(app, sql, [order.txid]);
    expect(await takenBack(app, shop, row!.id, 'It was not sent')).toBe('reversed');
    const owner = { merchantId: shop.merchantId, mode: 'test' } as const;
    await app.get(AcceptanceService).accept(owner, order.txid);
    expect(await read(shop, order)).toMatchObject({ status: 'paid', exception: 'none' });
    expect(await balances(app, shop)).toMatchObject({ EUR: { available: 1_000 } });
    await expectBooksInOrder(shop);
  });
});

describe('a return that was booked before a payment', () => {
  it.each([1_000, 400])('takes nothing of it back: %i', async (amount) => {
    const shop = await app.merchant();
    const order = await shop.order({ amount: 1_000 });
    const { line } = await credited(app, shop, order, 1_000);
    const name = `E2E ${line.id}`;
    await select(app, 'UPDATE bank_lines SET end_to_end_id = $2 WHERE id = $1', [line.id, name]);
    const days = { bookedOn: '2020-01-01', valuedOn: '2020-01-02' };
    const back = { amount, direction: 'out', kind: 'return', returned: true } as const;
    const { id } = await bookedLine(app, { ...back, endToEndId: name, ...days });
    await matching();
    expect(await lineOf(app, id)).toMatchObject({
      state: 'unmatched',
      reason: 'unknown_money_out',
    });
    expect(await read(shop, order)).toMatchObject({ amountReceived: 1_000, exception: 'none' });
    await select(
      app,
      `UPDATE bank_lines SET state = 'ignored', reason = 'Of this test' WHERE id = $1`,
      [id],
    );
    await expectBooksInOrder(shop);
  });
});

describe('a part of a payment that the bank took back', () => {
  /** Called by its bank. */
  const CALLED = { identifiers: { entryBankReference: 'NONREF-7' } } as const;
  const PAYER = {
    counterpartyAccount: 'NL91ABNA0417164300',
    counterpartyAccountType: 'iban',
  } as const;
  const ANOTHER_PAYER = { ...PAYER, counterpartyAccount: 'DE02120300000000202051' } as const;
  const NO_ACCOUNT = { counterpartyAccount: null, counterpartyAccountType: null } as const;
  const back = { direction: 'out', kind: 'return', returned: true } as const;
  let others = 0;
  const booked = async (shop: Client, endToEndId: string, amount = 8_990) => {
    const order = await shop.order({ amount });
    const text = await told(app, shop, order);
    const line = await bookedLine(app, { amount, text, endToEndId });
    await matching();
    return { order, line, text };
  };
  /** A person matches a line with an order that it does not name. */
  const byHand = async (shop: Client, { id, amount }: BankLine) => {
    const { txid } = await shop.order({ amount: amount! });
    const { merchantId } = shop;
    await select(app, 'UPDATE bank_lines SET looked_at = created_at WHERE id = $1', [id]);
    const part = { merchantId, txid, amount: amount! };
    expect(await reconciliation.matchManually('test', id, [part], operator.id, 'Seen')).toBe(
      'matched',
    );
  };
  const reasonOf = async ({ id }: { readonly id: string }) => {
    const { state, reason } = (await lineOf(app, id))!;
    return `${state} ${reason}`;
  };

  it.each<[string, (text: string) => { endToEndId?: string; text?: string }]>([
    ['a name of its booking', () => ({ endToEndId: 'PART-1' })],
    ['the reference of its order', (text) => ({ text: `Return of ${text}` })],
  ])('is booked by %s, twice, and made up for', async (_, naming) => {
    const shop = await app.merchant();
    const { order, text, line } = await booked(shop, 'PART-1');
    const first = await bookedLine(app, { ...back, amount: 3_000, ...naming(text) });
    await matching();
    expect(await reasonOf(first)).toBe('not_a_payment charged_back');
    expect(await read(shop, order)).toMatchObject({
      status: 'paid',
      exception: 'charged_back',
      amountReceived: 5_990,
      amountChargedBack: 3_000,
    });
    expect(await balances(app, shop)).toMatchObject({ EUR: { available: 5_990 } });
    await pageShows(order, 'charged_back');
    await bookedLine(app, { ...back, amount: 1_000, ...naming(text) });
    await matching();
    expect(await read(shop, order)).toMatchObject({ amountReceived: 4_990 });
    const more = await bookedLine(app, { ...back, amount: 5_000, ...naming(text) });
    await matching();
    expect(await reasonOf(more)).toBe('unmatched unknown_money_out');
    await credited(app, shop, order, 4_000);
    expect(await read(shop, order)).toMatchObject({ exception: 'none', amountReceived: 8_990 });
    expect(await balances(app, shop)).toMatchObject({ EUR: { available: 8_990 } });
    expect(await reasonOf(line)).toBe('matched reference');
    await expectBooksInOrder(shop);
    await select(app, `UPDATE bank_lines SET end_to_end_id = NULL`);
  });

  it('is a person’s where two payments may be meant', async () => {
    const shop = await app.merchant();
    const [one] = [await booked(shop, 'PART-2'), await booked(shop, 'PART-2')];
    const line = await bookedLine(app, { ...back, amount: 3_000, endToEndId: 'PART-2' });
    await matching();
    expect(await reasonOf(line)).toBe('unmatched unknown_money_out');
    expect(await read(shop, one.order)).toMatchObject({ exception: 'none' });
  });

  it.each<
    [string, (text: string) => Parameters<typeof bookedLine>[1], 'asked' | 'undone' | 'lost']
  >([
    [
      'names something unknown, too',
      (text) => ({ amount: 8_990, text: `${text} ${newTransferReference('test')}` }),
      'asked',
    ],
    [
      'may be a booking that is there',
      (text) => ({ amount: 8_990, text: [...text].join(' ').toLowerCase() }),
      'asked',
    ],
    [
      'was matched by mistake',
      (text) => ({ amount: 8_980, references: [{ type: null, value: text }] }),
      'undone',
    ],
    [
      'no file has told',
      (text) => ({ amount: 8_990, text: `${text} ${newTransferReference('test')}` }),
      'lost',
    ],
  ])(
    'is not that of the payer whose order it names: another line, which %s',
    async (_way, other, what) => {
      const shop = await app.merchant();
      const { order, text, line } = await booked(shop, `OTHER-${++others}`);
      const written = other(text);
      if (what !== 'lost') {
        const duplicateOf = 'text' in written && written.text!.includes(' ') ? line.id : null;
        const another = await bookedLine(app, { ...written, duplicateOf });
        if (what === 'asked') await matching();
        else await byHand(shop, another);
      }
      const out = await bookedLine(app, { ...written, ...back });
      await matching();
      expect(await reasonOf(out)).toBe('unmatched unknown_money_out');
      expect(await read(shop, order)).toMatchObject({ exception: 'none', amountReceived: 8_990 });
      await expectBooksInOrder(shop);
    },
  );

  it('is a person’s where it names another order than the payment that is called the same', async () => {
    const shop = await app.merchant();
    const [one, more] = [await booked(shop, 'RENT-1', 1_800), await booked(shop, 'RENT-1', 5_400)];
    const said = { ...back, amount: 1_800, endToEndId: 'RENT-1' };
    for (const text of [more.text, 'Return']) {
      const line = await bookedLine(app, { ...said, text });
      await matching();
      expect(await reasonOf(line)).toBe('unmatched unknown_money_out');
    }
    expect(await read(shop, one.order)).toMatchObject({ exception: 'none' });
    // One alone that is called so, but for another order.
    const alone = await booked(shop, 'RENT-2', 1_800);
    for (const kind of ['return', 'reversal'] as const) {
      const line = await bookedLine(app, { ...said, kind, endToEndId: 'RENT-2', text: more.text });
      await matching();
      expect(await reasonOf(line)).toBe('unmatched unknown_money_out');
    }
    expect(await read(shop, alone.order)).toMatchObject({ exception: 'none' });
    await bookedLine(app, { ...said, endToEndId: 'RENT-2', text: alone.text });
    await matching();
    expect(await read(shop, alone.order)).toMatchObject({ amountChargedBack: 1_800 });
    await expectBooksInOrder(shop);
  });

  let shared = 4_400;
  it.each<[string, Partial<NewLine>, Partial<NewLine>]>([
    ['a running number of its statement', { bankReference: '7' }, { bankReference: '7' }],
    ['a reference that the bank used again', CALLED, { ...CALLED, ...ANOTHER_PAYER }],
    ['such a reference, where nobody tells the account', CALLED, { ...CALLED, ...NO_ACCOUNT }],
    [
      'an end-to-end id that another payer used',
      { endToEndId: 'MINE' },
      { endToEndId: 'MINE', ...ANOTHER_PAYER },
    ],
  ])('is a person’s where it shares only %s', async (_, came, went) => {
    const shop = await app.merchant();
    // A payer with two equal payments would leave open which of them a bank reference means.
    const amount = (shared += 1);
    const order = await shop.order({ amount });
    const { line } = await credited(app, shop, order, amount);
    const { bankReference = null, endToEndId = null, identifiers = {} } = came;
    await select(
      app,
      `UPDATE bank_lines SET bank_reference = $2, end_to_end_id = $3, identifiers = $4 WHERE id = $1`,
      [line.id, bankReference, endToEndId, JSON.stringify(identifiers)],
    );
    for (const part of [amount, 400]) {
      const out = await bookedLine(app, { ...back, amount: part, ...went });
      await matching();
      expect(await reasonOf(out)).toBe('unmatched unknown_money_out');
    }
    expect(await read(shop, order)).toMatchObject({ exception: 'none', amountReceived: amount });
    await select(
      app,
      `UPDATE bank_lines SET state = 'ignored' WHERE direction = 'out' AND amount IN ($2, 400) AND id <> $1`,
      [line.id, amount],
    );
    const out = await bookedLine(app, { ...back, amount, ...went, ...PAYER, identifiers });
    await matching();
    expect(await reasonOf(out)).toBe(
      bankReference === null ? 'not_a_payment charged_back' : 'unmatched unknown_money_out',
    );
    await select(
      app,
      `UPDATE bank_lines SET end_to_end_id = NULL, identifiers = '{}', bank_reference = NULL WHERE id = $1`,
      [line.id],
    );
  });

  it('is booked once a person has matched the money that it takes back', async () => {
    const shop = await app.merchant();
    const order = await shop.order({ amount: 3_000 });
    const paid = await bookedLine(app, { amount: 3_000, endToEndId: 'LATER-1', text: 'Thanks' });
    await matching();
    const line = await bookedLine(app, { ...back, amount: 3_000, endToEndId: 'LATER-1' });
    await matching();
    expect(await reasonOf(line)).toBe('unmatched unknown_money_out');
    const part = { merchantId: shop.merchantId, txid: order.txid, amount: 3_000 };
    expect(await reconciliation.matchManually('test', paid.id, [part], operator.id, 'Known')).toBe(
      'matched',
    );
    await matching();
    expect(await reasonOf(line)).toBe('not_a_payment charged_back');
    expect(await read(shop, order)).toMatchObject({ exception: 'charged_back', amountReceived: 0 });
    await expectBooksInOrder(shop);
  });

  it('is booked by hand, and never more of it than came', async () => {
    const shop = await app.merchant();
    const { order } = await booked(shop, 'PART-3');
    const line = await bookedLine(app, { ...back, kind: 'payment', amount: 9_000 });
    await matching();
    const part = (amount: number) => ({ merchantId: shop.merchantId, txid: order.txid, amount });
    const say = (amount: number) =>
      reconciliation.returnManually('test', line.id, part(amount), operator.id);
    expect(await say(9_001)).toBe('too_much');
    expect(await say(0)).toBe('too_much');
    expect(await say(9_000)).toBe('no_payment');
    expect(await say(3_000)).toBe('returned');
    expect(await reasonOf(line)).toBe('not_a_payment unknown_money_out');
    expect(await say(6_000)).toBe('no_payment');
    expect(await read(shop, order)).toMatchObject({ amountReceived: 5_990 });
    const other = await booked(shop, 'PART-4');
    const rest = { merchantId: shop.merchantId, txid: other.order.txid, amount: 6_000 };
    expect(await reconciliation.returnManually('test', line.id, rest, operator.id)).toBe(
      'returned',
    );
    expect(await reasonOf(line)).toBe('not_a_payment charged_back');
    expect(await say(1)).toBe('not_waiting');
    await expectBooksInOrder(shop);
  });

  it('ends the match when all has gone back', async () => {
    const shop = await app.merchant();
    const { order, line } = await booked(shop, 'PART-5');
    for (const amount of [3_000, 5_990]) {
      await bookedLine(app, { ...back, amount, endToEndId: 'PART-5' });
      await matching();
    }
    expect(await reasonOf(line)).toBe('matched charged_back');
    const [allocation] = await allocationsOf(app, line);
    expect(allocation!.undoneAt).not.toBeNull();
    expect(await read(shop, order)).toMatchObject({ amountReceived: 0, amountChargedBack: 8_990 });
    await expectBooksInOrder(shop);
  });

  it('is refused by the database where it is more than came', async () => {
    const shop = await app.merchant();
    const { order, line } = await booked(shop, 'PART-6');
    const out = await bookedLine(app, { ...back, amount: 9_000 });
    await matching();
    const [allocation] = await allocationsOf(app, line);
    const insert = `INSERT INTO bank_returns (line_id, merchant_id, payment_id, amount, created_at)
      VALUES ($1, $2, $3, $4, now())`;
    const key = [shop.merchantId, allocation!.paymentId];
    await expect(select(app, insert, [out.id, ...key, 8_991])).rejects.toThrow('more of a payment');
    await expect(select(app, insert, [line.id, ...key, 1])).rejects.toThrow('more of a payment');
    const received = `UPDATE orders SET amount_received = -1 WHERE txid = $1`;
    await expect(select(app, received, [order.txid])).rejects.toThrow('orders_');
  });
});
