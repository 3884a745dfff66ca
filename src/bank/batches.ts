import { uuidv7 } from '../common/ids.js';
import type { KnownLine, TiedTotal } from '../database/bank/line-store.repository.js';
import type { IncomingLine } from './incoming-line.js';
import { lineKey } from './line-key.js';
import { doubtfulReferences, sureReferences } from './reference-clues.js';
import { bankReferencesOf } from './same-booking.js';

/** Payments that a file shows below one entry. */
export interface Batch {
  readonly id: string;
  /** What the `key` of their total is; null when their sum says nothing. */
  readonly key: string | null;
  readonly lines: readonly IncomingLine[];
  /** Statements that tell of the payments. */
  readonly statements: readonly string[];
}

/**
 * The entries of a piece that have two or more payments.
 * @param statementId that of the piece
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

/** The payments of totals, as far as their sum says something. */
export const batchedIn = (lines: readonly IncomingLine[]): Set<IncomingLine> =>
  new Set(
    [...Map.groupBy(lines, ({ entry }) => entry).values()]
      .filter((each) => each.length > 1 && batchKeyOf(each) !== null)
      .flat(),
  );

/** The keys of the totals that the entries of some lines come to. */
export const batchKeysOf = (lines: readonly IncomingLine[]): string[] =>
  [...Map.groupBy(lines, ({ entry }) => entry).values()].flatMap(
    (each) => (each.length > 1 && batchKeyOf(each)) || [],
  );

/** Null when the parts do not come to one sum. */
function batchKeyOf([first, ...others]: readonly IncomingLine[]): string | null {
  const isOne = others.every(
    ({ direction, currency, amount }) =>
      direction === first!.direction && currency === first!.currency && amount !== null,
  );
  if (!isOne || first!.amount === null) return null;
  const amount = others.reduce((sum, each) => sum + each.amount!, first!.amount);
  return lineKey({ ...first!, amount });
}

/** A total, and the payments that it comes to. */
export interface Meeting {
  /** Whether the bank says so: by its word for a total, or by a reference in common. Else a person has to. */
  readonly isCertain: boolean;
  readonly total: Pick<KnownLine, 'id' | 'status'>;
  readonly batch: string;
  readonly parts: readonly Pick<KnownLine, 'id' | 'status'>[];
}

/** A total of a batch, and whether a reference in common says so. */
interface TotalThere {
  readonly total: KnownLine;
  readonly isSure: boolean;
}

/** Totals that are there, of batches whose payments a file tells. */
export class TotalsThere {
  private readonly tied: ReadonlySet<string>;
  private readonly free: ReadonlyMap<string, readonly KnownLine[]>;
  private readonly used = new Set<string>();

  constructor(known: readonly KnownLine[]) {
    this.tied = totalledBatches(known);
    this.free = Map.groupBy(
      known.filter((line) => line.batchId === null),
      ({ key }) => key,
    );
  }

  of({ id, key, lines, statements }: Batch): TotalThere | null {
    if (key === null || this.tied.has(id)) return null;
    const mayBe = (this.free.get(key) ?? []).filter(
      (line) =>
        !this.used.has(line.id) &&
        fits(line, lines[0]!) &&
        !meet(line.statements, statements) &&
        mayBeTotal(line),
    );
    const sure = mayBe.find((line) => shares(line, lines[0]!));
    const total = sure ?? mayBe[0];
    return total ? { total, isSure: sure !== undefined } : null;
  }

  meeting(batch: Batch, idOf: (line: IncomingLine) => string): Meeting | null {
    const there = this.of(batch);
    if (!there) return null;
    this.used.add(there.total.id);
    const { total } = there;
    const parts = batch.lines.map((line) => ({ id: idOf(line), status: line.status }));
    return { isCertain: there.isSure || isCalledTotal(total), total, batch: batch.id, parts };
  }
}

/** Batches of whose payments the total is known. */
const totalledBatches = (known: readonly KnownLine[]): Set<string> =>
  new Set(known.flatMap(({ batchId, parentId }) => (parentId !== null && batchId) || []));

/** The payments of a total, and whether a reference in common says so. */
interface PartsThere {
  readonly parts: readonly KnownLine[];
  readonly isSure: boolean;
}

/** Batches whose payments are there, and whose totals a file tells. */
export class BatchesThere {
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

