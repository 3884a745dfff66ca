import type { ApiVersion } from '../../common/api-version.js';

/** Released API versions, oldest first, with their changes for the changelog page. */
export const RELEASES = [
  {
    version: '1.0',
    changes: [
      'First release. Create, read and cancel orders.',
      'Payout support via the merchant portal.',
    ],
  },
  {
    version: '1.2',
    changes: [
      'Improved responsiveness. Caching layer to speed up compilation of the payment page: it is compiled once for each shop and language and then reused.',
      'Optional order transaction fields supported on POST /api/order, returned by GET /api/order and included in the new merchant notification e-mail. They are called `optionalFields`; version 1.0 refuses them and leaves them out.',
      'Status checks improved to support merchant ids as well as internal ids.',
      'New endpoints GET /api/order and GET /api/order/status look an order up by `orderMerchantId` or by the internal id.',
      'GET /api/order/{txid} and GET /api/order/{txid}/status deprecated.',
    ],
  },
  {
    version: '1.2.1',
    changes: [
      'Merchant portal transaction history shows payment provider, account number and name of the payer who executed the payment.',
      'Merchants can opt in to notification after each successful transaction.',
      'Transaction history can be downloaded from the portal.',
      'Nothing in the API changed.',
    ],
  },
  {
    version: '1.2.2',
    changes: [
      'Payment object response gains payer account number and payer account name: `payerAccountNumber`, `payerAccountType` and `payerAccountName`.',
    ],
  },
  {
    version: '1.3',
    changes: [
      'Order object gains `payments`: every attempt to pay the order, oldest first. `payment` stays the one that paid it, else the latest.',
      'The answer of POST /api/order gains `warnings`: how sloppy fields were kept. Other versions take the same fields.',
      'Webhook endpoints gain `optionalField`: they hear only the orders that have it, such as those of one shop.',
      'Order object gains `processingUntil`: when an order that is `processing` ends at the latest.',
      'Order object gains `amountChargedBack`: what payers’ banks took back.',
      'Payment object gains `transfer`: account, reference and QR code text that the payer of a bank transfer received.',
    ],
  },
  {
    version: '1.4',
    changes: ['Order object gains `amountRefundable`: what is left to refund.'],
  },
] as const satisfies readonly { version: ApiVersion; changes: readonly string[] }[];

/** Changes that apply to every version. */
export const IN_EVERY_VERSION = [
  'GET /api/order/search finds orders by the filters of the portal, and writes them as CSV.',
  'PATCH /api/order/{txid} changes an open order, and sends the event order.updated. `ETag` and `If-Match` guard it.',
  'POST /api/order/{txid}/refund sends money of a paid order back. Refunds are read by GET /api/refund and GET /api/refund/{id}, and can be cancelled until the provider is asked. Keys need the scopes `refunds:read` and `refunds:write`. Events `refund.…` have the order as `data`, and the refund as `refund`.',
  'GET /api/event takes `from`, a time at which to begin, and `txid`.',
  'Orders can be paid by bank transfer: provider and method `bank_transfer`. They are `processing` for days, with the `statusReason` `awaiting_transfer`, and `expiresAt` moves to the last day for the money when the payer chooses it. Cancelling then means to wait no longer.',
  '`exception` can be `charged_back`: money of a paid order was taken back by the payer’s bank. The order stays `paid`, `amountReceived` falls, and new money for it makes up for that: then `order.exception` says `none`.',
  '`order.reopened`: a transfer had been matched to the order by mistake. The order is no longer `paid`, but waits again; if it has expired, `order.expired` follows. When it is paid after all, `order.paid` is sent once more.',
  '`Location` of a new order names GET /api/order, and repeats have it, too; in version 1.0, which does not know that operation, GET /api/order/{txid}.',
  'Lists in queries are read with commas between their entries and as repeated parameters, also with `[]` behind their name.',
] as const;
