import type { PageAttempt } from '../../database/repositories/order-page.repository.js';
import { PostForm } from '../layout/parts.js';
import { Text, When } from '../layout/values.js';
import { mayHere } from '../visit.js';
import { orderPath, type OrderProps } from './order-props.js';
import type { LoggedDelivery } from './order-page.service.js';
import { Card, Code, LookTag } from './order-parts.js';
import { DELIVERY_LOOKS } from './order-words.js';

/** What was sent to the shop's programs, and what came of it. */
export const DeliveriesCard = (props: OrderProps) => {
  const { webhooks } = props.page;
  return (
    <Card id="webhooks" title="Webhooks">
      {webhooks.length === 0 ? (
        <p class="mb-0">Nothing was sent to a webhook, or it is longer ago than the log keeps.</p>
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

const Delivery = ({ visit, page, delivery }: DeliveryProps) => (
  <li class="delivery">
    <div>
      <h3 class="row-title">
        {delivery.type} <LookTag look={DELIVERY_LOOKS[delivery.status]} />
      </h3>
      <p class="mb-1">
        <Code text={delivery.url ?? ''} />
        {delivery.resent && <span class="text-secondary"> sent again by hand</span>}
        {delivery.isEndpointDeleted && <span class="text-secondary"> (deleted since)</span>}
      </p>
      <Attempts delivery={delivery} timeZone={visit.place.timeZone} />
    </div>
    {mayHere(visit, 'deliveries.resend') && !delivery.isEndpointDeleted && (
      <PostForm
        csrf={visit.csrf}
        action={`${orderPath(visit, page.order.txid)}/deliveries/${delivery.id}/resend`}
      >
        <button class="btn btn-sm">
          Send again<span class="visually-hidden">: {delivery.type}</span>
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
            <When at={attempt.startedAt} timeZone={timeZone} />: {outcomeOf(attempt)}
            {attempt.error !== null && (
              <>
                {' '}
                <Text text={attempt.error} />
              </>
            )}
          </li>
        ))}
      </ol>
    )}
    {nextAttemptAt && (
      <p class="text-secondary mb-0">
        Next try: <When at={nextAttemptAt} timeZone={timeZone} />
      </p>
    )}
  </>
);

function outcomeOf({ succeeded, statusCode, durationMs }: PageAttempt): string {
  const answer = statusCode === null ? 'no answer' : `answered ${statusCode}`;
  return `${answer} after ${durationMs} ms${succeeded ? '.' : ', not accepted.'}`;
}
