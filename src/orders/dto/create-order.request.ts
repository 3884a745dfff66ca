import {
  RequestBody,
  Amount,
  Currency,
  OPTIONAL,
  Part,
  Text,
  Whole,
} from '../../contract/fields.js';
import type { NewOrder } from '../../database/orders/order.entity.js';
import {
  Email,
  FreeText,
  LocaleTag,
  OrderMerchantId,
  ReturnUrl,
  TextPairs,
} from './order-fields.js';

export const EXPIRY_MINUTES = { min: 5, max: 43_200, standard: 60 } as const;

@RequestBody('Customer', 'The payer, as far as the shop knows.')
export class CustomerRequest {
  @Text({ max: 140 }, OPTIONAL)
  name?: string;

  @Email(OPTIONAL)
  email?: string;
}

@RequestBody('CreateOrder', 'What a payer is to pay, and for what.')
export class CreateOrderRequest {
  @OrderMerchantId(
    'Your own name for the order. It can be used again only after the older order finished without money.',
  )
  orderMerchantId: string;

  @Amount('Whole minor units of the currency: 8990 is 89.90 EUR, 8990 JPY, or 8.990 KWD.')
  amount: number;

  @Currency()
  currency: string;

  @FreeText('Shown to the payer.', OPTIONAL)
  description?: string;

  @Part(CustomerRequest, OPTIONAL)
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

  @LocaleTag('Language of the payment page, as a BCP 47 tag such as `de` or `pt-BR`.', OPTIONAL)
  locale?: string;

  @Whole(EXPIRY_MINUTES, 'Minutes until an unpaid order expires.', OPTIONAL, { unit: 'minutes' })
  expiresInMinutes?: number;

  @TextPairs(
    'Up to 20 pairs of your own, kept as sent, returned with the order and shown in the merchant’s e-mail.',
    { optional: true, since: '1.2' },
  )
  optionalFields?: Record<string, string>;
}

/** What the order takes as it was sent. */
export const asked = (request: CreateOrderRequest) =>
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
