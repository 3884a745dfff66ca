import {
  ACCOUNT_TYPES,
  type AccountType,
  type Payment,
  PAYMENT_STATUSES,
  type PaymentStatus,
} from '../database/payments/payment.entity.js';
import { Answer, answerOf, InPlace } from './answers.js';
import { Currency, Minor, Moment, OneOf, OR_NULL, Text, Uuid } from './fields.js';

const SINCE_1_2_2 = { since: '1.2.2' } as const;

@Answer('PaymentError', 'Why the payment failed.')
class PaymentErrorResponse {
  @Text('Stable code, such as `insufficient_funds`.') code: string;
  @Text('The same for a person.') message: string;
}

/** A whitelist, like all answers: a new column stays private by default. */
@Answer('Payment', 'One attempt to pay the order: the one that paid it, else the latest.')
export class PaymentResponse {
  @Uuid('The service’s own name for the payment.') id: string;
  @Text('Who moves the money.') provider: string;
  @Text('How the payer pays at the provider.') method: string;
  @OneOf(PAYMENT_STATUSES, 'Where the payment is.') status: PaymentStatus;
  @Minor('What arrived, or what is asked for until then, in minor units.') amount: number;
  @Currency() currency: string;
  @Text('The provider’s own name for the payment.', OR_NULL) providerReference: string | null;
  @Moment('When the payment was started.') createdAt: string;
  @Moment('When its outcome became known.', OR_NULL) completedAt: string | null;
  @InPlace(PaymentErrorResponse, OR_NULL) error: PaymentErrorResponse | null;
  @Text(
    'The account that paid, as the provider tells it. It can become known a day later. Keys without the scope `orders:read` are not told who paid.',
    OR_NULL,
    SINCE_1_2_2,
  )
  payerAccountNumber: string | null;
  @OneOf(ACCOUNT_TYPES, 'What kind of account it is.', OR_NULL, SINCE_1_2_2)
  payerAccountType: AccountType | null;
  @Text('The name on that account. Providers may tell only one of both.', OR_NULL, SINCE_1_2_2)
  payerAccountName: string | null;
}

/** The payment object in the newest contract. */
export const paymentResponse = (payment: Payment): PaymentResponse =>
  answerOf(PaymentResponse, {
    id: payment.id,
    provider: payment.provider,
    method: payment.method,
    status: payment.status,
    amount: payment.amountReceived ?? payment.amount,
    currency: payment.receivedCurrency ?? payment.currency,
    providerReference: payment.providerReference,
    createdAt: payment.createdAt.toISOString(),
    completedAt: payment.completedAt?.toISOString() ?? null,
    error:
      payment.errorCode === null
        ? null
        : answerOf(PaymentErrorResponse, {
            code: payment.errorCode,
            message: payment.errorMessage ?? payment.errorCode,
          }),
    payerAccountNumber: payment.payerAccountNumber,
    payerAccountType: payment.payerAccountType,
    payerAccountName: payment.payerAccountName,
  });
