import { describe, expect, it } from '@jest/globals';
import { BankImportService } from '../src/bank/import/import.service.js';
import { BankLineRepository } from '../src/database/bank/lines/bank-line.repository.js';
import { camtFile, mt940File, type WrittenEntry } from './support/bank-file.js';
import { collectionAccount, OWN_ACCOUNT, told } from './support/bank-lines.js';
import { expectHealthy } from './support/payout-invariants.js';
import { confirmNoTotals } from './support/no-totals.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop();
await confirmNoTotals(app);
await collectionAccount(app);
const DAY = app.clock.now().toISOString().slice(0, 10);
const ACCOUNT = 'DE71110220330123456789';
/** A payer can write it wherever he chooses the words. */
const CHOSEN = 'LT121000011101001000';

let files = 0;
let amounts = 1_000;

async function bring(...texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    const options = { mode: 'test', name: 'a.txt', source: 'cli' } as const;
    const result = await app.get(BankImportService).import({ bytes: Buffer.from(text) }, options);
    expect(result).toMatchObject({ result: 'imported' });
  }
}

const statement = (entry: WrittenEntry) => ({
  account: OWN_ACCOUNT,
  day: DAY,
  id: `S${++files}`,
  entries: [entry],
});

const mt940 = (entry: WrittenEntry): string => mt940File(statement(entry));
/** Some bank puts the payer's own reference below the entry. */
const below = ({ e2e, ...entry }: WrittenEntry): string =>
  mt940(entry).replace('NTRFNONREF\n', `NTRFNONREF\n${e2e}\n`);

/** Some bank writes a payer's text alone. */
const textAlone = ({ text, ...entry }: WrittenEntry): string =>
  mt940(entry).replace(/:86:[^:]*/, `:86:/IBAN/${CHOSEN}/REMI/${text!}\n`);

describe('one transfer whose payer calls it by an IBAN', () => {
  const TELLINGS: [string, (entry: WrittenEntry) => string, number][] = [
    ['below the entry', below, 0],
    // The account may as well be the bank's: a person has to say.
    ['in marks of a text', textAlone, 1],
  ];
  const BOTH = TELLINGS.flatMap(([where, write, asked]) =>
    [true, false].map((camtFirst) => ({ where, write, asked, camtFirst })),
  );

  it.each(BOTH)(
    '$where is paid once, camt first: $camtFirst',
    async ({ write, asked, camtFirst }) => {
      const amount = (amounts += 100);
      const order = await shop.order({ amount: 2 * amount });
      const text = await told(app, shop, order);
      const entry = { amount, text, e2e: CHOSEN };
      const texts = [
        camtFile('054', statement({ ...entry, payer: { iban: ACCOUNT } })),
        write(entry),
      ];
      await bring(...(camtFirst ? texts : texts.toReversed()));
      expect((await shop.read(order.txid)).body).toMatchObject({ amountReceived: amount });
      const filter = { mode: 'test', account: OWN_ACCOUNT } as const;
      const lines = await app.get(BankLineRepository).list(filter, 10_000);
      const same = lines.filter((line) => line.amount === amount);
      expect(same.filter(({ reason }) => reason === 'possible_duplicate')).toHaveLength(asked);
      expect(same).toHaveLength(1 + asked);
      await expectHealthy(app);
    },
  );
});
