import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Sweeper } from '../src/payments/sweeper.js';
import { bookedLine, credited } from './support/bank-lines.js';
import type { Client, OrderJson } from './support/client.js';
import { select, withoutTriggers } from './support/facts.js';
import { expectHealthy } from './support/payout-invariants.js';
import { openShop } from './support/shop.js';
import { awaitingTransfer, choose, offerTransfers, statementOf } from './support/transfers.js';

const { app, shop } = await openShop();
/** Some Friday; the last day of those who choose a transfer on it is two weeks later. */
const CHOSEN = '2026-11-20T10:00:00Z';
const LAST_DAY = '2026-12-04';
/** Three bank days after it. */
const GIVEN_UP = '2026-12-09';

const read = async ({ txid }: OrderJson, as: Client = shop): Promise<OrderJson> =>
  (await as.read(txid)).body;

const sweep = () => app.get(Sweeper).run();
const at = (time: string): void => app.clock.set(new Date(time));

/** The day until which the order is waited for; null = it is waited for no more. */
async function waitedUntil({ txid }: OrderJson): Promise<string | null> {
  const sql = 'SELECT waits_until::text AS day FROM transfer_references WHERE txid = $1';
  return (await select<{ day: string | null }>(app, sql, [txid]))[0]!.day;
}

describe('the last day of a transfer', () => {
  beforeAll(() => offerTransfers(app).then(() => undefined));
  beforeEach(() => at(CHOSEN));

  it('ends the order only when a statement has all bookings of that day', async () => {
    const order = await awaitingTransfer(shop, { amount: 1_000 });
    expect(await waitedUntil(order)).toBe(LAST_DAY);
    await statementOf(app, { from: '2026-12-01', until: '2026-12-03' });
    await statementOf(app, { from: LAST_DAY, until: LAST_DAY }, 'NL91ABNA0417164300');
    await statementOf(app, { from: '2026-12-05', until: '2026-12-07' });
    await statementOf(app, { from: '2026-12-01', until: '2100-01-01' });
    at('2026-12-05T00:00:00Z');
    await sweep();
    expect(await read(order)).toMatchObject({ status: 'processing' });
    await choose(order, 'sandbox');
    expect(await read(order)).toMatchObject({ statusReason: 'awaiting_transfer' });

    const line = await bookedLine(app, { amount: 1, bookedOn: LAST_DAY });
    await statementOf(app, { from: LAST_DAY, until: LAST_DAY });
    await sweep();
    expect(await read(order)).toMatchObject({ status: 'processing' });
    await select(app, 'UPDATE bank_lines SET looked_at = now() WHERE id = $1', [line.id]);
    await sweep();
    expect(await read(order)).toMatchObject({
      status: 'expired',
      statusReason: 'not_paid',
      payment: { status: 'cancelled' },
    });
    expect(await waitedUntil(order)).toBeNull();
    await withoutTriggers(app, 'DELETE FROM bank_statements');
  });

  it('ends it three bank days later, whatever the bank says', async () => {
    const order = await awaitingTransfer(shop);
    at(`${GIVEN_UP}T23:59:59.999Z`);
    await sweep();
    expect(await read(order)).toMatchObject({ status: 'processing' });
    at('2026-12-10T00:00:00Z');
    await sweep();
    expect(await read(order)).toMatchObject({ status: 'expired' });
  });

  it('is also that of an order of which a part has come', async () => {
    const order = await awaitingTransfer(shop, { amount: 1_000 });
    await credited(app, shop, order, 400);
    at(`${GIVEN_UP}T12:00:00Z`);
    await sweep();
    expect(await read(order)).toMatchObject({ status: 'open', exception: 'underpaid' });
    at('2026-12-10T00:00:00Z');
    await sweep();
    expect(await read(order)).toMatchObject({ status: 'expired', statusReason: 'partially_paid' });
    await expectHealthy(app);
  });

  it('counts by the bank’s booking, however late a file tells of it', async () => {
    const [inTime, late] = [await awaitingTransfer(shop), await awaitingTransfer(shop)];
    at(`${GIVEN_UP}T12:00:00Z`);
    await credited(app, shop, inTime, 8_990, { bookedOn: LAST_DAY });
    await credited(app, shop, late, 8_990, { bookedOn: '2026-12-05' });
    expect(await read(inTime)).toMatchObject({ status: 'paid', exception: 'none' });
    expect(await read(late)).toMatchObject({ status: 'expired', exception: 'paid_late' });
    at('2026-12-10T00:00:00Z');
    await sweep();
    expect([await waitedUntil(inTime), await waitedUntil(late)]).toEqual([null, null]);
    await expectHealthy(app);
  });

  it('can be moved by the merchant while nothing speaks against it', async () => {
    const order = await awaitingTransfer(shop);
    const later = { expiresInMinutes: 60 * 24 * 30 };
    await shop.call('PATCH', `/api/order/${order.txid}`, later);
    at('2026-12-10T00:00:00Z');
    await sweep();
    expect(await read(order)).toMatchObject({ status: 'processing' });
    at('2026-12-26T00:00:00Z');
    await sweep();
    expect(await read(order)).toMatchObject({ status: 'expired' });
  });

  it('is over at once where a test says so', async () => {
    const order = await awaitingTransfer(shop);
    const reply = await shop.call('POST', `/api/test-helpers/order/${order.txid}/expire`);
    expect(reply).toMatchObject({ status: 200, body: { status: 'expired' } });
    const { body } = await shop.call('GET', `/api/event?txid=${order.txid}&limit=10`);
    const events = body['data'] as { data: OrderJson }[];
    expect(events[1]!.data['expiresAt']).toBe(order['expiresAt']);
    at('2026-12-10T00:00:00Z');
    await sweep();
    expect(await waitedUntil(order)).toBeNull();
  });
});
