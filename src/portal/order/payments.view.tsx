import type { PaidLine } from '../../database/bank/matching/bank-queue.repository.js';
import type { Payment } from '../../database/payments/payment.entity.js';
import { Card, Code, Detail, DetailList } from '../kit/card.js';
import { PAYMENT_BADGES, providerText } from '../kit/order-text.js';
import { Tag, badgeOf } from '../kit/status.js';
import { AmountValue, dayText, TextValue, TimeValue } from '../kit/values.js';
import type { OrderProps } from './order-props.js';

/** Payment attempts, oldest first. */
export const PaymentsCard = ({ context, page: { payments, lines } }: OrderProps) => (
  <Card id="payments" title="Payments">
    {payments.length === 0 ? (
      <p class="mb-0">No payment attempts yet.</p>
    ) : (
      <ol class="rows">
        {payments.map((payment, i) => (
          <Attempt
            payment={payment}
            lines={lines.filter(({ paymentId }) => paymentId === payment.id)}
            number={i + 1}
            timeZone={context.access.timeZone}
          />
        ))}
      </ol>
    )}
  </Card>
);

interface AttemptProps {
  readonly payment: Payment;
  /** Matched bank lines. */
  readonly lines: readonly PaidLine[];
  readonly number: number;
  readonly timeZone: string;
}

const Attempt = ({ payment, lines, number, timeZone }: AttemptProps) => (
  <li>
    <h3 class="row-title">
      Attempt {number} <Tag {...badgeOf(PAYMENT_BADGES, payment.status)} />
    </h3>
    <DetailList>
      <Detail name="Provider and method">
        <TextValue text={providerText(payment.provider, payment.method)} />
      </Detail>
      <Detail name="Amount">
        <AmountValue minor={payment.amount} currency={payment.currency} />
      </Detail>
      {payment.amountReceived !== null && (
        <Detail name="Received">
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
        <Detail name="Failure reason">
          <TextValue text={payment.errorMessage ?? payment.errorCode} />{' '}
          <span class="text-secondary">
            (<TextValue text={payment.errorCode} />)
          </span>
        </Detail>
      )}
      {payment.providerReference !== null && (
        <Detail name={lines.length > 0 ? 'Reference' : 'Provider reference'}>
          <Code text={payment.providerReference} />
        </Detail>
      )}
      {lines.map((line) => (
        <Detail name="Bank booking">
          <BankEntry line={line} timeZone={timeZone} />
        </Detail>
      ))}
    </DetailList>
  </li>
);

interface EntryProps {
  readonly line: PaidLine;
  readonly timeZone: string;
}

/** "1,000.00 EUR, booked on 20 Nov 2026 by Ada Lovelace" */
const BankEntry = ({ line, timeZone }: EntryProps) => (
  <>
    {line.currency !== null && <AmountValue minor={line.amount} currency={line.currency} />}
    {line.bookedOn !== null && <>, booked on {dayText(new Date(line.bookedOn), 'UTC')}</>}
    {line.name !== null && (
      <>
        {' '}
        by <TextValue text={line.name} />
      </>
    )}
    {line.account !== null && (
      <div>
        <TextValue text={line.account} />
      </div>
    )}
    {line.undoneAt !== null && (
      <div class="text-secondary">
        {line.isTakenBack ? 'Returned by the bank on ' : 'Matched by mistake, undone on '}
        {dayText(line.undoneAt, timeZone)}
      </div>
    )}
  </>
);
