import type { BrokenFact } from '../../database/doctor/doctor-report.entity.js';
import { Cell, Rows } from '../kit/components.js';
import { Tag } from '../kit/status.js';
import { durationOf } from './duration.js';
import type { Health } from './health.service.js';

/** They are examined every few minutes, or after ten times as long as that takes. */
const wasLongAgo = ({ ageSeconds, seconds }: NonNullable<Health['facts']>): boolean =>
  ageSeconds > 3_600 + 20 * seconds;

/** What the last examination of the facts found. */
export function DoctorReportCard({ facts }: Pick<Health, 'facts'>) {
  if (!facts) {
    return (
      <p class="card-body text-secondary mb-0">
        Nobody has looked yet. The facts are examined within minutes where background jobs run.
      </p>
    );
  }
  const { broken, ageSeconds, seconds } = facts;
  return (
    <>
      <div class="card-body">
        <Light facts={facts.facts} broken={broken.length} isStale={wasLongAgo(facts)} />{' '}
        <span class="text-secondary">
          Examined {durationOf(ageSeconds)} ago, in {seconds} s.
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
    const label = `${broken} of ${facts} facts ${broken === 1 ? 'does' : 'do'} not hold`;
    return <Tag label={label} tone="bad" icon="warning" />;
  }
  if (isStale) {
    const label = `All ${facts} facts held, but nobody looks any more`;
    return <Tag label={label} tone="warn" icon="clock" />;
  }
  return <Tag label={`All ${facts} facts hold`} tone="good" icon="check" />;
}

const Broken = ({ broken }: { readonly broken: readonly BrokenFact[] }) => (
  <>
    <Rows caption="Facts that do not hold" columns={['Fact', 'Should be', 'Violations']}>
      {broken.map(({ name, says, violations }) => (
        <tr>
          <Cell label="Fact" class="strong">
            {name}
          </Cell>
          <Cell label="Should be">{says}</Cell>
          <Cell label="Violations">{violations.toLocaleString('en')}</Cell>
        </tr>
      ))}
    </Rows>
    <p class="card-body mb-0">
      Run <code>npm run doctor</code> to see where.
    </p>
  </>
);
