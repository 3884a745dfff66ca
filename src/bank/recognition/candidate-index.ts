import type { LoopTurns } from '../../common/loop-turns.js';
import { SHORT_REFERENCE } from '../../database/bank/lines/line-store.repository.js';
import { bookingOf, type IncomingLine, isMerged, type KnownBooking } from './incoming-line.js';
import { keyOfMoney, lineKey, undatedKey } from './line-key.js';
import type { RepeatedStatements } from './repeated-statements.js';
import type { SharedReferences } from './shared-references.js';
import { isSingle } from './total-evidence.js';
import {
  areNotifiedTwice,
  bankReferencesOf,
  isSurelySame,
  type MatchScore,
  matchScore,
  namesNoOther,
  nameTheSame,
  ourReferencesOf,
  runningNumber,
  shareUnique,
  type BookingIdentity,
  typedReferencesOf,
} from './same-booking.js';

/** Lowest score of a match by reference. Candidates without a common reference score below it. */
export const BY_REFERENCE = 3;
/** Candidates compared per line and key. A booking behind them is not matched automatically; an operator decides. */
const LOOKS_MAX = 20;
/** References used per line. A payer can write thousands. */
const REFERENCES_MAX = 20;

/** Status of the known bookings that are searched. */
export type Among = 'booked' | 'announced' | 'any';

export interface Pass {
  readonly wanted: MatchScore;
  readonly status: Among;
  /** The payer's account and the orders must be equal, or missing in both; by reference only. */
  readonly isExact: boolean;
}

/** Bookings by index key. */
type Rows = Map<string, KnownBooking[]>;

/**
 * Index of candidate bookings; each is matched at most once. Thousands of bookings may have the same day and amount:
 * index keys already exclude contradictions, so the first candidate nearly always matches.
 */
export class CandidateIndex {
  /** Index per combination of score and available names and marks. */
  private readonly views = new Map<string, Promise<Rows>>();
  /** Ids of matched bookings. A line that an operator merged into a booking uses the id of that booking. */
  private readonly taken = new Set<string>();
  /** Numbers that replace long texts in keys. */
  private readonly names = new Map<string, number>();
  private readonly number: string;
  private readonly isShared: (line: IncomingLine) => boolean;

  /** @param format format of the imported lines */
  constructor(
    private readonly known: readonly KnownBooking[],
    shared: SharedReferences,
    format: string,
    private readonly isPart: (line: IncomingLine) => boolean,
    private readonly repeated: RepeatedStatements,
    private readonly turns: LoopTurns,
  ) {
    this.number = runningNumber(format);
    this.isShared = shared.with(known);
  }

  async take(line: IncomingLine, pass: Pass): Promise<KnownBooking | undefined> {
    const found = await this.find(line, pass);
    if (found) this.taken.add(bookingOf(found.line));
    return found;
  }

  async find(line: IncomingLine, pass: Pass): Promise<KnownBooking | undefined> {
    const { wanted, isExact } = pass;
    const shared = sharedBy(line, wanted, this.isPart(line));
    if (shared.length === 0) return undefined;
    const marks = this.marksOf(line, wanted);
    const rows = await this.view(line, wanted, marks, isExact);
    const days = wanted >= BY_REFERENCE ? [undatedKey(line)] : [lineKey(line), undatedKey(line)];
    const silent = marks.filter((mark) => mark.length > 0).map((mark) => [...mark, '']);
    const exact = isExact ? [[payerOf(line)]] : [];
    const found = this.keysOf([[...new Set(days)], shared, ...silent, ...exact]);
    const some = found.flatMap((key) => {
      const row = rows.get(key);
      return row ? [row] : [];
    });
    // A rarer common reference is stronger evidence: shortest list first.
    if (wanted >= BY_REFERENCE) some.sort((one, other) => one.length - other.length);
    for (const row of some) {
      const best = this.bestOf(row, line, pass);
      if (best) return best;
    }
    return undefined;
  }

  /** The first free candidate with the payer's account and text, else with one of them, else the first. */
  private bestOf(
    row: KnownBooking[],
    line: IncomingLine,
    { wanted, status }: Pass,
  ): KnownBooking | undefined {
    const isShared = this.isShared(line);
    let best: KnownBooking | undefined;
    for (let at = 0; at < Math.min(row.length, LOOKS_MAX);) {
      const each = row[at]!;
      if (this.taken.has(bookingOf(each.line))) {
        row.splice(at, 1);
        continue;
      }
      at += 1;
      if (status !== 'any' && each.status !== status) continue;
      if (isBorrowing(line, each, isShared) || matchScore(line, each) !== wanted) continue;
      if (wanted < BY_REFERENCE && isTotalOnly(each.line) && isSingle(line)) continue;
      if (areNotifiedTwice(line, each) && !this.repeated.contain(each)) continue;
      const likeness = likenessOf(line, each);
      if (likeness === LIKENESS_MAX) return each;
      if (best === undefined || likeness > likenessOf(line, best)) best = each;
    }
    return best;
  }

  /** Where the line has a mark, candidates with another mark are excluded; where it has none, any mark is allowed. */
  private async view(
    line: IncomingLine,
    wanted: MatchScore,
    marks: readonly (readonly string[])[],
    isExact: boolean,
  ): Promise<Rows> {
    const isMarked = marks.map((mark) => mark.length > 0);
    const names = wanted >= BY_REFERENCE ? [] : namesOf(line);
    const kind = [Math.min(wanted, BY_REFERENCE), ...names, ...isMarked, isExact].join(' ');
    const before = this.views.get(kind);
    if (before) return before;
    const made = this.made(wanted, names, isMarked, isExact);
    this.views.set(kind, made);
    return made;
  }

