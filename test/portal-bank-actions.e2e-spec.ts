import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ManualReconciliation } from '../src/bank/matching/manual-reconciliation.service.js';
import { MatcherService } from '../src/bank/matching/matcher.service.js';
import type { BankLine } from '../src/database/bank/lines/bank-line.entity.js';
import { TestApp } from './support/app.js';
import { allocationsOf, awaited, bookedLine, lineOf, told } from './support/bank-lines.js';
import type { FormBrowser } from './support/browser-form.js';
import type { Client } from './support/client.js';
import { count, select } from './support/facts.js';
import { expectHealthy } from './support/payout-invariants.js';
import { confirmed, person, type Person, signedIn, withTotp } from './support/people.js';
import { together } from './support/race.js';

const NOBODY = '019aa2f0-7c00-7000-8000-0123456789ab';
const ACTIONS = [
  'match',
  'return',
  'ignore',
  'reopen',
  'notes',
  'same',
  'another',
  `payments/${NOBODY}/undo`,
  `payments/${NOBODY}/payer`,
];
const NO_PAYER = {
  counterpartyName: null,
  counterpartyAccount: null,
  counterpartyAccountType: null,
};

describe('what operators do about lines of banks', () => {
  let app: TestApp;
  let shop: Client;
  let operating: Person;
  let operator: FormBrowser;
  let support: FormBrowser;

  beforeAll(async () => {
    app = await TestApp.start();
    shop = await app.merchant({ name: 'Nordlicht' });
    operating = await withTotp(app, await person(app, 'operator'));
    operator = await signedIn(app, operating);
    support = await signedIn(app, await withTotp(app, await person(app, 'support')));
  });
  afterAll(() => app.stop());

  const pathOf = ({ id }: BankLine) => `/portal/platform/bank/test/lines/${id}`;
  const send = (line: BankLine, what: string, fields: Record<string, string> = {}) =>
    operator.fill(pathOf(line), fields, `${pathOf(line)}/${what}`);
  /** Says of each order that was typed that it is the one that is shown, or the first of them. */
  async function sendSure(line: BankLine, what: string, typed: Record<string, string>) {
    const reply = await send(line, what, typed);
    if (reply.status !== 200) return reply;
    const { html } = reply;
    const inputs = [
      ...html.matchAll(/<input (?=[^>]*name="((?:order|amount|note)\d?)")[^>]*value="([^"]*)"/g),
    ];
    const fields = inputs.toReversed().map(([, name = '', value = '']) => [name, value] as const);
    return operator.post(`${pathOf(line)}/${what}`, Object.fromEntries(fields));
  }
  const statusOf = async (txid: string) => (await shop.read(txid)).body;
  const lastAudit = async () =>
    (await select(app, 'SELECT * FROM audit_entries ORDER BY id DESC LIMIT 1'))[0]!;
  const paymentOf = async (line: BankLine) =>
    (
      await select<{ payment_id: string }>(
        app,
        'SELECT payment_id FROM bank_allocations WHERE line_id = $1',
        [line.id],
      )
    )[0]!.payment_id;

  it('orders beyond those that are shown are counted', async () => {
    for (let n = 0; n < 7; n++) {
      const order = await shop.order({ amount: 4_322 });
      await told(app, shop, order);
      await awaited(app, order);
    }
    const line = await bookedLine(app, { amount: 4_322, lookedAt: app.clock.now() });
    const { html } = await operator.get(pathOf(line));
    expect(html.match(/name="order0" value="[\da-f-]{36}"/g)).toHaveLength(5);
    expect(html).toContain('2 more orders are possible.');
  });

  it('a suggestion is matched with one click', async () => {
    const order = await shop.order({ amount: 4_321 });
    await told(app, shop, order);
    await awaited(app, order);
    const line = await bookedLine(app, { amount: 4_321, lookedAt: app.clock.now() });
    const { html } = await operator.get(pathOf(line));
    expect(html).toContain('Suggested orders');
    const [, form] = /<form[^>]*action="([^"]+\/match)"[^>]*>(.*?)<\/form>/.exec(html)!.slice(0);
    expect(form).toBe(`${pathOf(line)}/match`);
    const fields = Object.fromEntries(
      [...html.matchAll(/type="hidden" name="(order0|amount0)" value="([^"]*)"/g)].map(
        ([, name = '', value = '']) => [name, value] as const,
      ),
    );
    expect(fields).toEqual({ order0: order.txid, amount0: '43.21' });
    const reply = await operator.post(form!, fields);
    expect(reply.location).toBe(`${pathOf(line)}?done=matched`);
    expect(await statusOf(order.txid)).toMatchObject({ status: 'paid', amountReceived: 4_321 });
    expect(await lineOf(app, line.id)).toMatchObject({ state: 'matched', reason: 'by_hand' });
    expect(await lastAudit()).toMatchObject({
      action: 'bank-line.matched',
      subject: line.id,
      user_id: operating.id,
      data: { mode: 'test', orders: [{ txid: order.txid, amount: 4_321 }] },
    });
  });

  it('several orders share a line, by what merchants call them, and the rest waits', async () => {
    const [one, other] = [
      await shop.order({ amount: 1_000, orderMerchantId: 'SPLIT-1' }),
      await shop.order({ amount: 2_000, orderMerchantId: 'SPLIT-2' }),
    ];
    const line = await bookedLine(app, { amount: 3_500 });
    const fields = { order0: 'SPLIT-1', order1: other.txid, amount1: '15.00', note: 'Invoice 7' };
    expect((await sendSure(line, 'match', fields)).status).toBe(303);
    expect(await statusOf(one.txid)).toMatchObject({ status: 'paid' });
    expect(await statusOf(other.txid)).toMatchObject({ status: 'open', exception: 'underpaid' });
    expect(await lineOf(app, line.id)).toMatchObject({
      state: 'unmatched',
      reason: 'partly_matched',
    });
    await expectHealthy(app);
    const { html } = await operator.get(pathOf(line));
    for (const text of ['SPLIT-1', 'SPLIT-2', 'Invoice 7', 'Nordlicht', '10.00'])
      expect(html).toContain(text);
    expect((await send(line, 'match', { order0: other.txid })).status).toBe(303);
    expect(await statusOf(other.txid)).toMatchObject({ status: 'paid', exception: 'overpaid' });
    await expectHealthy(app);
  });

  it.each([
    [{}, 'Enter an order ID'],
    [{ order0: '', amount0: '1' }, 'Enter an order ID'],
    [{ order0: 'UNKNOWN' }, 'No order with this ID in test mode.'],
    [{ order0: NOBODY }, 'No order with this ID in test mode.'],
    [{ order0: 'GOOD', amount0: 'much' }, 'Enter an amount, for example 10.00.'],
    [{ order0: 'GOOD', amount0: '0' }, 'Enter an amount'],
    [{ order0: 'GOOD', amount0: '-1' }, 'Enter an amount'],
    [{ order0: 'GOOD', amount0: '10.01' }, 'exceed the remaining amount'],
    [{ order0: 'GOOD', order1: 'GOOD', amount0: '1', amount1: '1' }, 'entered twice'],
    [{ order0: 'OTHER-CURRENCY' }, 'This order is for 10.00 USD.'],
    [{ order0: 'GOOD', note: 'x'.repeat(256) }, 'Use at most 255 characters'],
    [{ order0: '<script>alert(1)</script>' }, 'No order with this ID'],
  ])('a match that says %j is refused with a sentence', async (fields, sentence) => {
    const name = `GOOD-${String(app.clock.now().getTime())}`;
    app.clock.advance(1_000);
    await shop.order({ amount: 1_000, orderMerchantId: name });
    if ('order0' in fields && fields.order0 === 'OTHER-CURRENCY')
      await shop.order({ amount: 1_000, currency: 'USD', orderMerchantId: 'OTHER-CURRENCY' });
    const typed = Object.fromEntries(
      Object.entries(fields).map(([key, value]) => [key, value === 'GOOD' ? name : value]),
    );
    const line = await bookedLine(app, { amount: 1_000 });
    const reply = await sendSure(line, 'match', typed);
    expect([409, 422]).toContain(reply.status);
    expect(reply.html).toContain(sentence);
    expect(reply.html).not.toContain('<script>alert');
    expect(await count(app, 'bank_allocations', 'line_id = $1', [line.id])).toBe(0);
  });

  it('money on an account that is none of the platform’s is matched to nothing, and says why', async () => {
    const { txid } = await shop.order({ amount: 1_000 });
    const line = await bookedLine(app, { amount: 1_000, account: 'X', lookedAt: app.clock.now() });
    const { html } = await operator.get(pathOf(line));
    expect(html).not.toContain(`${pathOf(line)}/match`);
    expect(html).toContain('It cannot be matched until its account is a');
    const path = `${pathOf(line)}/match`;
    const reply = await operator.post(path, { order0: txid });
    expect(reply.status).toBe(409);
    expect(reply.html).toContain('is not a collection account of this mode and currency');
    expect(await count(app, 'bank_allocations', 'line_id = $1', [line.id])).toBe(0);
  });

  it('rows of orders open one by one, and those that were typed are open', async () => {
    const line = await bookedLine(app, { amount: 1_000 });
    const rows = (html: string) =>
      html.match(/<details[^>]*><summary/g)!.map((tag) => / open/.test(tag));
    expect(rows((await operator.get(pathOf(line))).html)).toEqual([false, false, false, false]);
    const { html } = await send(line, 'match', { order2: 'UNKNOWN' });
    expect(rows(html)).toEqual([true, true, false, false]);
  });

  it('an id of several merchants asks which is meant', async () => {
    const twin = await app.merchant({ name: 'Twin' });
    await shop.order({ amount: 500, orderMerchantId: 'SAME' });
    const theirs = await twin.order({ amount: 500, orderMerchantId: 'SAME' });
    const line = await bookedLine(app, { amount: 500 });
    const { html, status } = await send(line, 'match', { order0: 'SAME', note: 'Seen' });
    expect(status).toBe(200);
    expect(html).toContain('Which order?');
    for (const text of ['Twin', 'Nordlicht', '5.00 EUR', 'Open', 'created', theirs.txid])
      expect(html).toContain(text);
    expect(html).toContain('name="note" value="Seen"');
    expect(html).not.toMatch(/type="radio"[^>]* checked/);
    expect(await count(app, 'bank_allocations', 'line_id = $1', [line.id])).toBe(0);
    expect((await send(line, 'match', { order0: theirs.txid })).status).toBe(303);
  });

  it('an order that is typed by its number is seen before it is matched', async () => {
    const order = await shop.order({
      amount: 501,
      orderMerchantId: 'ALONE',
      customer: { name: 'Ada' },
    });
    const counterpartyName = 'Mallory & Sons';
    const line = await bookedLine(app, { amount: 500, counterpartyName });
    const { html, status } = await send(line, 'match', { order0: 'ALONE' });
    expect(status).toBe(200);
    for (const text of [
      'Is this the order?',
      'Nordlicht',
      'Mallory &amp; Sons',
      'Outstanding amount: 5.01 EUR.',
      'Its payer never received transfer details.',
      'Payer and customer names differ.',
    ])
      expect(html).toContain(text);
    expect(await count(app, 'bank_allocations', 'line_id = $1', [line.id])).toBe(0);
    expect((await sendSure(line, 'match', { order0: 'ALONE' })).status).toBe(303);
    expect(await statusOf(order.txid)).toMatchObject({ amountReceived: 500 });
  });

  it('a number that ten strangers have too, shows the order whose payer was told first', async () => {
    for (let n = 0; n < 10; n++)
      await (await app.merchant({ name: `Stranger ${n}` })).order({ orderMerchantId: 'CROWDED' });
    const owner = await app.merchant({ name: 'Right' });
    const right = await owner.order({ orderMerchantId: 'CROWDED' });
    await told(app, owner, right);
    const line = await bookedLine(app, { amount: 500 });
    const { html } = await send(line, 'match', { order0: 'CROWDED' });
    expect(/type="radio"[^>]* value="([^"]+)"/.exec(html)?.[1]).toBe(right.txid);
    expect(html).toContain('Only the first 10 are shown');
  });

  it('money is matched once, whoever clicks', async () => {
    const order = await shop.order({ amount: 700 });
    const line = await bookedLine(app, { amount: 700 });
    await operator.get(pathOf(line));
    const replies = await together(
      () => operator.post(`${pathOf(line)}/match`, { order0: order.txid, amount0: '7.00' }),
      4,
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([303, 409, 409, 409]);
    expect(await statusOf(order.txid)).toMatchObject({ amountReceived: 700, exception: 'none' });
  });

  it('the database refuses more than a line brought, whatever a page says', async () => {
    const order = await shop.order({ amount: 900 });
    const line = await bookedLine(app, { amount: 900 });
    expect((await send(line, 'match', { order0: order.txid })).status).toBe(303);
    const again = `INSERT INTO bank_allocations SELECT merchant_id, gen_random_uuid(), txid, line_id, 1, evidence,
      matched_by, created_at FROM bank_allocations WHERE line_id = $1`;
    await expect(select(app, again, [line.id])).rejects.toThrow();
  });

  it('a line is no payment, with a reason, and waits again when it is one after all', async () => {
    const line = await bookedLine(app, { amount: 100 });
    expect((await send(line, 'ignore', { reason: ' ' })).html).toContain('Enter a reason.');
    expect((await send(line, 'ignore', { reason: 'Our own money' })).status).toBe(303);
    expect(await lineOf(app, line.id)).toMatchObject({ state: 'ignored', reason: 'Our own money' });
    expect(await lastAudit()).toMatchObject({ action: 'bank-line.ignored', subject: line.id });
    const again = await send(line, 'ignore', { reason: 'Twice' });
    expect([again.status, again.html.includes('this is no longer possible')]).toEqual([409, true]);
    expect((await operator.get('/portal/platform/bank/test?tab=ignored')).html).toContain(line.id);
    expect((await send(line, 'reopen')).status).toBe(303);
    expect(await lineOf(app, line.id)).toMatchObject({ state: 'unmatched' });
    expect(await lastAudit()).toMatchObject({ action: 'bank-line.reopened' });
  });

  describe('a line that may be one that is there', () => {
    /** It names an order; so does the line that it may be. */
    async function asked() {
      const order = await shop.order({ amount: 4_200 });
      const text = await told(app, shop, order);
      const other = await bookedLine(app, { amount: 4_200, text: 'The one that is there' });
      const { id } = await bookedLine(app, { amount: 4_200, text, duplicateOf: other.id });
      await app.get(MatcherService).matchNew();
      const line = (await lineOf(app, id))!;
      expect(line).toMatchObject({ state: 'suggested', reason: 'possible_duplicate' });
      return { order, other, line };
    }

    it('is shown beside it, and nothing else can be done about it', async () => {
      const { other, line } = await asked();
      const { html } = await operator.get(pathOf(line));
      expect(html).toContain('Possible duplicate of an existing booking.');
      expect(html).toContain('The one that is there');
      expect(html).toContain(`href="${pathOf(other)}"`);
      for (const form of ['match', 'ignore'])
        expect(html).not.toContain(`action="${pathOf(line)}/${form}"`);
      expect((await support.get(pathOf(line))).html).not.toContain(`action="${pathOf(line)}/same"`);
      expect((await send(line, 'ignore', { reason: 'x' })).status).toBe(409);
    });

    it('is the same booking, once an operator says so', async () => {
      const { order, other, line } = await asked();
      expect((await send(line, 'same')).location).toBe(`${pathOf(line)}?done=same`);
      expect(await lineOf(app, line.id)).toMatchObject({
        state: 'superseded',
        reason: 'same_booking',
        duplicateOf: other.id,
      });
      expect(await lastAudit()).toMatchObject({
        action: 'bank-line.same-booking',
        subject: line.id,
        user_id: operating.id,
      });
      expect((await send(line, 'another')).status).toBe(409);
      expect(await statusOf(order.txid)).toMatchObject({ status: 'open' });
      await expectHealthy(app);
    });

    it('is not the same after all, once an operator takes that back', async () => {
      const { line } = await asked();
      expect((await send(line, 'same/undo')).status).toBe(409);
      await send(line, 'same');
      const { html } = await operator.get(pathOf(line));
      expect(html).toContain(`action="${pathOf(line)}/same/undo"`);
      const seen = (await support.get(pathOf(line))).html;
      expect(seen).not.toContain(`action="${pathOf(line)}/same/undo"`);
      expect((await send(line, 'same/undo')).location).toBe(`${pathOf(line)}?done=reopened`);
      expect(await lineOf(app, line.id)).toMatchObject({ reason: 'possible_duplicate' });
      expect(await lastAudit()).toMatchObject({
        action: 'bank-line.same-booking-undone',
        user_id: operating.id,
      });
      await expectHealthy(app);
    });

    it('is another booking, once an operator says so, and pays', async () => {
      const { order, line } = await asked();
      expect((await send(line, 'another')).location).toBe(`${pathOf(line)}?done=another`);
      expect(await lineOf(app, line.id)).toMatchObject({
        state: 'matched',
        reason: 'reference',
        markedDistinctBy: operating.id,
      });
      expect(await lastAudit()).toMatchObject({ action: 'bank-line.another-booking' });
      expect(await statusOf(order.txid)).toMatchObject({ status: 'paid' });
      expect((await send(line, 'same')).status).toBe(409);
      await expectHealthy(app);
    });

    it('may be the same after all, once an operator takes that back', async () => {
      const { order, line } = await asked();
      expect((await send(line, 'another/undo')).status).toBe(409);
      await send(line, 'another');
      const { html } = await operator.get(pathOf(line));
      expect(html).toContain(`action="${pathOf(line)}/another/undo"`);
      const seen = (await support.get(pathOf(line))).html;
      expect(seen).not.toContain(`action="${pathOf(line)}/another/undo"`);
      const refused = await send(line, 'another/undo');
      expect(refused.status).toBe(409);
      expect(refused.html).toContain('was matched as a separate booking');
      const [allocation] = await allocationsOf(app, line);
      await app.get(ManualReconciliation).undo('test', allocation!);
      expect((await send(line, 'another/undo')).location).toBe(`${pathOf(line)}?done=reopened`);
      expect(await lineOf(app, line.id)).toMatchObject({
        reason: 'possible_duplicate',
        markedDistinctBy: null,
      });
      expect(await lastAudit()).toMatchObject({
        action: 'bank-line.another-booking-undone',
        user_id: operating.id,
      });
      expect(await statusOf(order.txid)).toMatchObject({ status: 'open' });
      await expectHealthy(app);
    });
  });

  it('money out that nothing explains waits until a person does', async () => {
    const { id } = await bookedLine(app, { amount: 700, direction: 'out' });
    await app.get(MatcherService).matchNew();
    const line = (await lineOf(app, id))!;
    expect(line).toMatchObject({ state: 'not_a_payment', reason: 'unknown_money_out' });
    const list = async (tab: string) => {
      const { html } = await operator.get(`/portal/platform/bank/test?tab=${tab}`);
      const [, many] = /aria-current="page">[^<]+<span>(\d+)/.exec(html)!;
      return { has: html.includes(id), many: Number(many) };
    };
    const home = async () => (await operator.get('/portal/platform')).html;
    expect(await list('unknown_money_out')).toEqual({ has: true, many: 1 });
    expect(await list('other')).toEqual({ has: false, many: 0 });
    const task = '?tab=unknown_money_out">1 unexplained debit in test mode';
    expect(await home()).toContain(task);
    expect((await operator.get(pathOf(line))).html).toContain('Explain this payment');
    expect((await send(line, 'ignore', { reason: 'Rent' })).status).toBe(303);
    expect(await lineOf(app, id)).toMatchObject({ state: 'ignored', reason: 'Rent' });
    expect(await list('unknown_money_out')).toEqual({ has: false, many: 0 });
    expect(await home()).not.toContain('unexplained debit');
    expect((await send(line, 'reopen')).status).toBe(303);
    expect((await send(line, 'ignore', { reason: 'Rent, after all' })).status).toBe(303);
  });

  it('a return of a part is booked, and of no more than came', async () => {
    const order = await shop.order({ amount: 800 });
    const line = await bookedLine(app, { amount: 800 });
    await send(line, 'match', { order0: order.txid });
    const looked = {
      direction: 'out',
      state: 'not_a_payment',
      reason: 'unknown_money_out',
    } as const;
    const out = await bookedLine(app, { amount: 900, ...looked });
    const { html: before } = await operator.get(pathOf(out));
    for (const text of ['Outgoing payment', 'Returned payment']) expect(before).toContain(text);
    expect((await send(out, 'return', {})).html).toContain('Enter an order ID');
    const wrong = { order: order.txid, amount: 'x' };
    expect((await send(out, 'return', wrong)).html).toContain('Enter an amount, for example 9.00.');
    const all = await send(out, 'return', { order: order.txid });
    expect(all.html).toContain('No transfer to this order has this amount left to return.');
    const asked = await send(out, 'return', { order: order.orderMerchantId, amount: '3.00' });
    expect([asked.status, asked.html.includes('Is this the order?')]).toEqual([200, true]);
    expect(asked.html).toContain('name="amount" value="3.00"');
    const part = await sendSure(out, 'return', { order: order.orderMerchantId, amount: '3.00' });
    expect(part.location).toBe(`${pathOf(out)}?done=returned`);
    expect(await statusOf(order.txid)).toMatchObject({
      status: 'paid',
      exception: 'charged_back',
      amountReceived: 500,
    });
    expect(await lastAudit()).toMatchObject({
      action: 'bank-line.returned',
      data: { txid: order.txid, amount: 300 },
    });
    expect((await operator.get(pathOf(out))).html).toContain('6.00 EUR not explained yet.');
    expect((await operator.get(pathOf(line))).html).toContain('returned by the bank');
    const [action] = /[^"]*\/returns\/[^"]*/.exec((await operator.get(pathOf(out))).html)!;
    const undone = await send(out, action.slice(`${pathOf(out)}/`.length));
    expect(undone.location).toBe(`${pathOf(out)}?done=return-undone`);
    expect(await statusOf(order.txid)).toMatchObject({ exception: 'none', amountReceived: 800 });
    expect(await lastAudit()).toMatchObject({
      action: 'bank-line.return-undone',
      data: { txid: order.txid, amount: 300 },
    });
    expect((await operator.get(pathOf(out))).html).not.toContain('/returns/');
    await select(app, 'UPDATE bank_lines SET looked_at = created_at');
    await expectHealthy(app);
  });

  it('a match is undone with a reason, and the line waits', async () => {
    const order = await shop.order({ amount: 800 });
    const line = await bookedLine(app, { amount: 800 });
    await send(line, 'match', { order0: order.txid });
    const undo = `${pathOf(line)}/payments/${await paymentOf(line)}/undo`;
    expect((await operator.fill(undo, {})).html).toContain('Enter a reason.');
    const reply = await operator.fill(undo, { reason: 'Wrong order' });
    expect(reply.location).toBe(`${pathOf(line)}?done=undone`);
    expect(await statusOf(order.txid)).toMatchObject({ status: 'open', exception: 'none' });
    expect(await lineOf(app, line.id)).toMatchObject({ state: 'unmatched', reason: 'undone' });
    expect(await lastAudit()).toMatchObject({
      action: 'bank-line.undone',
      data: { reason: 'Wrong order', txid: order.txid, amount: 800 },
    });
    expect((await operator.fill(undo, { reason: 'Again' })).status).toBe(409);
    await expectHealthy(app);
  });

  it('adds a payer whom the bank did not name, and changes none', async () => {
    const order = await shop.order({ amount: 600 });
    const line = await bookedLine(app, {
      amount: 600,
      ...NO_PAYER,
    });
    await send(line, 'match', { order0: order.txid });
    const payer = `${pathOf(line)}/payments/${await paymentOf(line)}/payer`;
    expect((await operator.fill(payer, {})).html).toContain('Enter a name or an account.');
    const card = { account: '4111111111111111', type: 'unknown' };
    expect((await operator.fill(payer, card)).html).toContain('payment card number');
    const reply = await operator.fill(payer, { name: 'Ada', account: 'DE1', type: 'iban' });
    expect(reply.location).toBe(`${pathOf(line)}?done=payer`);
    expect((await statusOf(order.txid)).payment).toMatchObject({
      payerAccountName: 'Ada',
      payerAccountNumber: 'DE1',
    });
    const page = await operator.fill(payer, { name: 'Eve', account: 'DE2', type: 'iban' });
    expect(page.status).toBe(422);
    expect((await statusOf(order.txid)).payment).toMatchObject({ payerAccountName: 'Ada' });
    expect(JSON.stringify(await lastAudit())).not.toContain('Ada');
  });

  it('nobody becomes the payer of money that was taken back', async () => {
    const order = await shop.order({ amount: 610 });
    const line = await bookedLine(app, { amount: 610, ...NO_PAYER });
    await send(line, 'match', { order0: order.txid });
    const path = `${pathOf(line)}/payments/${await paymentOf(line)}`;
    await operator.fill(`${path}/undo`, { reason: 'Wrong order' });
    expect((await operator.get(`${path}/payer`)).status).toBe(404);
    const late = await send(line, path.slice(pathOf(line).length + 1) + '/payer', { name: 'Eve' });
    expect([late.status, late.html.includes('this is no longer possible')]).toEqual([409, true]);
    expect((await shop.read(order.txid)).body.payment).toMatchObject({ payerAccountName: null });
    const change = `UPDATE payments SET payer_account_name = 'Eve' WHERE id = $1`;
    await expect(select(app, change, [await paymentOf(line)])).rejects.toThrow('no payer');
  });

  it('a match is found under its own line and mode alone', async () => {
    const [one, other] = [
      await bookedLine(app, { amount: 620, ...NO_PAYER }),
      await bookedLine(app, { amount: 630, ...NO_PAYER }),
    ];
    for (const line of [one, other]) {
      const { txid } = await shop.order({ amount: line.amount });
      await send(line, 'match', { order0: txid });
    }
    const live = pathOf(one).replace('/test/', '/live/');
    const wrong = [
      `${pathOf(one)}/payments/${await paymentOf(other)}`,
      `${pathOf(one)}/payments/${one.id}`,
      `${live}/payments/${await paymentOf(one)}`,
    ].flatMap((path) => [`${path}/undo`, `${path}/payer`]);
    for (const path of [...wrong, `${live}/ignore`, `${live}/match`, `${live}/notes`]) {
      const fields = { reason: 'x', name: 'Eve', text: 'x', order0: 'x' };
      expect((await operator.fill(pathOf(one), fields, path)).status).toBe(404);
    }
    expect(await count(app, 'bank_allocations', 'undone_at IS NULL AND amount IN (620, 630)')).toBe(
      2,
    );
  });

  it('no text keeps the number of a card', async () => {
    const text = 'Card 4111 1111 1111 1111';
    const line = await bookedLine(app, { amount: 640, ...NO_PAYER });
    const { txid } = await shop.order({ amount: 640 });
    const refused = async (what: string, fields: Record<string, string>) => {
      const { html, status } = await send(line, what, fields);
      expect([what, status, html.includes('payment card number')]).toEqual([what, 422, true]);
    };
    await refused('ignore', { reason: text });
    await refused('notes', { text });
    await refused('match', { order0: txid, note: text });
    await send(line, 'match', { order0: txid });
    const payment = `payments/${await paymentOf(line)}`;
    await refused(`${payment}/payer`, { name: text });
    await refused(`${payment}/undo`, { reason: text });
  });

  it('notes are kept, and stay text', async () => {
    const line = await bookedLine(app, { amount: 100 });
    expect((await send(line, 'notes', { text: ' ' })).html).toContain('Enter a note.');
    expect((await send(line, 'notes', { text: 'Asked <b>Ada</b>\nagain' })).status).toBe(303);
    expect((await support.get(pathOf(line))).html).toContain('Asked &lt;b>Ada&lt;/b>');
    const change = `UPDATE bank_line_notes SET text = 'x' WHERE line_id = $1`;
    await expect(select(app, change, [line.id])).rejects.toThrow();
  });

  it('everything asks for a fresh code, and nothing happens without one', async () => {
    const line = await bookedLine(app, { amount: 100 });
    app.clock.advance(6 * 60_000);
    for (const what of ACTIONS) {
      const reply = await send(line, what, { reason: 'x', text: 'x', order0: 'x' });
      expect(reply.html).toContain('Confirm your identity');
    }
    expect(await lineOf(app, line.id)).toMatchObject({ state: 'unmatched' });
    await confirmed(app, operating);
    expect((await send(line, 'ignore', { reason: 'x' })).status).toBe(303);
  });

  it('support sees no form, and is refused', async () => {
    const line = await bookedLine(app, { amount: 100 });
    const { html } = await support.get(pathOf(line));
    expect(html).not.toContain(`${pathOf(line)}/`);
    for (const what of ACTIONS)
      expect((await support.post(`${pathOf(line)}/${what}`)).status).toBe(403);
  });
});
