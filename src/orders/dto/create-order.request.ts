import {
  RequestBody,
  Amount,
  Currency,
  Normalize,
  OPTIONAL,
  Nested,
  IntegerInRange,
} from '../../contract/fields.js';
import { emptyList } from '../../contract/normalizers.js';
import type { NewOrder } from '../../database/orders/order.entity.js';
import {
  Email,
  FreeText,
  LocaleTag,
  OrderMerchantId,
  PersonName,
  ReturnUrl,
  TextPairs,
} from './order-fields.js';

export const EXPIRY_MINUTES = { min: 5, max: 43_200, standard: 60 } as const;

@RequestBody('Customer', 'The payer, as far as the shop knows.')
export class CustomerRequest {
  @PersonName(OPTIONAL)
  name?: string;

  @Email(OPTIONAL)
  email?: string;
}

@RequestBody('CreateOrder', 'What a payer is to pay, and for what.')
export class CreateOrderRequest {
  @OrderMerchantId(
    'Your own name for the order. It can be used again once the older order has expired, failed or was cancelled.',
  )
  orderMerchantId: string;

  @Amount('Whole minor units of the currency: 8990 is 89.90 EUR, 8990 JPY, or 8.990 KWD.')
  amount: number;

  @Currency()
  currency: string;

  @FreeText('Shown to the payer, in one line.', OPTIONAL)
  description?: string;

  @Normalize(emptyList)
  @Nested(CustomerRequest, OPTIONAL)
  customer?: CustomerRequest;

  @ReturnUrl(
    'Where the payment page takes the payer 8 seconds after the order has ended, and where its link back leads. The page adds ' +
      'the parameters `orderMerchantId`, `txid` and `status` unless the address has them. Anybody can write such an ' +
      'address: read the order before you act on it. https only in live mode.',
    OPTIONAL,
  )
  returnUrl?: string;

  @ReturnUrl(
    'The same for an order that failed, expired or was cancelled; `returnUrl` when left out.',
    OPTIONAL,
  )
  cancelUrl?: string;

  @LocaleTag(
    'Language of the payment page, as a BCP 47 tag such as `de` or `pt-BR`. `de_DE` is read as `de-DE`, and what names no language counts as not sent.',
    OPTIONAL,
  )
  locale?: string;

  @IntegerInRange(EXPIRY_MINUTES, 'Minutes until an unpaid order expires.', OPTIONAL, {
    unit: 'minutes',
  })
  expiresInMinutes?: number;

  @TextPairs(
    'Up to 20 pairs of your own, kept as sent, returned with the order and shown in the merchant’s e-mail.',
    { optional: true, since: '1.2' },
  )
  optionalFields?: Record<string, string>;
}

/** Columns of the order from the request. */
export const toOrderColumns = (request: CreateOrderRequest) =>
  ({
    orderMerchantId: request.orderMerchantId,
    amount: request.amount,
    currency: request.currency,
    description: request.description ?? null,
    customerName: request.customer?.name ?? null,
    customerEmail: request.customer?.email ?? null,
    optionalFields: request.optionalFields ?? {},
    returnUrl: request.returnUrl ?? null,
    cancelUrl: request.cancelUrl ?? null,
    locale: request.locale ?? null,
  }) satisfies Partial<NewOrder>;
