import { describe, expect, it } from '@jest/globals';
import { BankBalanceService } from '../src/bank/import/balance.service.js';
import { BankImportService } from '../src/bank/import/import.service.js';
import { ManualReconciliation } from '../src/bank/matching/manual-reconciliation.service.js';
import { MatcherService } from '../src/bank/matching/matcher.service.js';
import { PossibleDuplicatesService } from '../src/bank/matching/possible-duplicates.service.js';
import { newTransferReference } from '../src/common/money/creditor-reference.js';
import type { BankLine } from '../src/database/bank/lines/bank-line.entity.js';
import { BankLineRepository } from '../src/database/bank/lines/bank-line.repository.js';
import {
  camtFile,
  mt940File,
  type WrittenEntry,
  type WrittenStatement,
} from './support/bank-file.js';
import { collectionAccount, OWN_ACCOUNT, told } from './support/bank-lines.js';
import type { OrderJson } from './support/client.js';
import { select } from './support/facts.js';
import { confirmNoTotals } from './support/no-totals.js';
import { expectHealthy } from './support/payout-invariants.js';
import { person } from './support/people.js';
import { rounds, together } from './support/race.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop();
await collectionAccount(app);
await confirmNoTotals(app);
const reconciliation = app.get(ManualReconciliation);
const duplicates = app.get(PossibleDuplicatesService);
const operator = await person(app, 'operator');
const DAY = app.clock.now().toISOString().slice(0, 10);

let files = 0;
let amounts = 1_000;

/** No other test has such an amount. */
const newAmount = (): number => (amounts += 100);

async function bring(text: string) {
  const options = { mode: 'test', name: 'a.txt', source: 'cli' } as const;
  const file = { bytes: Buffer.from(text) };
  const result = await app.get(BankImportService).import(file, options);
  expect(result).toMatchObject({ result: 'imported' });
  return result;
}

/** Statements of the day with equal balances would have equal money, so each test begins with another balance. */
const statement = (...entries: WrittenEntry[]): WrittenStatement => ({
  account: OWN_ACCOUNT,
  day: DAY,
  opening: amounts * 1_000,
  id: `S${++files}`,
  entries,
});
const camt = (message: '052' | '053' | '054', ...entries: WrittenEntry[]): string =>
  camtFile(message, statement(...entries));
const mt940 = (...entries: WrittenEntry[]): string => mt940File(statement(...entries));

/** A statement with one entry, whose details are written in another way than `mt940File` does. */
function mt940With(amount: number, details: string): string {
  const [money, closing] = [amount, amounts * 1_000 + amount].map(
    (minor) => `${Math.floor(minor / 100)},${String(minor % 100).padStart(2, '0')}`,
  );
  const day = DAY.slice(2).replaceAll('-', '');
  return `:20:S${++files}\n:25:${OWN_ACCOUNT}\n:28C:1/1\n:60F:C${day}EUR${amounts * 10},\n:61:${day}C${money}NTRFNONREF
:86:${details.match(/.{1,65}/g)!.join('\n')}\n:62F:C${day}EUR${closing}\n-\n`;
}

/** As Dutch banks write it. */
const dutch = ({ amount, e2e, text }: WrittenEntry): string =>
  mt940With(amount, `/TRTP/SEPA OVERBOEKING/EREF/${e2e!}/REMI/${text!}/`);

/** As German banks write it when nothing but a text is there. */
const textAlone = ({ amount, text }: WrittenEntry): string =>
  mt940With(
    amount,
    `166?00GUTSCHRIFT${text!
      .match(/.{1,27}/g)!
      .map((part, at) => `?2${at}${part}`)
      .join('')}`,
  );

/** Those come last that may be, or are, another one. */
async function linesOf(amount: number, account = OWN_ACCOUNT): Promise<BankLine[]> {
  const lines = await app.get(BankLineRepository).list({ mode: 'test', account }, 10_000);
  return lines
    .filter((line) => line.amount === amount)
    .toSorted((a, b) => Number(a.duplicateOf !== null) - Number(b.duplicateOf !== null));
}

