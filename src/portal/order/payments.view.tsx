import type { Payment } from '../../database/payments/payment.entity.js';
import { Card, Code, Detail, DetailList } from '../kit/card.js';
import { PAYMENT_BADGES, providerText } from '../kit/order-text.js';
import { Tag, badgeOf } from '../kit/status.js';
import { AmountValue, TextValue, TimeValue } from '../kit/values.js';
import type { OrderProps } from './order-props.js';

/** Every attempt to pay, oldest first. */
export const PaymentsCard = ({ context, page: { payments } }: OrderProps) => (
  <Card id="payments" title="Payments">
    {payments.length === 0 ? (
      <p class="mb-0">Nobody has chosen a way to pay.</p>
    ) : (
      <ol class="rows">
        {payments.map((payment, i) => (
          <Attempt payment={payment} number={i + 1} timeZone={context.access.timeZone} />
        ))}
      </ol>
    )}
  </Card>
);

interface AttemptProps {
  readonly payment: Payment;
  readonly number: number;
  readonly timeZone: string;
}

const Attempt = ({ payment, number, timeZone }: AttemptProps) => (
  <li>
    <h3 class="row-title">
      Attempt {number} <Tag {...badgeOf(PAYMENT_BADGES, payment.status)} />
    </h3>
    <DetailList>
      <Detail name="Provider and method">
        <TextValue text={providerText(payment.provider, payment.method)} />
      </Detail>
      <Detail name="Asked for">
        <AmountValue minor={payment.amount} currency={payment.currency} />
      </Detail>
      {payment.amountReceived !== null && (
        <Detail name="Arrived">
          <AmountValue
            minor={payment.amountReceived}
            currency={payment.receivedCurrency ?? payment.currency}
          />
        </Detail>
      )}
      <Detail name="Started">
        <TimeValue at={payment.createdAt} timeZone={timeZone} />
      </Detail>
      {payment.completedAt && (
        <Detail name="Ended">
          <TimeValue at={payment.completedAt} timeZone={timeZone} />
        </Detail>
      )}
      {payment.errorCode !== null && (
        <Detail name="Why it failed">
          <TextValue text={payment.errorMessage ?? payment.errorCode} />{' '}
          <span class="text-secondary">
            (<TextValue text={payment.errorCode} />)
          </span>
        </Detail>
      )}
      {payment.providerReference !== null && (
        <Detail name="Provider’s reference">
          <Code text={payment.providerReference} />
        </Detail>
      )}
    </DetailList>
  </li>
);
