import type { WebhookResendResponse } from '../../contract/webhook-delivery.response.js';
import type { WebhookEndpointResponse } from '../../contract/webhook-endpoint.response.js';
import { pathOf, type MerchantContext } from '../../people/portal-context.js';
import { Typed } from '../kit/components.js';
import { Checks, Day, FormCard } from '../kit/fields.js';
import { Notice, PostForm } from '../kit/form-components.js';
import type { Problems } from '../kit/form.js';
import { renderPage } from '../layout/shell.view.js';

interface ResendPage {
  readonly context: MerchantContext;
  readonly endpoint: WebhookEndpointResponse;
  readonly form: URLSearchParams;
  readonly problems?: Problems;
  readonly sent?: WebhookResendResponse | undefined;
}

export const renderResend = ({
  context,
  endpoint,
  form,
  problems = {},
  sent,
}: ResendPage): string =>
  renderPage({
    context,
    title: 'Send events of a time again',
    subtitle: <Typed text={endpoint.url} />,
    children: (
      <FormCard problems={problems}>
        {sent && <Sent {...sent} />}
        <p>
          Events that the endpoint wants and has not received, at most of the last 60 days. What is
          on its way is left alone.
        </p>
        <PostForm csrf={context.csrf}>
          <Day
            name="from"
            label="From"
            hint="In UTC."
            value={form.get('from') ?? ''}
            problem={problems['from']}
            hasTime
          />
          <Day
            name="to"
            label="Before"
            hint="In UTC. Up to now without one."
            value={form.get('to') ?? ''}
            problem={problems['to']}
            hasTime
            isOptional
          />
          <Checks
            name="includeDelivered"
            label="Also"
            options={[['yes', 'events that the endpoint has received']]}
            chosen={form.getAll('includeDelivered')}
          />
          <div class="d-flex gap-2">
            <button class="btn btn-primary">Send again</button>
            <a class="btn" href={`${pathOf(context.access)}/webhooks/${endpoint.id}`}>
              Back
            </a>
          </div>
        </PostForm>
      </FormCard>
    ),
  });

const Sent = ({ queued, hasMore }: WebhookResendResponse) => (
  <Notice kind="good">
    {queued === 1 ? 'One event is' : `${queued.toLocaleString('en')} events are`} on the way.
    {hasMore && ' There are more: send the form again for the next.'}
  </Notice>
);
