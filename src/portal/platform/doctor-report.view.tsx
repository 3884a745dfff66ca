import type { BrokenFact } from '../../database/doctor/doctor-report.entity.js';
import { Cell, Rows } from '../kit/components.js';
import { Tag } from '../kit/status.js';
import { durationOf } from './duration.js';
import type { Health } from './health.service.js';

/** Checks run every few minutes, or at an interval of ten times their duration. */
const wasLongAgo = ({ ageSeconds, seconds }: NonNullable<Health['facts']>): boolean =>
  ageSeconds > 3_600 + 20 * seconds;

/** Result of the last consistency check. */
export function DoctorReportCard({ facts }: Pick<Health, 'facts'>) {
  if (!facts) {
    return (
      <p class="card-body text-secondary mb-0">
        No check has run yet. Checks start within minutes if background jobs are running.
      </p>
    );
  }
  const { broken, ageSeconds, seconds } = facts;
  return (
    <>
      <div class="card-body">
        <Light facts={facts.facts} broken={broken.length} isStale={wasLongAgo(facts)} />{' '}
        <span class="text-secondary">
          Checked {durationOf(ageSeconds)} ago, in {seconds} s.
        </span>
      </div>
      {broken.length > 0 && <Broken broken={broken} />}
    </>
  );
}

interface LightProps {
  readonly facts: number;
  readonly broken: number;
  readonly isStale: boolean;
}

function Light({ facts, broken, isStale }: LightProps) {
  if (broken > 0) {
    const label = `${broken} of ${facts} checks failed`;
    return <Tag label={label} tone="bad" icon="warning" />;
  }
  if (isStale) {
    const label = `All ${facts} checks passed, but the result is outdated`;
    return <Tag label={label} tone="warn" icon="clock" />;
  }
  return <Tag label={`All ${facts} checks passed`} tone="good" icon="check" />;
}

const Broken = ({ broken }: { readonly broken: readonly BrokenFact[] }) => (
  <>
    <Rows caption="Failed checks" columns={['Check', 'Expected', 'Violations']}>
      {broken.map(({ name, description, violations }) => (
        <tr>
          <Cell label="Check" class="strong">
            {name}
          </Cell>
          <Cell label="Expected">{description}</Cell>
          <Cell label="Violations">{violations.toLocaleString('en')}</Cell>
        </tr>
      ))}
    </Rows>
    <p class="card-body mb-0">
      Run <code>npm run doctor</code> to see the violations.
    </p>
  </>
);
