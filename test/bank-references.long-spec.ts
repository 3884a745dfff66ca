import { describe, expect, it } from '@jest/globals';
import { decide, type Surroundings } from '../src/bank/matching/matching.js';
import {
  doubtfulReferences,
  nearReferences,
  sureReferences,
} from '../src/bank/matching/reference-clues.js';
import {
  newTransferReference,
  printedReference,
  readCreditorReference,
  transferReferencesIn,
} from '../src/common/money/creditor-reference.js';
import type { BankLine } from '../src/database/bank/lines/bank-line.entity.js';
import type { KnownOrder } from '../src/database/bank/matching/matching.repository.js';

const CREDITS = 10_000;
const DAMAGED = 5_000;
const MISTAKES = 1_000_000;

/** Numbers that look random and are the same in each run. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const roll = dice(62);

const orders: readonly KnownOrder[] = Array.from({ length: CREDITS }, (_, n) => ({
  merchantId: 'm',
  txid: `t${n}`,
  mode: 'test',
  orderMerchantId: `order-${n}`,
  status: 'open',
  statusReason: null,
  currency: 'EUR',
  amount: 100 + roll(10_000),
  amountReceived: 0,
  instructedAccount: null,
  reference: newTransferReference('test'),
}));
const byReference = new Map(orders.map((order) => [order.reference!, order]));

/** What the rules are told: the orders that are there under any of the clues. */
function around(line: BankLine): Surroundings {
  const seen = [...sureReferences(line), ...doubtfulReferences(line)];
  const names = [...seen.map(({ reference }) => reference), ...nearReferences(line)];
  const found = [...new Set(names)].flatMap((name) => byReference.get(name) ?? []);
  return { isOurAccount: true, orders: found, numbered: [] };
}

const digits = (count: number): string =>
  Array.from({ length: count }, () => String(roll(10))).join('');

/** What else stands in such lines: dates, amounts, customers' numbers, other people's references. */
const noise = (): string =>
  [
    `Rechnung ${digits(8)} vom 03.02.2026`,
    `/ROC/${digits(12)} SVWZ+Danke`,
    'Überweisung für die Bestellung, viele Grüße',
    `IBAN: DE${digits(20)} BIC: COBADEFFXXX`,
    `REF ${digits(3)} RF-Kunde`,
    `RF${digits(12)} EUR 1.234,56`,
    '',
  ][roll(7)]!;

const cutAt = (text: string, at: number): string => `${text.slice(0, at)} ${text.slice(at)}`;

/** How people, forms and banks write a reference. */
const SPELLINGS: Readonly<Record<string, (reference: string) => Partial<BankLine>>> = {
  'in a field of its own': (value) => ({ references: [{ value, type: 'SCOR' }] }),
  'in a field of another kind': (value) => ({ references: [{ value, type: null }] }),
  'as it is': (reference) => ({ text: `${noise()} ${reference} ${noise()}` }),
  'in groups': (reference) => ({ text: `${noise()} ${printedReference(reference)} ${noise()}` }),
  'in small letters': (reference) => ({ text: `${noise()} ${reference.toLowerCase()}` }),
  'with dashes': (reference) => ({ text: printedReference(reference).replaceAll(' ', '-') }),
  'cut in the middle': (reference) => ({ text: cutAt(`${noise()} ${reference}`, 20 + roll(20)) }),
  'glued to words': (reference) => ({ text: `Order${reference}Thanks` }),
  'glued to digits': (reference) => ({ text: `${digits(9)}${reference}${digits(9)}` }),
  'with RF apart': (reference) => ({ text: `RF : ${reference.slice(2)} ${noise()}` }),
  'in wide signs, over lines': (reference) => ({
    text: [...printedReference(reference)]
      .map((sign) => (sign === ' ' ? '\n' : String.fromCodePoint(sign.codePointAt(0)! + 0xfee0)))
      .join(''),
  }),
  'as end-to-end id': (endToEndId) => ({ endToEndId, text: noise() }),
};

const lineWith = (changes: Partial<BankLine>): BankLine =>
  ({
    mode: 'test',
    direction: 'in',
    status: 'booked',
    kind: 'payment',
    state: 'unmatched',
    reason: null,
    contradicts: null,
    currency: 'EUR',
    references: [],
    text: null,
    endToEndId: null,
    identifiers: {},
    amount: 500,
    ...changes,
  }) as unknown as BankLine;

