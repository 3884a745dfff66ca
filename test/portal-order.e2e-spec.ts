import { describe, expect, it } from '@jest/globals';
import { Database } from '../src/database/database.js';
import type { Transfer } from '../src/database/ledger/transfer.entity.js';
import type { MerchantRole } from '../src/database/people/membership.entity.js';
import { API_VERSIONS } from '../src/common/api-version.js';
import { LedgerService } from '../src/ledger/ledger.service.js';
import { PageOpenings } from '../src/payment-page/page-openings.js';
import type { FormBrowser } from './support/browser-form.js';
import { PAGE_STATES } from './support/browser.js';
import type { Client, OrderJson } from './support/client.js';
import { failToDeliver, subscribe } from './support/delivery-rows.js';
import { count, select } from './support/facts.js';
import { enableLiveProvider } from './support/live.js';
import { textOf } from './support/markup.js';
import { Cashier, paidOrder, PAYS } from './support/payouts.js';
import { person, signedIn, withTotp } from './support/people.js';
import { until } from './support/race.js';
import { openShop } from './support/shop.js';

const ACCOUNT = 'DE89370400440532013000';
const NAME = 'Erika Mustermann';
const MASKED = 'DE•••• 3000';

/** What the page says of each state that an order can come to. */
const SENTENCES = {
  open: 'No payment has been started. The payer can pay 89.90 EUR until',
  processing: 'The payer is at the provider.',
  awaiting_transfer: 'The payer chose bank transfer.',
  unknown: 'Do not let the payer pay again in the meantime.',
  paid: 'Paid in full: 89.90 of 89.90 EUR.',
  overpaid: 'Refund 10.10 EUR to the payer.',
  underpaid: 'Paid 50.00 of 89.90 EUR so far. The payer can pay the remaining 39.90 EUR until',
  declined: 'The last payment attempt failed.',
  failed: 'All payment attempts failed (last reason: ',
  cancelled: 'You cancelled the order.',
  expired: 'The order expired. Nothing more to do',
  charged_back: 'Paid, but a bank returned all or part of the money: 0.00 of 89.90 EUR remains.',
  paid_late: 'The order expired, then 89.90 of 89.90 EUR was received.',
} as const satisfies Record<keyof typeof PAGE_STATES, string>;

const unescaped = (html: string): string =>
  html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

/** The JSON in the page's n-th block of it. */
function jsonIn(html: string, n: number): string {
  const blocks = [...html.matchAll(/<pre[^>]*><code>([^]*?)<\/code><\/pre>/g)];
  const [, block = ''] = blocks[n] ?? [];
  return unescaped(block.replaceAll(/<b class="new">[^<]*<\/b>/g, '').replaceAll(/<\/?ins>/g, ''));
}

const { app, shop } = await openShop({ env: PAYS });

