import { uuidv7 } from '../../common/ids.js';
import type { KnownLine, TiedTotal } from '../../database/bank/lines/line-store.repository.js';
import { type IncomingLine, knownBooking } from './incoming-line.js';
import { lineKey } from './line-key.js';
import { doubtfulReferences, sureReferences } from '../matching/reference-clues.js';
import {
  fits,
  asMaybeTotal,
  canBeTotal,
  namesOther,
  type Sureness,
  surenessOf,
} from './total-evidence.js';

/** Payments that a file lists under one entry. */
export interface Batch {
  readonly id: string;
  /** `key` of their total; null when they have no common sum. */
  readonly key: string | null;
  readonly lines: readonly IncomingLine[];
  /** Statements that contain the payments. */
  readonly statements: readonly string[];
}

/**
 * Batches of a piece: entries with two or more payments.
 * @param statementId statement of the piece
 */
export function batchesOf(
  lines: readonly IncomingLine[],
  recognised: (line: IncomingLine) => KnownLine | undefined,
  statementId: string,
  now: Date,
): Batch[] {
  const entries = Map.groupBy(lines, ({ entry }) => entry);
  return [...entries.values()]
    .filter((each) => each.length > 1)
    .map((each) => {
      const known = each.flatMap((line) => recognised(line) ?? []);
      const id = known.find(({ batchId }) => batchId)?.batchId ?? uuidv7(now.getTime());
      const parts = known.filter(({ batchKey }) => batchKey !== null);
      const statements = [statementId, ...statementsOf(parts)];
      return { id, key: batchKeyOf(each), lines: each, statements };
    });
}

/** Lines of entries with two or more payments that have a common sum. */
export const batchedIn = (lines: readonly IncomingLine[]): Set<IncomingLine> =>
  new Set(
    [...Map.groupBy(lines, ({ entry }) => entry).values()]
      .filter((each) => each.length > 1 && batchKeyOf(each) !== null)
      .flat(),
  );

/** Keys of the totals of the lines' entries. */
export const batchKeysOf = (lines: readonly IncomingLine[]): string[] =>
  [...Map.groupBy(lines, ({ entry }) => entry).values()].flatMap(
    (each) => (each.length > 1 && batchKeyOf(each)) || [],
  );

/** Null when the parts differ in direction or currency, or lack an amount. */
function batchKeyOf([first, ...others]: readonly IncomingLine[]): string | null {
  const isOne = others.every(
    ({ direction, currency, amount }) =>
      direction === first!.direction && currency === first!.currency && amount !== null,
  );
  if (!isOne || first!.amount === null) return null;
  const amount = others.reduce((sum, each) => sum + each.amount!, first!.amount);
  return lineKey({ ...first!, amount });
}

/** A total and its payments. */
export interface BatchMatch {
  /** Whether the bank proves the match, by its code for totals or a common reference. Otherwise an operator decides. */
  readonly isCertain: boolean;
  readonly total: Pick<KnownLine, 'id' | 'status' | 'direction'> &
    Partial<Pick<KnownLine, 'state'>>;
  readonly batch: string;
  readonly parts: readonly Pick<KnownLine, 'id' | 'status'>[];
}

/**
 * Matches each item at most once, the surest first, so that an item with the reference is not used up by a weaker
 * match.
 */
export function surestFirst<T>(
  all: readonly T[],
  meeting: (one: T, wanted: Sureness) => BatchMatch | null,
): BatchMatch[] {
  const met = new Set<T>();
  return ([3, 2, 1, 0] as const).flatMap((wanted) =>
    all.flatMap((one) => {
      const found = met.has(one) ? null : meeting(one, wanted);
      if (found) met.add(one);
      return found ?? [];
    }),
  );
}

type PartOf = (line: IncomingLine) => BatchMatch['parts'][number];

/** A stored total of a batch, and whether a common reference proves it. */
interface TotalThere {
  readonly total: KnownLine;
  readonly isSure: boolean;
  readonly sureness: Sureness;
}

/** Stored totals for batches whose payments are in the imported file. */
export class KnownTotals {
  private readonly tied: ReadonlySet<string>;
  private readonly byKey: ReadonlyMap<string, readonly KnownLine[]>;
  private readonly used = new Set<string>();

  constructor(known: readonly KnownLine[]) {
    this.tied = totalledBatches(known);
    this.byKey = Map.groupBy(
      known.filter(({ batchKey }) => batchKey === null),
      ({ key }) => key,
    );
  }

  of(batch: Batch): TotalThere | null {
    const { lines } = batch;
    if (this.tied.has(batch.id)) return null;
    const found = surestOf(namelessFirst(this.candidatesOf(batch)), (line) =>
      namesOther(knownBooking(line), lines) ? 0 : surenessOf(line, lines[0]!),
    );
    return found && { ...found, total: found.one };
  }

  private candidatesOf({ id, key, lines, statements }: Batch): KnownLine[] {
    if (key === null) return [];
    return (this.byKey.get(key) ?? []).filter(
      (line) =>
        !this.used.has(line.id) &&
        (line.batchId === null || line.batchId === id) &&
        fits(line, lines[0]!) &&
        !meet(line.statements, statements) &&
        canBeTotal(line, lines[0]!),
    );
  }

  /** Other lines that have paid orders and may report the total, too, in another format. Call it after `meeting`. */
  paid(batch: Batch, partOf: PartOf): BatchMatch[] {
    return this.candidatesOf(batch)
      .filter(({ state }) => state === 'matched')
      .map((total) => ({
        isCertain: false,
        total,
        batch: batch.id,
        parts: batch.lines.map(partOf),
      }));
  }