/** References that somebody has damaged. */
const DAMAGES: readonly ((reference: string) => string)[] = [
  (text) => replaced(text, 2 + roll(18), (digit) => String((Number(digit) + 1 + roll(9)) % 10)),
  (text) => without(text, 2 + roll(18)),
  (text) => text.slice(0, 10 + roll(8)),
  (text) => swapped(text, 2 + roll(17)),
  (text) => `${text.slice(0, 6)}${digits(4)}${text.slice(10)}`,
  () => '',
];

const replaced = (text: string, at: number, by: (sign: string) => string): string =>
  `${text.slice(0, at)}${by(text[at]!)}${text.slice(at + 1)}`;
const without = (text: string, at: number): string => text.slice(0, at) + text.slice(at + 1);
const swapped = (text: string, at: number): string =>
  `${text.slice(0, at)}${text[at + 1]!}${text[at]!}${text.slice(at + 2)}`;

describe('references in lines of banks', () => {
  it(`pay the right order in ${CREDITS} of ${CREDITS} credits, in 12 spellings with noise`, () => {
    const spellings = Object.entries(SPELLINGS);
    expect(spellings).toHaveLength(12);
    const missed: string[] = [];
    const wrong: string[] = [];
    for (const [n, order] of orders.entries()) {
      const [name, write] = spellings[n % spellings.length]!;
      const line = lineWith({ ...write(order.reference!), amount: order.amount });
      const { state, allocations } = decide(line, around(line));
      if (state !== 'matched') missed.push(`${name}: ${line.text}`);
      const isRight = allocations.every((each) => each.order === order);
      if (!isRight || allocations.length > 1) wrong.push(`${name}: ${line.text}`);
    }
    expect({ missed: missed.slice(0, 5), wrong }).toEqual({ missed: [], wrong: [] });
  });

  it(`pay nothing in ${DAMAGED} credits where they are damaged or missing`, () => {
    const paid: string[] = [];
    let near = 0;
    for (let n = 0; n < DAMAGED; n++) {
      const order = orders[n]!;
      let damaged = DAMAGES[n % DAMAGES.length]!(order.reference!);
      // Two equal neighbours that change places are no damage.
      while (damaged === order.reference) damaged = swapped(damaged, 2 + roll(17));
      const text = `${noise()} ${damaged} ${noise()}`;
      const line = lineWith({ text, amount: order.amount });
      const { state, allocations, suggestions } = decide(line, around(line));
      if (state === 'matched' || allocations.length > 0) paid.push(text);
      if (suggestions.some((each) => each.order === order)) near++;
    }
    expect(paid).toEqual([]);
    // A person is shown the order behind most of those with one mistake.
    expect(near).toBeGreaterThan(DAMAGED / 4);
  });

  it(`match no other order in ${MISTAKES} mistakes of a digit or two neighbours`, () => {
    let made = 0;
    let other = 0;
    let valid = 0;
    for (let n = 0; made < MISTAKES; n++) {
      const reference = orders[n % CREDITS]!.reference!;
      const digit = 2 + roll(18);
      const wrong =
        n % 2
          ? replaced(reference, digit, () => String(roll(10)))
          : swapped(reference, 2 + roll(17));
      if (wrong === reference) continue;
      made++;
      if (readCreditorReference(wrong) !== null) valid++;
      other += transferReferencesIn(wrong).filter((each) => byReference.has(each)).length;
    }
    expect({ other, valid }).toEqual({ other: 0, valid: 0 });
  }, 120_000);

  it('are not believed without their letters or with letters for digits, unless all else fits', () => {
    const order = orders[0]!;
    const lookAlike = order.reference!.replaceAll('0', 'O').replaceAll('1', 'I');
    for (const text of [order.reference!.slice(2), lookAlike, `x${order.reference!.slice(2)}9`]) {
      const exact = lineWith({ text, amount: order.amount });
      const less = lineWith({ text, amount: order.amount - 1 });
      const ended = { ...order, status: 'expired' } as const;
      const known = { isOurAccount: true, orders: [order], numbered: [] };
      expect(decide(exact, known).state).toBe('matched');
      expect(decide(less, known)).toMatchObject({ state: 'suggested', reason: 'looks_like' });
      expect(decide(exact, { ...known, orders: [ended] })).toMatchObject({
        state: 'suggested',
        reason: 'order_finished',
      });
    }
  });
});
