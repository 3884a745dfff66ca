import type { BankLine } from '../database/bank/bank-line.entity.js';

type Decided = Pick<BankLine, 'state' | 'reason'>;

/** Money that left and that nothing explains: no payment, and waiting for a person all the same. */
export const isUnknownMoneyOut = ({ state, reason }: Decided): boolean =>
  state === 'not_a_payment' && reason === 'unknown_money_out';

/** Whether a line waits for a person. */
export const isWaiting = (line: Decided): boolean =>
  line.state === 'unmatched' || line.state === 'suggested' || isUnknownMoneyOut(line);

/** Money that left and waits for a person: it may be a payment that a bank took back, or a part of one. */
export const canBeReturn = (line: BankLine): boolean =>
  line.direction === 'out' &&
  line.status === 'booked' &&
  line.amount !== null &&
  line.currency !== null &&
  isWaiting(line) &&
  !isPossibleDuplicate(line);

/** It may be a booking that is there already: a person has to say, before anything else can become of it. */
export const isPossibleDuplicate = ({
  state,
  duplicateOf,
  toldApartBy,
}: Pick<BankLine, 'state' | 'duplicateOf' | 'toldApartBy'>): boolean =>
  duplicateOf !== null && toldApartBy === null && state !== 'superseded';

/** Whether a person has said that it is another line, or a total and its payments one money. */
export const isSaidSame = ({ state, reason }: Decided): boolean =>
  state === 'superseded' && (reason === 'same_booking' || reason === 'total');

/** Of a line that may be another one: whether it may be the total of several. */
export const mayBeTotal = ({
  batchId,
  batchKey,
}: Pick<BankLine, 'batchId' | 'batchKey'>): boolean => batchId !== null && batchKey === null;

/** Money that came in and that waits for a person, all of it or a part. What the bank took back is `matched`, whole. */
export const canBeMatched = (line: BankLine): boolean =>
  line.direction === 'in' &&
  line.status === 'booked' &&
  line.amount !== null &&
  line.currency !== null &&
  !isPossibleDuplicate(line) &&
  isWaiting(line);
