import type { ReadLine } from '../../../database/payouts/payout.repository.js';
import { Card, Detail, DetailList } from '../../kit/card.js';
import { Cell, Rows, Typed, When } from '../../kit/components.js';
import { Pager } from '../../kit/list.view.js';
import { KIND_LABELS } from '../../kit/payout-text.js';
import { AmountValue, numberText } from '../../kit/values.js';
import { LINES_PAGE, type PlatformPayoutPage } from './payout-page.service.js';
import { Section, signedText, ZONE } from './platform-components.js';
import { platformPayoutPath } from './platform-path.js';

/** Lines of the payout. */
export function PlatformLinesCard({ payout, lines, afterLine }: PlatformPayoutPage) {
  const shown = lines.slice(0, LINES_PAGE);
  if (shown.length === 0) return null;
  const path = platformPayoutPath(payout);
  return (
    <Section id="lines" title="Lines">
      <Rows caption="Lines of the payout" columns={COLUMNS} numbers={['Amount', 'Order amount']}>
        {shown.map((line) => (
          <Line line={line} currency={payout.currency} />
        ))}
      </Rows>
      <Pager
        first={afterLine === 0 ? null : { label: 'First', href: `${path}#lines` }}
        next={
          lines.length > LINES_PAGE
            ? { label: 'Next', href: `${path}?line=${shown.at(-1)?.number}#lines`, rel: 'next' }
            : null
        }
      />
    </Section>
  );
}

export const SumsCard = (page: PlatformPayoutPage) => (
  <Card id="sums" title="Breakdown">
    <Sums {...page} />
  </Card>
);

const Sums = ({ payout }: PlatformPayoutPage) => {
  const { orderLines, orders, fees, corrections, amount, currency } = payout;
  return (
    <DetailList>
      <Detail name={`Orders (${numberText(orderLines)})`}>
        <AmountValue minor={orders} currency={currency} />
      </Detail>
      <Detail name="Fees">
        {signedText(fees, currency)} {currency}
      </Detail>
      {corrections !== 0 && (
        <Detail name="Corrections">
          {signedText(corrections, currency)} {currency}
        </Detail>
      )}
      <Detail name="Total">
        <strong>
          <AmountValue minor={orders + fees + corrections} currency={currency} />
        </strong>
        {orders + fees + corrections !== amount && (
          <div class="problem">The total differs from the payout amount. Reject this payout.</div>
        )}
      </Detail>
    </DetailList>
  );
};

const COLUMNS = ['Order', 'Type', 'Paid', 'Order amount', 'Amount'];

interface LineProps {
  readonly line: ReadLine;
  readonly currency: string;
}

const Line = ({ line, currency }: LineProps) => (
  <tr>
    <Cell label="Order" class="strong">
      <Typed text={line.orderMerchantId} />
    </Cell>
    <Cell label="Type">{KIND_LABELS[line.kind]}</Cell>
    <Cell label="Paid">
      <When at={line.paidAt} zone={ZONE} never="—" />
    </Cell>
    <Cell label="Order amount" class="num">
      <AmountValue minor={line.orderAmount} currency={currency} />
    </Cell>
    <Cell label="Amount" class="num strong">
      {signedText(line.amount, currency)}
    </Cell>
  </tr>
);
