import type { BankLine } from '../../database/bank/lines/bank-line.entity.js';

type Decided = Pick<BankLine, 'state' | 'reason'>;

/** Unexplained outgoing money: not a payment, but it needs attention. */
export const isUnknownMoneyOut = ({ state, reason }: Decided): boolean =>
  state === 'not_a_payment' && reason === 'unknown_money_out';

/** Whether a line needs attention by an operator. */
export const isWaiting = (line: Decided): boolean =>
  line.state === 'unmatched' || line.state === 'suggested' || isUnknownMoneyOut(line);

/** Outgoing money that needs attention: it may take back a payment, or a part of one. */
export const canBeReturn = (line: BankLine): boolean =>
  line.direction === 'out' &&
  line.status === 'booked' &&
  line.amount !== null &&
  line.currency !== null &&
  isWaiting(line) &&
  !isPossibleDuplicate(line);

/** Reverses an earlier booking. */
export const isTakingBack = ({ kind }: Pick<BankLine, 'kind'>): boolean =>
  kind === 'return' || kind === 'reversal';

/** May duplicate a known booking: an operator has to decide first. */
export const isPossibleDuplicate = ({
  state,
  duplicateOf,
  markedDistinctBy,
}: Pick<BankLine, 'state' | 'duplicateOf' | 'markedDistinctBy'>): boolean =>
  duplicateOf !== null && markedDistinctBy === null && state !== 'superseded';

/** Whether an operator merged it into another line, or linked it to a total. */
export const isMarkedSame = ({ state, reason }: Decided): boolean =>
  state === 'superseded' && (reason === 'same_booking' || reason === 'total');

/** Whether an operator decided that it is a booking of its own, and no later decision exists. */
export const isMarkedDistinct = ({
  state,
  markedDistinctBy,
}: Pick<BankLine, 'state' | 'markedDistinctBy'>): boolean =>
  markedDistinctBy !== null && state !== 'superseded' && state !== 'ignored';

/** Whether a possible duplicate may be a batch total. */
export const mayBeTotal = ({
  batchId,
  batchKey,
}: Pick<BankLine, 'batchId' | 'batchKey'>): boolean => batchId !== null && batchKey === null;

/** Incoming money that needs attention, all or a part. Money that the bank took back is `matched` as a whole. */
export const canBeMatched = (line: BankLine): boolean =>
  line.direction === 'in' &&
  line.status === 'booked' &&
  line.amount !== null &&
  line.currency !== null &&
  !isPossibleDuplicate(line) &&
  isWaiting(line);

/** Unproven lines move no money. */
export const isSure = (line: BankLine): boolean =>
  line.contradicts === null && line.unproven === null && !isPossibleDuplicate(line);
