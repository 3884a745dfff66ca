import type { RoundRobin } from '../../common/waiting/round-robin.js';
import { holder, isForRequest, isStrangers } from './time-budget.js';

/** The part of a line in which one holder may wait. */
export const WAITING_PER_HOLDER = 0.5;
/** The part of it in which all those may wait of whom only the network is known. */
export const STRANGERS_LINE = 0.5;

/** Work in a line to the database. */
export interface Waiting {
  readonly isStrangers: boolean;
  sendAway(): void;
}

/**
 * Whether one more may wait in a line; whoever has most in it may be sent away for that. Background
 * work always may: it would only come again.
 * @param max how many may wait
 * @param counted of which kind
 */
export function findsRoom<Work extends Waiting>(
  line: RoundRobin<Work>,
  max: number,
  counted: (waiting: Work) => boolean = () => true,
): boolean {
  if (!isForRequest()) return true;
  const whose = holder();
  const ofStrangers = (waiting: Work): boolean => counted(waiting) && waiting.isStrangers;
  const count = (which: typeof counted): number => [...line].filter(which).length;
  const makeRoom = (which: typeof counted): boolean =>
    line.makeRoom(whose, (last) => last.sendAway(), which);
  const own = line.of(whose).filter(counted).length;
  if (whose !== undefined && own >= max * WAITING_PER_HOLDER) return false;
  if (isStrangers() && count(ofStrangers) >= max * STRANGERS_LINE) return makeRoom(ofStrangers);
  return line.size < max || count(counted) < max || makeRoom(counted);
}
