import type {
  NearStatement,
  StoringStatement,
} from '../../database/bank/lines/line-store.repository.js';

/**
 * Maximum compared pairs of statements. With more statements of equal balances, numbers and balances prove too little,
 * and the search takes minutes for a file of one megabyte.
 */
const PAIRS_MAX = 5_000;

/** Statements with other bookings than this one: certainly or probably. */
export type Neighbours = Pick<StoringStatement, 'apart' | 'likelyApart' | 'isCut'>;

/** A statement on the way from the own one. */
interface Step {
  readonly at: Numbered;
  /** Whether each step to it was certain. */
  readonly isSure: boolean;
}

/** A statement, with its copies in other files. */
interface Numbered extends Omit<NearStatement, 'sequence'> {
  readonly ids: readonly string[];
  readonly number: bigint | undefined;
  readonly page: bigint | undefined;
}

export const NO_NEIGHBOURS: Neighbours = {
  apart: [],
  likelyApart: { has: () => false },
  isCut: false,
};

/**
 * Finds the statements that end where this one begins or begin where it ends, and the ones before and after these
 * within the days by which reports of one booking can differ. Their bookings are different ones. Balances alone prove
 * nothing: a day whose bookings add up to 0 has the same balance on both sides.
 * @param near balanced statements of the same kind of the days around; `isAll` is false if there are more
 */
export function neighboursOf(
  own: NearStatement,
  { near, isAll }: { readonly near: readonly NearStatement[]; readonly isAll: boolean },
): Neighbours {
  const others = near.filter(({ id }) => id !== own.id);
  const statements = [...Map.groupBy(others, nameOf).values()].map(numbered);
  const looks = { left: PAIRS_MAX };
  const start = numbered([own]);
  const sure = new Set<string>();
  const likely = new Set<string>();
  for (const isEarlier of [true, false]) {
    for (const { at, isSure } of reach(start, statements, isEarlier, looks)) {
      for (const id of at.ids) likely.add(id);
      for (const id of isSure ? at.ids : []) sure.add(id);
    }
  }
  const isCut = !isAll || looks.left <= 0;
  // Beyond the limit any statement may be a neighbour: an operator decides.
  if (isCut) for (const { id } of others) likely.add(id);
  const isLikely = (id: string): boolean => (isAll ? likely.has(id) : id !== own.id);
  return { apart: [...sure], likelyApart: { has: (id) => isLikely(id) && !sure.has(id) }, isCut };
}

function reach(
  start: Numbered,
  others: readonly Numbered[],
  isEarlier: boolean,
  looks: { left: number },
): Step[] {
  const byBalance = Map.groupBy(others, (each) =>
    isEarlier ? each.closingBalance : each.openingBalance,
  );
  const found: Step[] = [{ at: start, isSure: true }];
  const seen = { true: new Set<Numbered>(), false: new Set<Numbered>() };
  for (let n = 0; n < found.length; n++) {
    const { at, isSure } = found[n]!;
    for (const next of byBalance.get(isEarlier ? at.openingBalance : at.closingBalance) ?? []) {
      if (--looks.left <= 0) return found.slice(1);
      const [before, after] = isEarlier ? [next, at] : [at, next];
      if (before.bookedUntil > after.bookedFrom) continue;
      const signs = signsOf(before, after);
      if (!signs.mayFollow) continue;
      const step = { at: next, isSure: isSure && signs.isSure };
      const steps = seen[`${step.isSure}`];
      if (!steps.has(next)) found.push(step);
      steps.add(next);
    }
  }
  return found.slice(1);
}

/** Evidence that `after` follows `before`; it contains no earlier day than the last of `before`. */
function signsOf(before: Numbered, after: Numbered): { isSure: boolean; mayFollow: boolean } {
  const isLater = before.bookedUntil < after.bookedFrom;
  const isNextPage =
    before.number !== undefined &&
    before.number === after.number &&
    before.page !== undefined &&
    before.page + 1n === after.page;
  const isNext = (before.number !== undefined && before.number + 1n === after.number) || isNextPage;
  const sharesNoDay = isLater || isNextPage || isPart(before) || isPart(after);
  const comeToSomething = changes(before) && changes(after);
  return {
    isSure: ((isLater || isNext) && comeToSomething) || (isNext && sharesNoDay),
    mayFollow: isNext || sharesNoDay,
  };
}

/** A statement with all bookings of a day that changes the balance does not end with the day's opening balance. */
const isPart = (each: Numbered): boolean => each.bookedFrom === each.bookedUntil && changes(each);

const changes = ({ openingBalance, closingBalance }: Numbered): boolean =>
  openingBalance !== closingBalance;

const nameOf = (each: NearStatement): string =>
  JSON.stringify([
    each.sequence,
    each.openingBalance,
    each.closingBalance,
    each.bookedFrom,
    each.bookedUntil,
  ]);

function numbered(copies: readonly NearStatement[]): Numbered {
  const { sequence, ...statement } = copies[0]!;
  const [, number, page] = /^(\d+)(?:\/(\d+))?/.exec(sequence ?? '') ?? [];
  const whole = (digits: string | undefined) => (digits === undefined ? undefined : BigInt(digits));
  const ids = copies.map(({ id }) => id);
  return { ...statement, ids, number: whole(number), page: whole(page) };
}
