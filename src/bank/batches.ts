import { uuidv7 } from '../common/ids.js';
import type { KnownLine, TiedTotal } from '../database/bank/line-store.repository.js';
import type { IncomingLine } from './incoming-line.js';
import { lineKey } from './line-key.js';
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
  readonly total: Pick<KnownLine, 'id' | 'status'>;
  readonly batch: string;
  readonly parts: readonly Pick<KnownLine, 'id' | 'status'>[];
}

/** Totals that are there, of batches whose payments a file tells. */
export function totalsOf(
  batches: readonly Batch[],
  known: readonly KnownLine[],
  idOf: (line: IncomingLine) => string,
): Meeting[] {
  const tied = totalledBatches(known);
  const free = known.filter(({ batchId }) => batchId === null);
  const used = new Set<string>();
  return batches.flatMap(({ id, key, lines, statements }) => {
    if (key === null || tied.has(id)) return [];
    const mayBe = free.filter(
      (line) =>
        line.key === key &&
        !used.has(line.id) &&
        isTotal(line) &&
        fits(line, lines[0]!) &&
        !meet(line.statements, statements),
    );
    const total = mayBe.find((line) => shares(line, lines[0]!)) ?? mayBe[0];
    if (!total) return [];
    used.add(total.id);
    const parts = lines.map((line) => ({ id: idOf(line), status: line.status }));
    return [{ total, batch: id, parts }];
  });
}

/** Batches of whose payments the total is known. */
export const totalledBatches = (known: readonly KnownLine[]): Set<string> =>
  new Set(known.flatMap(({ batchId, parentId }) => (parentId !== null && batchId) || []));

/**
 * The batch whose payments are there, and whose total a line is.
 * @param statements that tell of the line
 * @param used batches that have a total by now; the one that is found is added
 */
export function batchOfTotal(
  line: IncomingLine,
  id: string,
  statements: readonly string[],
  known: readonly KnownLine[],
  used: Set<string>,
): Meeting | null {
  if (!isTotal(lineOf(line))) return null;
  const key = lineKey(line);
  const all = known.filter(({ batchKey, batchId }) => batchKey === key && !used.has(batchId!));
  const batches = [...Map.groupBy(all, ({ batchId }) => batchId!).values()].filter(
    (each) => fits(each[0]!, line) && !meet(statementsOf(each), statements),
  );
  const parts = batches.find((each) => shares(each[0]!, line)) ?? batches[0];
  if (!parts) return null;
  const batch = parts[0]!.batchId!;
  used.add(batch);
  return { total: { id, status: line.status }, batch, parts };
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
    .filter(({ parts }) => parts.every((part) => isBooked(part)))
    .map(({ total, batch }) => ({ id: total.id, batch }));

/** Announcements that say nothing more: of the payments of a total that is booked, or of a total whose payments are announced. */
export const hushedOf = (meetings: readonly Meeting[]): string[] =>
  meetings
    .filter(({ parts }) => !parts.every((part) => isBooked(part)))
    .flatMap(({ total, parts }) => (isBooked(total) ? parts.map(({ id }) => id) : total.id));

type MaybeTotal = Pick<KnownLine, 'endToEndId' | 'counterpartyAccount' | 'identifiers' | 'kind'>;

const lineOf = ({ endToEndId, counterparty, identifiers, kind }: IncomingLine): MaybeTotal => ({
  endToEndId,
  counterpartyAccount: counterparty.account,
  identifiers,
  kind,
});

/** A line of which one payer, or one payment, is known is no total, whatever its amount. */
const isTotal = ({ endToEndId, counterpartyAccount, identifiers, kind }: MaybeTotal): boolean =>
  kind === 'batch_total' ||
  (endToEndId === null &&
    counterpartyAccount === null &&
    ['transactionBankReference', 'transactionId', 'uetr'].every((name) => !identifiers[name]));

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
