import type { HistoryRow } from '../../database/repositories/history.statements.js';
import { renderPage } from '../layout/shell.view.js';
import { ExceptionMark, StatusTag } from '../layout/status.js';
import { Amount, Text, When, zoneText } from '../layout/values.js';
import { pathOf, type PlacedVisit } from '../visit.js';
import { FunnelCard, OutcomesCard, VolumeCard } from './charts.view.js';
import type { Figures } from './figures.js';
import type { Home } from './home.service.js';
import { NeedsCard } from './needs.view.js';

/** What somebody sees first of a merchant. */
export function renderHome(visit: PlacedVisit, home: Home): string {
  const { timeZone } = visit.place;
  return renderPage({
    visit,
    title: 'Home',
    subtitle: `Times and days in ${zoneText(timeZone, home.now)}`,
    children: (
      <>
        <NeedsCard visit={visit} needs={home.needs} />
        <Charts visit={visit} figures={home.figures} />
        <LastOrders visit={visit} orders={home.orders} />
      </>
    ),
  });
}

function Charts({ visit, figures }: { visit: PlacedVisit; figures: Figures }) {
  const { currency, currencies, days, total } = figures;
  if (currency === null) return null;
  const props = { currency, days, total };
  return (
    <section aria-labelledby="figures">
      <div class="d-flex flex-wrap gap-3 align-items-center mb-2">
        <h2 class="mb-0" id="figures">
          Last 14 days, orders in {currency}
        </h2>
        {currencies.length > 1 && (
          <Currencies base={pathOf(visit.place)} currencies={currencies} current={currency} />
        )}
      </div>
      <p class="text-secondary">Each order counts for the day on which it was created.</p>
      <div class="charts">
        <VolumeCard {...props} />
        <OutcomesCard {...props} />
        <FunnelCard {...props} />
      </div>
    </section>
  );
}

interface CurrenciesProps {
  readonly base: string;
  readonly currencies: readonly string[];
  readonly current: string;
}

const Currencies = ({ base, currencies, current }: CurrenciesProps) => (
  <nav class="btn-list" aria-label="Currency">
    {currencies.map((each) => (
      <a
        class={each === current ? 'btn btn-sm btn-primary' : 'btn btn-sm'}
        href={`${base}?currency=${each}`}
        aria-current={each === current ? 'true' : undefined}
      >
        {each}
      </a>
    ))}
  </nav>
);

function LastOrders({ visit, orders }: { visit: PlacedVisit; orders: readonly HistoryRow[] }) {
  const base = pathOf(visit.place);
  return (
    <section class="card mb-3" aria-labelledby="last">
      <div class="card-body">
        <h2 class="card-title" id="last">
          Last orders
        </h2>
        {orders.length === 0 ? (
          <p class="mb-0">
            There is no order yet. A program creates the first one with an API key:{' '}
            <a href="/docs">read how</a>.
          </p>
        ) : (
          <>
            <ul class="last-orders">
              {orders.map((order) => (
                <Line base={base} order={order} timeZone={visit.place.timeZone} />
              ))}
            </ul>
            <a href={`${base}/orders`}>All orders</a>
          </>
        )}
      </div>
    </section>
  );
}

interface LineProps {
  readonly base: string;
  readonly order: HistoryRow;
  readonly timeZone: string;
}

const Line = ({ base, order, timeZone }: LineProps) => (
  <li>
    <a class="id" href={`${base}/orders/${order.txid}`}>
      <Text text={order.orderMerchantId} />
    </a>
    <span class="num">
      <Amount minor={order.amount} currency={order.currency} />
    </span>
    <span>
      <StatusTag status={order.status} /> <ExceptionMark exception={order.exception} />
    </span>
    <When at={order.createdAt} timeZone={timeZone} />
  </li>
);
