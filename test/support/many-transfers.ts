import { newTransferReference } from '../../src/common/money/creditor-reference.js';
import type { TestApp } from './app.js';
import { select } from './facts.js';
import type { Client } from './client.js';
import { awaitingTransfer } from './transfers.js';

/** A row of a table like that of the model order, but for some columns. */
const like = (table: string, model: string, changed: string): string =>
  `INSERT INTO ${table} SELECT made.* FROM ${table} ${model} CROSS JOIN copies c CROSS JOIN LATERAL
    jsonb_populate_record(${model}, jsonb_build_object('txid', c.txid, ${changed})) made
  WHERE ${model}.txid = $1`;

/** Orders like one of the merchant's, with all that belongs to it, each with a reference of its own. */
const COPY = `
  WITH copies AS MATERIALIZED (
    SELECT gen_random_uuid() AS txid, gen_random_uuid() AS payment_id, reference
    FROM unnest($2::text[]) r (reference)
  ), orders_made AS (${like(
    'orders',
    'o',
    `'order_merchant_id', c.txid, 'page_token', c.txid, 'payment_id', c.payment_id`,
  )}), events_made AS (${like('events', 'e', `'id', gen_random_uuid(), 'position', NULL`)}
  ), payments_made AS (${like(
    'payments',
    'p',
    `'id', c.payment_id, 'provider_reference', c.reference,
      'transfer', p.transfer::jsonb || jsonb_build_object('reference', c.reference)`,
  )})
  ${like('transfer_references', 'r', `'reference', c.reference`)}`;

const AT_ONCE = 1_000;

/** Orders of so much money each, whose payers have chosen to transfer it. @returns their references */
export async function manyTransfers(
  app: TestApp,
  shop: Client,
  amount: number,
  count: number,
): Promise<string[]> {
  const { txid } = await awaitingTransfer(shop, { amount });
  const references = Array.from({ length: count }, () => newTransferReference('test'));
  // No statement may take longer than the service's own.
  for (let at = 0; at < count; at += AT_ONCE)
    await select(app, COPY, [txid, references.slice(at, at + AT_ONCE)]);
  await select(app, 'ANALYZE', []);
  return references;
}
