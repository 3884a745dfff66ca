import { eachInTurn } from '../../common/loop-turns.js';
import { memoized } from '../../common/memoized.js';
import type { KnownLine } from '../../database/bank/lines/line-store.repository.js';
import { doubtfulReferences, sureReferences } from '../matching/reference-clues.js';

type Worded = Pick<KnownLine, 'references' | 'text' | 'endToEndId'>;

/** Whether the line may name an order. */
const namesOrder = memoized(
  (line: Worded) => sureReferences(line).length + doubtfulReferences(line).length > 0,
);

/** Of equal lines, those without an order come first: at most one of them is the total. */
export const namelessFirst = <Line extends Worded>(lines: readonly Line[]): Line[] =>
  [false, true].flatMap((isNaming) => lines.filter((line) => namesOrder(line) === isNaming));

/** The same for many lines, yielding to the event loop in between. */
export async function inNamelessOrder<Line extends Worded>(
  lines: readonly Line[],
): Promise<Line[]> {
  await eachInTurn(lines, namesOrder);
  return namelessFirst(lines);
}
