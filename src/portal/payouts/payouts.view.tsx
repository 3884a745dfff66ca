import { PAYOUT_STATUSES } from '../../database/payouts/payout.entity.js';
import { mayHere, pathOf, type MerchantContext } from '../../people/portal-context.js';
import { FilterChip } from '../kit/filter-chip.js';
import { Notice } from '../kit/form-components.js';
import { Icon } from '../kit/icons.js';
import { PageTurn } from '../kit/payout-components.js';
import { PAYOUT_BADGES } from '../kit/payout-status.js';
import { payoutsPath } from '../kit/payout-text.js';
import { numberText, zoneText } from '../kit/values.js';
import { renderPage } from '../layout/shell.view.js';
import { Balances } from './payout-balances.view.js';
import { listAddress } from './payout-list.js';
import { ObstacleText } from './payout-obstacle.view.js';
import type { PayoutsPage } from './payout-pages.service.js';
import { PayoutsTable } from './payouts-table.view.js';

interface Props {
  readonly context: MerchantContext;
  readonly view: PayoutsPage;
}

/** Balances and payouts of the merchant. */
export const renderPayouts = (context: MerchantContext, view: PayoutsPage): string =>
  renderPage({
    context,
    title: 'Payouts',
    subtitle: `Times in ${zoneText(context.access.timeZone, view.now)}`,
    actions: <Actions context={context} view={view} />,
    children: (
      <>
        {view.currencyBalances.length > 0 && <Balances currencyBalances={view.currencyBalances} />}
        {view.counts.size === 0 ? (
          <NoPayout context={context} view={view} />
        ) : (
          <>
            {view.obstacle && (
              <Notice>
                <ObstacleText context={context} obstacle={view.obstacle} />
              </Notice>
            )}
            <List context={context} view={view} />
          </>
        )}
      </>
    ),
  });

const Actions = ({ context, view }: Props) => (
  <>
    {view.counts.size > 0 && mayHere(context, 'orders.export') && (
      <a class="btn" href={listAddress(`${payoutsPath(context)}/download.csv`, view.statuses)}>
        <Icon name="download" />
        Download CSV
      </a>
    )}
    {mayHere(context, 'payouts.manage') && (
      <a class="btn" href={`${pathOf(context.access)}/payout-schedule`}>
        Automatic payouts
      </a>
    )}
    {!view.obstacle && mayHere(context, 'payouts.manage') && (
      <a class="btn btn-primary" href={`${payoutsPath(context)}/new`}>
        <Icon name="payout" />
        Request a payout{' '}
      </a>
    )}
  </>
);

const NoPayout = ({ context, view: { obstacle } }: Props) => (
  <div class="card nothing">
    <h2>No payouts yet</h2>
    <p class="text-secondary mb-0">
      {obstacle ? (
        <ObstacleText context={context} obstacle={obstacle} />
      ) : mayHere(context, 'payouts.manage') ? (
        <>
          Funds are available. <a href={`${payoutsPath(context)}/new`}>Request a payout</a>; after
          the platform approves it, the bank pays it.
        </>
      ) : (
        'Funds are available. An owner or finance member can request a payout.'
      )}
    </p>
  </div>
);

const List = ({ context, view }: Props) => {
  const path = payoutsPath(context);
  const turn = (to: 'newer' | 'older'): string | null => {
    const access = view[to];
    return access && listAddress(path, view.statuses, { [to]: access });
  };
  return (
    <div class="card orders-card">
      <div class="filters">
        <Chips context={context} view={view} />
      </div>
      {view.rows.length > 0 ? (
        <PayoutsTable context={context} rows={view.rows} />
      ) : (
        <div class="nothing">
          <h2>No matching payouts</h2>
          <p class="mb-0">
            <a href={path}>Show all payouts</a>
          </p>
        </div>
      )}
      <div class="card-footer orders-foot">
        <p class="m-0 text-secondary">
          <strong>{countLabel(view)}</strong>
        </p>
        <nav class="d-flex gap-2" aria-label="Pages">
          <PageTurn to="newer" label="Newer" href={turn('newer')} />
          <PageTurn to="older" label="Older" href={turn('older')} />
        </nav>
      </div>
    </div>
  );
};

const countOf = ({ counts }: PayoutsPage, statuses: PayoutsPage['statuses']): number =>
  statuses.reduce((sum, status) => sum + (counts.get(status) ?? 0), 0);

function countLabel(view: PayoutsPage): string {
  const count = countOf(view, view.statuses.length > 0 ? view.statuses : PAYOUT_STATUSES);
  return `${numberText(count)} ${count === 1 ? 'payout' : 'payouts'}`;
}

/** Filters for the statuses that occur. */
const Chips = ({ context, view }: Props) => (
  <nav aria-label="Status">
    <ul class="chips">
      <Chip context={context} view={view} label="All" statuses={[]} />
      {PAYOUT_STATUSES.filter(
        (status) => view.counts.has(status) || view.statuses.includes(status),
      ).map((status) => (
        <Chip
          context={context}
          view={view}
          label={PAYOUT_BADGES[status].label}
          statuses={[status]}
        />
      ))}
    </ul>
  </nav>
);

interface ChipProps extends Props {
  readonly label: string;
  readonly statuses: PayoutsPage['statuses'];
}

function Chip({ context, view, label, statuses }: ChipProps) {
  const [status] = statuses;
  const isChosen = status ? view.statuses.includes(status) : view.statuses.length === 0;
  const href = listAddress(payoutsPath(context), statuses);
  const count = numberText(countOf(view, status ? statuses : PAYOUT_STATUSES));
  return <FilterChip label={label} href={href} isChosen={isChosen} count={count} />;
}
