import type { Payment } from '../../database/entities/payment.entity.js';
import { Amount, Text, When } from '../layout/values.js';
import type { OrderProps } from './order-props.js';
import { Card, Code, Fact, Facts, LookTag } from './order-parts.js';
import { PAYMENT_LOOKS, providerText } from './order-words.js';

/** Every attempt to pay, oldest first. */
export const PaymentsCard = ({ visit, page: { payments } }: OrderProps) => (
  <Card id="payments" title="Payments">
    {payments.length === 0 ? (
      <p class="mb-0">Nobody has chosen a way to pay.</p>
    ) : (
      <ol class="rows">
        {payments.map((payment, i) => (
          <Attempt payment={payment} number={i + 1} timeZone={visit.place.timeZone} />
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
      Attempt {number} <LookTag look={PAYMENT_LOOKS[payment.status]} />
    </h3>
    <Facts>
      <Fact name="Provider and method">
        <Text text={providerText(payment.provider, payment.method)} />
      </Fact>
      <Fact name="Asked for">
        <Amount minor={payment.amount} currency={payment.currency} />
      </Fact>
      {payment.amountReceived !== null && (
        <Fact name="Arrived">
          <Amount
            minor={payment.amountReceived}
            currency={payment.receivedCurrency ?? payment.currency}
          />
        </Fact>
      )}
      <Fact name="Started">
        <When at={payment.createdAt} timeZone={timeZone} />
      </Fact>
      {payment.completedAt && (
        <Fact name="Ended">
          <When at={payment.completedAt} timeZone={timeZone} />
        </Fact>
      )}
      {payment.errorCode !== null && (
        <Fact name="Why it failed">
          <Text text={payment.errorMessage ?? payment.errorCode} />{' '}
          <span class="text-secondary">
            (<Text text={payment.errorCode} />)
          </span>
        </Fact>
      )}
      {payment.providerReference !== null && (
        <Fact name="Provider’s reference">
          <Code text={payment.providerReference} />
        </Fact>
      )}
    </Facts>
  </li>
);
