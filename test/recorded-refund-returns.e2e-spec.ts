import { describe, expect, it } from '@jest/globals';
import { BankImportService } from '../src/bank/import/import.service.js';
import { ManualReconciliation } from '../src/bank/matching/manual-reconciliation.service.js';
import { camtFile, type WrittenEntry } from './support/bank-file.js';
import { collectionAccount, OWN_ACCOUNT, told } from './support/bank-lines.js';
import type { Client, OrderJson } from './support/client.js';
import { select } from './support/facts.js';
import { expectHealthy } from './support/payout-invariants.js';
import { balances } from './support/payouts.js';
import { person } from './support/people.js';
import { sentBack } from './support/refunds.js';
import { openShop } from './support/shop.js';

const { app } = await openShop();
await collectionAccount(app);
const operator = await person(app, 'operator');
const reconciliation = app.get(ManualReconciliation);
const PAYER = { iban: 'NL91ABNA0417164300', name: 'Paula Payer' };
let opening = 0;
let files = 0;

async function bring(...entries: WrittenEntry[]): Promise<void> {
  app.clock.advance(60_000);
  const day = app.clock.now().toISOString().slice(0, 10);
  const id = `S${++files}`;
  const statement = { account: OWN_ACCOUNT, day, id, sequence: String(files), opening, entries };
  for (const { amount, direction } of entries) opening += direction === 'out' ? -amount : amount;
  const options = { mode: 'test', name: id, source: 'cli' } as const;
  const bytes = Buffer.from(camtFile('053', statement));
  await app.get(BankImportService).import({ bytes }, options);
}

/** A payment of `amount` for an order of 100.00. */
async function received(shop: Client, amount: number, isCancelled = false) {
  const order = await shop.order({ amount: 10_000 });
  const text = await told(app, shop, order);
  if (isCancelled) await shop.cancel(order.txid);
  const e2e = `E-${order.txid.slice(0, 20)}`;
  await bring({ amount, text, e2e, acctSvcrRef: `IN-${files}`, payer: PAYER });
  for (const { id } of await waiting('more_than_due'))
    await reconciliation.matchManually(
      'test',
      id,
      [{ ...order, ...shop, amount }],
      operator.id,
      'The payer agreed.',
    );
  const back = (returned: number): Promise<void> => {
    const of = { direction: 'out', returned: true, text, e2e, payer: PAYER } as const;
    return bring({ ...of, amount: returned, acctSvcrRef: `OUT-${files}` });
  };
  return { order, back };
}

const read = async (shop: Client, { txid }: OrderJson) => (await shop.read(txid)).body;
const euros = async (shop: Client) => (await balances(app, shop))['EUR'] ?? {};
const waiting = (reason?: string) =>
  select<{ id: string; reason: string }>(
    app,
    `SELECT id, reason FROM bank_lines WHERE state IN ('suggested', 'unmatched') AND reason = coalesce($1, reason)
     ORDER BY id`,
    [reason],
  );

describe('a refund that was recorded, and that the bank books as a return', () => {
  it.each([
    ['late money of a cancelled order', 10_000, true, 10_000],
    ['too much money for an order', 15_000, false, 5_000],
  ] as const)('waits for an operator: %s', async (_, amount, isCancelled, refund) => {
    const shop = await app.merchant();
    const { order, back } = await received(shop, amount, isCancelled);
    await sentBack(app, shop, order, { amount: refund });
    const before = [await read(shop, order), await euros(shop)] as const;
    app.clock.advance(86_400_000);
    await back(refund);
    const [line, ...more] = await waiting();
    expect([line?.reason, more]).toEqual(['may_be_refund', []]);
    expect(before).toEqual([await read(shop, order), await euros(shop)]);
    await reconciliation.ignore('test', line!.id, 'The refund that was recorded.');
    expect(await waiting()).toEqual([]);
    await expectHealthy(app);
  });

  it('can be booked as a return besides by an operator, up to what is left', async () => {
    const shop = await app.merchant();
    const { order, back } = await received(shop, 15_000);
    await sentBack(app, shop, order, { amount: 5_000 });
    await back(12_000);
    const [line] = await waiting();
    expect(line).toMatchObject({ reason: 'may_be_refund' });
    const key = { merchantId: shop.merchantId, txid: order.txid };
    const book = (amount: number) =>
      reconciliation.returnManually('test', line!.id, { ...key, amount }, operator.id);
    expect(await book(10_001)).toBe('no_payment');
    expect(await book(10_000)).toBe('returned');
    expect(await book(1)).toBe('no_payment');
    expect(await read(shop, order)).toMatchObject({
      amountRefunded: 5_000,
      amountChargedBack: 10_000,
    });
    // Balances of 0 are left out.
    expect(await euros(shop)).toEqual({});
    await select(app, `UPDATE bank_lines SET state = 'ignored' WHERE id = $1`, [line!.id]);
    await expectHealthy(app);
  });

  it('is charged to no merchant by the database either', async () => {
    const shop = await app.merchant();
    const { order } = await received(shop, 10_000);
    const charge = `INSERT INTO transfers (merchant_id, id, mode, currency, kind, debit, credit, amount, txid,
        payment_id, occurrence, created_at)
      SELECT merchant_id, gen_random_uuid(), mode, currency, 'charge_back', 'available', 'clearing:bank_transfer', $2,
        txid, payment_id, 99, created_at FROM transfers WHERE txid = $1 AND kind = 'payment'`;
    await expect(select(app, charge, [order.txid, 10_001])).rejects.toThrow(
      'the merchant has less of the order than that',
    );
  });
});
