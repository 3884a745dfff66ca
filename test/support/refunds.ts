import { LedgerRepository } from '../../src/database/ledger/ledger.repository.js';
import {
  type CorrectionOutcome,
  CorrectionsService,
} from '../../src/payments/corrections.service.js';
import {
  type RecordedRefund,
  RecordedRefundsService,
} from '../../src/payments/recorded-refunds.service.js';
import type { TestApp } from './app.js';
import type { Client, OrderJson } from './client.js';

/** Somebody writes down that money of the order went back. */
export function sentBack(
  app: TestApp,
  { merchantId }: Client,
  { txid }: Pick<OrderJson, 'txid'>,
  refund: Partial<RecordedRefund> & Pick<RecordedRefund, 'amount'>,
) {
  const whole = { currency: 'EUR', note: 'Transfer 7', ...refund };
  return app.get(RecordedRefundsService).record({ merchantId, mode: 'test' }, txid, whole, {});
}

/** Somebody takes a transfer back. */
export async function takenBack(
  app: TestApp,
  { merchantId }: Client,
  id: string,
  note = 'A mistake',
): Promise<CorrectionOutcome> {
  const transfer = await app.get(LedgerRepository).find(merchantId, id);
  return app.get(CorrectionsService).reverse(transfer!, note);
}
