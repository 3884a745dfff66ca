import type {
  EndpointResponse,
  ResendResponse,
} from '../../notifications/webhooks/dto/webhook-endpoint.response.js';
import { Notice, PostForm } from '../layout/parts.js';
import { renderPage } from '../layout/shell.view.js';
import { pathOf, type PlacedVisit } from '../visit.js';
import { Checks, Day, Trouble } from './fields.js';
import type { Problems } from './form.js';
import { Typed } from './parts.js';

interface ResendPage {
  readonly visit: PlacedVisit;
  readonly endpoint: EndpointResponse;
  readonly form: URLSearchParams;
  readonly problems?: Problems;
  readonly sent?: ResendResponse | undefined;
}

export const renderResend = ({ visit, endpoint, form, problems = {}, sent }: ResendPage): string =>
  renderPage({
    visit,
    title: 'Send events of a time again',
    subtitle: <Typed text={endpoint.url} />,
    children: (
      <div class="card form-card">
        <div class="card-body">
          <Trouble problems={problems} />
          {sent && <Sent {...sent} />}
          <p>
            Events that the endpoint wants and has not received, at most of the last 60 days. What
            is on its way is left alone.
          </p>
          <PostForm csrf={visit.csrf}>
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
              <a class="btn" href={`${pathOf(visit.place)}/webhooks/${endpoint.id}`}>
                Back
              </a>
            </div>
          </PostForm>
        </div>
      </div>
    ),
  });

const Sent = ({ queued, hasMore }: ResendResponse) => (
  <Notice kind="good">
    {queued === 1 ? 'One event is' : `${queued.toLocaleString('en')} events are`} on the way.
    {hasMore && ' There are more: send the form again for the next.'}
  </Notice>
);
