import type { SchemaObject } from '@nestjs/swagger';
import { CURRENCY_CODES } from '../../common/currencies.js';
import { ERRORS } from '../../common/errors.js';
import { FIELD_ERRORS } from '../../common/field-errors.js';
import type { FieldError } from '../../common/problem.js';
import { ORDER_EXCEPTIONS, ORDER_STATUSES } from '../../database/entities/order.entity.js';
import { ACCOUNT_TYPES, PAYMENT_STATUSES } from '../../database/entities/payment.entity.js';
import type { OrderResponse, paymentResponse } from '../../orders/dto/order.response.js';
import type { StatusResponse } from '../../status/status.response.js';
import { EVENT_SCHEMAS } from './event-schemas.js';
import { PAYOUT_SCHEMAS } from './payout-schemas.js';
import { RECIPIENT_SCHEMAS } from './recipient-schemas.js';
import {
  complete,
  flag,
  id,
  link,
  minor,
  moment,
  oneOf,
  orNull,
  type Properties,
  type Schema,
  schemaRef,
  text,
} from './schema-parts.js';
import { WEBHOOK_SCHEMAS } from './webhook-schemas.js';

/** In place, like all that has no parts: readers of the document need not look far. */
const currency = oneOf(CURRENCY_CODES, 'ISO 4217 code.');
const orderMerchantId = text('Your own name for the order.');
const amount = minor('What the payer is asked for, in minor units of the currency.');

/**
 * Stands where it is used, so that what lies around an order does not nest too deep for some readers;
 * generated clients take the title for its name.
 */
const named = (
  title: string,
  description: string,
  properties: Record<string, Schema>,
): SchemaObject => ({ ...complete(description, properties), title });

const state = {
  txid: id('The service’s own name for the order.'),
  orderMerchantId,
  status: oneOf(
    ORDER_STATUSES,
    '`open` can be paid; `processing` waits for a provider; the other four are final.',
  ),
  statusReason: orNull(
    text(
      'Why the order is where it is. `processing`: `awaiting_provider` or `outcome_unknown`; `paid`: `exact`, `overpaid` or `manual`; `cancelled`: `by_merchant` or `by_payer`; `expired`: `not_paid` or `partially_paid`; `failed`: the provider’s last decline code.',
    ),
  ),
  finished: flag('Whether the status is final.'),
  exception: oneOf(
    ORDER_EXCEPTIONS,
    'Money that did not come as asked for and needs a person’s eye.',
  ),
  amount,
  currency,
  amountReceived: minor('What arrived so far, in minor units.'),
  paidAt: orNull(moment('When the order was paid.')),
  updatedAt: moment('When the order changed last.'),
} satisfies Properties<StatusResponse>;

const payment = {
  id: id('The service’s own name for the payment.'),
  provider: text('Who moves the money.'),
  method: text('How the payer pays at the provider.'),
  status: oneOf(PAYMENT_STATUSES, 'Where the payment is.'),
  amount: minor('What arrived, or what is asked for until then, in minor units.'),
  currency,
  providerReference: orNull(text('The provider’s own name for the payment.')),
  createdAt: moment('When the payment was started.'),
  completedAt: orNull(moment('When its outcome became known.')),
  error: orNull(
    complete('Why the payment failed.', {
      code: text('Stable code, such as `insufficient_funds`.'),
      message: text('The same for a person.'),
    }),
  ),
  payerAccountNumber: orNull(
    text(
      'The account that paid, as the provider tells it. It can become known a day later. Keys without the scope `orders:read` are not told who paid.',
    ),
  ),
  payerAccountType: orNull(oneOf(ACCOUNT_TYPES, 'What kind of account it is.')),
  payerAccountName: orNull(text('The name on that account. Providers may tell only one of both.')),
} satisfies Properties<ReturnType<typeof paymentResponse>>;

const order = {
  txid: state.txid,
  orderMerchantId,
  mode: oneOf(['test', 'live'], 'Test orders move no money.'),
  status: state.status,
  statusReason: state.statusReason,
  finished: state.finished,
  cancelable: flag('Whether cancelling it now has a good chance.'),
  exception: state.exception,
  amount,
  currency,
  amountReceived: state.amountReceived,
  amountRefunded: minor(
    'What went back to the payer of `amountReceived`, in minor units. `order.refunded` tells of each change.',
  ),
  description: orNull(text('As sent.')),
  customer: orNull(
    named(
      'OrderCustomer',
      'The payer, as far as the shop knows: as sent. Null for keys without the scope `orders:read`.',
      {
        name: orNull(text('Name.')),
        email: orNull(text('E-mail address.')),
      },
    ),
  ),
  optionalFields: {
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'As sent, in the order in which they were sent; `{}` without any.',
  },
  paymentPageUrl: link('The page on which the payer pays. Whoever has the link can open it.'),
  returnUrl: orNull(text('As sent.')),
  cancelUrl: orNull(text('As sent.')),
  locale: orNull(text('As sent.')),
  createdAt: moment('When the order was created.'),
  updatedAt: state.updatedAt,
  expiresAt: moment('Until when the order can be paid.'),
  paidAt: state.paidAt,
  payment: orNull(
    named(
      'Payment',
      'One attempt to pay the order: the one that paid it, else the latest.',
      payment,
    ),
  ),
} satisfies Properties<OrderResponse>;

const fieldError = {
  pointer: text('JSON Pointer (RFC 6901) into the request’s body.'),
  code: oneOf(Object.keys(FIELD_ERRORS), 'What is wrong with the field.'),
  detail: text('The same for a person.'),
} satisfies Properties<FieldError>;

const problem = complete('What went wrong, as RFC 9457 problem details.', {
  type: link('Page about the error.'),
  title: text('What happened; the same text every time.'),
  status: { type: 'integer', minimum: 400, maximum: 599, description: 'The HTTP status.' },
  detail: text('What happened this time, for a person.'),
  instance: text('Path of the request; empty when it could not be read.'),
  code: oneOf(Object.keys(ERRORS), 'Stable name of the error: let programs decide by it.'),
  requestId: id('Equals the header X-Request-Id; name it when you ask for help.'),
  retryable: flag('Whether the same request can succeed later.'),
});

/** Members that only some problems have. */
const problemDetails: Record<string, Schema> = {
  errors: {
    type: 'array',
    minItems: 1,
    maxItems: 20,
    items: schemaRef('FieldError'),
    description: 'Every bad field, with `validation_failed`.',
  },
  supported: {
    type: 'array',
    items: { type: 'string' },
    description: 'Released versions, with `unknown_api_version`.',
  },
  since: text('The first version that has the operation, with `not_in_this_version`.'),
  missingScope: text('The scope that the key lacks, with `missing_scope`.'),
  txid: id('The order concerned, with conflicts.'),
  orderStatus: oneOf(ORDER_STATUSES, 'Where that order is, with conflicts.'),
};

/** Everything that the service answers with. */
export const RESPONSE_SCHEMAS: Readonly<Record<string, SchemaObject>> = {
  Order: complete('An order, in the newest version of the contract.', order),
  OrderStatus: complete('Where an order is. The same in every version.', state),
  ...PAYOUT_SCHEMAS,
  ...EVENT_SCHEMAS,
  Problem: { ...problem, properties: { ...problem.properties, ...problemDetails } },
  ...WEBHOOK_SCHEMAS,
  ...RECIPIENT_SCHEMAS,
  FieldError: complete('One bad field of a request.', fieldError),
};
