import { error } from './error-definition.js';

/** Errors about refunds; a part of `ERRORS`. */
export const REFUND_ERRORS = {
  refund_not_found: error(
    404,
    'There is no such refund',
    'No refund of this merchant and mode has the id; test and live data never meet.',
    'Check the id, and that the key is of the right mode.',
  ),
  refund_link_not_found: error(
    404,
    'The refund has no link for its payer',
    'Only a refund by bank whose payer the bank did not name has a link, until the payer has entered an account or the refund has ended.',
    'Read the refund: its `statusReason` says when it waits for the payer.',
  ),
  refund_already_exists: error(
    409,
    'Another refund has this refundMerchantId',
    'A refund with the same `refundMerchantId` but other content exists. An id is used once, whatever became of the refund.',
    'Use a new `refundMerchantId`, or read the existing refund.',
  ),
  refundable_changed: error(
    409,
    'Another amount is left to refund',
    'The `amountRefundable` of the request is not what is left of the order now: it was refunded or returned meanwhile.',
    'Read the order, and decide anew.',
  ),
  refund_not_cancelable: error(
    409,
    'The refund can no longer be changed so',
    'The provider has it, or may have it, it is in a bank file, or it has ended.',
    'Read the refund: `refundStatus` in this answer tells where it stands.',
  ),
  refund_second_person: error(
    403,
    'A second person has to approve',
    'Nobody approves a refund that they requested, or that a key of theirs requested, so a live refund needs a key whose maker is known. Operators alone approve refunds by bank.',
    'Let another owner or somebody of finance approve it; wait for an operator if it goes by bank. Use a key that an owner made in the portal.',
  ),
  refund_too_large: error(
    422,
    'The refund is larger than what is left',
    'An order refunds at most what it received, less what was refunded, is being refunded, or was taken back by banks.',
    'Ask for at most `amountRefundable`.',
  ),
} as const;
