import { describe, expect, it } from '@jest/globals';
import { BankImportService } from '../src/bank/import/import.service.js';
import { BankLineRepository } from '../src/database/bank/lines/bank-line.repository.js';
import { camtFile, type WrittenEntry } from './support/bank-file.js';
import { collectionAccount, OWN_ACCOUNT, told } from './support/bank-lines.js';
import { confirmNoTotals } from './support/no-totals.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop();
await confirmNoTotals(app);
await collectionAccount(app);
const DAY = app.clock.now().toISOString().slice(0, 10);
const dayBefore = (days: number): string =>
  new Date(Date.parse(DAY) - days * 86_400_000).toISOString().slice(0, 10);

let files = 0;

interface Booking {
  readonly amount: number;
  readonly text: string;
  readonly valuedOn: string;
  readonly e2e?: string;
}

const camt = (kind: '052' | '053', { amount, text, valuedOn, e2e }: Booking): string => {
  const entry: WrittenEntry = { amount, text, valuedOn, ...(e2e && { e2e }) };
  return camtFile(kind, { account: OWN_ACCOUNT, day: DAY, id: `C${++files}`, entries: [entry] });
};

/** The entry date of `:61:` is optional. */
function mt940({ amount, text, valuedOn, e2e }: Booking): string {
  const short = (day: string) => day.slice(2).replaceAll('-', '');
  const money = `${Math.floor(amount / 100)},${String(amount % 100).padStart(2, '0')}`;
  const details = `166?00GUTSCHRIFT?20${e2e ? `EREF+${e2e}?21` : ''}SVWZ+${text}`;
  return `:20:S${++files}
:25:${OWN_ACCOUNT}
:28C:1/1
:60F:C${short(DAY)}EUR0,
:61:${short(valuedOn)}C${money}NTRFNONREF
:86:${details.match(/.{1,65}/g)!.join('\n')}
:62F:C${short(DAY)}EUR${money}
-
`;
}

const FORMATS = {
  'camt.053': (booking: Booking) => camt('053', booking),
  'camt.052 without booking days': (booking: Booking) =>
    camt('052', booking).replaceAll(/<BookgDt>.*?<\/BookgDt>/g, ''),
  'MT940 without entry dates': mt940,
} as const;
type Format = keyof typeof FORMATS;

const bring = (text: string) =>
  app
    .get(BankImportService)
    .import({ bytes: Buffer.from(text) }, { mode: 'test', name: 'a.txt', source: 'cli' });

describe('half of a price, reported with and without its booking day', () => {
  const pairs: [Format, Format][] = [
    ['camt.053', 'MT940 without entry dates'],
    ['MT940 without entry dates', 'camt.053'],
    ['camt.053', 'camt.052 without booking days'],
    ['camt.052 without booking days', 'camt.053'],
  ];
  const cases = pairs.flatMap(([first, second]) =>
    [5, 6, 11, 30].flatMap((days) =>
      [undefined, 'E-4711'].map((e2e) => [first, second, days, e2e] as const),
    ),
  );

  it.each(cases)(
    'counts once: %s, then %s, valued %i days before, end-to-end id %s',
    async (first, second, days, e2e) => {
      const amount = 10_000 + 100 * ++files;
      const order = await shop.order({ amount: 2 * amount });
      const text = await told(app, shop, order);
      const booking = { amount, text, valuedOn: dayBefore(days), ...(e2e && { e2e }) };
      await bring(FORMATS[first](booking));
      await bring(FORMATS[second](booking));
      expect((await shop.read(order.txid)).body).toMatchObject({
        status: 'open',
        amountReceived: amount,
      });
    },
  );

  it('counts two halves as two, if their value days are far apart', async () => {
    const amount = 55_500;
    const order = await shop.order({ amount: 2 * amount });
    const text = await told(app, shop, order);
    await bring(FORMATS['MT940 without entry dates']({ amount, text, valuedOn: dayBefore(20) }));
    await bring(FORMATS['camt.053']({ amount, text, valuedOn: dayBefore(0) }));
    const lines = await app
      .get(BankLineRepository)
      .list({ mode: 'test', account: OWN_ACCOUNT }, 10_000);
    expect(lines.filter((line) => line.amount === amount)).toMatchObject([
      { state: 'matched' },
      { state: 'matched' },
    ]);
    expect((await shop.read(order.txid)).body).toMatchObject({ status: 'paid' });
  });
});

describe('a transfer for two orders, of which MT940 without entry dates shows one reference', () => {
  const cases = [5, 6, 8, 30].flatMap((days) =>
    [0, 1].flatMap((shown) => [false, true].map((isLater) => [days, shown, isLater] as const)),
  );

  it.each(cases)(
    'counts once: valued %i days before, shows reference %i, imported later: %s',
    async (days, shown, isLater) => {
      const prices = [70_000 + 100 * ++files, 90_100 + 100 * files];
      const orders = await Promise.all(prices.map((price) => shop.order({ amount: price })));
      const names = await Promise.all(orders.map((order) => told(app, shop, order)));
      const references = names.toSorted();
      const amount = prices[0]! + prices[1]!;
      const valuedOn = dayBefore(days);
      const texts = [
        FORMATS['camt.053']({ amount, text: references.join(' '), valuedOn }),
        mt940({ amount, text: references[shown]!, valuedOn }),
      ];
      for (const text of isLater ? texts : texts.toReversed()) await bring(text);
      const read = await Promise.all(orders.map(({ txid }) => shop.read(txid)));
      const received = read.reduce((sum, { body }) => sum + body['amountReceived'], 0);
      expect(received).toBeLessThanOrEqual(amount);
    },
  );
});
