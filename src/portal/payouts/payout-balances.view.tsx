import { Icon } from '../kit/icons.js';
import { moneyText } from '../kit/order-text.js';
import { AmountValue } from '../kit/values.js';
import type { CurrencyBalance } from './payout-balances.js';

/** What a merchant has with the platform, one card for each currency. */
export const Balances = ({
  currencyBalances,
}: {
  readonly currencyBalances: readonly CurrencyBalance[];
}) => (
  <section class="purses" aria-label="Balance">
    {currencyBalances.map((balance) => (
      <BalanceCard balance={balance} />
    ))}
  </section>
);

const BalanceCard = ({ balance }: { readonly balance: CurrencyBalance }) => {
  const { currency, available, onItsWay, unexplained } = balance;
  return (
    <div class="card">
      <dl class="card-body purse">
        <div>
          <dt>Available</dt>
          <dd class="purse-main">
            <AmountValue minor={available} currency={currency} />
          </dd>
          <dd class="text-secondary">{availableText(available)}</dd>
        </div>
        <div>
          <dt>On its way</dt>
          <dd class="purse-side">
            <AmountValue minor={onItsWay} currency={currency} />
          </dd>
          <dd class="text-secondary">In payouts that were asked for and the bank has not paid.</dd>
        </div>
      </dl>
      {unexplained !== 0 && (
        <p class="card-footer purse-note">
          <Icon name="search" />
          <span>
            {moneyText(unexplained, currency)} arrived that no order explains. The platform looks at
            it; until then it cannot be paid out.
          </span>
        </p>
      )}
    </div>
  );
};

function availableText(available: number): string {
  if (available < 0) return 'More was taken back than there was. The next orders make up for it.';
  return available === 0
    ? 'Paid orders come here, less their fees.'
    : 'From paid orders, less their fees. It can be paid out now.';
}