/** @returns one order that waits for so much, and its reference */
async function waiting(amount: number): Promise<{ order: OrderJson; reference: string }> {
  const order = await shop.order({ amount });
  return { order, reference: await told(app, shop, order) };
}

const partOf = ({ txid }: OrderJson, amount: number) => ({
  merchantId: shop.merchantId,
  txid,
  amount,
});

async function paidOf(...orders: OrderJson[]): Promise<number> {
  const read = await Promise.all(orders.map(({ txid }) => shop.read(txid)));
  return read.filter(({ body }) => body.status === 'paid').length;
}

const possibleDuplicateOf = async (amount: number): Promise<BankLine> =>
  (await linesOf(amount)).find(({ reason }) => reason === 'possible_duplicate')!;

type Pays = (a: string, b: string) => Pick<WrittenEntry, 'e2e' | 'text'>;

describe('a booking that two formats read differently, because its payer wrote their marks', () => {
  const STORIES: readonly (readonly [string, Pays, (entry: WrittenEntry) => string])[] = [
    ['SVWZ+ in the end-to-end id', (a, b) => ({ e2e: `ASVWZ+${a}`, text: b }), mt940],
    [
      'KREF+ and SVWZ+ in the text',
      (a, b) => ({ text: `${a.slice(0, 9)} KREF+${b} SVWZ+${a.slice(9)}` }),
      textAlone,
    ],
    ['/REMI/ in the end-to-end id', (a, b) => ({ e2e: `A/REMI/${a}`, text: b }), dutch],
  ];
  const BOTH = STORIES.flatMap(([name, pays, mt]) =>
    ([true, false] as const).map((camtFirst) => ({ name, pays, mt, camtFirst })),
  );

  it.each(BOTH)(
    'pays one order at most: $name, camt first: $camtFirst',
    async ({ pays, mt, camtFirst }) => {
      const amount = newAmount();
      const [one, other] = [await waiting(amount), await waiting(amount)];
      const entry = { amount, ...pays(one.reference, other.reference) };
      const texts = [camt('053', entry), mt(entry)];
      for (const text of camtFirst ? texts : texts.toReversed()) await bring(text);
      const [first, ...others] = await linesOf(amount);
      // MT940 alone does not say which of the two orders its payer meant.
      expect(await paidOf(one.order, other.order)).toBe(camtFirst ? 1 : 0);
      const state = camtFirst ? 'matched' : 'suggested';
      expect(first).toMatchObject({ state, duplicateOf: null });
      const waits = { state: 'suggested', reason: 'possible_duplicate', duplicateOf: first!.id };
      expect(others.slice(1)).toEqual([]);
      for (const line of others) expect(line).toMatchObject(waits);
      await expectHealthy(app);
    },
  );
});

