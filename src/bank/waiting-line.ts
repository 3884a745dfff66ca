import type { BankLine } from '../database/bank/bank-line.entity.js';

/** Whether a line waits for a person. */
export const isWaiting = ({ state }: Pick<BankLine, 'state'>): boolean =>
  state === 'unmatched' || state === 'suggested';

/** Money that came in and that waits for a person, all of it or a part. What the bank took back is `matched`, whole. */
export const canBeMatched = (line: BankLine): boolean =>
  line.direction === 'in' &&
  line.status === 'booked' &&
  line.amount !== null &&
  line.currency !== null &&
  isWaiting(line);

/** What waits, and money that left and that nothing explains. */
export const canBeIgnored = (line: BankLine): boolean =>
  isWaiting(line) || (line.state === 'not_a_payment' && line.reason === 'unknown_money_out');
