import { newTransferReference } from '../../src/common/creditor-reference.js';
import type { TestApp } from './app.js';
import { select } from './facts.js';
import type { Client } from './client.js';
import { awaitingTransfer } from './transfers.js';

/** Orders like one of the merchant's, with all that belongs to it, each with a reference of its own. */
const COPY = `
  WITH copies AS MATERIALIZED (
    SELECT gen_random_uuid() AS txid, gen_random_uuid() AS payment_id, reference
    FROM unnest($2::text[]) r (reference)
  ), orders_made AS (
    INSERT INTO orders SELECT (jsonb_populate_record(o, jsonb_build_object('txid', c.txid,
      'order_merchant_id', c.txid, 'page_token', c.txid, 'payment_id', c.payment_id))).*
    FROM orders o CROSS JOIN copies c WHERE o.txid = $1
  ), events_made AS (
    INSERT INTO events SELECT (jsonb_populate_record(e, jsonb_build_object('txid', c.txid,
      'id', gen_random_uuid(), 'position', NULL))).*
    FROM events e CROSS JOIN copies c WHERE e.txid = $1
  ), payments_made AS (
    INSERT INTO payments SELECT (jsonb_populate_record(p, jsonb_build_object('txid', c.txid,
      'id', c.payment_id, 'provider_reference', c.reference,
      'transfer', p.transfer::jsonb || jsonb_build_object('reference', c.reference)))).*
    FROM payments p CROSS JOIN copies c WHERE p.txid = $1
  )
  INSERT INTO transfer_references SELECT (jsonb_populate_record(r, jsonb_build_object('txid', c.txid,
    'reference', c.reference))).*
  FROM transfer_references r CROSS JOIN copies c WHERE r.txid = $1 RETURNING reference`;

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
