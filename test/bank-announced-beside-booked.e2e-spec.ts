import { expect, it } from '@jest/globals';
import { BankImportService } from '../src/bank/import/import.service.js';
import { camtFile, type CamtMessage, type WrittenEntry } from './support/bank-file.js';
import { collectionAccount, OWN_ACCOUNT, told } from './support/bank-lines.js';
import { confirmNoTotals } from './support/no-totals.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop();
await confirmNoTotals(app);
await collectionAccount(app);
const DAY = app.clock.now().toISOString().slice(0, 10);
let files = 0;
let amount = 5_001;

async function bring(message: CamtMessage, entries: readonly WrittenEntry[]): Promise<void> {
  const text = camtFile(message, { account: OWN_ACCOUNT, day: DAY, id: `S${++files}`, entries });
  const options = { mode: 'test', name: 'a.xml', source: 'cli' } as const;
  await app.get(BankImportService).import({ bytes: Buffer.from(text) }, options);
}

const NAMES: readonly Partial<WrittenEntry>[] = [
  {},
  { e2e: 'E-4711' },
  { acctSvcrRef: 'REF-4711' },
  { payer: { iban: 'DE71110220330123456789' } },
];
const CASES = NAMES.flatMap((names) =>
  (['052', '053', '054'] as const).flatMap((first) =>
    (['052', '054'] as const).map((second) => [first, second, names] as const),
  ),
);

it.each(CASES)(
  'a booking of camt.%s counts once though camt.%s announces it and books it: %j',
  async (first, second, names) => {
    amount += 100;
    const order = await shop.order({ amount: 2 * amount });
    const booked = { amount, text: await told(app, shop, order), ...names };
    const announced = { ...booked, status: 'announced' } as const;
    await bring(first, [booked]);
    await bring(second, [announced, booked]);
    await bring('053', [booked]);
    expect((await shop.read(order.txid)).body).toMatchObject({
      status: 'open',
      amountReceived: amount,
    });
  },
);
