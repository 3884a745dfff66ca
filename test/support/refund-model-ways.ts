/** How refunds go on, in the model: at the provider, by the merchant, or through operators and bank files. */
import type { Outcome } from './outcome.js';
import { isPending, leftOf, type ModelRefund, move } from './refund-model.js';

export type Answer = 'succeeded' | 'failed' | 'returned' | 'silent';

/** The provider is called, for the first time or again. */
function call(refund: ModelRefund, answer: Answer): void {
  refund.isCalled = true;
  refund.isSilent = answer === 'silent';
  if (refund.status === 'approved') move(refund, 'submitted');
  if (answer === 'succeeded' && refund.status === 'submitted') move(refund, 'succeeded');
  if (answer === 'failed' || answer === 'returned') move(refund, 'failed');
}

/** The sandbox bank answers so about a refund that is under way, or that it has paid. */
export function decide(refund: ModelRefund, answer: Answer): Outcome {
  if (refund.letter !== 'none') return 'refund_not_cancelable';
  if (answer === 'returned') call(refund, 'succeeded');
  call(refund, answer);
  return 'ok';
}

/** Seconds pass: the provider is called about all refunds, and books those that it had before. */
export function wait(refunds: readonly ModelRefund[]): void {
  for (const refund of refunds.filter(({ letter }) => letter === 'none')) {
    if (refund.status === 'approved') {
      refund.isCalled = true;
      move(refund, 'submitted');
    } else if (refund.status === 'submitted' && !refund.isSilent) move(refund, 'succeeded');
  }
}

const mayStop = ({ letter }: ModelRefund): boolean => letter === 'waits' || letter === 'approved';

export function cancel(refund: ModelRefund): Outcome {
  if (refund.status === 'cancelled') return 'ok';
  const isEarly =
    refund.letter === 'none' ? isPending(refund) && !refund.isCalled : mayStop(refund);
  if (!isEarly) return 'refund_not_cancelable';
  if (refund.letter !== 'none') refund.letter = 'ended';
  move(refund, 'cancelled');
  return 'ok';
}

/** An operator has sent back a part of the payment meanwhile. */
const isOverdrawn = (refund: ModelRefund): boolean => leftOf(refund.order, refund.payment) < 0;

export function approve(refund: ModelRefund): Outcome {
  const available = refund.order.merchant.accounts['available'] ?? 0;
  if (refund.letter !== 'waits' || available < 0 || isOverdrawn(refund))
    return 'payout_not_possible';
  refund.letter = 'approved';
  if (refund.status === 'requested') move(refund, 'approved');
  return 'ok';
}

export function reject(refund: ModelRefund): Outcome {
  if (!mayStop(refund)) return 'payout_not_possible';
  refund.letter = 'rejected';
  move(refund, refund.status === 'requested' ? 'rejected' : 'cancelled');
  return 'ok';
}

/** Everything that is approved goes into one file. */
export function putIntoFile(refunds: readonly ModelRefund[], file: number): Outcome {
  const approved = refunds.filter((each) => each.letter === 'approved' && !isOverdrawn(each));
  for (const refund of approved) Object.assign(refund, { letter: 'in file', file });
  if (approved.length > 0) return 'ok';
  const isHeld = refunds.some(({ letter }) => letter === 'approved');
  return isHeld ? 'payout_not_possible' : 'nothing_to_export';
}

const ofFile = (refunds: readonly ModelRefund[], file: number | null): ModelRefund[] =>
  refunds.filter((refund) => refund.file === file && refund.letter === 'in file');

/** The bank has the file. */
export function arrive(refunds: readonly ModelRefund[], file: number | null): Outcome {
  const inside = ofFile(refunds, file);
  for (const refund of inside) {
    refund.letter = 'at bank';
    move(refund, 'submitted');
  }
  return inside.length > 0 ? 'ok' : 'payout_not_possible';
}

/** The file was not sent. Whoever downloaded it may have done so all the same: then its refunds are approved anew. */
export function loseFile(
  refunds: readonly ModelRefund[],
  file: number,
  isDownloaded: boolean,
): Outcome {
  const inside = ofFile(refunds, file);
  for (const refund of inside)
    Object.assign(refund, { letter: isDownloaded ? 'waits' : 'approved', file: null });
  return inside.length > 0 ? 'ok' : 'payout_not_possible';
}

/** A statement shows that the money left. So the bank has all of the file. */
export function leave(refunds: readonly ModelRefund[], refund: ModelRefund): Outcome {
  arrive(refunds, refund.file);
  refund.letter = 'paid';
  move(refund, 'succeeded');
  return 'payout_paid';
}

/** The bank could not send it. */
export function fail(refund: ModelRefund): Outcome {
  if (refund.letter !== 'at bank') return 'payout_not_possible';
  refund.letter = 'ended';
  move(refund, 'failed');
  return 'ok';
}

/** The payer's bank sends it back. */
export function comeBack(refund: ModelRefund): Outcome {
  refund.letter = 'ended';
  move(refund, 'failed');
  return 'payout_returned';
}
