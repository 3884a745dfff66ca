import type { WebhookResendResponse } from '../../contract/webhook-delivery.response.js';
import type { WebhookEndpointResponse } from '../../contract/webhook-endpoint.response.js';
import { pathOf, type MerchantContext } from '../../people/portal-context.js';
import { Typed } from '../kit/components.js';
import { Checks, Day } from '../kit/fields.js';
import { formFields, Notice } from '../kit/form-components.js';
import type { Problems } from '../kit/form.js';
import { renderForm } from '../layout/form-page.view.js';

interface ResendPage {
  readonly context: MerchantContext;
  readonly endpoint: WebhookEndpointResponse;
  readonly form: URLSearchParams;
  readonly problems?: Problems;
  readonly sent?: WebhookResendResponse | undefined;
}

export function renderResend({ context, endpoint, form, problems, sent }: ResendPage): string {
  const field = formFields(form, problems);
  return renderForm({
    context,
    title: 'Send events of a time again',
    subtitle: <Typed text={endpoint.url} />,
    problems,
    intro: (
      <>
        {sent && <Sent {...sent} />}
        <p>
          Events that the endpoint wants and has not received, at most of the last 60 days. What
          waits for its next try is tried now.
        </p>
      </>
    ),
    children: (
      <>
        <Day {...field('from')} label="From" hint="In UTC." hasTime />
        <Day
          {...field('to')}
          label="Before"
          hint="In UTC. Up to now without one."
          hasTime
          isOptional
        />
        <Checks
          name="includeDelivered"
          label="Also"
          options={[['yes', 'events that the endpoint has received']]}
          chosen={form.getAll('includeDelivered')}
        />
      </>
    ),
    button: 'Send again',
    back: `${pathOf(context.access)}/webhooks/${endpoint.id}`,
  });
}

const Sent = ({ queued, hasMore }: WebhookResendResponse) => (
  <Notice kind="good">
    {queued === 1 ? 'One event is' : `${queued.toLocaleString('en')} events are`} on the way.
    {hasMore && ' There are more: send the form again for the next.'}
  </Notice>
);
