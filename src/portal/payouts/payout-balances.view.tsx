import { Icon } from '../kit/icons.js';
import { moneyText } from '../kit/order-text.js';
import { AmountValue } from '../kit/values.js';
import type { CurrencyBalance } from './payout-balances.js';

/** Balances of the merchant, one card per currency. */
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
          <dd class="text-secondary">Requested payouts that the bank has not paid yet.</dd>
        </div>
      </dl>
      {unexplained !== 0 && (
        <p class="card-footer purse-note">
          <Icon name="search" />
          <span>
            Unallocated funds: {moneyText(unexplained, currency)}. The platform is reviewing this
            money; it cannot be paid out until then.
          </span>
        </p>
      )}
    </div>
  );
};

function availableText(available: number): string {
  if (available < 0)
    return 'Refunds and chargebacks exceeded your balance. The next paid orders offset it.';
  return available === 0
    ? 'Paid orders minus fees appear here.'
    : 'Paid orders minus fees. Can be paid out now.';
}
