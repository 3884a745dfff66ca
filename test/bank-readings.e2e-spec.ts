import { describe, expect, it } from '@jest/globals';
import { type ImportResult, BankImportService } from '../src/bank/import/import.service.js';
import type { CsvProfile } from '../src/bank-statements/csv/csv-profile.js';
import { BankLineRepository } from '../src/database/bank/lines/bank-line.repository.js';
import { camtFile, csvFile, csvProfileOf, type WrittenEntry } from './support/bank-file.js';
import { collectionAccount, OWN_ACCOUNT, told } from './support/bank-lines.js';
import { confirmNoTotals } from './support/no-totals.js';
import { expectHealthy, expectSound } from './support/payout-invariants.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop();
await collectionAccount(app);
await confirmNoTotals(app);
const DAY = app.clock.now().toISOString().slice(0, 10);

const RIGHT = csvProfileOf(OWN_ACCOUNT);
/** Takes the names of payers for the state of a row. */
const ANNOUNCING: CsvProfile = {
  ...RIGHT,
  name: 'announcing',
  columns: { ...RIGHT.columns, status: 'Name' },
  pending: ['Ada'],
};
/** Without the text of the payer, and with another reference. */
const WORDLESS: CsvProfile = {
  ...ANNOUNCING,
  name: 'wordless',
  columns: {
    ...ANNOUNCING.columns,
    text: ['Account'],
    bankReference: 'EndToEnd',
    endToEndId: 'Text',
  },
};
/** Of another account. */
const ELSEWHERE: CsvProfile = { ...RIGHT, ownAccount: 'DE02120300000000202051' };

async function bring(text: string, profile?: CsvProfile): Promise<ImportResult> {
  const options = { mode: 'test', name: 'a.csv', source: 'cli', profile } as const;
  return app.get(BankImportService).import({ bytes: Buffer.from(text) }, options);
}

let number = 0;
let amount = 10_000;

/** A file of the bank with the payment of an order, and of some of another one that goes back. */
async function written() {
  const order = await shop.order({ amount: (amount += 100) });
  const text = await told(app, shop, order);
  const payer = { name: 'Ada', iban: 'DE71110220330123456789' };
  const e2e = `E${++number}`;
  const entry: WrittenEntry = { amount, text, e2e, acctSvcrRef: `B${number}`, payer };
  const out: WrittenEntry = {
    ...entry,
    amount: amount - 1,
    text: 'Sent back',
    direction: 'out',
    e2e: `O${number}`,
    acctSvcrRef: `C${number}`,
  };
  const entries = [{ amount: number, e2e: `I${number}` }, entry, out];
  const statement = { account: OWN_ACCOUNT, day: DAY, opening: 5_000_000 + number, entries };
  return { order, e2e, statement, csv: csvFile(statement) };
}
const stateOf = async (txid: string) => {
  const { status, amountReceived } = (await shop.read(txid)).body;
  return { status, amountReceived };
};
const linesOf = async (...amounts: number[]) => {
  const lines = await app
    .get(BankLineRepository)
    .list({ mode: 'test', account: OWN_ACCOUNT }, 10_000);
  return lines.filter((line) => amounts.includes(line.amount!));
};

describe('the same bytes of CSV', () => {
  it.each([
    ['announces them', ANNOUNCING],
    ['announces them with other words', WORDLESS],
  ])('count by the right profile after one that %s', async (_, wrong) => {
    const { order, csv } = await written();
    expect(await bring(csv, wrong)).toMatchObject({ result: 'imported' });
    expect(await stateOf(order.txid)).toMatchObject({ status: 'open' });
    expect(await bring(csv, RIGHT)).toMatchObject({ result: 'imported', matched: 1 });
    expect(await stateOf(order.txid)).toEqual({ status: 'paid', amountReceived: order.amount });
    const out = await linesOf(order.amount - 1);
    expect(out.filter(({ status }) => status === 'booked')).toMatchObject([{ direction: 'out' }]);
    await expectSound(app, [shop.merchantId]);
    await expectHealthy(app);
  });

  it.each(['camt.053', 'camt.054'])('count by a later file in %s, too', async (format) => {
    for (const wrong of [ANNOUNCING, WORDLESS]) {
      const { order, csv, statement } = await written();
      await bring(csv, wrong);
      await bring(camtFile(format === 'camt.053' ? '053' : '054', statement));
      expect(await stateOf(order.txid)).toEqual({ status: 'paid', amountReceived: order.amount });
    }
    await expectHealthy(app);
  });

  it('are recognised line by line where both profiles read them well', async () => {
    const { order, csv } = await written();
    await bring(csv, RIGHT);
    const { valuedOn: _, ...columns } = RIGHT.columns;
    const result = await bring(csv, { ...RIGHT, columns });
    expect(result).toMatchObject({ result: 'imported', new: 0, known: 3, matched: 1 });
    expect(await stateOf(order.txid)).toEqual({ status: 'paid', amountReceived: order.amount });
    expect(await linesOf(order.amount)).toHaveLength(1);
    await expectHealthy(app);
  });

  it('are known where the profile says the same, whatever it is called and whoever wrote it', async () => {
    const { csv } = await written();
    for (const profile of [RIGHT, ELSEWHERE])
      expect(await bring(csv, profile)).toMatchObject({ result: 'imported', new: 3 });
    const { columns, ...others } = RIGHT;
    const again = { columns: { ...columns }, ...others, name: 'other' };
    for (const profile of [RIGHT, again, ELSEWHERE])
      expect(await bring(csv, profile)).toMatchObject({ result: 'known', new: 0 });
  });

  it('are known in other formats, whatever the profile', async () => {
    const { statement } = await written();
    const text = camtFile('054', statement);
    expect(await bring(text)).toMatchObject({ result: 'imported' });
    for (const profile of [RIGHT, ANNOUNCING, undefined])
      expect(await bring(text, profile)).toMatchObject({ result: 'known', new: 0 });
  });
});