describe('what only payers wrote differently', () => {
  const BANK_SILENT: readonly (readonly [string, (reference: string) => Partial<WrittenEntry>])[] =
    [
      ['the end-to-end id', (e2e) => ({ e2e })],
      ['the text', (text) => ({ text })],
      ['the structured reference', (reference) => ({ reference })],
    ];

  it.each(BANK_SILENT)('makes no second booking: %s', async (_, said) => {
    const amount = newAmount();
    const [one, other] = [await waiting(amount), await waiting(amount)];
    await bring(camt('054', { amount, ...said(one.reference) }));
    await bring(camt('053', { amount, ...said(other.reference) }));
    expect(await paidOf(one.order)).toBe(1);
    expect(await paidOf(other.order)).toBe(0);
    const [first, second] = await linesOf(amount);
    expect(second).toMatchObject({ reason: 'possible_duplicate', duplicateOf: first!.id });
    await expectHealthy(app);
  });

  it('makes none either beside a reference of the bank in common', async () => {
    const amount = newAmount();
    const [one, other] = [await waiting(amount), await waiting(amount)];
    await bring(camt('054', { amount, acctSvcrRef: `R${amount}`, text: one.reference }));
    await bring(camt('053', { amount, acctSvcrRef: `R${amount}`, text: other.reference }));
    expect(await paidOf(one.order, other.order)).toBe(1);
    expect(await possibleDuplicateOf(amount)).toBeDefined();
  });

  it('makes none where one was announced', async () => {
    const amount = newAmount();
    const [one, other] = [await waiting(amount), await waiting(amount)];
    await bring(camt('052', { amount, status: 'announced', e2e: 'A', text: one.reference }));
    await bring(camt('054', { amount, e2e: 'B', text: other.reference }));
    await bring(camt('053', { amount, e2e: 'A', text: one.reference }));
    expect(await paidOf(other.order)).toBe(1);
    expect(await paidOf(one.order)).toBe(0);
    expect(await possibleDuplicateOf(amount)).toMatchObject({ endToEndId: 'A' });
    await expectHealthy(app);
  });

  it('keeps bookings apart that the bank tells apart, or that one statement tells', async () => {
    const payer = (iban: string) => ({ payer: { iban } });
    const ALICE = payer('DE71110220330123456789');
    const BOB = payer('NL91ABNA0417164300');
    const pairs: readonly (readonly [Partial<WrittenEntry>, Partial<WrittenEntry>])[] = [
      [{ acctSvcrRef: 'B1' }, { acctSvcrRef: 'B2' }],
      [{ transactionId: 'T1' }, { transactionId: 'T2' }],
      [ALICE, BOB],
    ];
    for (const [mine, theirs] of pairs)
      for (const message of ['054', '052'] as const) {
        const amount = newAmount();
        const [one, other] = [await waiting(amount), await waiting(amount)];
        await bring(camt('054', { amount, text: one.reference, ...mine }));
        await bring(camt(message, { amount, text: other.reference, ...theirs }));
        // Names may be other ones in another kind of message; accounts are the same.
        const areTwo = message === '054' || theirs === BOB;
        expect(await paidOf(one.order, other.order)).toBe(areTwo ? 2 : 1);
      }
    const amount = newAmount();
    const [one, other] = [await waiting(amount), await waiting(amount)];
    await bring(camt('054', { amount, text: one.reference }, { amount, text: other.reference }));
    expect(await paidOf(one.order, other.order)).toBe(2);
  });

  it('pays nobody with the money of somebody else', async () => {
    const amount = newAmount();
    const [one, other] = [await waiting(amount), await waiting(amount)];
    // A stranger, who named no order, and a payer whom the formats read differently.
    await bring(camt('053', { amount, text: other.reference }, { amount, text: 'Rent' }));
    await bring(mt940({ amount, text: one.reference }, { amount, text: 'Miete' }));
    expect(await paidOf(other.order)).toBe(1);
    expect(await paidOf(one.order)).toBe(0);
    expect(await linesOf(amount)).toHaveLength(3);
  });

  it('is asked about only after surer pairs were found, however a statement is cut', async () => {
    const account = 'PIECES';
    const amount = newAmount();
    const entry = (n: number) => ({ amount, e2e: `E${n}` });
    const entries = Array.from({ length: 40 }, (_, n) => entry(n));
    const written = (all: readonly WrittenEntry[]) => ({
      account,
      day: DAY,
      id: `S${++files}`,
      entries: all,
    });
    await bring(camtFile('054', written(entries)));
    // Another one comes first: the one that it could be is told at the end.
    await bring(camtFile('053', written([entry(99), ...entries])));
    expect(await linesOf(amount, account)).toHaveLength(41);
    for (const line of await linesOf(amount, account)) expect(line.duplicateOf).toBeNull();
    // One of those that are there is not told: each new one may be it.
    await bring(mt940File(written([entry(50), entry(51), ...entries.slice(1)])));
    const asked = (await linesOf(amount, account)).filter(
      ({ duplicateOf }) => duplicateOf !== null,
    );
    expect(asked.map(({ endToEndId }) => endToEndId).toSorted()).toEqual(['E50', 'E51']);
  });
});

