import {
  RequestBody,
  Amount,
  Currency,
  OneOf,
  OPTIONAL,
  Text,
  Whole,
} from '../../contract/fields.js';

const OUTCOMES = ['paid', 'declined', 'pending', 'unknown'] as const;
const PAYER_TEXT_MAX = 140;
const AFTER_SECONDS = { min: 0, max: 3_600 } as const;
const REPEAT = { min: 1, max: 20 } as const;

@RequestBody('SimulatedPayment', 'What the sandbox bank is to answer.')
export class SimulatedPaymentRequest {
  @OneOf(OUTCOMES)
  outcome: (typeof OUTCOMES)[number];

  @Text({ max: PAYER_TEXT_MAX }, OPTIONAL)
  payerAccountNumber?: string;

  @Text({ max: PAYER_TEXT_MAX }, OPTIONAL)
  payerAccountName?: string;

  @Amount('Minor units that the payer sends; what is due when left out.', OPTIONAL)
  amount?: number;

  @Currency('Currency that the payer sends; the order’s when left out.', OPTIONAL)
  currency?: string;

  @Whole(AFTER_SECONDS, 'Seconds until the bank answers.', OPTIONAL)
  afterSeconds?: number;

  @Whole(REPEAT, 'How often the bank sends the same callback.', OPTIONAL)
  repeat?: number;
}
