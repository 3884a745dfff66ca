import { describe, expect, it } from '@jest/globals';
import { BankImportService } from '../src/bank/import/import.service.js';
import { BankLineRepository } from '../src/database/bank/lines/bank-line.repository.js';
import {
  camtFile,
  type CamtMessage,
  type WrittenEntry,
  type WrittenPayment,
} from './support/bank-file.js';
import { collectionAccount, OWN_ACCOUNT, told } from './support/bank-lines.js';
import { confirmNoTotals } from './support/no-totals.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop();
await confirmNoTotals(app);
await collectionAccount(app);
const DAY = app.clock.now().toISOString().slice(0, 10);
const IBANS = ['NL91ABNA0417164300', 'DE71110220330123456789'] as const;
let files = 0;
/** Each test has its own, an odd one, so that none is the sum of two. */
let amount = 5_001;

async function bring(
  message: CamtMessage,
  ...statements: readonly (readonly WrittenEntry[])[]
): Promise<void> {
  const head = { account: OWN_ACCOUNT, day: DAY };
  const written = statements.map((entries) => ({ ...head, id: `S${++files}`, entries }));
  const text = camtFile(message, ...written);
  const options = { mode: 'test', name: 'a.xml', source: 'cli' } as const;
  const { result } = await app.get(BankImportService).import({ bytes: Buffer.from(text) }, options);
  expect(result).toBe('imported');
}

const lines = async () =>
  (await app.get(BankLineRepository).list({ mode: 'test', account: OWN_ACCOUNT }, 10_000)).filter(
    (line) => line.amount === amount,
  );

type Words = Partial<WrittenPayment>;

const WORDS: readonly [string, (reference: string) => [payer: Words, other: Words]][] = [
  ['a text, and nothing', (reference) => [{ text: reference }, {}]],
  ['a reference, and a text', (reference) => [{ reference }, { text: 'Order 4711' }]],
  ['an end-to-end id, and a text', (e2e) => [{ e2e, text: 'hello' }, { text: 'Invoice 4711' }]],
];

const SHARED: readonly [string, (payments: readonly WrittenPayment[]) => WrittenEntry[]][] = [
  [
    'of one entry',
    (details) => [{ amount: 2 * amount, acctSvcrRef: `BATCH-2026-${amount}`, details }],
  ],
  [
    'of two entries',
    (payments) => payments.map((each) => ({ ...each, acctSvcrRef: `SAME-2026-${amount}` })),
  ],
];

/** Payers' accounts in the first file, and in the second. */
const SHOWN = [
  [false, false],
  [true, false],
  [false, true],
  [true, true],
] as const;

const CASES = SHARED.flatMap(([place, entriesOf]) =>
  SHOWN.flatMap((shown) =>
    (['052', '053', '054'] as const).flatMap((second) =>
      WORDS.map(([words, write]) => [place, words, second, shown, entriesOf, write] as const),
    ),
  ),
);

describe('two payers of one amount with one bank reference', () => {
  it.each(CASES)(
    'keep their money: %s, %s, then camt.%s in another order, accounts shown: %j',
    async (_place, _words, second, shown, entriesOf, write) => {
      amount += 100;
      const order = await shop.order({ amount: 2 * amount });
      const words = write(await told(app, shop, order));
      const payments = (file: 0 | 1): WrittenPayment[] =>
        words.map((each, n) => ({
          amount,
          ...each,
          ...(shown[file] && { payer: { iban: IBANS[n]! } }),
        }));
      await bring('054', entriesOf(payments(0)));
      await bring(second, entriesOf(payments(1).toReversed()));
      expect((await shop.read(order.txid)).body).toMatchObject({
        status: 'open',
        amountReceived: amount,
      });
      expect((await lines()).map(({ reason }) => reason).sort()).toEqual([
        'no_reference',
        'reference',
      ]);
    },
  );
});

describe('a payment with the bank reference and amount of a known one that names an order', () => {
  const others = Array.from({ length: 600 }, (_, n) => ({ amount: 7 + 2 * n, e2e: `O${n}` }));
  const places: Readonly<Record<string, typeof inPieces>> = {
    'in another piece of a statement': inPieces,
    'in another statement of a file': (other, own) => [[[other], [own]]],
    'in an earlier file': (other, own) => [[[other]], [[own]]],
    'in a later file': (other, own) => [[[own]], [[other]]],
    'in the only file': (other) => [[[other]]],
  };
  function inPieces(other: WrittenEntry, own: WrittenEntry): WrittenEntry[][][] {
    return [[[other, ...others, own]]];
  }

  it.each(
    Object.entries(places).flatMap(([place, filesOf]) =>
      (['052', '054'] as const).flatMap((first) =>
        (['booked', 'announced'] as const).flatMap((status) =>
          [{}, { text: 'hello' }].map((words) => [place, first, status, words, filesOf] as const),
        ),
      ),
    ),
  )(
    'pays nothing of the order: %s, after camt.%s, %s, %j',
    async (_, first, status, words, filesOf) => {
      amount += 100;
      const order = await shop.order({ amount: 2 * amount });
      const one = { amount, acctSvcrRef: `DAY-2026-${amount}` };
      const own = { ...one, text: await told(app, shop, order) };
      await bring(first, [{ ...own, status }]);
      for (const file of filesOf({ ...one, ...words }, own)) await bring('053', ...file);
      const { amountReceived } = (await shop.read(order.txid)).body;
      expect([0, amount]).toContain(amountReceived);
      expect(status === 'announced' || amountReceived).toBe(status === 'announced' || amount);
    },
  );
});

