import { PAYOUT_STATUSES } from '../../database/entities/payout.entity.js';
import { Icon } from '../layout/icons.js';
import { Notice } from '../layout/parts.js';
import { PAYOUT_LOOKS } from '../layout/payout-status.js';
import { renderPage } from '../layout/shell.view.js';
import { numberText, zoneText } from '../layout/values.js';
import { mayHere, pathOf, type PlacedVisit } from '../visit.js';
import { Balances } from './payout-balances.view.js';
import { listAddress } from './payout-list.js';
import { ObstacleText } from './payout-obstacle.view.js';
import type { PayoutsLook } from './payout-pages.service.js';
import { Turn } from './payout-parts.js';
import { payoutsPath } from './payout-words.js';
import { PayoutsTable } from './payouts-table.view.js';

interface Props {
  readonly visit: PlacedVisit;
  readonly look: PayoutsLook;
}

/** A merchant's money, and what of it was paid out. */
export const renderPayouts = (visit: PlacedVisit, look: PayoutsLook): string =>
  renderPage({
    visit,
    title: 'Payouts',
    subtitle: `Times in ${zoneText(visit.place.timeZone, look.now)}`,
    actions: <Actions visit={visit} look={look} />,
    children: (
      <>
        {look.purses.length > 0 && <Balances purses={look.purses} />}
        {look.counts.size === 0 ? (
          <NoPayout visit={visit} look={look} />
        ) : (
          <>
            {look.obstacle && (
              <Notice>
                <ObstacleText visit={visit} obstacle={look.obstacle} />
              </Notice>
            )}
            <List visit={visit} look={look} />
          </>
        )}
      </>
    ),
  });

const Actions = ({ visit, look }: Props) => (
  <>
    {look.counts.size > 0 && mayHere(visit, 'orders.export') && (
      <a class="btn" href={listAddress(`${payoutsPath(visit)}/download.csv`, look.statuses)}>
        <Icon name="download" />
        Download CSV
      </a>
    )}
    {mayHere(visit, 'payouts.manage') && (
      <a class="btn" href={`${pathOf(visit.place)}/payout-schedule`}>
        Automatic payouts
      </a>
    )}
    {!look.obstacle && mayHere(visit, 'payouts.manage') && (
      <a class="btn btn-primary" href={`${payoutsPath(visit)}/new`}>
        <Icon name="payout" />
        Ask for a payout
      </a>
    )}
  </>
);

const NoPayout = ({ visit, look: { obstacle } }: Props) => (
  <div class="card nothing">
    <h2>No payout yet</h2>
    <p class="text-secondary mb-0">
      {obstacle ? (
        <ObstacleText visit={visit} obstacle={obstacle} />
      ) : mayHere(visit, 'payouts.manage') ? (
        <>
          There is money to be paid out. <a href={`${payoutsPath(visit)}/new`}>Ask for a payout</a>;
          somebody at the platform looks at it, and then the bank pays it.
        </>
      ) : (
        'There is money to be paid out. An owner or somebody of finance can ask for it.'
      )}
    </p>
  </div>
);

const List = ({ visit, look }: Props) => {
  const path = payoutsPath(visit);
  const turn = (to: 'newer' | 'older'): string | null => {
    const place = look[to];
    return place && listAddress(path, look.statuses, { [to]: place });
  };
  return (
    <div class="card orders-card">
      <div class="filters">
        <Chips visit={visit} look={look} />
      </div>
      {look.rows.length > 0 ? (
        <PayoutsTable visit={visit} rows={look.rows} />
      ) : (
        <div class="nothing">
          <h2>No such payout</h2>
          <p class="mb-0">
            <a href={path}>Show all payouts</a>
          </p>
        </div>
      )}
      <div class="card-footer orders-foot">
        <p class="m-0 text-secondary">
          <strong>{countWords(look)}</strong>
        </p>
        <nav class="d-flex gap-2" aria-label="Pages">
          <Turn to="newer" words="Newer" href={turn('newer')} />
          <Turn to="older" words="Older" href={turn('older')} />
        </nav>
      </div>
    </div>
  );
};

const countOf = ({ counts }: PayoutsLook, statuses: PayoutsLook['statuses']): number =>
  statuses.reduce((sum, status) => sum + (counts.get(status) ?? 0), 0);

function countWords(look: PayoutsLook): string {
  const count = countOf(look, look.statuses.length > 0 ? look.statuses : PAYOUT_STATUSES);
  return `${numberText(count)} ${count === 1 ? 'payout' : 'payouts'}`;
}

/** Statuses that occur. */
const Chips = ({ visit, look }: Props) => (
  <nav aria-label="Status">
    <ul class="chips">
      <Chip visit={visit} look={look} label="All" statuses={[]} />
      {PAYOUT_STATUSES.filter(
        (status) => look.counts.has(status) || look.statuses.includes(status),
      ).map((status) => (
        <Chip visit={visit} look={look} label={PAYOUT_LOOKS[status].word} statuses={[status]} />
      ))}
    </ul>
  </nav>
);

interface ChipProps extends Props {
  readonly label: string;
  readonly statuses: PayoutsLook['statuses'];
}

function Chip({ visit, look, label, statuses }: ChipProps) {
  const [status] = statuses;
  const isChosen = status ? look.statuses.includes(status) : look.statuses.length === 0;
  return (
    <li>
      <a
        class="chip"
        href={listAddress(payoutsPath(visit), statuses)}
        aria-current={isChosen ? 'true' : undefined}
      >
        {label} <span>{numberText(countOf(look, status ? statuses : PAYOUT_STATUSES))}</span>
      </a>
    </li>
  );
}
