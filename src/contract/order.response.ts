import { PickType } from '@nestjs/swagger';
import { PAGE_LIMIT } from '../http/query.js';
import { type Mode, MODES } from '../database/merchants/api-key.entity.js';
import {
  isFinished,
  type Order,
  ORDER_EXCEPTIONS,
  ORDER_STATUSES,
  type OrderException,
  type OrderStatus,
  type OrderWithPayment,
} from '../database/orders/order.entity.js';
import type { OrderStatusRow } from '../database/orders/order.repository.js';
import { Answer, answerOf, InPlace, ListOf, Pairs } from './answers.js';
import { Currency, Flag, Link, Minor, Moment, OneOf, OR_NULL, Text, Uuid } from './fields.js';
import { isCancelable, type Voids } from './cancelable.js';
import { PaymentResponse, paymentResponse } from './payment.response.js';

@Answer(
  'OrderCustomer',
  'The payer, as far as the shop knows: as sent. Null for keys without the scope `orders:read`.',
)
class CustomerResponse {
  @Text('Name.', OR_NULL) name: string | null;
  @Text('E-mail address.', OR_NULL) email: string | null;
}

@Answer('Order', 'An order, in the newest version of the contract.')
export class OrderResponse {
  @Uuid('The service’s own name for the order.') txid: string;
  @Text('Your own name for the order.') orderMerchantId: string;
  @OneOf(MODES, 'Test orders move no money.') mode: Mode;
  @OneOf(
    ORDER_STATUSES,
    '`open` can be paid; `processing` waits for a provider; the other four are final.',
  )
  status: OrderStatus;
  @Text(
    'Why the order is where it is. `processing`: `awaiting_provider` or `outcome_unknown`; `paid`: `exact`, `overpaid` or `manual`; `cancelled`: `by_merchant` or `by_payer`; `expired`: `not_paid` or `partially_paid`; `failed`: the provider’s last decline code.',
    OR_NULL,
  )
  statusReason: string | null;
  @Flag('Whether the status is final.') finished: boolean;
  @Flag('Whether cancelling it now has a good chance.') cancelable: boolean;
  @OneOf(ORDER_EXCEPTIONS, 'Money that did not come as asked for and needs a person’s eye.')
  exception: OrderException;
  @Minor('What the payer is asked for, in minor units of the currency.') amount: number;
  @Currency() currency: string;
  @Minor('What arrived so far, in minor units.') amountReceived: number;
  @Minor(
    'What went back to the payer of `amountReceived`, in minor units. `order.refunded` tells of each change.',
  )
  amountRefunded: number;
  @Text('As sent.', OR_NULL) description: string | null;
  @InPlace(CustomerResponse, OR_NULL) customer: CustomerResponse | null;
  @Pairs('As sent, in the order in which they were sent; `{}` without any.', { since: '1.2' })
  optionalFields: Record<string, string>;
  @Link('The page on which the payer pays. Whoever has the link can open it.')
  paymentPageUrl: string;
  @Text('As sent.', OR_NULL) returnUrl: string | null;
  @Text('As sent.', OR_NULL) cancelUrl: string | null;
  @Text('As sent.', OR_NULL) locale: string | null;
  @Moment('When the order was created.') createdAt: string;
  @Moment('When the order changed last.') updatedAt: string;
  @Moment(
    'Until when a payment can be started. One that is under way then may still make the order `paid`: mostly a moment later; while its outcome is unknown, the order stays `processing` for up to 5 days and 8 hours more.',
  )
  expiresAt: string;
  @Moment('When the order was paid.', OR_NULL) paidAt: string | null;
  @InPlace(PaymentResponse, OR_NULL) payment: PaymentResponse | null;
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

/** Where the service is reached from outside. */
interface Published {
  readonly publicUrl: string;
}

export const paymentPageUrl = ({ publicUrl }: Published, order: Pick<Order, 'pageToken'>): string =>
  `${publicUrl}/pay/${order.pageToken}`;

/** The order in the newest contract. */
export const orderResponse = (
  order: OrderWithPayment,
  service: Published,
  providers: Voids,
): OrderResponse =>
  answerOf(OrderResponse, {
    ...orderStatusResponse(order),
    mode: order.mode,
    cancelable: isCancelable(order, providers),
    amountRefunded: order.amountRefunded,
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
  });
