import { PickType } from '@nestjs/swagger';
import { FAILURE_CODES } from '../common/decline-codes.js';
import { PAGE_LIMIT } from '../http/query.js';
import { isCancelable, type Voids } from '../lifecycle/cancelable.js';
import { amountRefundable, type Refunds } from '../lifecycle/refundable.js';
import { processingUntil } from '../lifecycle/processing-until.js';
import { type Mode, MODES } from '../database/merchants/api-key.entity.js';
import {
  isFinished,
  type Order,
  ORDER_EXCEPTIONS,
  ORDER_STATUSES,
  STATUS_REASONS,
  type OrderException,
  type OrderStatus,
  type OrderWithPayment,
} from '../database/orders/order.entity.js';
import { PAYMENTS_MAX } from '../database/payments/payment.entity.js';
import type { OrderStatusRow } from '../database/orders/order.repository.js';
import { Answer, answerOf, CurrencyCode, ListOf, OpenList, Pairs } from './answers.js';
import { Flag, Link, Minor, Moment, OneOf, OR_NULL, Nested, Text, Uuid } from './fields.js';
import { type WarningCode, WARNINGS } from './normalizers.js';
import type { Warning } from './parse.js';
import { PaymentResponse, paymentResponse } from './payment.response.js';

@Answer(
  'OrderCustomer',
  'The payer, as far as the shop knows: as sent. Null for keys without the scope `orders:read`.',
)
class CustomerResponse {
  @Text('Name.', OR_NULL) name: string | null;
  @Text('E-mail address.', OR_NULL) email: string | null;
}

@Answer('Order', 'An order.')
export class OrderResponse {
  @Uuid('The service’s own name for the order.') txid: string;
  @Text('Your own name for the order.') orderMerchantId: string;
  @OneOf(MODES, 'Test orders move no money.') mode: Mode;
  @OneOf(
    ORDER_STATUSES,
    '`open` can be paid; `processing` waits for a provider or a transfer; the other four are final. Only if a transfer was matched to the order by mistake, a `paid` order changes to its status without it, with the event `order.reopened` or that of its final status.',
  )
  status: OrderStatus;
  @OpenList(
    [...Object.values(STATUS_REASONS).flat(), ...Object.keys(FAILURE_CODES)],
    'Why the order is where it is. `processing`: `awaiting_provider`, `outcome_unknown`, or `awaiting_transfer` while the payer has days to transfer the money; `paid`: `exact`, `overpaid` or `manual`; `cancelled`: `by_merchant` or `by_payer`; `expired`: `not_paid` or `partially_paid`; `failed`: the provider’s last decline code.',
    OR_NULL,
  )
  statusReason: string | null;
  @Flag('Whether the status is final.') finished: boolean;
  @Flag(
    'Whether cancelling it now succeeds, as far as is known. While an outcome is unknown it is false: DELETE asks the provider all the same.',
  )
  cancelable: boolean;
  @OneOf(ORDER_EXCEPTIONS, 'Money that did not come as asked for and needs a person’s eye.')
  exception: OrderException;
  @Minor('What the payer is asked for, in minor units of the currency.') amount: number;
  @CurrencyCode() currency: string;
  @Minor('What arrived so far, less what banks took back, in minor units.') amountReceived: number;
  @Minor(
    'What went back to the payer of `amountReceived`, in minor units. Each change sends `order.refunded`.',
  )
  amountRefunded: number;
  @Minor(
    'What payers’ banks took back, in minor units: it is not in `amountReceived` any more. While it is missing from the price, `exception` is `charged_back`.',
    { since: '1.3' },
  )
  amountChargedBack: number;
  @Minor(
    'What is left to refund, in minor units: `amountReceived` less what was refunded, or is being refunded. 0 unless the order is `paid` and its provider makes refunds.',
    { since: '1.4' },
  )
  amountRefundable: number;
  @Text('As sent.', OR_NULL) description: string | null;
  @Nested(CustomerResponse, OR_NULL) customer: CustomerResponse | null;
  @Pairs('As sent, in the order in which they were sent; `{}` without any.', { since: '1.2' })
  optionalFields: Record<string, string>;
  @Link('The page on which the payer pays. Anyone with the link can open it.')
  paymentPageUrl: string;
  @Text('As sent.', OR_NULL) returnUrl: string | null;
  @Text('As sent.', OR_NULL) cancelUrl: string | null;
  @Text('As sent.', OR_NULL) locale: string | null;
  @Moment('When the order was created.') createdAt: string;
  @Moment('When the order changed last.') updatedAt: string;
  @Moment(
    'Until when a payment can be started. One that is under way then may still make the order `paid`: mostly a moment later; while its outcome is unknown, the order stays `processing` for up to 5 days and 8 hours more, where the service is not set otherwise. A payer who chooses a bank transfer moves it to the end of the merchant’s last day for it, and never back: money that the bank books on that day at the latest is in time, and the order stays `processing` until a statement of that day has been read, for 3 bank days at most.',
  )
  expiresAt: string;
  @Moment('When the order was paid.', OR_NULL) paidAt: string | null;
  @Nested(PaymentResponse, 'The attempt that paid the order, else the latest.', OR_NULL)
  payment: PaymentResponse | null;
  @ListOf(PaymentResponse, 'Every attempt to pay the order, oldest first.', {
    max: PAYMENTS_MAX,
    since: '1.3',
  })
  payments: readonly PaymentResponse[];
  @Moment(
    'Until when an order that is `processing` ends at the latest; null when it is not. Keep its goods until then.',
    OR_NULL,
    { since: '1.3' },
  )
  processingUntil: string | null;
}