describe('the page of an order', () => {
  const base = `/portal/m/${shop.merchantId}/test/orders`;

  const as = async (role: MerchantRole | 'support' | 'operator', of: Client = shop) =>
    signedIn(app, await person(app, role, of.merchantId));

  const actionsOn = async (txid: string): Promise<string[]> => {
    const sql = 'SELECT action FROM audit_entries WHERE subject = $1 ORDER BY id';
    return (await select<{ action: string }>(app, sql, [txid])).map(({ action }) => action);
  };

  describe('in each state', () => {
    it.each(Object.keys(SENTENCES) as (keyof typeof SENTENCES)[])('%s', async (state) => {
      const owner = await as('owner');
      const { txid, orderMerchantId } = await PAGE_STATES[state](app, shop);
      const { status, html } = await owner.get(`${base}/${txid}`);
      expect(status).toBe(200);
      expect(html).toContain(SENTENCES[state]);
      expect(html).toContain(`>Order ${orderMerchantId}</h1>`);
      expect(html).toContain(txid);
      expect(html).not.toMatch(/undefined|NaN|\[object/);
    });
  });

  it('tells the story in the order in which it happened', async () => {
    const owner = await as('owner');
    const { txid } = await shop.order();
    app.clock.advance(60_000);
    await shop.pay(txid, { outcome: 'declined' });
    app.clock.advance(60_000);
    await shop.pay(txid);
    const { html } = await owner.get(`${base}/${txid}`);
    const list = /<ol class="timeline-list">([^]*?)<\/ol>/.exec(html)![1]!;
    const told = [...list.matchAll(/<div><bdi>([^<]*)/g)].map(([, what]) => what);
    expect(told).toEqual([
      'Created through the API',
      'Attempt 1 started: 89.90 EUR',
      'The payer is at the provider',
      'Attempt 1 failed',
      'Attempt 2 started: 89.90 EUR',
      'The payer is at the provider',
      'Paid: 89.90 EUR received',
    ]);
  });

  it('shows times where the merchant lives', async () => {
    const other = await app.merchant();
    const sql = `UPDATE merchants SET time_zone = 'Asia/Tokyo' WHERE id = $1`;
    await select(app, sql, [other.merchantId]);
    const { txid, ...order } = await other.order();
    const { html } = await (
      await as('viewer', other)
    ).get(`/portal/m/${other.merchantId}/test/orders/${txid}`);
    const inTokyo = new Date(Date.parse(String(order['createdAt'])) + 9 * 3_600_000);
    expect(html).toContain(`<span>${inTokyo.toISOString().slice(11, 19)}</span>`);
    expect(html).toContain('Times in Asia/Tokyo (UTC+09:00)');
  });

  describe('the money', () => {
    const FEE = `INSERT INTO fee_rates (merchant_id, provider, currency, parts_per_million, fixed,
      updated_at) VALUES ($1, 'sandbox', 'EUR', 29000, 30, now())`;

    /** What the page says of it, and what stands in its ledger. */
    async function moneyOn(browser: FormBrowser, { merchantId }: Client, txid: string) {
      const { html } = await browser.get(`/portal/m/${merchantId}/test/orders/${txid}`);
      const card = /<section[^>]*aria-labelledby="money".*?<\/section>/s.exec(html)?.[0] ?? '';
      const rows = /<tbody>(.*?)<\/tbody>/s.exec(card)?.[1]!.match(/<tr>.*?<\/tr>/gs) ?? [];
      const cells = rows.map((row) =>
        row
          .match(/<td.*?<\/td>/gs)!
          .slice(1)
          .map(textOf),
      );
      return { html: card, text: textOf(card), ledger: cells.map((each) => each.join(' | ')) };
    }

    it('is told as far as it has come, with every entry of the ledger', async () => {
      const cashier = await Cashier.of(app, await app.merchant());
      await select(app, FEE, [cashier.shop.merchantId]);
      const { txid } = await cashier.shop.order({ amount: 10_000 });
      const owner = await as('owner', cashier.shop);
      const seen = () => moneyOn(owner, cashier.shop, txid);
      expect((await seen()).text).toBe('');
      await cashier.shop.pay(txid, { amount: 4_000 });
      expect((await seen()).text).toContain(
        '40.00 EUR received. Unallocated until the order is paid in full.',
      );
      app.clock.advance(1_000);
      await cashier.shop.pay(txid, { amount: 6_500 });
      app.clock.advance(1_000);
      const paid = await seen();
      expect(paid.text).toContain('Fee 3.20 EUR Net 96.80 EUR Payout Not in a payout yet');
      expect(paid.text).toContain(
        '5.00 EUR exceeds the order amount. These funds are unallocated and excluded from payouts.',
      );
      const entries = [
        'Received as unallocated funds | 40.00 EUR',
        'Payment of the order | 60.00 EUR',
        'Unallocated funds applied to the order | 40.00 EUR',
        'Fee | -3.20 EUR',
        'Received as unallocated funds | 5.00 EUR',
      ];
      expect(paid.ledger[0]).toBe(entries[0]);
      expect(paid.ledger.toSorted()).toEqual(entries.toSorted());

      const [fee] = await select<Transfer>(
        app,
        `SELECT id, merchant_id AS "merchantId", mode, currency FROM transfers
         WHERE txid = $1 AND kind = 'fee'`,
        [txid],
      );
      await app
        .get(Database)
        .transaction((tx) => app.get(LedgerService).reverse(tx, fee!, 'Agreed <on> the phone'));
      const reversed = 'Fee: reversed. Agreed <on> the phone | 3.20 EUR';
      expect((await seen()).ledger.at(-1)).toBe(reversed);

      const payout = await cashier.request(10_000);
      const link = `/portal/m/${cashier.shop.merchantId}/test/payouts/${payout.id}`;
      const { html, text } = await seen();
      expect(html).toContain(`href="${link}"`);
      expect(text).toContain(`Payout …${payout.id.slice(-8)} Pending approval`);
    });

    it.each([
      ['finance', true, true],
      ['viewer', true, false],
      ['support', true, false],
      ['developer', false, false],
    ] as const)('shows %s payouts: %s, the ledger: %s', async (role, payouts, ledger) => {
      const other = await app.merchant();
      const { txid } = await paidOrder(other, 1_000);
      const money = await moneyOn(await as(role, other), other, txid);
      expect(money.text).toContain('Fee 0.00 EUR Net 10.00 EUR');
      expect(money.text.includes('Payout')).toBe(payouts);
      expect(money.ledger.length > 0).toBe(ledger);
    });
  });

  describe('the payer', () => {
    it.each(['owner', 'finance', 'support'] as const)(
      'is masked for %s until it is asked for, which is written down',
      async (role) => {
        const browser = await as(role);
        const { txid } = await shop.order();
        await shop.pay(txid);
        const before = await browser.get(`${base}/${txid}`);
        expect(before.html).toContain(MASKED);
        expect(before.html).not.toMatch(new RegExp(`${ACCOUNT}|${NAME}`));
        expect(await actionsOn(txid)).not.toContain('payer.revealed');

        const shown = await browser.post(`${base}/${txid}/payer`);
        expect(shown.status).toBe(200);
        expect(shown.html).toContain(`<bdi>${ACCOUNT}</bdi>`);
        expect(shown.html).toContain(`<bdi>${NAME}</bdi>`);
        expect(shown.headers.get('cache-control')).toBe('no-store');
        expect((await actionsOn(txid)).filter((each) => each === 'payer.revealed')).toHaveLength(1);
        expect((await browser.get(`${base}/${txid}`)).html).not.toContain(ACCOUNT);
        expect((await browser.get(`${base}/${txid}/payer`)).location).toBe(`${base}/${txid}`);
      },
    );

    it('stays masked for a viewer, who has no button and no way around it', async () => {
      const browser = await as('viewer');
      const { txid } = await shop.order({ customer: { name: 'Jo Ortega', email: 'jo@b.example' } });
      await shop.pay(txid);
      const { html } = await browser.get(`${base}/${txid}`);
      expect(html).toContain(MASKED);
      expect(html).not.toMatch(/Show payer|Jo Ortega|jo@b\.example/);
      const refused = await browser.post(`${base}/${txid}/payer`);
      expect([refused.status, refused.html.includes(ACCOUNT)]).toEqual([403, false]);
      expect(await actionsOn(txid)).toEqual([]);
    });

    it('is not shown when it cannot be written down', async () => {
      const browser = await as('owner');
      const { txid } = await shop.order();
      await shop.pay(txid);
      await browser.get(`${base}/${txid}`);
      await select(
        app,
        `ALTER TABLE audit_entries ADD CONSTRAINT full_disk
        CHECK (action <> 'payer.revealed') NOT VALID`,
      );
      const { status, html } = await browser.post(`${base}/${txid}/payer`);
      await select(app, 'ALTER TABLE audit_entries DROP CONSTRAINT full_disk');
      expect(status).toBeGreaterThanOrEqual(500);
      expect(html).not.toMatch(new RegExp(`${ACCOUNT}|${NAME}`));
    });

    it('of live orders is nothing to a developer; test payers are', async () => {
      const other = await app.merchant();
      await enableLiveProvider(app, other.merchantId);
      const live = await app.key(other.merchantId, { mode: 'live' });
      const customer = { name: 'Jo Ortega', email: 'jo@buyer.example' };
      const { txid } = await live.order({ customer });
      const browser = await as('developer', other);
      const path = `/portal/m/${other.merchantId}`;
      for (const page of ['', '/versions']) {
        const { status, html } = await browser.get(`${path}/live/orders/${txid}${page}`);
        expect(status).toBe(200);
        expect(html).not.toMatch(/Jo Ortega|jo@buyer|Show payer/);
      }
      const test = await other.order({ customer });
      await other.pay(test.txid);
      const { html } = await browser.get(`${path}/test/orders/${test.txid}`);
      expect(html).toContain(`<bdi>${ACCOUNT}</bdi>`);
      expect(html).toContain('Jo Ortega');
      expect(html).not.toContain('Show payer');
    });
  });

  it('notes each look of the platform’s people, and no other', async () => {
    const { txid } = await shop.order();
    await (await as('owner')).get(`${base}/${txid}`);
    expect(await actionsOn(txid)).toEqual([]);
    const support = await as('support');
    await support.get(`${base}/${txid}`);
    await support.get(`${base}/${txid}/versions`);
    const look = ['page.opened', 'order.viewed'];
    expect(await actionsOn(txid)).toEqual([...look, ...look]);
  });

  it('tells when its payment page was first opened', async () => {
    const [order, other] = [await shop.order(), await shop.order()];
    const owner = await as('owner');
    const isTold = async ({ txid }: OrderJson): Promise<boolean> =>
      (await owner.get(`${base}/${txid}`)).html.includes('Payment page opened');
    const opened = app.clock.now();
    await fetch(order.paymentPageUrl);
    await until('the page was opened', () => isTold(order));
    app.clock.advance(60_000);
    for (const { paymentPageUrl } of [order, other]) await fetch(paymentPageUrl);
    await until('the other page was opened', () => isTold(other));
    const sql = 'SELECT opened_at FROM page_openings WHERE txid = $1';
    expect(await select(app, sql, [order.txid])).toEqual([{ opened_at: opened }]);
  });

  it('knows of an opening that was noted just before the end', async () => {
    const { txid, paymentPageUrl } = await shop.order();
    await fetch(paymentPageUrl);
    await app.get(PageOpenings).beforeApplicationShutdown();
    expect(await count(app, 'page_openings', 'txid = $1', [txid])).toBe(1);
  });

  describe('a note', () => {
    it('stands in what happened, with its writer and its lines', async () => {
      const { txid } = await shop.order();
      const support = await as('support');
      const note = '<b>Called</b> the shop.\r\nThey wait.';
      const reply = await support.fill(`${base}/${txid}`, { note }, `${base}/${txid}/notes`);
      expect([reply.status, reply.location]).toEqual([303, `${base}/${txid}#timeline`]);
      const { html } = await (await as('viewer')).get(`${base}/${txid}`);
      expect(html).toContain('&lt;b>Called&lt;/b> the shop.\nThey wait.');
      expect(html).not.toContain('Add a note');
      expect(await actionsOn(txid)).toEqual([
        'page.opened',
        'order.viewed',
        'page.opened',
        'order.noted',
      ]);
    });

    it('is one of 200 that an order has at most', async () => {
      const { txid } = await shop.order();
      const owner = await as('owner');
      const write = (note: string) =>
        owner.fill(`${base}/${txid}`, { note }, `${base}/${txid}/notes`);
      await write('The first.');
      const copies = `INSERT INTO order_notes SELECT (jsonb_populate_record(n,
          jsonb_build_object('id', gen_random_uuid()))).* FROM order_notes n, generate_series(1, 198)
        WHERE n.txid = $1`;
      await select(app, copies, [txid]);
      expect((await write('The last.')).status).toBe(303);
      const refused = await write('One too many.');
      expect([refused.status, refused.html]).toEqual([
        422,
        expect.stringContaining('An order has at most 200 notes.'),
      ]);
    });

    it.each([
      ['', 'Enter a note.'],
      [' \r\n ', 'Enter a note.'],
      ['x'.repeat(1_001), 'Use at most 1000 characters'],
      ['a\u0007b', 'no control characters'],
      ['4242 4242 4242 4242', 'looks like a payment card number'],
    ])('is refused as %j', async (note, why) => {
      const { txid } = await shop.order();
      const owner = await as('owner');
      const reply = await owner.fill(`${base}/${txid}`, { note }, `${base}/${txid}/notes`);
      expect([reply.status, reply.html]).toEqual([422, expect.stringContaining(why)]);
      expect(await count(app, 'order_notes', 'txid = $1', [txid])).toBe(0);
    });
  });

  it('answers alike for an order of others, of the other mode, and for none', async () => {
    const foreign = await (await app.merchant()).order();
    const owner = await as('owner');
    await enableLiveProvider(app, shop.merchantId);
    const live = await (await app.key(shop.merchantId, { mode: 'live' })).order();
    const unknown = '01890000-0000-7000-8000-000000000000';
    const bodies = new Set<string>();
    for (const txid of [foreign.txid, live.txid, unknown, 'x', `${unknown}'--`]) {
      for (const page of ['', '/versions', '/cancel']) {
        const { status, html } = await owner.get(`${base}/${encodeURIComponent(txid)}${page}`);
        expect(status).toBe(404);
        bodies.add(html);
      }
      const posts = ['/payer', '/cancel', '/notes', `/deliveries/${unknown}/resend`];
      for (const action of posts) {
        await owner.get('/portal/security');
        const { status, html } = await owner.post(`${base}/${encodeURIComponent(txid)}${action}`);
        expect(status).toBe(404);
        bodies.add(html);
      }
    }
    expect(bodies.size).toBe(1);
    const sql = 'SELECT status FROM orders WHERE txid = ANY ($1)';
    const rows = await select(app, sql, [[foreign.txid, live.txid]]);
    expect(rows).toEqual([{ status: 'open' }, { status: 'open' }]);
  });

  it('shows what others wrote as text', async () => {
    const evil = `"><script>alert(1)</script>\u2067<img src=x onerror=alert(1)>`;
    const { txid } = await shop.order({
      description: evil,
      customer: { name: evil, email: 'a@b.example' },
      optionalFields: { [`k${evil}`.slice(0, 40)]: evil },
    });
    await shop.pay(txid, { payerAccountNumber: '"><script>x', payerAccountName: evil });
    const owner = await as('owner');
    const pages = [
      await owner.get(`${base}/${txid}`),
      await owner.post(`${base}/${txid}/payer`),
      await owner.get(`${base}/${txid}/versions`),
    ];
    for (const { status, html } of pages) {
      expect(status).toBe(200);
      expect(html).toContain('&lt;script>alert(1)');
      expect(html).not.toMatch(/<script>|<img|style=/);
    }
  });

  describe('the versions', () => {
    it('stand side by side as the API answers them', async () => {
      const { txid } = await shop.order({ optionalFields: { colour: 'red & "blue"', 'a/b': '' } });
      await shop.pay(txid);
      const developer = await as('developer');
      const { html } = await developer.get(`${base}/${txid}/versions`);
      for (const [i, version] of API_VERSIONS.entries()) {
        const headers = { 'api-version': version };
        const path = version === '1.0' ? `/api/order/${txid}` : `/api/order?txid=${txid}`;
        const { body } = await shop.call('GET', path, undefined, headers);
        expect(jsonIn(html, i)).toBe(`${JSON.stringify(body, null, 2)}\n`);
      }
      expect(html).toContain(
        'Missing: amountChargedBack, amountRefundable, optionalFields, payment.payerAccountNumber, payment.payerAccountType, payment.payerAccountName, payment.transfer, payments, processingUntil',
      );
      expect(html).toContain('Identical to 1.2.');
      expect(html).toContain(
        'Missing: amountChargedBack, amountRefundable, payment.transfer, payments, processingUntil',
      );
      const ofPayments =
        2 + JSON.stringify((await shop.read(txid)).body.payment, null, 2).split('\n').length;
      expect(html.match(/<b class="new"> new<\/b>/g)).toHaveLength(11 + ofPayments);
      const raw = jsonIn((await developer.get(`${base}/${txid}`)).html, 0);
      expect(JSON.parse(raw)).toEqual((await shop.read(txid)).body);
    });

    it('mask the payer for those who have to ask for it', async () => {
      const { txid } = await shop.order();
      await shop.pay(txid);
      const { html } = await (await as('owner')).get(`${base}/${txid}/versions`);
      expect(html).toContain('The payer is masked here');
      expect(html).toContain(MASKED);
      expect(html).not.toMatch(new RegExp(`${ACCOUNT}|${NAME}`));
    });
  });

  describe('cancelling', () => {
    it('asks first, then does it, and says who did', async () => {
      const finance = await as('finance');
      const { txid } = await shop.order();
      expect((await finance.get(`${base}/${txid}`)).html).toContain('>Cancel order</a>');
      expect((await finance.get(`${base}/${txid}/cancel`)).html).toContain('Keep order');
      expect((await shop.read(txid)).body.status).toBe('open');
      const reply = await finance.post(`${base}/${txid}/cancel`);
      expect([reply.status, reply.location]).toEqual([303, `${base}/${txid}`]);
      expect((await shop.read(txid)).body).toMatchObject({
        status: 'cancelled',
        statusReason: 'by_merchant',
      });
      expect(await actionsOn(txid)).toEqual(['order.cancel-asked']);
      const { html } = await finance.get(`${base}/${txid}`);
      expect(html).toContain('Requested the cancellation of the order');
      expect(html).not.toContain('>Cancel order</a>');
    });

    it('says in plain words why not', async () => {
      const owner = await as('owner');
      const { txid } = await shop.order();
      await owner.get(`${base}/${txid}/cancel`);
      await shop.pay(txid);
      const reply = await owner.post(`${base}/${txid}/cancel`);
      expect(reply.status).toBe(409);
      expect(reply.html).toContain('The order is paid. Refund it instead.');
      expect((await owner.get(`${base}/${txid}/cancel`)).status).toBe(409);
      expect((await shop.read(txid)).body.status).toBe('paid');
    });

    it.each(['viewer', 'developer', 'support'] as const)('is not for %s', async (role) => {
      const browser = await as(role);
      const { txid } = await shop.order();
      expect((await browser.get(`${base}/${txid}`)).html).not.toContain('/cancel');
      expect((await browser.post(`${base}/${txid}/cancel`)).status).toBe(403);
      expect((await shop.read(txid)).body.status).toBe('open');
    });
  });

  it.each([
    ['owner', true],
    ['finance', true],
    ['developer', true],
    ['viewer', false],
    ['support', false],
  ] as const)('shows %s where the order is paid, or cancelled: %s', async (role, isShown) => {
    const browser = await as(role);
    const { txid, paymentPageUrl } = await shop.order();
    const token = paymentPageUrl.split('/').at(-1)!;
    for (const page of ['', '/versions']) {
      const { status, html } = await browser.get(`${base}/${txid}${page}`);
      expect([page, status, html.includes(token)]).toEqual([page, 200, isShown]);
    }
    if (role !== 'support') return;
    const revealed = await browser.post(`${base}/${txid}/payer`);
    expect([revealed.status, revealed.html.includes(token)]).toEqual([200, false]);
  });

  describe('webhooks and mails', () => {
    const sent = async (): Promise<{ other: Client; txid: string; path: string }> => {
      const other = await app.merchant();
      await subscribe(app, other);
      const { txid } = await other.order();
      await other.pay(txid);
      return { other, txid, path: `/portal/m/${other.merchantId}/test/orders/${txid}` };
    };
    const deliveryIn = (html: string): string =>
      /deliveries\/([\da-f-]{36})\/resend/.exec(html)![1]!;

    it('are told with what came of them, and sent again', async () => {
      const { other, txid, path } = await sent();
      await failToDeliver(app);
      const developer = await as('developer', other);
      const { html } = await developer.get(path);
      expect(html).toContain('Webhook order.paid to shop.example: on its way');
      expect(html).toContain('till@shop.example');
      expect(html).toContain('no response after 5 ms, not accepted.');
      expect(html).toContain('Next attempt:');
      const mine = `txid = $1 AND endpoint_id IS NOT NULL`;
      const before = await count(app, 'deliveries', mine, [txid]);
      const reply = await developer.post(`${path}/deliveries/${deliveryIn(html)}/resend`);
      expect([reply.status, reply.location]).toEqual([303, `${path}#webhooks`]);
      expect(await count(app, 'deliveries', mine, [txid])).toBe(before + 1);
      expect(await count(app, 'deliveries', `${mine} AND resent`, [txid])).toBe(1);
      expect(await actionsOn(txid)).toEqual(['delivery.resent']);
      const after = await developer.get(path);
      expect(after.html).toContain('resent manually');
      expect(after.html).toContain('Resent a webhook');
    });

    it('are not sent again by those who may not, nor those of another order', async () => {
      const { other, path } = await sent();
      const finance = await as('finance', other);
      expect((await finance.get(path)).html).not.toContain('Resend<');
      const owner = await as('owner', other);
      const id = deliveryIn((await owner.get(path)).html);
      await finance.get(path);
      expect((await finance.post(`${path}/deliveries/${id}/resend`)).status).toBe(403);
      const second = await other.order();
      const wrong = path.replace(/[^/]+$/, second.txid);
      await owner.get(wrong);
      expect((await owner.post(`${wrong}/deliveries/${id}/resend`)).status).toBe(404);
      expect(
        await count(app, 'deliveries', 'resent AND merchant_id = $1', [other.merchantId]),
      ).toBe(0);
    });
  });

  it('needs a second factor for live orders, and a sign-in for any', async () => {
    const other = await app.merchant();
    await enableLiveProvider(app, other.merchantId);
    const { txid } = await (await app.key(other.merchantId, { mode: 'live' })).order();
    const path = `/portal/m/${other.merchantId}/live/orders/${txid}`;
    const plain: FormBrowser = await as('owner', other);
    expect((await plain.get(path)).location).toBe('/portal/security?needed=live');
    const owner = await signedIn(
      app,
      await withTotp(app, await person(app, 'owner', other.merchantId)),
    );
    expect((await owner.get(path)).status).toBe(200);
    const operator = await as('operator');
    expect((await operator.get(`${base}/${txid}`)).status).toBe(404);
  });
});
