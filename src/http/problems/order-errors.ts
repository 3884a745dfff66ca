import { error } from './error-definition.js';

/** Errors about what can be done with an order; a part of `ERRORS`. */
export const ORDER_ERRORS = {
  order_already_exists: error(
    409,
    'Another order has this orderMerchantId',
    'An order with the same `orderMerchantId` but other content exists and is live or paid.',
    'Use a new `orderMerchantId`, or read the existing order by the `txid` in this answer.',
  ),
  order_not_cancelable: error(
    409,
    'The order can no longer be cancelled',
    'It is finished, or its payment could not be stopped at the provider.',
    'Read the order: `orderStatus` in this answer tells where it stands.',
  ),
  order_finished: error(
    409,
    'The order is finished',
    'Its status is final: it is paid, failed or cancelled, and its time does not end any more.',
    'Make a new order, and let its time end while it is `open` or `processing`.',
  ),
  no_ended_payment: error(
    409,
    'No payment of the order has ended without money',
    'The sandbox bank sends money after all for a payment that it had declined or stopped, and the order has none.',
    'First let a payment be `declined`, or `pending` while the order is cancelled or expires; its money can come then.',
  ),
  order_not_changeable: error(
    409,
    'The order can no longer be changed so',
    'It is finished, its time to pay has passed, or money has come and the request changes the amount.',
    'Read the order: `orderStatus` in this answer tells where it stands.',
  ),
  order_changed: error(
    412,
    'The order has changed',
    'The order is not any more as the `If-Match` of the request says.',
    'Read the order again, decide anew, and send its `ETag`.',
  ),
  order_not_acceptable: error(
    409,
    'There is no money to accept',
    'Late money is accepted for an order that ended unpaid, when it covers all that the order asks for and none of it was sent back.',
    'Look at the order: somebody else may have accepted the money. Less than the price is sent back.',
  ),
  order_not_refundable: error(
    409,
    'The order has no such money to send back',
    'It is not paid, all of its money was refunded or returned, it has 100 refunds, or the money cannot be sent back: providers refund payments of the last 365 days, and transfers go back only to an account that the bank named, or that the payer enters. Of an order that ended unpaid, operators send back the money that came all the same.',
    'Read the order: `amountRefundable` says what is left.',
  ),
  order_not_payable: error(
    409,
    'The order cannot be paid now',
    'The order is finished, or its time to pay has passed.',
    'Create a new order.',
  ),
} as const;