  private async made(
    wanted: MatchScore,
    names: readonly string[],
    isMarked: readonly boolean[],
    isExact: boolean,
  ): Promise<Rows> {
    const rows: Rows = new Map();
    // Candidates with fewer names first: they contradict the line in fewer ways.
    const known =
      wanted >= BY_REFERENCE
        ? this.known
        : this.known.toSorted((one, other) => namesOf(one).length - namesOf(other).length);
    for (const each of known) {
      await this.turns.pause();
      // Bookings with a name of the same kind either match by reference or are different bookings.
      if (names.length > 0 && namesOf(each).some((name) => names.includes(name))) continue;
      const { key, batchKey } = each.line;
      const day = wanted >= BY_REFERENCE ? keyOfMoney(key) : key;
      const marks = this.marksOf(each, wanted).filter((_, at) => isMarked[at]);
      const any = marks.map((mark) => (mark.length > 0 ? mark : ['']));
      const shared = sharedBy(each, wanted, batchKey !== null);
      const exact = isExact ? [[payerOf(each)]] : [];
      for (const name of this.keysOf([[day], shared, ...any, ...exact])) {
        const row = rows.get(name);
        if (row) row.push(each);
        else rows.set(name, [each]);
      }
    }
    return rows;
  }

  /** Identifying marks: two bookings with different values of one mark are different bookings. */
  private marksOf(booking: BookingIdentity, wanted: MatchScore): string[][] {
    const { endToEndId, identifiers } = booking;
    const typed = typedReferencesOf(booking).slice(0, REFERENCES_MAX);
    if (wanted >= BY_REFERENCE) return [some(endToEndId), typed];
    return [some(identifiers[this.number]), some(ibanOf(booking)), typed];
  }

  /** Cartesian product of the values. */
  private keysOf(things: readonly (readonly string[])[]): string[] {
    return things.reduce<string[]>(
      (keys, each) => keys.flatMap((key) => each.map((thing) => `${key} ${this.nameOf(thing)}`)),
      [''],
    );
  }

  private nameOf(thing: string): number {
    const name = this.names.get(thing) ?? this.names.size;
    this.names.set(thing, name);
    return name;
  }
}

/** Whether the line no longer counts, because its payments do: a single booking that matches it would be lost. */
const isTotalOnly = (line: KnownBooking['line']): boolean =>
  line.state === 'superseded' && !isMerged(line);

const ibanOf = ({ counterparty }: BookingIdentity): string | null =>
  counterparty.accountType === 'iban' ? counterparty.account : null;

/** The payer's account and the orders that a booking names. */
const payerOf = (booking: BookingIdentity): string =>
  [ibanOf(booking) ?? '', ...ourReferencesOf(booking).toSorted()].join(' ');

const LIKENESS_MAX = 2;
const likenessOf = (one: BookingIdentity, other: BookingIdentity): number =>
  Number(ibanOf(one) === ibanOf(other)) + Number(one.text === other.text);

const some = (text: string | null | undefined): string[] => (text ? [text] : []);

/** Values of which two bookings with this score share at least one. */
function sharedBy(booking: BookingIdentity, wanted: MatchScore, isPart: boolean): string[] {
  if (wanted >= BY_REFERENCE) return referencesOf(booking);
  const ours = ourReferencesOf(booking).slice(0, REFERENCES_MAX);
  // The absence of contradictions never links a single payment to a payment of a batch.
  if (wanted === 1) return ours.length > 0 ? [] : [isPart ? 'part' : 'alone'];
  if (ours.length > 0) return ours.map((each) => `order ${each}`);
  const { text, counterparty } = booking;
  return [
    ...some(text).map((each) => `text ${each}`),
    ...some(counterparty.account).map((each) => `account ${each}`),
  ];
}

/**
 * Whether the link to a known line relies only on truncated ids, or ids that others can choose, and is risky: one of
 * both names an order, or the line is a direct debit and the known line a payout's. Otherwise a payer could pay with
 * the money of another payer, or a creditor could impersonate the payee of a payout. An announced or unproven line
 * without an order can be matched, because it has moved no money.
 * @param isShared whether another line has the same bank reference
 */
export function isBorrowing(line: IncomingLine, known: KnownBooking, isShared: boolean): boolean {
  if (line.status !== 'booked') return false;
  if (isShared ? shareUnique(known, line) : isSurelySame(known, line)) return false;
  if (line.kind === 'collection' && PAYOUT_REASONS.has(known.line.reason)) return true;
  const hasMovedNothing = known.status === 'announced' || known.line.unproven !== null;
  return hasMovedNothing ? !namesNoOther(known, line) : !nameTheSame(known, line);
}
const PAYOUT_REASONS: ReadonlySet<string | null> = new Set(['payout_paid', 'payout_returned']);

/** Kinds of names that the booking has. */
const namesOf = (booking: BookingIdentity): string[] => [
  ...(bankReferencesOf(booking).length > 0 ? ['bank'] : []),
  ...(booking.endToEndId === null ? [] : ['endToEndId']),
  ...OTHER_NAMES.filter((name) => booking.identifiers[name]),
];
const OTHER_NAMES = ['uetr', 'transactionId', 'instructionId'] as const;

function referencesOf(booking: BookingIdentity): string[] {
  const { identifiers, endToEndId } = booking;
  const banks = bankReferencesOf(booking).flatMap((each) => [
    `b ${each}`,
    `b ${each.slice(0, SHORT_REFERENCE)}`,
  ]);
  const all = [
    ...banks,
    endToEndId && `e ${endToEndId}`,
    ...OTHER_NAMES.map((name) => identifiers[name] && `t ${identifiers[name]}`),
  ];
  return [...new Set(all.flatMap((each) => each || []))];
}
