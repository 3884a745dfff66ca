import { describe, expect, it } from '@jest/globals';
import type { Payout } from '../src/database/payouts/payout.entity.js';
import { ApprovalsService } from '../src/payouts/approvals.service.js';
import { PayoutFilesService } from '../src/payouts/payout-files.service.js';
import { PayoutsService } from '../src/payouts/payouts.service.js';
import { RefundRunner } from '../src/refunds/refund-runner.js';
import { credited } from './support/bank-lines.js';
import type { Client } from './support/client.js';
import { select, withoutTriggers } from './support/facts.js';
import { enableLiveProvider, liveKey, paidLive } from './support/live.js';
import { textOf } from './support/markup.js';
import { Cashier, IBANS, PAYS } from './support/payouts.js';
import { person, signedIn, withTotp } from './support/people.js';
import { openShop } from './support/shop.js';
import { FOREIGN } from './support/violation.js';

const { app, shop } = await openShop({ env: PAYS });
await enableLiveProvider(app, shop.merchantId);
const live = await liveKey(app, shop.merchantId);

/** The bank has the payout, or may have it, and an operator says that it was not executed. */
async function freed(payout: Payout, how: 'failed' | 'returned' | 'not sent'): Promise<void> {
  const files = app.get(PayoutFilesService);
  const [maker, reporter] = [await person(app, 'operator'), await person(app, 'operator')];
  const request = { mode: 'live', currency: 'EUR', format: 'pain.001.001.09' } as const;
  const { id } = await files.export(request, maker.id);
  if (how !== 'not sent') {
    await files.submitted(id);
    await files.ended(payout, how, 'As the bank said', reporter.id);
    return;
  }
  await select(
    app,
    `INSERT INTO audit_entries (id, user_id, action, subject, data, address, created_at)
     VALUES (gen_random_uuid(), $2, 'payout-file.downloaded', $1, '{}', '', $3)`,
    [id, maker.id, app.clock.now()],
  );
  await files.notSent(id, reporter.id);
  await app.get(ApprovalsService).reject(payout, payout.id, 'Not sent');
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
    const txid = await paidLive(app, live);
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
    const key = await liveKey(app, own.merchantId);
    const [paidOut, assigned] = [await paidLive(app, key), await paidLive(app, key)];
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
    expect(textOf(answer.html)).toContain('The balance is too low without money of bank transfers');
    const bySql = `UPDATE refunds SET status = 'approved', approved_by = $2, next_attempt_at = now() WHERE id = $1`;
    const refused = () =>
      expect(select(app, bySql, [body['id'], who.id])).rejects.toThrow('an operator assigned');
    await refused();

    // A payout of the rest covers that money until it is cancelled.
    await paidLive(app, key, 100);
    const covering = await cashier.request(100);
    await refused();
    await cashier.approve(covering, await person(app, 'operator'));
    await refused();
    await app.get(PayoutsService).cancel(cashier.scope, covering.id);
    await refused();
  });

  /** A live refund of an order that waits, and its approval by SQL. */
  async function waits(merchantId: string, key: Client, txid: string) {
    const { body } = await key.call('POST', `/api/order/${txid}/refund`, {});
    expect(body['status']).toBe('requested');
    const { id } = await person(app, 'finance', merchantId);
    const bySql = `UPDATE refunds SET status = 'approved', approved_by = $2, next_attempt_at = now() WHERE id = $1`;
    return () => select(app, bySql, [body['id'], id]);
  }

  async function liveMerchant() {
    const own = await app.merchant();
    await enableLiveProvider(app, own.merchantId);
    return { own, key: await liveKey(app, own.merchantId) };
  }

  it('takes no money of bank transfers, about which operators decide', async () => {
    const { own, key } = await liveMerchant();
    const txid = await paidLive(app, key);
    await (await Cashier.of(app, own, IBANS[0], 'live')).request(1_000);
    const byTransfer = await key.order({ amount: 1_000 });
    await credited(app, key, byTransfer, 1_000, {}, 'live');
    const approval = await waits(own.merchantId, key, txid);
    await expect(approval()).rejects.toThrow('refund would take money');
    await paidLive(app, key);
    await approval();
  });

  it('waits while the provider’s report about its payment does', async () => {
    const { own, key } = await liveMerchant();
    const txid = await paidLive(app, key);
    await paidLive(app, key);
    const report = `INSERT INTO provider_events (merchant_id, id, provider, mode, provider_event_id, payment_id, report, body,
        received_at, applied_at, result)
      SELECT merchant_id, gen_random_uuid(), provider, 'live', txid::text, id, '{}', '', now(), now(), 'mismatch'
      FROM payments WHERE txid = $1`;
    await select(app, report, [txid]);
    const approval = await waits(own.merchantId, key, txid);
    await expect(approval()).rejects.toThrow('an operator has decided, or has to decide');
    await select(app, 'UPDATE provider_events SET handled_at = now() WHERE merchant_id = $1', [
      own.merchantId,
    ]);
    await approval();
  });

  it('takes no unallocated money of an order in which an operator had a hand', async () => {
    const { own, key } = await liveMerchant();
    const [free, handled] = [await overpaidLive(key), await overpaidLive(key)];
    await (
      await waits(own.merchantId, key, free)
    )();
    const matched = `INSERT INTO money_hands (merchant_id, txid, user_id, act, created_at) VALUES ($1, $2, $3, 'matched', $4)`;
    const { id } = await person(app, 'operator');
    await select(app, matched, [own.merchantId, handled, id, app.clock.now()]);
    const approval = await waits(own.merchantId, key, handled);
    await expect(approval()).rejects.toThrow('an operator has decided, or has to decide');
  });

  /** Somebody paid 1.00 too much. */
  async function overpaidLive(key: Client): Promise<string> {
    const txid = await paidLive(app, key, 1_000, 1_100);
    const sql = 'SELECT amount_received AS received FROM orders WHERE txid = $1';
    expect(await select(app, sql, [txid])).toEqual([{ received: 1_100 }]);
    return txid;
  }

  it.each(['failed', 'returned', 'not sent'] as const)(
    'takes no money of a payout that one operator reported as %s',
    async (how) => {
      const own = await app.merchant();
      await enableLiveProvider(app, own.merchantId);
      const key = await liveKey(app, own.merchantId);
      const txid = await paidLive(app, key);
      const cashier = await Cashier.of(app, own, IBANS[0], 'live');
      const payout = await cashier.approve(await cashier.request(1_000));
      await freed(payout, how);
      const { body } = await key.call('POST', `/api/order/${txid}/refund`, {});
      expect(body['status']).toBe('requested');
      const { id } = await person(app, 'finance', own.merchantId);
      const bySql = `UPDATE refunds SET status = 'approved', approved_by = $2, next_attempt_at = now() WHERE id = $1`;
      const approval = () => select(app, bySql, [body['id'], id]);
      await expect(approval()).rejects.toThrow('an operator assigned');
      // Other money of the merchant can be refunded.
      await paidLive(app, key);
      await approval();
    },
  );

  it('is requested by no key of the command line, whose maker nobody knows', async () => {
    const txid = await paidLive(app, live);
    const key = await app.key(shop.merchantId, { mode: 'live' });
    const { status, body } = await key.call('POST', `/api/order/${txid}/refund`, {});
    expect([status, body['code']]).toEqual([403, 'refund_second_person']);
    expect(await refundsOf(txid)).toEqual([]);
    const unknown = `UPDATE refunds SET requested_by = NULL WHERE txid = $1`;
    await live.call('POST', `/api/order/${txid}/refund`, {});
    await expect(withoutTriggers(app, unknown, [txid])).rejects.toThrow('refunds_requester_check');
  });

  it('is decided under its own order only', async () => {
    const [txid, other] = [await paidLive(app, live), await paidLive(app, live)];
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
