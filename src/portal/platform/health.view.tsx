import type { ComponentChildren } from 'preact';
import type { FailingEndpoint } from '../../database/notifications/webhook-endpoint.repository.js';
import type { SignedInContext } from '../../people/portal-context.js';
import { ListCard } from '../kit/card.js';
import { Cell, DetailRow, Rows, Typed } from '../kit/components.js';
import { Tag } from '../kit/status.js';
import { renderPage } from '../layout/shell.view.js';
import { DoctorReportCard } from './doctor-report.view.js';
import { durationOf } from './duration.js';
import type { Health, WaitingDeliveries } from './health.service.js';

export const renderHealth = (context: SignedInContext, health: Health): string =>
  renderPage({
    context,
    title: 'Health',
    subtitle: 'Current state of the service. Reload the page to update.',
    children: (
      <div class="d-grid gap-3">
        <ListCard class="card" id="facts" title="Consistency checks">
          <DoctorReportCard facts={health.facts} />
        </ListCard>
        <ListCard class="card" id="deliveries" title="Pending webhooks and emails">
          <Waiting entries={health.deliveries} />
        </ListCard>
        <ListCard class="card" id="jobs" title="Overdue background jobs">
          <Jobs jobs={health.jobs} />
        </ListCard>
        <ListCard class="card" id="failing" title={`Failing endpoints: ${health.failingTotal}`}>
          <Failing endpoints={health.failing} />
        </ListCard>
        <ListCard class="card" id="second-person" title="Second approver">
          <Note>{rulesOf(health.rules)}</Note>
        </ListCard>
        <ListCard class="card" id="pool" title="Database connections">
          <dl class="fact-list card-body mb-0">
            <DetailRow label="Active">{health.pool.used}</DetailRow>
            <DetailRow label="Idle">{health.pool.idle}</DetailRow>
            <DetailRow label="Waiting requests">{health.pool.waiting}</DetailRow>
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
    return `Single operator: approvals take effect after ${waitingHours} hours instead of a second approval.`;
  const two = 'Two operators: an operator who handled the money of a payout cannot approve it.';
  return singleOperator
    ? `${two} SINGLE_OPERATOR is on but has no effect, because more than one operator can sign in.`
    : two;
}

function Jobs({ jobs }: Pick<Health, 'jobs'>) {
  if (jobs.length === 0) return <Note>None.</Note>;
  return (
    <Rows caption="Overdue jobs" columns={['Job', 'Overdue for']}>
      {jobs.map(({ name, seconds }) => (
        <tr>
          <Cell label="Job" class="strong">
            {name}
          </Cell>
          <Cell label="Overdue for">{durationOf(seconds)}</Cell>
        </tr>
      ))}
    </Rows>
  );
}

const Waiting = ({ entries }: { readonly entries: readonly WaitingDeliveries[] }) => (
  <Rows caption="Due deliveries" columns={['Queue', 'Waiting', 'Oldest for']}>
    {entries.map(({ name, depth, oldestSeconds }) => (
      <tr>
        <Cell label="Queue" class="strong">
          {name}
        </Cell>
        <Cell label="Waiting">{depth.toLocaleString('en')}</Cell>
        <Cell label="Oldest for">{depth === 0 ? '—' : durationOf(oldestSeconds)}</Cell>
      </tr>
    ))}
  </Rows>
);

function Failing({ endpoints }: { readonly endpoints: readonly FailingEndpoint[] }) {
  if (endpoints.length === 0) return <Note>None.</Note>;
  return (
    <Rows caption="Longest failing endpoints" columns={['Merchant', 'Host', 'Mode', 'Failing for']}>
      {endpoints.map(({ merchantName, url, mode, seconds }) => (
        <tr>
          <Cell label="Merchant" class="strong">
            <Typed text={merchantName} />
          </Cell>
          <Cell label="Host">
            <Typed text={URL.parse(url)?.host ?? ''} />
          </Cell>
          <Cell label="Mode">{mode}</Cell>
          <Cell label="Failing for">
            <Tag label={durationOf(seconds)} tone="bad" icon="warning" />
          </Cell>
        </tr>
      ))}
    </Rows>
  );
}