describe('a possible duplicate', () => {
  /** Two lines of different payers' words. @returns the second */
  async function told2(amount: number) {
    const [one, other] = [await waiting(amount), await waiting(amount)];
    await bring(camt('053', { amount, e2e: `A${amount}`, text: one.reference }));
    const again = { amount, e2e: `B${amount}`, text: other.reference };
    await bring(mt940(again));
    return { one, other, again, line: await possibleDuplicateOf(amount) };
  }

  it('is matched by nobody, and ignored by nobody', async () => {
    const amount = newAmount();
    const { other, line } = await told2(amount);
    const { merchantId } = shop;
    const part = { merchantId, txid: other.order.txid, amount };
    expect(await reconciliation.matchManually('test', line.id, [part], operator.id, '')).toBe(
      'not_waiting',
    );
    expect(await reconciliation.ignore('test', line.id, 'x')).toBe('not_possible');
    const allocate = `INSERT INTO bank_allocations (merchant_id, payment_id, txid, line_id, amount, evidence,
        matched_by, created_at)
      SELECT merchant_id, gen_random_uuid(), txid, $1, 1, '{}', $2, now() FROM bank_allocations LIMIT 1`;
    await expect(select(app, allocate, [line.id, operator.id])).rejects.toThrow(
      /by itself|payment/,
    );
  });

  it('stays one when a later file adds to it', async () => {
    const amount = newAmount();
    const { other, again, line } = await told2(amount);
    await bring(camt('054', { ...again, payer: { name: 'Bob' } }));
    expect(await possibleDuplicateOf(amount)).toMatchObject({
      id: line.id,
      counterpartyName: 'Bob',
    });
    expect(await paidOf(other.order)).toBe(0);
  });

  it('is the same booking once a person says so, for later files, too', async () => {
    const amount = newAmount();
    const { one, other, again, line } = await told2(amount);
    expect(await duplicates.sameBooking('test', line.id)).toBe('done');
    expect(await duplicates.sameBooking('test', line.id)).toBe('not_possible');
    await bring(camt('054', again));
    await bring(camt('052', { amount, e2e: `A${amount}`, text: one.reference }));
    expect(await paidOf(one.order)).toBe(1);
    expect(await paidOf(other.order)).toBe(0);
    const [first, second, ...more] = await linesOf(amount);
    expect(more).toEqual([]);
    expect(second).toMatchObject({
      state: 'superseded',
      reason: 'same_booking',
      duplicateOf: first!.id,
    });
    const places = await select(
      app,
      'SELECT line_id FROM bank_line_places WHERE line_id = ANY ($1)',
      [[first!.id, second!.id]],
    );
    expect(places.map(({ line_id }) => line_id)).toEqual(
      Array.from({ length: 4 }, () => first!.id),
    );
    // Both in one file are two: the second of them is new.
    await bring(camt('052', { amount, e2e: `A${amount}` }, again));
    expect(await linesOf(amount)).toHaveLength(3);
    await expectHealthy(app);
  });

  it('is another booking once a person says so, who is written down', async () => {
    const amount = newAmount();
    const { one, other, line } = await told2(amount);
    expect(await duplicates.anotherBooking('test', line.id, operator.id)).toBe('done');
    expect(await duplicates.anotherBooking('test', line.id, operator.id)).toBe('not_possible');
    await app.get(MatcherService).matchNew();
    expect(await paidOf(one.order, other.order)).toBe(2);
    const [, second] = await linesOf(amount);
    expect(second).toMatchObject({ state: 'matched', markedDistinctBy: operator.id });
    await expectHealthy(app);
  });

  it('is one or the other, whoever says so at once', async () => {
    await rounds(async () => {
      const { one, other, line } = await told2(newAmount());
      const said = await together(
        (n) =>
          n % 2 === 0
            ? duplicates.sameBooking('test', line.id)
            : duplicates.anotherBooking('test', line.id, operator.id),
        4,
      );
      expect(said.filter((outcome) => outcome === 'done')).toHaveLength(1);
      await app.get(MatcherService).matchNew();
      const [, second] = await linesOf(line.amount!);
      expect(await paidOf(one.order, other.order)).toBe(second!.state === 'superseded' ? 1 : 2);
    });
  });

  it.each([true, false])(
    'takes nothing back until then, also where a file does not call it a return: %s',
    async (isCalledSo) => {
      const amount = newAmount() * 100;
      const { order, reference } = await waiting(amount);
      const payer = { iban: 'NL91ABNA0417164300' };
      await bring(camt('053', { amount, text: reference, payer }));
      const earlier = new Date(Date.parse(DAY) - 86_400_000).toISOString().slice(0, 10);
      const back = {
        amount: 700 + amounts,
        text: reference,
        direction: 'out',
        valuedOn: DAY,
        payer,
      } as const;
      const named = { returned: true, acctSvcrRef: `R${amounts}` } as const;
      const first = camt('054', { ...back, ...named, bookedOn: earlier });
      const second = mt940({ ...back, returned: isCalledSo, bookedOn: DAY });
      for (const file of [first, second]) {
        await bring(file);
        expect((await shop.read(order.txid)).body).toMatchObject({
          amountChargedBack: back.amount,
        });
      }
      const [, line] = await linesOf(back.amount);
      expect(line).toMatchObject({ reason: 'unknown_money_out' });
      expect(line!.duplicateOf).not.toBeNull();
      expect(
        await reconciliation.returnManually('test', line!.id, partOf(order, 1), operator.id),
      ).toBe('not_waiting');
      expect(await duplicates.sameBooking('test', line!.id)).toBe('done');
      for (const file of [first, second]) await bring(file.replace('S', 'T'));
      expect(await linesOf(back.amount)).toHaveLength(2);
      await expectHealthy(app);
    },
  );

  it('is in no balance until then', async () => {
    const account = 'DE02120300000000202051';
    await collectionAccount(app, account);
    const amount = newAmount();
    const written = (e2e: string) => ({
      account,
      day: DAY,
      id: `S${++files}`,
      entries: [{ amount, e2e }],
    });
    const balance = async () =>
      (
        await app.get(BankBalanceService).days({ mode: 'test', account, from: null, until: null })
      ).at(-1);
    await bring(camtFile('053', written('A')));
    await bring(mt940File(written('B')));
    expect(await balance()).toMatchObject({ unmatched: amount, unexplained: 0 });
    const [, line] = await linesOf(amount, account);
    await duplicates.anotherBooking('test', line!.id, operator.id);
    expect(await balance()).toMatchObject({ unmatched: 2 * amount, unexplained: -amount });
  });
});

