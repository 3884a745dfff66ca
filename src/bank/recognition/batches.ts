import { memoized } from '../../common/memoized.js';
import { uuidv7 } from '../../common/ids.js';
import type { KnownLine } from '../../database/bank/lines/line-store.repository.js';
import { type IncomingLine, isMerged, knownBooking } from './incoming-line.js';
import { lineKey } from './line-key.js';
import type { BatchMatch } from './batch-matches.js';
import { MatchIndex, meet } from './match-index.js';
import { namelessFirst } from './nameless-order.js';
import {
  fits,
  asMaybeTotal,
  canBeTotal,
  isByReference,
  namesOfParts,
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
  private readonly index = new MatchIndex<KnownLine>();
  private readonly byId: ReadonlyMap<string, KnownLine>;
  /** Totals by the ids of their batches. */
  private readonly found = new Map<string, KnownLine>();

  constructor(known: readonly KnownLine[]) {
    this.tied = totalledBatches(known);
    this.byId = new Map(known.map((line) => [line.id, line]));
    for (const line of known) {
      const { key, batchId, batchKey, statements } = line;
      if (batchKey !== null) continue;
      const place = { booking: line, statements, isByReference: isByReference(line) };
      this.index.add(line, { ...place, key: totalKey(key, batchId) });
    }
  }

  of(batch: Batch): TotalThere | null {
    if (this.tied.has(batch.id)) return null;
    const some = firstOf(this.candidatesOf(batch));
    const found = surestOf(namelessFirst(some), (line) =>
      namesOther(knownBooking(line), namesOfNew(batch.lines))
        ? 0
        : surenessOf(line, batch.lines[0]!),
    );
    if (!found) return null;
    const { one: line, sureness, isSure } = found;
    return { line, total: this.moneyOf(line), sureness, isSure: isSure && !isOfOther(line) };
  }

  /** The totals that belong to no batch, or to this one. */
  private *candidatesOf({ id, key, lines: [part], statements }: Batch): Generator<KnownLine> {
    if (key === null) return;
    const place = { booking: part!, statements, isByReference: false };
    for (const batchId of [null, id]) {
      for (const line of this.index.at({ ...place, key: totalKey(key, batchId) }))
        if (fits(line, part!) && canBeTotal(line, part!)) yield line;
    }
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
    const paid = firstOf(
      this.candidatesOf(batch),
      (line) => !meet(line.statements, apart) && this.moneyOf(line).state === 'matched',
    );
    if (paid.length === 0) return [];
    const parts = partsOf(batch, partOf);
    return paid.map((line) => ({ isCertain: false, total: this.moneyOf(line), ...parts }));
  }

  meeting(batch: Batch, partOf: PartOf, wanted: Sureness): BatchMatch | null {
    const there = this.of(batch);
    if (there?.sureness !== wanted) return null;
    const { line, total } = there;
    this.index.remove(line);
    this.found.set(batch.id, line);
    return { isCertain: wanted > 0 && !isOfOther(line), total, ...partsOf(batch, partOf) };
  }
}

const totalKey = (key: string, batchId: string | null): string => `${key} ${batchId ?? ''}`;

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
  private readonly index = new MatchIndex<readonly KnownLine[]>();

  constructor(known: readonly KnownLine[]) {
    const tied = totalledBatches(known);
    const parts = known.filter(({ batchKey }) => batchKey !== null);
    for (const lines of Map.groupBy(parts, (part) => `${part.batchKey} ${part.batchId}`).values()) {
      const [part] = lines;
      if (tied.has(part!.batchId!)) continue;
      const statements = [...new Set(statementsOf(lines))];
      const place = { booking: part!, statements, isByReference: false };
      this.index.add(lines, { ...place, key: part!.batchKey! });
    }
  }

  /** @param statements statements that contain the line */
  of(line: IncomingLine, statements: readonly string[]): PartsThere | null {
    const total = asMaybeTotal(line);
    const place = { key: lineKey(line), booking: line, isByReference: isByReference(total) };
    const mayBe = firstOf(
      this.index.at({ ...place, statements }),
      ([first]) => canBeTotal(total, first!) && fits(first!, line),
    );
    const found = surestOf(mayBe, (parts) =>
      namesOther(line, namesOfKnown(parts)) ? 0 : surenessOf(line, parts[0]!),
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
    this.index.remove(there.parts);
    const batch = there.parts[0]!.batchId!;
    const total = { id, status: line.status, direction: line.direction };
    return { isCertain: wanted > 0, total, batch, key: lineKey(line), parts: there.parts };
  }
}

/** Candidates compared per total or batch. With more of them, a match is less sure, and an operator decides. */
const LOOKS_MAX = 20;

function firstOf<T>(some: Iterable<T>, isWanted: (one: T) => boolean = () => true): T[] {
  const found = new Set<T>();
  for (const one of some) {
    if (isWanted(one)) found.add(one);
    if (found.size === LOOKS_MAX) break;
  }
  return [...found];
}

/** `namesOfParts` of all payments of a batch, searched once. */
const namesOfNew = memoized((lines: readonly IncomingLine[]) => namesOfParts(lines));
const namesOfKnown = memoized((lines: readonly KnownLine[]) =>
  namesOfParts(lines.map(knownBooking)),
);

const statementsOf = (lines: readonly KnownLine[]): string[] =>
  lines.flatMap(({ statements }) => statements);

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
