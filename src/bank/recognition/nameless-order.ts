import { eachInTurn } from '../../common/loop-turns.js';
import type { KnownLine } from '../../database/bank/lines/line-store.repository.js';
import { doubtfulReferences, sureReferences } from '../matching/reference-clues.js';

type Worded = Pick<KnownLine, 'references' | 'text' | 'endToEndId'>;

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

const naming = new WeakMap<Worded, boolean>();

/** Whether the line may name an order; searched once. */
function namesOrder(line: Worded): boolean {
  const before = naming.get(line);
  if (before !== undefined) return before;
  const found = sureReferences(line).length + doubtfulReferences(line).length > 0;
  naming.set(line, found);
  return found;
}
