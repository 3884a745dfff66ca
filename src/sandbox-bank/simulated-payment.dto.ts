import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { AMOUNT_MAX } from '../common/money.js';
import { CURRENCY_CODES } from '../common/currencies.js';
import { type Fault, Rule } from '../common/validation.js';
import { amount, currency, optional, required, text } from '../orders/dto/rules.js';

const OUTCOMES = ['paid', 'declined', 'pending', 'unknown'] as const;
const PAYER_TEXT_MAX = 140;
const AFTER_SECONDS_MAX = 3_600;
const REPEAT_MAX = 20;
/** Any but control characters. */
const TEXT = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$';

const outcome = (value: unknown): Fault | undefined =>
  OUTCOMES.some((known) => known === value)
    ? undefined
    : { code: 'wrong_format', detail: `This must be one of ${OUTCOMES.join(', ')}.` };

const whole =
  (min: number, max: number) =>
  (value: unknown): Fault | undefined =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max
      ? undefined
      : { code: 'out_of_range', detail: `This must be a whole number from ${min} to ${max}.` };

@ApiSchema({ name: 'SimulatedPayment', description: 'What the sandbox bank is to answer.' })
export class SimulatedPaymentRequest {
  @ApiProperty({ type: 'string', enum: OUTCOMES })
  @Rule(required(outcome))
  outcome: (typeof OUTCOMES)[number];

  @ApiProperty({
    type: 'string',
    nullable: true,
    required: false,
    maxLength: PAYER_TEXT_MAX,
    pattern: TEXT,
  })
  @Rule(optional(text(PAYER_TEXT_MAX)))
  payerAccountNumber?: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    required: false,
    maxLength: PAYER_TEXT_MAX,
    pattern: TEXT,
  })
  @Rule(optional(text(PAYER_TEXT_MAX)))
  payerAccountName?: string | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    required: false,
    minimum: 1,
    maximum: AMOUNT_MAX,
    description: 'Minor units that the payer sends; what is due when left out.',
  })
  @Rule(optional(amount))
  amount?: number | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    required: false,
    enum: [...CURRENCY_CODES, null],
    description: 'Currency that the payer sends; the order’s when left out.',
  })
  @Rule(optional(currency))
  currency?: string | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    required: false,
    minimum: 0,
    maximum: AFTER_SECONDS_MAX,
    description: 'Seconds until the bank answers.',
  })
  @Rule(optional(whole(0, AFTER_SECONDS_MAX)))
  afterSeconds?: number | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    required: false,
    minimum: 1,
    maximum: REPEAT_MAX,
    description: 'How often the bank sends the same callback.',
  })
  @Rule(optional(whole(1, REPEAT_MAX)))
  repeat?: number | null;
}