describe('two parts of an order with one end-to-end id, of which files show one account', () => {
  it.each([
    ['053', '054', undefined],
    ['052', '053', undefined],
    ['052', '053', '054'],
    ['053', '053', '054'],
    ['054', '053', '052'],
  ] as const)('count as two: camt.%s, camt.%s, camt.%s', async (first, second, third) => {
    amount += 100;
    const order = await shop.order({ amount: 3 * amount });
    const text = await told(app, shop, order);
    const part = (iban: string | null): WrittenEntry => ({
      amount,
      text,
      e2e: `E${amount}`,
      ...(iban !== null && { payer: { iban } }),
    });
    const all = [part(IBANS[0]), part(IBANS[1])];
    await bring(first, [part(null), part(IBANS[0])]);
    if (third) await bring(second, [part(IBANS[0]), part(null)]);
    await bring(third ?? second, third ? all.toReversed() : all);
    expect((await shop.read(order.txid)).body).toMatchObject({
      status: 'open',
      amountReceived: 2 * amount,
    });
    expect((await lines()).map((line) => line.counterpartyAccount).sort()).toEqual(
      IBANS.toSorted(),
    );
  });
});

describe('a payment with the sum and the reference of a batch', () => {
  it.each(['052', '053', '054'] as const)(
    'is not dropped as its total: camt.%s',
    async (second) => {
      amount += 101;
      amount += amount % 2;
      const order = await shop.order({ amount });
      const reference = { acctSvcrRef: `DAY-2026-${amount}` };
      const parts = ['A1', 'A2'].map((e2e) => ({ amount: amount / 2, e2e }));
      const batch: WrittenEntry = { amount, ...reference, details: parts };
      const payment: WrittenEntry = {
        amount,
        text: await told(app, shop, order),
        payer: { iban: IBANS[0] },
        ...reference,
      };
      await bring('054', [batch]);
      await bring(second, [payment]);
      expect(await lines()).toMatchObject([{ state: 'suggested', reason: 'possible_total' }]);
      await bring('053', [batch, payment]);
      expect(await lines()).toMatchObject([{ state: 'matched' }]);
      expect((await shop.read(order.txid)).body).toMatchObject({ status: 'paid' });
    },
  );
});

describe('a booked total of which one payment is booked and the other only announced', () => {
  type File = 'payment' | 'batch' | 'total';
  const orders: File[][] = [
    ['payment', 'batch', 'total'],
    ['payment', 'total', 'batch'],
    ['batch', 'payment', 'total'],
    ['batch', 'total', 'payment'],
    ['total', 'payment', 'batch'],
    ['total', 'batch', 'payment'],
  ];
  const totals = ['called a total', 'with the text of the payment', 'without text'] as const;

  it.each(orders.flatMap((order) => totals.map((kind) => [order, kind] as const)))(
    'counts the payment once: %j, the total %s',
    async (order, kind) => {
      amount += 101;
      const sum = 2 * amount + 2;
      const paid = await shop.order({ amount: 4 * amount });
      const text = await told(app, shop, paid);
      const payment = { amount, text, e2e: `X${amount}`, payer: { iban: IBANS[0] } };
      const other = { amount: amount + 2, e2e: `Y${amount}`, payer: { iban: IBANS[1] } };
      const batch = { amount: sum, acctSvcrRef: `BULK-2026-${amount}` };
      const total = {
        'called a total': { batchOf: 2 },
        'with the text of the payment': { text },
        'without text': {},
      };
      const files: Readonly<Record<File, () => Promise<void>>> = {
        payment: () => bring('054', [payment]),
        batch: () => bring('052', [{ ...batch, status: 'announced', details: [payment, other] }]),
        total: () => bring('053', [{ ...batch, ...total[kind] }]),
      };
      for (const each of order) await files[each]();
      // Nothing shows that both are one payment until both have been counted.
      const isTooLate = kind === 'with the text of the payment' && order[2] === 'batch';
      expect(isTooLate ? [amount + sum] : [amount, sum]).toContain(
        (await shop.read(paid.txid)).body['amountReceived'],
      );
    },
  );
});
