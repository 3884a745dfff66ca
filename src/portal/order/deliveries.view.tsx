import type { PageAttempt } from '../../database/orders/order-page.repository.js';
import { mayHere } from '../../people/portal-context.js';
import { Card, Code } from '../kit/card.js';
import { PostForm } from '../kit/form-components.js';
import { DELIVERY_BADGES } from '../kit/order-text.js';
import { Tag, badgeOf } from '../kit/status.js';
import { TextValue, TimeValue } from '../kit/values.js';
import type { LoggedDelivery } from './order-page.service.js';
import { orderPath, type OrderProps } from './order-props.js';

/** Webhook deliveries of the order with their attempts. */
export const DeliveriesCard = (props: OrderProps) => {
  const { webhooks } = props.page;
  return (
    <Card id="webhooks" title="Webhooks">
      {webhooks.length === 0 ? (
        <p class="mb-0">No webhook deliveries, or they are older than the log retention.</p>
      ) : (
        <ol class="rows">
          {webhooks.map((delivery) => (
            <Delivery {...props} delivery={delivery} />
          ))}
        </ol>
      )}
    </Card>
  );
};

interface DeliveryProps extends OrderProps {
  readonly delivery: LoggedDelivery;
}

const Delivery = ({ context, page, delivery }: DeliveryProps) => (
  <li class="delivery">
    <div>
      <h3 class="row-title">
        {delivery.type} <Tag {...badgeOf(DELIVERY_BADGES, delivery.status)} />
      </h3>
      <p class="mb-1">
        <Code text={delivery.url ?? ''} />
        {delivery.resent && <span class="text-secondary"> resent manually</span>}
        {delivery.isEndpointDeleted && <span class="text-secondary"> (deleted since)</span>}
      </p>
      <Attempts delivery={delivery} timeZone={context.access.timeZone} />
    </div>
    {mayHere(context, 'deliveries.resend') && !delivery.isEndpointDeleted && (
      <PostForm
        csrf={context.csrf}
        action={`${orderPath(context, page.order.txid)}/deliveries/${delivery.id}/resend`}
      >
        <button class="btn btn-sm">
          Resend<span class="visually-hidden">: {delivery.type}</span>
        </button>
      </PostForm>
    )}
  </li>
);

interface AttemptsProps {
  readonly delivery: LoggedDelivery;
  readonly timeZone: string;
}

const Attempts = ({ delivery: { log, nextAttemptAt }, timeZone }: AttemptsProps) => (
  <>
    {log.length > 0 && (
      <ol class="attempts">
        {log.map((attempt) => (
          <li>
            <TimeValue at={attempt.startedAt} timeZone={timeZone} />: {outcomeOf(attempt)}
            {attempt.error !== null && (
              <>
                {' '}
                <TextValue text={attempt.error} />
              </>
            )}
          </li>
        ))}
      </ol>
    )}
    {nextAttemptAt && (
      <p class="text-secondary mb-0">
        Next attempt: <TimeValue at={nextAttemptAt} timeZone={timeZone} />
      </p>
    )}
  </>
);

function outcomeOf({ succeeded, statusCode, durationMs }: PageAttempt): string {
  const answer = statusCode === null ? 'no response' : `response ${statusCode}`;
  return `${answer} after ${durationMs} ms${succeeded ? '.' : ', not accepted.'}`;
}
