import { describe, expect, it } from '@jest/globals';
import { BankImportService } from '../src/bank/import/import.service.js';
import { camtFile, type WrittenEntry, type WrittenStatement } from './support/bank-file.js';
import { collectionAccount, told } from './support/bank-lines.js';
import { expectHealthy } from './support/payout-invariants.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop();
const ACCOUNT = 'MANY-1';
const STATEMENTS = 1_500;
/** It takes 20 s of processors; the machine may have much other work. */
const TAKES_MAX_MS = 90_000;
const BALANCE = 10_000;
const day = app.clock.now().toISOString().slice(0, 10);

const bring = async (...statements: WrittenStatement[]) => {
  const bytes = Buffer.from(camtFile('053', ...statements));
  const options = { mode: 'test', name: 'a.xml', source: 'cli' } as const;
  const since = performance.now();
  const result = await app.get(BankImportService).import({ bytes }, options);
  return { result, ms: performance.now() - since };
};

const statement = (number: number, entries: readonly WrittenEntry[]): WrittenStatement => {
  const sequence = String(number);
  return { account: ACCOUNT, id: `S${number}`, sequence, day, opening: BALANCE, entries };
};

const NOTHING: readonly WrittenEntry[] = [
  { amount: 100, text: 'x' },
  { amount: 100, direction: 'out', text: 'x' },
];

describe('statements that all begin and end with one balance', () => {
  it('are imported in a short time, and keep no later statement out', async () => {
    await collectionAccount(app, ACCOUNT);
    const many = Array.from({ length: STATEMENTS }, (_, number) => statement(number, NOTHING));
    const { result, ms } = await bring(...many);
    expect(result).toMatchObject({ result: 'imported', matched: 0 });
    expect(ms).toBeLessThan(TAKES_MAX_MS);

    const order = await shop.order({ amount: 4_000 });
    const text = await told(app, shop, order);
    const paid = [{ amount: 4_000, text, payer: { iban: 'NL91ABNA0417164300' } }];
    const next = await bring(statement(STATEMENTS, paid));
    expect(next.result).toMatchObject({ result: 'imported', new: 1, matched: 1 });
    expect(next.ms).toBeLessThan(TAKES_MAX_MS / 10);
    expect((await shop.read(order.txid)).body).toMatchObject({
      status: 'paid',
      amountReceived: 4_000,
    });
    await expectHealthy(app);
  }, 300_000);
});
