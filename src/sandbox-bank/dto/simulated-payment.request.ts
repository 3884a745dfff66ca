import { DECLINE_CODES, type DeclineCode } from '../../common/decline-codes.js';
import {
  RequestBody,
  Amount,
  Currency,
  OneOf,
  OPTIONAL,
  Text,
  IntegerInRange,
} from '../../contract/fields.js';
import { ACCOUNT_TYPES, type AccountType } from '../../database/payments/payment.entity.js';

const OUTCOMES = ['paid', 'declined', 'pending', 'unknown'] as const;
const PAYER_TEXT_MAX = 140;
const AFTER_SECONDS = { min: 0, max: 3_600 } as const;
const PAYER_AFTER_SECONDS = { min: 1, max: 3_600 } as const;
const REPEAT = { min: 1, max: 20 } as const;

@RequestBody('SimulatedLatePayment', 'Money that the sandbox bank sends after all.')
export class SimulatedLatePaymentRequest {
  @Text({ max: PAYER_TEXT_MAX }, OPTIONAL)
  payerAccountNumber?: string;

  @OneOf(
    ACCOUNT_TYPES,
    'What kind of account the bank says it is; as the number looks when left out. Alone it stands for an account of that kind.',
    OPTIONAL,
  )
  payerAccountType?: AccountType;

  @Text({ max: PAYER_TEXT_MAX }, OPTIONAL)
  payerAccountName?: string;

  @IntegerInRange(
    PAYER_AFTER_SECONDS,
    'Seconds between the money and the payer details, which then arrive with the event `payment.updated`; default: together.',
    OPTIONAL,
  )
  payerAfterSeconds?: number;

  @Amount('Minor units that the payer sends; what is due when left out.', OPTIONAL)
  amount?: number;

  @Currency('Currency that the payer sends; the order’s when left out.', OPTIONAL)
  currency?: string;

  @IntegerInRange(AFTER_SECONDS, 'Seconds until the bank answers.', OPTIONAL)
  afterSeconds?: number;

  @IntegerInRange(REPEAT, 'How often the bank sends the same callback.', OPTIONAL)
  repeat?: number;
}

@RequestBody('SimulatedPayment', 'What the sandbox bank is to answer.')
export class SimulatedPaymentRequest extends SimulatedLatePaymentRequest {
  @OneOf(OUTCOMES)
  outcome: (typeof OUTCOMES)[number];

  @OneOf(
    Object.keys(DECLINE_CODES),
    'Why the bank declines; `declined`, which names no reason, when left out. [What each means](/errors#payments).',
    OPTIONAL,
  )
  declineCode?: DeclineCode;
}
