import { batchedIn } from './batches.js';
import { SHORT_REFERENCE, type StoringStatement } from '../database/bank/line-store.repository.js';
import { keyOfMoney, lineKey, undatedKey } from './line-key.js';
import { bookingOf, type IncomingLine, type KnownTelling } from './incoming-line.js';
import {
  bankReferencesOf,
  isSurelySame,
  type Likeness,
  likeness,
  namesNoOther,
  type Telling,
} from './same-booking.js';

/** From the surest to the one that nothing is against. */
const LIKENESSES = [4, 3, 2, 1] as const;
/** What has no reference in common is likely at most. */
const BY_REFERENCE = 3;

export interface RecognitionRules {
  /** What is less alike is left open. */
  readonly weakest: Likeness;
  /** Whether a line is surely the sum of payments that are there. */
  readonly isTotal: (line: IncomingLine) => boolean;
}

/** What some lines of a statement turned out to be. */
export interface Recognised {
  readonly known: ReadonlyMap<IncomingLine, KnownTelling>;
  /** Lines that could be bookings that are there, by less than was asked for. */
  readonly open: ReadonlySet<IncomingLine>;
}

/**
 * Which lines of a file are bookings that are there already, the surest first: each is one of them at most, so that
 * equal bookings stay as many as a statement has. They are none of which their own statement has told, and no bookings of
 * those beside it, which may have announced them.
 */
export function recognise(
  lines: readonly IncomingLine[],
  known: readonly KnownTelling[],
  { statementId, apart }: Pick<StoringStatement, 'statementId' | 'apart'>,
  { weakest, isTotal }: RecognitionRules,
): Recognised {
  const parts = batchedIn(lines);
  const shelf = new Shelf(
    known.filter(({ line: { status, statements } }) => {
      const others = status === 'booked' ? [statementId, ...apart] : [statementId];
      return !statements.some((id) => others.includes(id));
    }),
    (line) => parts.has(line),
  );
  const found = new Map<IncomingLine, KnownTelling>();
  const unknown = (wanted: Likeness) =>
    lines.filter((line) => !found.has(line) && (wanted >= BY_REFERENCE || !isTotal(line)));
  for (const wanted of LIKENESSES.filter((each) => each >= weakest)) {
    for (const line of unknown(wanted)) {
      const booking = shelf.take(line, wanted);
      if (booking) found.set(line, booking);
    }
  }
  const open = LIKENESSES.filter((each) => each < weakest).flatMap((wanted) =>
    unknown(wanted).filter((line) => shelf.has(line, wanted)),
  );
  return { known: found, open: new Set(open) };
}

/** Bookings by what they can be found by. */
class Shelf {
  private readonly byReference = new Map<string, KnownTelling[]>();
  private readonly byKey = new Map<string, KnownTelling[]>();
  /** Ids of bookings: a line that a person has called one of them stands for it. */
  private readonly taken = new Set<string>();

  constructor(
    known: readonly KnownTelling[],
    private readonly isPart: (line: IncomingLine) => boolean,
  ) {
    for (const telling of known) {
      const { key } = telling.line;
      const money = keyOfMoney(key);
      for (const reference of referencesOf(telling))
        add(this.byReference, money + reference, telling);
      add(this.byKey, key + silenceOf(telling), telling);
    }
  }

  take(line: IncomingLine, wanted: Likeness): KnownTelling | undefined {
    for (const list of this.lists(line, wanted)) {
      const at = list.findIndex((each) => this.isThere(line, each, wanted));
      const found = list[at];
      if (!found) continue;
      this.taken.add(bookingOf(found.line));
      list.splice(at, 1);
      return found;
    }
    return undefined;
  }

  has(line: IncomingLine, wanted: Likeness): boolean {
    return this.lists(line, wanted).some((list) =>
      list.some((each) => this.isThere(line, each, wanted)),
    );
  }

  private lists(line: IncomingLine, wanted: Likeness): KnownTelling[][] {
    return wanted >= BY_REFERENCE ? this.referred(line) : this.alike(line);
  }

  private isThere(line: IncomingLine, known: KnownTelling, wanted: Likeness): boolean {
    return !this.taken.has(bookingOf(known.line)) && this.isLike(line, known, wanted);
  }

  /** That nothing is against it does not make a payment of its own one of a total's. */
  private isLike(line: IncomingLine, known: KnownTelling, wanted: Likeness): boolean {
    if (wanted === 1 && this.isPart(line) !== (known.line.batchKey !== null)) return false;
    if (isBorrowing(line, known)) return false;
    return likeness(line, known) === wanted;
  }

  private referred(line: IncomingLine): KnownTelling[][] {
    const money = undatedKey(line);
    return referencesOf(line).flatMap((reference) => {
      const list = this.byReference.get(money + reference);
      return list ? [list] : [];
    });
  }

  /** Where both have a reference of the same kind, and none is shared, they are two: such lists are left out. */
  private alike(line: IncomingLine): KnownTelling[][] {
    const keys = [...new Set([lineKey(line), undatedKey(line)])];
    const silences = SILENCES.filter((silence) => isSilent(silence, line));
    return keys.flatMap((key) =>
      silences.flatMap((silence) => {
        const list = this.byKey.get(key + silence);
        return list ? [list] : [];
      }),
    );
  }
}

/**
 * Whether a line that is announced, or not proven, names an order that a booking does not name. A payer can forge such a
 * line, and what he knows of the booking of somebody else: only the bank makes one of them.
 */
const isBorrowing = (line: IncomingLine, known: KnownTelling): boolean =>
  line.status === 'booked' &&
  (known.status === 'announced' || known.line.unproven !== null) &&
  !namesNoOther(known, line) &&
  !isSurelySame(known, line);

/** Whether a booking has a bank's reference, and an end-to-end id. */
const SILENCES = ['--', 'b-', '-e', 'be'] as const;
type Silence = (typeof SILENCES)[number];

const silenceOf = (telling: Telling): Silence =>
  `${bankReferencesOf(telling).length > 0 ? 'b' : '-'}${telling.endToEndId === null ? '-' : 'e'}`;

/** Whether nothing of what the line has stands against bookings on that list. */
const isSilent = (silence: Silence, line: IncomingLine): boolean => {
  const own = silenceOf(line);
  return !(own[0] === 'b' && silence[0] === 'b') && !(own[1] === 'e' && silence[1] === 'e');
};

function referencesOf(telling: Telling): string[] {
  const { identifiers, endToEndId } = telling;
  const banks = bankReferencesOf(telling).flatMap((each) => [
    `b ${each}`,
    `b ${each.slice(0, SHORT_REFERENCE)}`,
  ]);
  const others = ['uetr', 'transactionId', 'instructionId'].map((name) => identifiers[name]);
  const all = [
    ...banks,
    endToEndId && `e ${endToEndId}`,
    ...others.map((each) => each && `t ${each}`),
  ];
  return [...new Set(all.flatMap((each) => each || []))];
}

function add(lists: Map<string, KnownTelling[]>, name: string, telling: KnownTelling): void {
  const list = lists.get(name);
  if (list) list.push(telling);
  else lists.set(name, [telling]);
}
