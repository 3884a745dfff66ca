import type { ComponentChildren } from 'preact';
import type { Backlog } from '../../database/job-queue.js';
import type { FailingEndpoint } from '../../database/notifications/webhook-endpoint.repository.js';
import type { SignedInContext } from '../../people/portal-context.js';
import { ListCard } from '../kit/card.js';
import { Cell, DetailRow, Rows, Typed } from '../kit/components.js';
import { Tag } from '../kit/status.js';
import { renderPage } from '../layout/shell.view.js';
import { DoctorReportCard } from './doctor-report.view.js';
import { durationOf } from './duration.js';
import type { Health } from './health.service.js';

export const renderHealth = (context: SignedInContext, health: Health): string =>
  renderPage({
    context,
    title: 'Health',
    subtitle: 'How things stand at this moment. Reload the page for news.',
    children: (
      <div class="d-grid gap-3">
        <ListCard class="card" id="facts" title="Whether the money is where it should be">
          <DoctorReportCard facts={health.facts} />
        </ListCard>
        <ListCard class="card" id="deliveries" title="Webhooks and mails that wait">
          <Waiting caption="Deliveries that are due" entries={health.deliveries} />
        </ListCard>
        <ListCard class="card" id="jobs" title="Background jobs that wait">
          <Jobs {...health} />
        </ListCard>
        <ListCard class="card" id="failing" title={`Failing endpoints: ${health.failingTotal}`}>
          <Failing endpoints={health.failing} />
        </ListCard>
        <ListCard class="card" id="second-person" title="Second person">
          <Note>{rulesOf(health.rules)}</Note>
        </ListCard>
        <ListCard class="card" id="pool" title="Connections to the database">
          <dl class="fact-list card-body mb-0">
            <DetailRow label="At work">{health.pool.used}</DetailRow>
            <DetailRow label="Idle">{health.pool.idle}</DetailRow>
            <DetailRow label="Requests that wait for one">{health.pool.waiting}</DetailRow>
          </dl>
        </ListCard>
      </div>
    ),
  });

const Note = ({ children }: { readonly children: ComponentChildren }) => (
  <p class="card-body text-secondary mb-0">{children}</p>
);

function rulesOf({ singleOperator, isAlone, waitingHours }: Health['rules']): string {
  if (isAlone)
    return `The business has a single operator: approvals wait ${waitingHours} hours instead of a second person.`;
  const two = 'Two operators: whoever had a hand in the money of a payout does not approve it.';
  return singleOperator
    ? `${two} SINGLE_OPERATOR is on and changes nothing, because more than one operator can sign in.`
    : two;
}

function Jobs({ runsJobs, jobs }: Health) {
  if (!runsJobs) return <Note>They run in another process, which knows their queue.</Note>;
  if (jobs.length === 0) return <Note>None waits.</Note>;
  return <Waiting caption="Jobs whose time has come" entries={jobs} />;
}

interface WaitingProps {
  readonly caption: string;
  readonly entries: readonly Backlog[];
}

const Waiting = ({ caption, entries }: WaitingProps) => (
  <Rows caption={caption} columns={['Queue', 'Waiting', 'The oldest waits for']}>
    {entries.map(({ name, depth, oldestSeconds }) => (
      <tr>
        <Cell label="Queue" class="strong">
          {name}
        </Cell>
        <Cell label="Waiting">{depth.toLocaleString('en')}</Cell>
        <Cell label="The oldest waits for">
          {depth === 0 ? 'None waits' : durationOf(oldestSeconds)}
        </Cell>
      </tr>
    ))}
  </Rows>
);

function Failing({ endpoints }: { readonly endpoints: readonly FailingEndpoint[] }) {
  if (endpoints.length === 0) return <Note>None fails.</Note>;
  return (
    <Rows caption="Those that fail for longest" columns={['Merchant', 'Host', 'Mode', 'Fails for']}>
      {endpoints.map(({ merchantName, url, mode, seconds }) => (
        <tr>
          <Cell label="Merchant" class="strong">
            <Typed text={merchantName} />
          </Cell>
          <Cell label="Host">
            <Typed text={URL.parse(url)?.host ?? ''} />
          </Cell>
          <Cell label="Mode">{mode}</Cell>
          <Cell label="Fails for">
            <Tag label={durationOf(seconds)} tone="bad" icon="warning" />
          </Cell>
        </tr>
      ))}
    </Rows>
  );
}
