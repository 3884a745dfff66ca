import { uuidv7 } from '../../common/ids.js';
import type { KnownLine } from '../../database/bank/lines/line-store.repository.js';
import { type IncomingLine, isMerged, knownBooking } from './incoming-line.js';
import { lineKey } from './line-key.js';
import { doubtfulReferences, sureReferences } from '../matching/reference-clues.js';
import type { BatchMatch } from './batch-matches.js';
import {
  fits,
  asMaybeTotal,
  canBeTotal,
  namesOther,
  type Sureness,
  surenessOf,
} from './total-evidence.js';
import { isPossibleDuplicate } from './waiting-line.js';

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

/** Key of the net amount, since an entry may contain deductions. Null when the currencies differ or an amount is missing. */
function batchKeyOf(lines: readonly IncomingLine[]): string | null {
  const [first] = lines;
  if (lines.some(({ currency, amount }) => currency !== first!.currency || amount === null))
    return null;
  const net = lines.reduce(
    (sum, line) => sum + (line.direction === 'in' ? 1n : -1n) * line.amount!,
    0n,
  );
  if (net === 0n) return null;
  return net > 0n
    ? lineKey({ ...first!, direction: 'in', amount: net })
    : lineKey({ ...first!, direction: 'out', amount: -net });
}

type PartOf = (line: IncomingLine) => BatchMatch['parts'][number];

/** A stored total of a batch, and whether a common reference proves it. */
interface TotalThere {
  readonly line: KnownLine;
  /** The line that has its money. */
  readonly total: BatchMatch['total'];
  readonly isSure: boolean;
  readonly sureness: Sureness;
}

/** Whether another line has the money of the line, or may have it. */
const isOfOther = (line: KnownLine): boolean =>
  isMerged(line) || (line.batchId === null && isPossibleDuplicate(line));

/** Stored totals for batches whose payments are in the imported file. */
export class KnownTotals {
  private readonly tied: ReadonlySet<string>;
  private readonly byKey: ReadonlyMap<string, readonly KnownLine[]>;
  private readonly byId: ReadonlyMap<string, KnownLine>;
  private readonly used = new Set<string>();
  /** Totals by the ids of their batches. */
  private readonly found = new Map<string, KnownLine>();

  constructor(known: readonly KnownLine[]) {
    this.tied = totalledBatches(known);
    this.byId = new Map(known.map((line) => [line.id, line]));
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
    if (!found) return null;
    const { one: line, sureness, isSure } = found;
    return { line, total: this.moneyOf(line), sureness, isSure: isSure && !isOfOther(line) };
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

  /** The line itself, or the one into which it was merged or may be: that one may have paid already. */
  private moneyOf(line: KnownLine): BatchMatch['total'] {
    let at = line;
    for (let hops = 0; isOfOther(at) && hops < HOPS_MAX; hops++) {
      const id = at.duplicateOf!;
      const next = this.byId.get(id);
      // It is of another day: all that matters is that an operator decides.
      if (!next) return { id, status: 'booked', direction: line.direction, state: 'matched' };
      at = next;
    }
    return at;
  }

  /** Other lines that have paid orders and may report the total, too, in another file. Call it after `meeting`. */
  paid(batch: Batch, partOf: PartOf): BatchMatch[] {
    const apart = this.found.get(batch.id)?.statements ?? [];
    return this.candidatesOf(batch)
      .filter(({ statements }) => !meet(statements, apart))
      .map((line) => this.moneyOf(line))
      .filter(({ state }) => state === 'matched')
      .map((total) => ({ isCertain: false, total, ...partsOf(batch, partOf) }));
  }

  meeting(batch: Batch, partOf: PartOf, wanted: Sureness): BatchMatch | null {
    const there = this.of(batch);
    if (there?.sureness !== wanted) return null;
    const { line, total } = there;
    this.used.add(line.id);
    this.found.set(batch.id, line);
    return { isCertain: wanted > 0 && !isOfOther(line), total, ...partsOf(batch, partOf) };
  }
}

/** Maximum lines between a duplicate and the line that has its money. */
const HOPS_MAX = 10;

const partsOf = ({ id, key, lines }: Batch, partOf: PartOf) => ({
  batch: id,
  key: key!,
  parts: lines.map(partOf),
});

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
    return { isCertain: wanted > 0, total, batch, key: lineKey(line), parts: there.parts };
  }
}

const statementsOf = (lines: readonly KnownLine[]): string[] =>
  lines.flatMap(({ statements }) => statements);

/** A statement contains a total or its payments, never both. */
const meet = (some: readonly string[], others: readonly string[]): boolean =>
  some.some((id) => others.includes(id));

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
