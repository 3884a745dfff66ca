import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsOptional, ValidateNested } from 'class-validator';
import { CURRENCY_CODES } from '../../common/currencies.js';
import { AMOUNT_MAX } from '../../common/money.js';
import { Rule } from '../../common/validation.js';
import * as rules from './rules.js';

/** The groups of rules that hold for some requests only. */
export const LIVE_RULES = 'live';
export const VERSION_1_0_RULES = '1.0';

/** Characters that text fields accept: any but control characters. */
const TEXT = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$';
/** An absolute address with a host and without credentials. */
const URL_PATTERN = '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@]+([/?#].*)?$';
/** Language, script and region of a BCP 47 tag. */
const LOCALE_PATTERN = '^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$';

@ApiSchema({ name: 'Customer', description: 'The payer, as far as the shop knows.' })
export class CustomerRequest {
  @ApiProperty({
    type: 'string',
    nullable: true,
    required: false,
    maxLength: rules.NAME_MAX,
    pattern: TEXT,
  })
  @Rule(rules.optional(rules.text(rules.NAME_MAX)))
  name?: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    required: false,
    maxLength: 254,
    format: 'email',
    pattern: rules.EMAIL.source,
  })
  @Rule(rules.optional(rules.email))
  email?: string | null;
}

@ApiSchema({ name: 'CreateOrder', description: 'What a payer is to pay, and for what.' })
export class CreateOrderRequest {
  static readonly nested = { customer: CustomerRequest };

  @ApiProperty({
    type: 'string',
    pattern: '^[A-Za-z0-9._:/-]{1,64}$',
    description:
      'Your own name for the order. It can be used again only after the older order finished without money.',
  })
  @Rule(rules.required(rules.orderMerchantId))
  orderMerchantId: string;

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: AMOUNT_MAX,
    description: 'Whole minor units of the currency: 8990 is 89.90 EUR, 8990 JPY, or 8.990 KWD.',
  })
  @Rule(rules.required(rules.amount))
  amount: number;

  @ApiProperty({ type: 'string', enum: CURRENCY_CODES, description: 'ISO 4217 code.' })
  @Rule(rules.required(rules.currency))
  currency: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    required: false,
    maxLength: rules.TEXT_MAX,
    pattern: TEXT,
    description: 'Shown to the payer.',
  })
  @Rule(rules.optional(rules.freeText))
  description?: string | null;

  @ApiProperty({ type: CustomerRequest, nullable: true, required: false })
  @IsOptional({ always: true })
  @ValidateNested({ always: true })
  customer?: CustomerRequest | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    required: false,
    maxLength: 2048,
    pattern: URL_PATTERN,
    format: 'uri',
    description:
      'Where the payment page sends the payer when the order is finished. https only in live mode.',
  })
  @Rule(rules.optional(rules.webUrl))
  @Rule(rules.optional(rules.httpsOnly), [LIVE_RULES])
  returnUrl?: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    required: false,
    maxLength: 2048,
    pattern: URL_PATTERN,
    format: 'uri',
    description: 'Where the payer goes after cancelling; `returnUrl` when left out.',
  })
  @Rule(rules.optional(rules.webUrl))
  @Rule(rules.optional(rules.httpsOnly), [LIVE_RULES])
  cancelUrl?: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    required: false,
    pattern: LOCALE_PATTERN,
    description: 'Language of the payment page, as a BCP 47 tag such as `de` or `pt-BR`.',
  })
  @Rule(rules.optional(rules.localeTag))
  locale?: string | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    required: false,
    minimum: rules.EXPIRY_MINUTES.min,
    maximum: rules.EXPIRY_MINUTES.max,
    default: rules.EXPIRY_MINUTES.standard,
    description: 'Minutes until an unpaid order expires.',
  })
  @Rule(rules.optional(rules.expiresInMinutes))
  expiresInMinutes?: number | null;

  @ApiProperty({
    type: 'object',
    nullable: true,
    required: false,
    maxProperties: rules.OPTIONAL_FIELDS_MAX,
    propertyNames: {
      minLength: 1,
      maxLength: rules.OPTIONAL_KEY_MAX,
      pattern: TEXT,
      not: { const: '__proto__' },
    },
    additionalProperties: { type: 'string', maxLength: rules.TEXT_MAX, pattern: TEXT },
    description:
      'Up to 20 pairs of your own, kept as sent, returned with the order and shown in the merchant’s e-mail.',
  } as object)
  @Rule(rules.optional(rules.optionalFields))
  @Rule(rules.notInThisVersion('1.2'), [VERSION_1_0_RULES])
  optionalFields?: Record<string, string> | null;
}