  meeting(batch: Batch, partOf: PartOf, wanted: Sureness): BatchMatch | null {
    const there = this.of(batch);
    if (there?.sureness !== wanted) return null;
    this.used.add(there.total.id);
    const { total } = there;
    const parts = batch.lines.map(partOf);
    return { isCertain: wanted > 0, total, batch: batch.id, parts };
  }
}

/** Batches whose total is already linked. */
const totalledBatches = (known: readonly KnownLine[]): Set<string> =>
  new Set(known.flatMap(({ batchId, parentId }) => (parentId !== null && batchId) || []));

/** Payments of a total, and whether a common reference proves them. */
interface PartsThere {
  readonly parts: readonly KnownLine[];
  readonly isSure: boolean;
  readonly sureness: Sureness;
}

/** Stored batches for totals that are in the imported file. */
export class KnownBatches {
  private readonly byKey: ReadonlyMap<string, readonly KnownLine[][]>;
  private readonly used: Set<string>;

  constructor(known: readonly KnownLine[]) {
    const parts = Map.groupBy(
      known.filter(({ batchKey }) => batchKey !== null),
      ({ batchKey }) => batchKey!,
    );
    this.byKey = new Map(
      [...parts].map(([key, all]) => [
        key,
        [...Map.groupBy(all, ({ batchId }) => batchId!).values()],
      ]),
    );
    this.used = totalledBatches(known);
  }

  /** @param statements statements that contain the line */
  of(line: IncomingLine, statements: readonly string[]): PartsThere | null {
    const total = asMaybeTotal(line);
    const mayBe = (this.byKey.get(lineKey(line)) ?? []).filter(
      ([first, ...others]) =>
        !this.used.has(first!.batchId!) &&
        canBeTotal(total, first!) &&
        fits(first!, line) &&
        !meet(statementsOf([first!, ...others]), statements),
    );
    const found = surestOf(mayBe, (parts) =>
      namesOther(line, parts.map(knownBooking)) ? 0 : surenessOf(line, parts[0]!),
    );
    return found && { ...found, parts: found.one };
  }

  meeting(
    line: IncomingLine,
    id: string,
    statements: readonly string[],
    wanted: Sureness,
  ): BatchMatch | null {
    const there = this.of(line, statements);
    if (there?.sureness !== wanted) return null;
    const batch = there.parts[0]!.batchId!;
    this.used.add(batch);
    const total = { id, status: line.status, direction: line.direction };
    return { isCertain: wanted > 0, total, batch, parts: there.parts };
  }
}

const statementsOf = (lines: readonly KnownLine[]): string[] =>
  lines.flatMap(({ statements }) => statements);

/** A statement contains a total or its payments, never both. */
const meet = (some: readonly string[], others: readonly string[]): boolean =>
  some.some((id) => others.includes(id));

const isBooked = ({ status }: Pick<KnownLine, 'status'>): boolean => status === 'booked';

/**
 * `tied`: the payments replace the total. `possible`: the booked total may also be another payment of the same amount,
 * or only some of its payments are booked, or it has paid before they are. `payments_redundant`, `total_redundant`: announcements to drop.
 */
type Effect = 'tied' | 'possible' | 'payments_redundant' | 'total_redundant';

function effectOf({ isCertain, total, parts }: BatchMatch): Effect | null {
  const booked = parts.filter(isBooked).length;
  const isWhole = booked === parts.length;
  if (isCertain && isWhole) return 'tied';
  if (!isBooked(total)) return isCertain ? 'total_redundant' : null;
  if (isCertain && booked === 0) return 'payments_redundant';
  return booked > 0 || total.state === 'matched' ? 'possible' : null;
}

const totalsWith = (effect: Effect, matches: readonly BatchMatch[]): TiedTotal[] =>
  matches
    .filter((match) => effectOf(match) === effect)
    .map(({ total, batch }) => ({ id: total.id, batch }));

/** Totals that their payments replace. */
export const tiedOf = (matches: readonly BatchMatch[]): TiedTotal[] => totalsWith('tied', matches);

/**
 * Totals about which an operator decides. An incoming total of several payments belongs to no single order, whatever
 * text it has.
 */
export const possibleTotalsOf = (matches: readonly BatchMatch[]): TiedTotal[] => [
  ...totalsWith('possible', matches),
  ...totalsWith(
    'payments_redundant',
    matches.filter(({ total }) => total.direction === 'in'),
  ),
];

/** Redundant announcements. */
export const suppressedOf = (matches: readonly BatchMatch[]): string[] => [
  ...totalsWith('total_redundant', matches).map(({ id }) => id),
  ...matches
    .filter((match) => effectOf(match) === 'payments_redundant')
    .flatMap(({ parts }) => parts.map(({ id }) => id)),
];

type Worded = Pick<KnownLine, 'references' | 'text' | 'endToEndId'>;

/** Of equal lines, those without an order come first: at most one of them is the total. */
export const namelessFirst = <Line extends Worded>(lines: readonly Line[]): Line[] =>
  [false, true].flatMap((isNaming) => lines.filter((line) => namesOrder(line) === isNaming));

const namesOrder = (line: Worded): boolean =>
  sureReferences(line).length + doubtfulReferences(line).length > 0;

/** First item with the highest confidence. */
function surestOf<T>(
  some: readonly T[],
  sureness: (each: T) => Sureness,
): { one: T; sureness: Sureness; isSure: boolean } | null {
  const [best] = some
    .map((one) => ({ one, sureness: sureness(one) }))
    .toSorted((one, other) => other.sureness - one.sureness);
  return best ? { ...best, isSure: best.sureness > 1 } : null;
}
