import type { TestApp } from './app.js';
import type { Client } from './client.js';
import { select } from './facts.js';
import { FOREIGN, NEW, violation } from './violation.js';

type Change = Readonly<Record<string, unknown>>;

/** Copies of a test refund that waits. */
const refund = (rule: string, why: string, change: Change) =>
  violation(rule, 'refunds', `status = 'requested'`, why, {
    id: NEW.id,
    refund_merchant_id: null,
    ...change,
  });

const reserved = (rule: string, why: string, change: Change) =>
  violation(rule, 'transfers', `kind = 'refund_reserved'`, why, { id: NEW.id, ...change });

/** The rules about refunds. */
export const REFUND_VIOLATIONS = [
  violation('orders_refund_pending_check', 'orders', `status = 'paid'`, 'more than it has', {
    txid: NEW.txid,
    order_merchant_id: 'other',
    amount_refund_pending: 99_999_999,
  }),

  refund('refunds_pk', 'a refund again', { id: undefined }),
  refund('refunds_merchant_id_once', 'an id again', { refund_merchant_id: undefined }),
  refund('refunds_mode_check', 'a third mode', { mode: 'demo' }),
  refund('refunds_currency_check', 'a currency that is none', { currency: 'eur' }),
  refund('refunds_amount_check', 'of nothing', { amount: 0, from_unallocated: 0 }),
  refund('refunds_unallocated_check', 'more apart than all', { from_unallocated: 99_999_999 }),
  refund('refunds_method_check', 'a way that is none', { method: 'cash' }),
  refund('refunds_origin_check', 'from nowhere', { origin: 'mail' }),
  refund('refunds_reason_check', 'an empty reason', { reason: '' }),
  refund('refunds_reference_check', 'an empty id', { refund_merchant_id: '' }),
  refund('refunds_version_check', 'of no version', { version: 0 }),
  refund('refunds_completed_check', 'waits, and has ended', {
    completed_at: '2026-01-01T00:00:00Z',
  }),
  refund('refunds_order_fk', 'of no order', { txid: NEW.txid }),
  refund('refunds_payment_fk', 'of no payment', { payment_id: NEW.id }),
  refund('refunds_requested_by_fk', 'by nobody', { requested_by: FOREIGN }),

  violation('sandbox_refunds_pk', 'sandbox_refunds', 'true', 'a refund again', {}),
  violation('sandbox_refunds_refund_fk', 'sandbox_refunds', 'true', 'no refund', {
    refund_id: NEW.id,
  }),
  violation('sandbox_refunds_outcome_check', 'sandbox_refunds', 'true', 'no outcome', {
    outcome: 'settled',
  }),

  reserved('transfers_refund_once', 'reserved twice', {}),
  reserved('transfers_refund_fk', 'of no refund', { refund_id: NEW.txid }),
  reserved('transfers_refund_check', 'reserved for nothing', { refund_id: null, occurrence: 99 }),
];

/** A refund that the sandbox bank has, and one that waits for approval. */
export async function makeRefundRows(app: TestApp, shop: Client): Promise<void> {
  const { txid } = await shop.order({ amount: 1_000 });
  await shop.pay(txid);
  const ask = async (refundMerchantId: string) =>
    (await shop.call('POST', `/api/order/${txid}/refund`, { amount: 100, refundMerchantId })).body;
  const { id } = await ask('R-1');
  await shop.call('POST', `/api/test-helpers/refund/${String(id)}`, { outcome: 'silent' });
  await ask('R-2');
  await select(app, 'ALTER TABLE refunds DISABLE TRIGGER refunds_moves', []);
  await select(
    app,
    `UPDATE refunds SET status = 'requested', next_attempt_at = NULL WHERE refund_merchant_id = 'R-2'`,
    [],
  );
  await select(app, 'ALTER TABLE refunds ENABLE TRIGGER refunds_moves', []);
}
