import { describe, expect, it } from '@jest/globals';
import { PaymentsService } from '../src/payments/payments.service.js';
import { RefundRunner } from '../src/refunds/refund-runner.js';
import { SANDBOX } from '../src/providers/sandbox/sandbox.provider.js';
import { select } from './support/facts.js';
import { enableLiveProvider } from './support/live.js';
import { textOf } from './support/markup.js';
import { Cashier, IBANS, PAYS } from './support/payouts.js';
import { person, signedIn, withTotp } from './support/people.js';
import { openShop } from './support/shop.js';
import { FOREIGN } from './support/violation.js';

const { app, shop } = await openShop({ env: PAYS });
await enableLiveProvider(app, shop.merchantId);
const live = await app.key(shop.merchantId, { mode: 'live' });

/**
 * A paid live order. No provider takes live payments yet, so one of the sandbox bank is settled, which the doctor would report.
 */
async function paidLive(client = live): Promise<string> {
  const order = await client.order({ amount: 1_000 });
  const payments = app.get(PaymentsService);
  const key = { merchantId: client.merchantId, txid: order.txid };
  const payment = await payments.start(key, { provider: SANDBOX, method: SANDBOX });
  const payer = { accountNumber: null, accountType: null, accountName: null };
  await payments.apply(payment, { kind: 'accepted', amount: 1_000, currency: 'EUR', payer });
  return order.txid;
}

const member = async (role: 'owner' | 'finance' | 'developer') => {
  const who = await withTotp(app, await person(app, role, shop.merchantId));
  return { who, browser: await signedIn(app, who) };
};

const refundsOf = (txid: string) =>
  select<{ id: string; status: string; approvedBy: string | null }>(
    app,
    'SELECT id, status, approved_by AS "approvedBy" FROM refunds WHERE txid = $1',
    [txid],
  );

describe('a refund of live money', () => {
  it('waits for another owner or finance member, and nobody else can approve it', async () => {
    const txid = await paidLive();
    const [owner, finance, developer] = [
      await member('owner'),
      await member('finance'),
      await member('developer'),
    ];
    const order = `/portal/m/${shop.merchantId}/live/orders/${txid}`;
    const form = { amount: '4.00', seen: '1000', reason: 'Broken' };
    await owner.browser.fill(`${order}/refund`, form);
    const [refund] = await refundsOf(txid);
    expect(refund).toMatchObject({ status: 'requested', approvedBy: null });
    await app.get(RefundRunner).run();
    expect(await refundsOf(txid)).toMatchObject([{ status: 'requested' }]);

    const approve = `${order}/refunds/${refund!.id}/approve`;
    const own = await owner.browser.fill(order, {}, approve);
    expect(own.status).toBe(409);
    expect(textOf(own.html)).toContain('Let another owner or somebody of finance approve it');
    const set = `UPDATE refunds SET status = 'approved', approved_by = $2 WHERE id = $1`;
    const bySql = (id: string) => select(app, set, [refund!.id, id]);
    await expect(bySql(owner.who.id)).rejects.toThrow('refunds_two_people_check');
    await expect(bySql(developer.who.id)).rejects.toThrow('may not approve refunds');
    await expect(bySql(FOREIGN)).rejects.toThrow('refunds_approved_by_fk');
    const nobody = `UPDATE refunds SET status = 'approved' WHERE id = $1`;
    await expect(select(app, nobody, [refund!.id])).rejects.toThrow('refunds_approved_check');

    expect((await finance.browser.fill(order, {}, approve)).status).toBe(303);
    expect(await refundsOf(txid)).toMatchObject([
      { status: 'approved', approvedBy: finance.who.id },
    ]);
  });

  it('takes no money that an operator assigned to an order, once its own was paid out', async () => {
    const own = await app.merchant();
    await enableLiveProvider(app, own.merchantId);
    const key = await app.key(own.merchantId, { mode: 'live' });
    const [paidOut, assigned] = [await paidLive(key), await paidLive(key)];
    const cashier = await Cashier.of(app, own, IBANS[0], 'live');
    await cashier.request(1_000);
    const matched = `INSERT INTO money_hands (merchant_id, txid, user_id, act, created_at) VALUES ($1, $2, $3, 'matched', $4)`;
    const { operator } = cashier;
    await select(app, matched, [own.merchantId, assigned, operator.id, app.clock.now()]);
    const { body } = await key.call('POST', `/api/order/${paidOut}/refund`, {});
    expect(body['status']).toBe('requested');
    const who = await withTotp(app, await person(app, 'finance', own.merchantId));
    const order = `/portal/m/${own.merchantId}/live/orders/${paidOut}`;
    const approve = `${order}/refunds/${String(body['id'])}/approve`;
    const answer = await (await signedIn(app, who)).fill(order, {}, approve);
    expect(answer.status).toBe(409);
    expect(textOf(answer.html)).toContain('An operator assigned a part of the balance');
    const bySql = `UPDATE refunds SET status = 'approved', approved_by = $2, next_attempt_at = now() WHERE id = $1`;
    await expect(select(app, bySql, [body['id'], who.id])).rejects.toThrow('an operator assigned');
  });

  it('is decided under its own order only', async () => {
    const [txid, other] = [await paidLive(), await paidLive()];
    const { body } = await live.call('POST', `/api/order/${txid}/refund`, {});
    const finance = await member('finance');
    const base = `/portal/m/${shop.merchantId}/live/orders`;
    const path = `${base}/${other}/refunds/${String(body['id'])}/approve`;
    expect((await finance.browser.fill(`${base}/${other}`, {}, path)).status).toBe(404);
    expect(await refundsOf(txid)).toMatchObject([{ status: 'requested' }]);
  });

  it('is requested by no key that a developer made', async () => {
    const developer = await member('developer');
    const grant = `UPDATE api_keys SET scopes = scopes || '{refunds:write}', created_by = $2 WHERE id = $1`;
    const key = await app.key(shop.merchantId, { scopes: ['orders:read'] });
    await expect(select(app, grant, [key.keyId, developer.who.id])).rejects.toThrow(
      'may not make a key with these scopes',
    );
  });
});
