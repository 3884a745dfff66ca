import { describe, expect, it, jest } from '@jest/globals';
import { BankImportService } from '../src/bank/import/import.service.js';
import { MatcherService } from '../src/bank/matching/matcher.service.js';
import { OrderFinder } from '../src/bank/matching/order-finder.js';
import { camtFile, type CamtMessage } from './support/bank-file.js';
import { collectionAccount, OWN_ACCOUNT, told } from './support/bank-lines.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop();
await collectionAccount(app);
const DAY = app.clock.now().toISOString().slice(0, 10);
const AMOUNT = 4_711;
const matcher = app.get(MatcherService);
const finder = app.get(OrderFinder);

/** Stores a file, but does not match its lines yet, as a process that still stores a long one. */
async function store(message: CamtMessage, text?: string): Promise<void> {
  const entry = { amount: AMOUNT, acctSvcrRef: 'BANK1', ...(text && { text }) };
  const file = camtFile(message, { account: OWN_ACCOUNT, day: DAY, id: message, entries: [entry] });
  const matching = jest.spyOn(matcher, 'matchNew').mockResolvedValue(true);
  const options = { mode: 'test', name: 'a.xml', source: 'cli' } as const;
  await app.get(BankImportService).import({ bytes: Buffer.from(file) }, options);
  matching.mockRestore();
}

describe('a line to which another file adds its reference while the rules look at it', () => {
  it('is matched again and pays its order', async () => {
    const order = await shop.order({ amount: AMOUNT });
    const reference = await told(app, shop, order);
    await store('052');
    const reading = jest.spyOn(finder, 'around');
    reading.mockImplementationOnce(async (lines) => {
      reading.mockRestore();
      const found = await finder.around(lines);
      await store('053', reference);
      return found;
    });
    await matcher.matchNew();
    await matcher.matchNew();
    expect((await shop.read(order.txid)).body).toMatchObject({ status: 'paid' });
  });
});