describe('one booking that two messages date differently', () => {
  const SHIFTS = [-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5];
  const shifted = (days: number): string =>
    new Date(Date.parse(DAY) + days * 86_400_000).toISOString().slice(0, 10);
  const WRITERS = {
    'camt.052': (...all: WrittenStatement[]) => camtFile('052', ...all),
    'camt.053': (...all: WrittenStatement[]) => camtFile('053', ...all),
    'camt.054': (...all: WrittenStatement[]) => camtFile('054', ...all),
    MT940: (...all: WrittenStatement[]) => mt940File(...all),
  } as const;
  type Name = keyof typeof WRITERS;
  const NAMES = Object.keys(WRITERS) as Name[];
  const PAIRS = NAMES.flatMap((first) => NAMES.map((second) => [first, second] as const));
  const REFERENCE = newTransferReference('test');
  let pairs = 0;

  /** What one booking is called in each of both files. */
  type Called = (file: number) => readonly Partial<WrittenEntry>[];
  const CALLED: Readonly<Record<string, Called>> = {
    ofBank: () => [{ acctSvcrRef: 'B1', text: REFERENCE }],
    ofPayer: () => [{ e2e: 'E1', text: REFERENCE }],
    nothing: () => [{ text: 'Rent' }],
    twoInOne: () => [{ acctSvcrRef: 'B1' }, { acctSvcrRef: 'B2' }],
    two: (file) => [{ acctSvcrRef: `B${file}`, text: REFERENCE }],
  };
  const CASES = Object.keys(CALLED).flatMap((name) => SHIFTS.map((shift) => ({ name, shift })));

  /** Each case has an account of its own. Entries are at the days of their statements; the day of value stays. */
  async function toldTwice(
    ...names: readonly Name[]
  ): Promise<(name: string, shift: number) => BankLine[]> {
    const pair = ++pairs;
    const accountOf = (name: string, shift: number) => `SHIFT${pair}${name}${shift}`;
    for (const [file, writer] of names.entries()) {
      const statements = CASES.map(({ name, shift }) => {
        const entries = CALLED[name]!(file).map((entry) => ({
          amount: 1_000,
          valuedOn: DAY,
          ...entry,
        }));
        const day = shifted(file === 0 ? 0 : shift);
        return { account: accountOf(name, shift), day, id: `S${++files}`, entries };
      });
      await bring(WRITERS[writer](...statements));
    }
    const lines = await app.get(BankLineRepository).list({ mode: 'test' }, 100_000);
    return (name, shift) => lines.filter(({ account }) => account === accountOf(name, shift));
  }
  const waitingIn = (lines: readonly BankLine[]): number =>
    lines.filter(({ reason }) => reason === 'possible_duplicate').length;

  it.each(PAIRS)(
    'is once, and two where the bank names two: %s, then %s',
    async (first, second) => {
      const linesWith = await toldTwice(first, second);
      // A payer may have written a reference of MT940, and each kind may have its own: they prove no second booking.
      const doubted = first !== second || first === 'MT940' ? 1 : 0;
      for (const shift of SHIFTS) {
        const found = Object.keys(CALLED).map((name) => [name, linesWith(name, shift)] as const);
        // On another day, and without a reference in common, a person has to say. So it is if one kind of message dates
        // it twice, or repeats it without a reference of the bank where it does not list the day.
        const moved = shift === 0 ? 0 : 1;
        const twice = first === second ? moved : 0;
        const unnamed = first === second && /05[24]$/.test(first) ? 1 : 0;
        const asked = {
          ofBank: twice,
          ofPayer: Math.max(twice, unnamed),
          nothing: Math.max(moved, unnamed),
        };
        const { ofBank, ofPayer, nothing } = asked;
        expect([
          shift,
          Object.fromEntries(found.map(([name, { length }]) => [name, length])),
        ]).toEqual([
          shift,
          {
            ofBank: 1 + ofBank,
            ofPayer: 1 + ofPayer,
            nothing: 1 + nothing,
            twoInOne: 2 + 2 * twice,
            two: 2,
          },
        ]);
        expect([shift, found.map(([, lines]) => waitingIn(lines))]).toEqual([
          shift,
          [ofBank, ofPayer, nothing, 2 * twice, doubted],
        ]);
      }
    },
  );
});

