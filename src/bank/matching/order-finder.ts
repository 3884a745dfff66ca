import { Injectable } from '@nestjs/common';
import type { BankLine } from '../../database/bank/lines/bank-line.entity.js';
import { CollectionAccountRepository } from '../../database/bank/collection-accounts/collection-account.repository.js';
import {
  type KnownOrder,
  MatchingRepository,
  type WantedNumber,
} from '../../database/bank/matching/matching.repository.js';
import type { Mode } from '../../database/merchants/api-key.entity.js';
import { eachInTurn } from '../../common/loop-turns.js';
import type { Suggestion, Surroundings } from './matching.js';
import {
  doubtfulReferences,
  nearReferences,
  placesLookedAt,
  sureReferences,
} from './reference-clues.js';

/** Words per line that are tried as order numbers. */
const NUMBERS_MAX = 40;
const NUMBER = /[A-Za-z0-9][A-Za-z0-9._:/-]{2,63}/g;
/** References and order numbers per query. */
const NAMES_MAX = 2_000;
/** Maximum orders per number: each merchant has at most one. */
const NUMBERED_MAX = 20;
/** Maximum orders found by amount alone. */
const HINTS_MAX = 50;

type LookAround = (line: BankLine) => Surroundings;

/** Loads the input of the matching rules. */
@Injectable()
export class OrderFinder {
  constructor(
    private readonly matching: MatchingRepository,
    private readonly accounts: CollectionAccountRepository,
  ) {}

  /** Loads the surroundings of all lines with a few queries. */
  async around(lines: readonly BankLine[]): Promise<LookAround> {
    const ours = await this.ourAccounts(lines);
    const orders = new Map<string, KnownOrder[]>();
    const numbered = new Map<string, KnownOrder[]>();
    const incoming = lines.filter(isIncoming);
    for (const [mode, some] of Map.groupBy(incoming, (line) => line.mode)) {
      await this.addNamed(orders, mode, some, sureOf);
      // Only for lines without a written-out reference; most lines have nothing else.
      const others = some.filter(({ id }) => !orders.has(id));
      await this.addNamed(orders, mode, others, unsureOf);
      await this.addNumbered(numbered, mode, others);
    }
    return (line) => ({
      isOurAccount: ours.has(accountKey(line)),
      orders: orders.get(line.id) ?? [],
      numbered: numbersIn(line).flatMap((number) => numbered.get(number) ?? []),
    });
  }

  /** Orders that match by amount only, those of known payers first. */
  async hints(line: BankLine): Promise<Suggestion[]> {
    const { mode, amount, currency, counterpartyAccount } = line;
    if (amount === null || currency === null || line.direction === 'out') return [];
    const byPayer =
      counterpartyAccount === null
        ? []
        : await this.matching.findByPayer(mode, counterpartyAccount, currency, amount, HINTS_MAX);
    const byAmount = await this.matching.findByAmount(mode, currency, amount, HINTS_MAX);
    const known = new Set(byPayer.map(({ txid }) => txid));
    return [
      ...byPayer.map((order) => ({ order, because: 'payer_and_amount' }) as const),
      ...byAmount
        .filter(({ txid }) => !known.has(txid))
        .map((order) => ({ order, because: 'amount' }) as const),
    ];
  }

  private async ourAccounts(lines: readonly BankLine[]): Promise<Set<string>> {
    const one = new Map(lines.map((line) => [accountKey(line), line]));
    const ours = new Set<string>();
    for (const [key, line] of one) if (await this.accounts.isKnown(line)) ours.add(key);
    return ours;
  }

  private async addNamed(
    found: Map<string, KnownOrder[]>,
    mode: Mode,
    lines: readonly BankLine[],
    namesOf: (line: BankLine) => string[],
  ): Promise<void> {
    const named = await eachInTurn(lines, (line) => ({ id: line.id, references: namesOf(line) }));
    const all = new Set(named.flatMap(({ references }) => references));
    const known = new Map<string | null, KnownOrder>();
    for (const some of slices([...all], NAMES_MAX))
      for (const order of await this.matching.findByReference(mode, some))
        known.set(order.reference, order);
    for (const { id, references } of named) {
      const its = references.flatMap((reference) => known.get(reference) ?? []);
      if (its.length > 0) found.set(id, its);
    }
  }

  private async addNumbered(
    numbered: Map<string, KnownOrder[]>,
    mode: Mode,
    lines: readonly BankLine[],
  ): Promise<void> {
    const wanted = (await eachInTurn(lines, wantedNumbers)).flat();
    for (const some of slices(wanted, NAMES_MAX))
      for (const order of await this.matching.findByNumber(mode, some, NUMBERED_MAX)) {
        const { orderMerchantId } = order;
        const others = numbered.get(orderMerchantId) ?? [];
        if (!others.some(({ txid }) => txid === order.txid))
          numbered.set(orderMerchantId, [...others, order]);
      }
  }
}

const slices = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
    all.slice(at * size, (at + 1) * size),
  );

const accountKey = ({ mode, currency, account }: BankLine): string =>
  `${mode} ${currency} ${account}`;

const sureOf = (line: BankLine): string[] => sureReferences(line).map(({ reference }) => reference);

const unsureOf = (line: BankLine): string[] => [
  ...new Set([
    ...doubtfulReferences(line).map(({ reference }) => reference),
    ...nearReferences(line),
  ]),
];

/** Only incoming money can pay an order. */
const isIncoming = ({ direction, kind }: BankLine): boolean =>
  direction === 'in' && kind === 'payment';

/** Possible order numbers with the amount that would have to be due. */
const wantedNumbers = (line: BankLine): WantedNumber[] =>
  line.amount === null || line.currency === null
    ? []
    : numbersIn(line).map((number) => ({
        number,
        currency: line.currency!,
        due: line.amount!,
      }));

/** Words without a digit are skipped: order numbers can be any word. */
function numbersIn(line: BankLine): string[] {
  if (!isIncoming(line)) return [];
  // The end-to-end id first: it is one word, the other texts may have many.
  const words = placesLookedAt(line)
    .toReversed()
    .flatMap(([, text]) => text.match(NUMBER) ?? [])
    .filter((word) => /\d/.test(word));
  return [...new Set(words.flatMap((word) => [word, withoutEnd(word)]))].slice(0, NUMBERS_MAX);
}

/** Strips punctuation that follows a number in a sentence or list. */
const withoutEnd = (word: string): string => word.replace(/[.:/-]+$/, '');
