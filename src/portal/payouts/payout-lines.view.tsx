import { PAYOUT_LINE_KINDS } from '../../database/entities/payout-line.entity.js';
import type { ReadLine } from '../../database/repositories/payout.repository.js';
import { Cell, Head } from '../layout/card-table.js';
import { Icon } from '../layout/icons.js';
import { Amount, dayText, numberText, Text } from '../layout/values.js';
import { Card } from '../order/order-parts.js';
import { mayHere, pathOf, type PlacedVisit } from '../visit.js';
import type { PayoutLook } from './payout-pages.service.js';
import { Turn } from './payout-parts.js';
import { KIND_WORDS, payoutPath } from './payout-words.js';

interface Props {
  readonly visit: PlacedVisit;
  readonly look: PayoutLook;
}

/** The orders, fees and corrections that a payout is made of, so that everybody can check it. */
export function LinesCard({ visit, look }: Props) {
  const { payout, sums } = look;
  if (sums.length === 0) {
    return (
      <Card id="lines" title="What it is made of">
        <p class="mb-0">{noLines(payout.status === 'draft')}</p>
      </Card>
    );
  }
  return (
    <section class="card" aria-labelledby="lines">
      <div class="card-body">
        <div class="page-head">
          <h2 class="card-title m-0" id="lines">
            What it is made of
          </h2>
          {mayHere(visit, 'orders.export') && (
            <a class="btn" href={`${payoutPath(visit, payout)}/lines.csv`}>
              <Icon name="download" />
              Download CSV
            </a>
          )}
        </div>
        <Sums look={look} />
      </div>
      <Lines visit={visit} look={look} />
      <Foot visit={visit} look={look} />
    </section>
  );
}

const noLines = (isDraft: boolean): string =>
  isDraft
    ? 'The orders in it are settled when it is asked for: the oldest that are not paid out yet.'
    : 'It never came to have any orders in it.';

/** Kinds that there are, and what they come to. */
function Sums({ look: { payout, sums } }: Pick<Props, 'look'>) {
  const total = sums.reduce((sum, { amount }) => sum + amount, 0);
  const count = sums.reduce((sum, { lines }) => sum + lines, 0);
  return (
    <table class="table table-sm sums">
      <caption class="visually-hidden">Sums of the lines</caption>
      <thead>
        <tr>
          <th scope="col">Kind</th>
          <th scope="col" class="num">
            Lines
          </th>
          <th scope="col" class="num">
            Amount
          </th>
        </tr>
      </thead>
      <tbody>
        {PAYOUT_LINE_KINDS.flatMap((kind) => sums.filter((sum) => sum.kind === kind)).map(
          ({ kind, lines, amount }) => (
            <tr>
              <th scope="row">{KIND_WORDS[kind]}s</th>
              <td class="num">{numberText(lines)}</td>
              <td class="num">
                <Amount minor={amount} currency={payout.currency} />
              </td>
            </tr>
          ),
        )}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Total</th>
          <td class="num">{numberText(count)}</td>
          <td class="num">
            <Amount minor={total} currency={payout.currency} />
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

const Lines = ({ visit, look }: Props) => (
  <div class="table-responsive" role="region" aria-label="List of lines" tabindex={0}>
    <table class="table orders lines" role="table">
      <caption class="visually-hidden">Lines of the payout</caption>
      <thead role="rowgroup">
        <tr role="row">
          <Head isNumber>Line</Head>
          <Head>Order</Head>
          <Head>Kind</Head>
          <Head>Order paid</Head>
          <Head isNumber>Order amount</Head>
          <Head isNumber>In this payout</Head>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {look.lines.map((line) => (
          <Line visit={visit} line={line} currency={look.payout.currency} />
        ))}
      </tbody>
    </table>
  </div>
);

interface LineProps {
  readonly visit: PlacedVisit;
  readonly line: ReadLine;
  readonly currency: string;
}

const Line = ({ visit, line, currency }: LineProps) => (
  <tr role="row">
    <Cell kind="c-more c-line num" label="Line">
      {numberText(line.number)}
    </Cell>
    <th scope="row" role="rowheader" class="c-order">
      <a href={`${pathOf(visit.place)}/orders/${line.txid}`} title={line.txid}>
        <Text text={line.orderMerchantId} />
      </a>
    </th>
    <Cell kind="c-status">{KIND_WORDS[line.kind]}</Cell>
    <Cell kind="c-when">
      <PaidOn at={line.paidAt} timeZone={visit.place.timeZone} />
    </Cell>
    <Cell kind="c-more num" label="Order amount">
      <Amount minor={line.orderAmount} currency={currency} />
    </Cell>
    <Cell kind="c-amount num">
      <Amount minor={line.amount} currency={currency} />
    </Cell>
  </tr>
);

interface PaidOnProps {
  readonly at: Date | null;
  readonly timeZone: string;
}

/** The day; pointed at, the moment in UTC. */
const PaidOn = ({ at, timeZone }: PaidOnProps) =>
  at ? (
    <time dateTime={at.toISOString()} title={at.toISOString()}>
      {dayText(at, timeZone)}
    </time>
  ) : (
    <Text text={null} />
  );

function Foot({ visit, look }: Props) {
  const { payout, page, pages } = look;
  if (pages === 1) return null;
  const to = (other: number): string | null =>
    other < 1 || other > pages ? null : `${payoutPath(visit, payout)}?page=${other}#lines`;
  return (
    <div class="card-footer orders-foot">
      <p class="m-0 text-secondary">
        Page {numberText(page)} of {numberText(pages)}
      </p>
      <nav class="d-flex gap-2" aria-label="Pages">
        <Turn to="newer" words="Before" href={to(page - 1)} />
        <Turn to="older" words="Next" href={to(page + 1)} />
      </nav>
    </div>
  );
}