describe('a total and its payments', () => {
  const TOTAL = { a: 10_100, b: 20_300, sum: 30_400 };

  /** Two payments in one entry; and, told alone, another payment of their sum, with a total of them. */
  async function toldBoth(wording: (reference: string) => string, shift: number) {
    const [a, b, sum] = [TOTAL.a + shift, TOTAL.b + shift, TOTAL.sum + 2 * shift];
    const other = await waiting(sum);
    const parts = await Promise.all([waiting(a), waiting(b)]);
    const details = parts.map(({ reference }, n) => ({ amount: [a, b][n]!, text: reference }));
    const batch = camt('054', { amount: sum, details });
    const alone = mt940(
      { amount: sum, text: wording(other.reference) },
      { amount: sum, text: 'SAMMLER' },
    );
    return { sum, batch, alone, orders: [other, ...parts].map(({ order }) => order) };
  }

  it.each([
    ['a reference', (reference: string) => reference, 0],
    ['a reference in words', (reference: string) => `Invoice ${reference} thank you`, 4],
    ['digits of a reference', (reference: string) => reference.replace('RF', ''), 8],
  ])('are no other payment of the sum, which names an order by %s', async (_, wording, shift) => {
    for (const [n, first] of ['batch', 'alone'].entries()) {
      const { sum, batch, alone, orders } = await toldBoth(wording, shift + 2 * n);
      for (const text of first === 'batch' ? [batch, alone] : [alone, batch]) await bring(text);
      expect(await paidOf(...orders)).toBe(3);
      const states = (await linesOf(sum)).map(({ state }) => state).toSorted();
      expect(states).toEqual(['matched', 'suggested']);
    }
    await expectHealthy(app);
  });
});