  /** @param statements that tell of the line */
  of(line: IncomingLine, statements: readonly string[]): PartsThere | null {
    const batches = this.byKey.get(lineKey(line));
    if (!batches || !mayBeTotal(lineOf(line))) return null;
    const mayBe = batches.filter(
      ([first, ...others]) =>
        !this.used.has(first!.batchId!) &&
        fits(first!, line) &&
        !meet(statementsOf([first!, ...others]), statements),
    );
    const sure = mayBe.find(([first]) => shares(first!, line));
    const parts = sure ?? mayBe[0];
    return parts ? { parts, isSure: sure !== undefined } : null;
  }

  meeting(line: IncomingLine, id: string, statements: readonly string[]): Meeting | null {
    const there = this.of(line, statements);
    if (!there) return null;
    const batch = there.parts[0]!.batchId!;
    this.used.add(batch);
    const isCertain = there.isSure || isCalledTotal(line);
    return { isCertain, total: { id, status: line.status }, batch, parts: there.parts };
  }
}

const statementsOf = (lines: readonly KnownLine[]): string[] =>
  lines.flatMap(({ statements }) => statements);

/** A statement tells of a total or of its payments: lines of one statement are never both. */
const meet = (some: readonly string[], others: readonly string[]): boolean =>
  some.some((id) => others.includes(id));

const isBooked = ({ status }: Pick<KnownLine, 'status'>): boolean => status === 'booked';

/** Totals whose payments are booked: the payments count. */
export const tiedOf = (meetings: readonly Meeting[]): TiedTotal[] =>
  meetings
    .filter(({ isCertain, parts }) => isCertain && parts.every((part) => isBooked(part)))
    .map(({ total, batch }) => ({ id: total.id, batch }));

/** What may as well be a payment of its own, which only happens to come to the sum of others. */
export const possibleTotalsOf = (meetings: readonly Meeting[]): TiedTotal[] =>
  meetings
    .filter(({ isCertain, total, parts }) => !isCertain && [total, ...parts].every(isBooked))
    .map(({ total, batch }) => ({ id: total.id, batch }));

/** Announcements that say nothing more: of the payments of a total that is booked, or of a total whose payments are announced. */
export const hushedOf = (meetings: readonly Meeting[]): string[] =>
  meetings
    .filter(({ isCertain, parts }) => isCertain && !parts.every((part) => isBooked(part)))
    .flatMap(({ total, parts }) => (isBooked(total) ? parts.map(({ id }) => id) : total.id));

type MaybeTotal = Pick<
  KnownLine,
  'endToEndId' | 'counterpartyAccount' | 'identifiers' | 'kind' | 'references' | 'text'
>;

const lineOf = (line: IncomingLine): MaybeTotal => ({
  endToEndId: line.endToEndId,
  counterpartyAccount: line.counterparty.account,
  identifiers: line.identifiers,
  kind: line.kind,
  references: line.references,
  text: line.text,
});

const isCalledTotal = ({ kind }: Pick<MaybeTotal, 'kind'>): boolean => kind === 'batch_total';

/** A line of which one payer, or one payment, is known is no total, whatever its amount. Nor is one that names an order. */
const mayBeTotal = (line: MaybeTotal): boolean => {
  const { endToEndId, counterpartyAccount, identifiers } = line;
  if (isCalledTotal(line)) return true;
  return (
    endToEndId === null &&
    counterpartyAccount === null &&
    ['transactionBankReference', 'transactionId', 'uetr'].every((name) => !identifiers[name]) &&
    sureReferences(line).length === 0 &&
    doubtfulReferences(line).length === 0
  );
};

type Named = Pick<KnownLine, 'identifiers'>;

/** An entry and its payments have the entry's reference in common, as far as both tell it. */
const entryReferenceOf = ({ identifiers }: Named): string | null =>
  identifiers['entryBankReference'] ?? null;

const fits = (one: Named, other: Named): boolean => {
  const [mine, theirs] = [entryReferenceOf(one), entryReferenceOf(other)];
  return mine === null || theirs === null || shares(one, other);
};

const shares = (one: Named, other: Named): boolean => {
  const theirs = bankReferencesOf(other);
  return bankReferencesOf(one).some((mine) =>
    theirs.some((each) => each === mine || each.startsWith(mine) || mine.startsWith(each)),
  );
};