@Answer('Warning', 'How one field was kept that had been written otherwise.')
class WarningResponse implements Warning {
  @Text('JSON Pointer (RFC 6901) into the request’s body.') pointer: string;
  @OpenList(Object.keys(WARNINGS), 'What was changed.') code: WarningCode;
  @Text('The same for a person.') detail: string;
}

@Answer('CreatedOrder', 'A new order, or the one that the same request had made before.')
export class CreatedOrderResponse extends OrderResponse {
  @ListOf(
    WarningResponse,
    'What was sloppy about the request, and kept otherwise. Not there in other answers.',
    { since: '1.3' },
  )
  warnings: readonly WarningResponse[];
}

@Answer('OrderPage', 'A part of the orders that were found.')
export class OrderPageResponse {
  @ListOf(OrderResponse, { max: PAGE_LIMIT.max }) data: readonly OrderResponse[];
  @Text('What to pass as `after` for the next page; null when this one is empty.', OR_NULL)
  next: string | null;
  @Flag('Whether there are more orders.') hasMore: boolean;
}

@Answer('OrderStatus', 'Where an order is. The same in every version.')
export class OrderStatusResponse extends PickType(OrderResponse, [
  'txid',
  'orderMerchantId',
  'status',
  'statusReason',
  'finished',
  'exception',
  'amount',
  'currency',
  'amountReceived',
  'paidAt',
  'updatedAt',
] as const) {}

export const orderStatusResponse = (order: OrderStatusRow): OrderStatusResponse =>
  answerOf(OrderStatusResponse, {
    txid: order.txid,
    orderMerchantId: order.orderMerchantId,
    status: order.status,
    statusReason: order.statusReason,
    finished: isFinished(order.status),
    exception: order.exception,
    amount: order.amount,
    currency: order.currency,
    amountReceived: order.amountReceived,
    paidAt: order.paidAt?.toISOString() ?? null,
    updatedAt: order.updatedAt.toISOString(),
  });

/** Public URL of the service. */
interface Published {
  readonly publicUrl: string;
}

/** Adds the time that it waits for an unknown outcome. */
interface Service extends Published {
  readonly unknownOutcomeDays: number;
}

export const paymentPageUrl = ({ publicUrl }: Published, order: Pick<Order, 'pageToken'>): string =>
  `${publicUrl}/pay/${order.pageToken}`;

/** The order in the newest API version. */
export const orderResponse = (
  order: OrderWithPayment,
  service: Service,
  providers: Voids & Refunds,
): OrderResponse =>
  answerOf(OrderResponse, {
    ...orderStatusResponse(order),
    mode: order.mode,
    cancelable: isCancelable(order, providers),
    amountRefunded: order.amountRefunded,
    amountChargedBack: order.amountChargedBack,
    amountRefundable: amountRefundable(order, providers),
    description: order.description,
    customer:
      order.customerName === null && order.customerEmail === null
        ? null
        : answerOf(CustomerResponse, { name: order.customerName, email: order.customerEmail }),
    optionalFields: order.optionalFields,
    paymentPageUrl: paymentPageUrl(service, order),
    returnUrl: order.returnUrl,
    cancelUrl: order.cancelUrl,
    locale: order.locale,
    createdAt: order.createdAt.toISOString(),
    expiresAt: order.expiresAt.toISOString(),
    payment: order.payment && paymentResponse(order.payment),
    payments: order.payments.map(paymentResponse),
    processingUntil: processingUntil(order, service.unknownOutcomeDays)?.toISOString() ?? null,
  });
