import type { ReadLine } from '../../../database/repositories/payout.repository.js';
import { Amount, numberText } from '../../layout/values.js';
import { Card, Fact, Facts } from '../../order/order-parts.js';
import { KIND_WORDS } from '../../payouts/payout-words.js';
import { Cell, Rows, Typed, When } from '../../settings/parts.js';
import { Section, signedText, ZONE } from './desk-parts.js';
import { payoutPath } from './desk-path.js';
import { LINES_PAGE, type PayoutPage } from './payout-page.service.js';

/** What the payout pays, line by line. */
export function LinesCard({ payout, lines, afterLine }: PayoutPage) {
  const shown = lines.slice(0, LINES_PAGE);
  if (shown.length === 0) return null;
  return (
    <Section id="lines" title="Lines">
      <Rows caption="Lines of the payout" columns={COLUMNS} numbers={['Amount', 'Order’s amount']}>
        {shown.map((line) => (
          <Line line={line} currency={payout.currency} />
        ))}
      </Rows>
      <More
        path={payoutPath(payout)}
        isFirst={afterLine === 0}
        last={lines.length > LINES_PAGE ? shown.at(-1)?.number : undefined}
      />
    </Section>
  );
}

export const SumsCard = (page: PayoutPage) => (
  <Card id="sums" title="What it is made of">
    <Sums {...page} />
  </Card>
);

const Sums = ({ payout }: PayoutPage) => {
  const { orderLines, orders, fees, corrections, amount, currency } = payout;
  return (
    <Facts>
      <Fact name={`Orders (${numberText(orderLines)})`}>
        <Amount minor={orders} currency={currency} />
      </Fact>
      <Fact name="Fees">
        {signedText(fees, currency)} {currency}
      </Fact>
      {corrections !== 0 && (
        <Fact name="Corrections">
          {signedText(corrections, currency)} {currency}
        </Fact>
      )}
      <Fact name="Together">
        <strong>
          <Amount minor={orders + fees + corrections} currency={currency} />
        </strong>
        {orders + fees + corrections !== amount && (
          <div class="problem">This is not the amount of the payout. Reject it.</div>
        )}
      </Fact>
    </Facts>
  );
};

const COLUMNS = ['Order', 'What', 'Paid', 'Order’s amount', 'Amount'];

interface LineProps {
  readonly line: ReadLine;
  readonly currency: string;
}

const Line = ({ line, currency }: LineProps) => (
  <tr>
    <Cell label="Order" class="strong">
      <Typed text={line.orderMerchantId} />
    </Cell>
    <Cell label="What">{KIND_WORDS[line.kind]}</Cell>
    <Cell label="Paid">
      <When at={line.paidAt} zone={ZONE} never="—" />
    </Cell>
    <Cell label="Order’s amount" class="num">
      <Amount minor={line.orderAmount} currency={currency} />
    </Cell>
    <Cell label="Amount" class="num strong">
      {signedText(line.amount, currency)}
    </Cell>
  </tr>
);

interface MoreProps {
  readonly path: string;
  readonly isFirst: boolean;
  /** The last line that is shown, where there are more. */
  readonly last: number | undefined;
}

function More({ path, isFirst, last }: MoreProps) {
  if (isFirst && last === undefined) return null;
  return (
    <nav class="card-footer d-flex gap-2" aria-label="Pages">
      {!isFirst && (
        <a class="btn btn-sm" href={`${path}#lines`}>
          First
        </a>
      )}
      {last !== undefined && (
        <a class="btn btn-sm" href={`${path}?line=${last}#lines`} rel="next">
          Later
        </a>
      )}
    </nav>
  );
}
