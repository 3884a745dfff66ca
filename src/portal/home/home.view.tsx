import type { ListedOrder } from '../../database/read-models/order-list/order-list.statements.js';
import { pathOf, type MerchantContext } from '../../people/portal-context.js';
import { Card } from '../kit/card.js';
import { ExceptionMark, StatusTag } from '../kit/status.js';
import { AmountValue, TextValue, TimeValue, zoneText } from '../kit/values.js';
import { renderPage } from '../layout/shell.view.js';
import { FunnelCard, OutcomesCard, VolumeCard } from './charts.view.js';
import type { Figures } from './figures.js';
import type { Home } from './home.service.js';
import { NeedsCard } from './needs.view.js';

/** Home page of a merchant. */
export function renderHome(context: MerchantContext, home: Home): string {
  const { timeZone } = context.access;
  return renderPage({
    context,
    title: 'Home',
    subtitle: `Times and days in ${zoneText(timeZone, home.now)}`,
    children: (
      <>
        <NeedsCard context={context} needs={home.needs} />
        <Charts context={context} figures={home.figures} />
        <LastOrders context={context} orders={home.orders} />
      </>
    ),
  });
}

function Charts({ context, figures }: { context: MerchantContext; figures: Figures }) {
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
          <Currencies base={pathOf(context.access)} currencies={currencies} current={currency} />
        )}
      </div>
      <p class="text-secondary">By creation date of the orders.</p>
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

function LastOrders({
  context,
  orders,
}: {
  context: MerchantContext;
  orders: readonly ListedOrder[];
}) {
  const base = pathOf(context.access);
  return (
    <Card id="last" title="Latest orders">
      {orders.length === 0 ? (
        <p class="mb-0">
          No orders yet. Create your first order through the API:{' '}
          <a href="/docs">see the documentation</a>.
        </p>
      ) : (
        <>
          <ul class="last-orders">
            {orders.map((order) => (
              <Line base={base} order={order} timeZone={context.access.timeZone} />
            ))}
          </ul>
          <a href={`${base}/orders`}>All orders</a>
        </>
      )}
    </Card>
  );
}

interface LineProps {
  readonly base: string;
  readonly order: ListedOrder;
  readonly timeZone: string;
}

const Line = ({ base, order, timeZone }: LineProps) => (
  <li>
    <a class="id" href={`${base}/orders/${order.txid}`}>
      <TextValue text={order.orderMerchantId} />
    </a>
    <span class="num">
      <AmountValue minor={order.amount} currency={order.currency} />
    </span>
    <span>
      <StatusTag status={order.status} /> <ExceptionMark exception={order.exception} />
    </span>
    <TimeValue at={order.createdAt} timeZone={timeZone} />
  </li>
);
