import { FAILURE_CODES } from '../common/decline-codes.js';
import { epcPayloadOf } from '../common/money/epc-payload.js';
import {
  ACCOUNT_TYPES,
  type AccountType,
  type Payment,
  PAYMENT_STATUSES,
  type PaymentStatus,
  type TransferForm,
} from '../database/payments/payment.entity.js';
import { Answer, answerOf, CurrencyCode, InPlace, OpenList } from './answers.js';
import { Minor, Moment, OneOf, OR_NULL, Text, Uuid } from './fields.js';

/** Current providers and methods; a test compares them with the registry. */
export const KNOWN_PROVIDERS = ['bank_transfer', 'sandbox'] as const;
export const KNOWN_METHODS = ['bank_transfer', 'sandbox'] as const;

const SINCE_1_2_2 = { since: '1.2.2' } as const;

@Answer('PaymentError', 'Why the payment failed.')
class PaymentErrorResponse {
  @OpenList(Object.keys(FAILURE_CODES), 'Stable code; [what each means](/errors#payments).')
  code: string;
  @Text('The same for a person.') message: string;
}

@Answer('PaymentTransfer', 'What the payer writes into a bank transfer.')
class PaymentTransferResponse {
  @Text('Whose account it is.') holder: string;
  @Text('The IBAN without blanks; of an account that has none, what its bank calls it.')
  iban: string;
  @Text('The BIC of its bank.', OR_NULL) bic: string | null;
  @Text('By it the money finds the order: an ISO 11649 reference, without blanks.')
  reference: string;
  @Minor('What is asked for, in minor units.') amount: number;
  @CurrencyCode() currency: string;
  @Text(
    'The text of a QR code by EPC069-12, which banking apps read; null for other currencies than EUR, and accounts without an IBAN.',
    OR_NULL,
  )
  epc: string | null;
}

/** Allow-list, like all answers: new columns are private by default. */
@Answer('Payment', 'One attempt to pay an order.')
export class PaymentResponse {
  @Uuid('The service’s own name for the payment.') id: string;
  @OpenList(KNOWN_PROVIDERS, 'Who moves the money.') provider: string;
  @OpenList(KNOWN_METHODS, 'How the payer pays at the provider.') method: string;
  @OneOf(PAYMENT_STATUSES, 'Where the payment is.') status: PaymentStatus;
  @Minor('What arrived, or what is asked for until then, in minor units.') amount: number;
  @CurrencyCode() currency: string;
  @Text('The provider’s own name for the payment.', OR_NULL) providerReference: string | null;
  @Moment('When the payment was started.') createdAt: string;
  @Moment('When its outcome became known.', OR_NULL) completedAt: string | null;
  @InPlace(PaymentErrorResponse, OR_NULL) error: PaymentErrorResponse | null;
  @Text(
    'The account that paid, as reported by the provider. It can become known a day later. Hidden from keys without the scope `orders:read`.',
    OR_NULL,
    SINCE_1_2_2,
  )
  payerAccountNumber: string | null;
  @OneOf(ACCOUNT_TYPES, 'What kind of account it is.', OR_NULL, SINCE_1_2_2)
  payerAccountType: AccountType | null;
  @Text('The name on that account. Providers may report only one of both.', OR_NULL, SINCE_1_2_2)
  payerAccountName: string | null;
  @InPlace(PaymentTransferResponse, OR_NULL, {
    since: '1.3',
    description:
      'Account details that the payer of a `bank_transfer` received; null for other providers.',
  })
  transfer: PaymentTransferResponse | null;
}

/** The payment in the newest API version. */
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
    transfer: payment.transfer && transferResponse(payment.transfer, payment),
  });

const transferResponse = (
  form: TransferForm,
  { amount, currency }: Payment,
): PaymentTransferResponse =>
  answerOf(PaymentTransferResponse, {
    holder: form.holder,
    iban: form.account,
    bic: form.bic,
    reference: form.reference,
    amount,
    currency,
    epc: epcPayloadOf(form, amount, currency),
  });
