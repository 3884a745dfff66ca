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
    title: 'Resend events of a period',
    subtitle: <Typed text={endpoint.url} />,
    problems,
    intro: (
      <>
        {sent && <Sent {...sent} />}
        <p>
          Resends subscribed events that the endpoint has not received, from up to the last 60 days.
          Pending retries are sent now.
        </p>
      </>
    ),
    children: (
      <>
        <Day {...field('from')} label="From" hint="In UTC." hasTime />
        <Day
          {...field('to')}
          label="Before"
          hint="In UTC. Leave empty for now."
          hasTime
          isOptional
        />
        <Checks
          name="includeDelivered"
          label="Also"
          options={[['yes', 'events that were already delivered']]}
          chosen={form.getAll('includeDelivered')}
        />
      </>
    ),
    button: 'Resend',
    back: `${pathOf(context.access)}/webhooks/${endpoint.id}`,
  });
}

const Sent = ({ queued, hasMore }: WebhookResendResponse) => (
  <Notice kind="good">
    {queued === 1 ? '1 event is' : `${queued.toLocaleString('en')} events are`} being resent.
    {hasMore && ' There are more: submit the form again for the next ones.'}
  </Notice>
);
