import { PAYOUT_LINE_KINDS } from '../../database/payouts/payout-line.entity.js';
import type { ReadLine } from '../../database/payouts/payout.repository.js';
import { mayHere, pathOf, type MerchantContext } from '../../people/portal-context.js';
import { CardCell, Head } from '../kit/card-table.js';
import { Card } from '../kit/card.js';
import { Icon } from '../kit/icons.js';
import { PageTurn } from '../kit/payout-components.js';
import { KIND_LABELS, payoutPath } from '../kit/payout-text.js';
import { AmountValue, dayText, numberText, TextValue } from '../kit/values.js';
import type { PayoutView } from './payout-pages.service.js';

interface Props {
  readonly context: MerchantContext;
  readonly view: PayoutView;
}

/** Orders, fees and corrections of the payout. */
export function LinesCard({ context, view }: Props) {
  const { payout, sums } = view;
  if (sums.length === 0) {
    return (
      <Card id="lines" title="Breakdown">
        <p class="mb-0">{noLines(payout.status === 'draft')}</p>
      </Card>
    );
  }
  return (
    <section class="card" aria-labelledby="lines">
      <div class="card-body">
        <div class="page-head">
          <h2 class="card-title m-0" id="lines">
            Breakdown{' '}
          </h2>
          {mayHere(context, 'orders.export') && (
            <a class="btn" href={`${payoutPath(context, payout)}/lines.csv`}>
              <Icon name="download" />
              Download CSV
            </a>
          )}
        </div>
        <Sums view={view} />
      </div>
      <Lines context={context} view={view} />
      <Foot context={context} view={view} />
    </section>
  );
}

const noLines = (isDraft: boolean): string =>
  isDraft
    ? 'The orders are selected when you request the payout: the oldest that are not paid out yet.'
    : 'A payout that was cancelled before its approval lists no orders.';

/** Totals by kind. */
function Sums({ view: { payout, sums } }: Pick<Props, 'view'>) {
  const total = sums.reduce((sum, { amount }) => sum + amount, 0);
  const count = sums.reduce((sum, { lines }) => sum + lines, 0);
  return (
    <table class="table table-sm sums">
      <caption class="visually-hidden">Totals by type</caption>
      <thead>
        <tr>
          <th scope="col">Type</th>
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
              <th scope="row">{KIND_LABELS[kind]}s</th>
              <td class="num">{numberText(lines)}</td>
              <td class="num">
                <AmountValue minor={amount} currency={payout.currency} />
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
            <AmountValue minor={total} currency={payout.currency} />
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

const Lines = ({ context, view }: Props) => (
  <div class="table-responsive" role="region" aria-label="List of lines" tabindex={0}>
    <table class="table orders lines" role="table">
      <caption class="visually-hidden">Lines of the payout</caption>
      <thead role="rowgroup">
        <tr role="row">
          <Head isNumber>Line</Head>
          <Head>Order</Head>
          <Head>Type</Head>
          <Head>Order paid</Head>
          <Head isNumber>Order amount</Head>
          <Head isNumber>In this payout</Head>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {view.lines.map((line) => (
          <Line context={context} line={line} currency={view.payout.currency} />
        ))}
      </tbody>
    </table>
  </div>
);

interface LineProps {
  readonly context: MerchantContext;
  readonly line: ReadLine;
  readonly currency: string;
}

const Line = ({ context, line, currency }: LineProps) => (
  <tr role="row">
    <CardCell kind="c-more c-line num" label="Line">
      {numberText(line.number)}
    </CardCell>
    <th scope="row" role="rowheader" class="c-order">
      <a href={`${pathOf(context.access)}/orders/${line.txid}`} title={line.txid}>
        <TextValue text={line.orderMerchantId} />
      </a>
    </th>
    <CardCell kind="c-status">{KIND_LABELS[line.kind]}</CardCell>
    <CardCell kind="c-when">
      <PaidOn at={line.paidAt} timeZone={context.access.timeZone} />
    </CardCell>
    <CardCell kind="c-more num" label="Order amount">
      <AmountValue minor={line.orderAmount} currency={currency} />
    </CardCell>
    <CardCell kind="c-amount num">
      <AmountValue minor={line.amount} currency={currency} />
    </CardCell>
  </tr>
);

interface PaidOnProps {
  readonly at: Date | null;
  readonly timeZone: string;
}

/** The day, with the UTC time as tooltip. */
const PaidOn = ({ at, timeZone }: PaidOnProps) =>
  at ? (
    <time dateTime={at.toISOString()} title={at.toISOString()}>
      {dayText(at, timeZone)}
    </time>
  ) : (
    <TextValue text={null} />
  );

function Foot({ context, view }: Props) {
  const { payout, page, pages } = view;
  if (pages === 1) return null;
  const to = (other: number): string | null =>
    other < 1 || other > pages ? null : `${payoutPath(context, payout)}?page=${other}#lines`;
  return (
    <div class="card-footer orders-foot">
      <p class="m-0 text-secondary">
        Page {numberText(page)} of {numberText(pages)}
      </p>
      <nav class="d-flex gap-2" aria-label="Pages">
        <PageTurn to="newer" label="Previous" href={to(page - 1)} />
        <PageTurn to="older" label="Next" href={to(page + 1)} />
      </nav>
    </div>
  );
}
