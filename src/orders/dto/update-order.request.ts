import { Amount, OPTIONAL, Nested, RequestBody, IntegerInRange } from '../../contract/fields.js';
import type { EditableOrderFields } from '../../database/orders/order.entity.js';
import { CustomerRequest, EXPIRY_MINUTES } from './create-order.request.js';
import { FreeText, LocaleTag, ReturnUrl, TextPairs } from './order-fields.js';

const { min, max } = EXPIRY_MINUTES;
const CLEARABLE = { optional: true, orNull: true } as const;

@RequestBody(
  'UpdateOrder',
  'What is left out stays as it is. What is there takes the place of what was, also all of `customer` and `optionalFields`; null takes it away.',
)
export class UpdateOrderRequest {
  @Amount('Whole minor units of the order’s currency. Not after money has come.', OPTIONAL)
  amount?: number;

  @FreeText('Shown to the payer.', CLEARABLE)
  description?: string | null;

  @Nested(CustomerRequest, CLEARABLE)
  customer?: CustomerRequest | null;

  @ReturnUrl('As in a new order.', CLEARABLE)
  returnUrl?: string | null;

  @ReturnUrl('As in a new order.', CLEARABLE)
  cancelUrl?: string | null;

  @LocaleTag('Language of the payment page.', CLEARABLE)
  locale?: string | null;

  @IntegerInRange({ min, max }, 'Minutes from now until the order expires unpaid.', OPTIONAL, {
    unit: 'minutes',
  })
  expiresInMinutes?: number;

  @TextPairs('As in a new order.', { ...CLEARABLE, since: '1.2' })
  optionalFields?: Record<string, string> | null;
}

/** Changed columns of the order from the request. */
export const askedAnew = (request: UpdateOrderRequest, now: Date): Partial<EditableOrderFields> => {
  const { customer, optionalFields, expiresInMinutes, ...plain } = request;
  const columns: { [Name in keyof EditableOrderFields]?: EditableOrderFields[Name] | undefined } = {
    ...plain,
    ...(customer !== undefined && {
      customerName: customer?.name ?? null,
      customerEmail: customer?.email ?? null,
    }),
    ...(optionalFields !== undefined && { optionalFields: optionalFields ?? {} }),
    ...(expiresInMinutes !== undefined && {
      expiresAt: new Date(now.getTime() + expiresInMinutes * 60_000),
    }),
  };
  const given = Object.entries(columns).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
};
