import { Icon } from '../layout/icons.js';
import { Amount } from '../layout/values.js';
import { moneyText } from '../order/order-words.js';
import type { PurseBalance } from './payout-balances.js';

/** What a merchant has with the platform, one card for each currency. */
export const Balances = ({ purses }: { readonly purses: readonly PurseBalance[] }) => (
  <section class="purses" aria-label="Balance">
    {purses.map((purse) => (
      <Purse purse={purse} />
    ))}
  </section>
);

const Purse = ({ purse }: { readonly purse: PurseBalance }) => {
  const { currency, available, onItsWay, unexplained } = purse;
  return (
    <div class="card">
      <dl class="card-body purse">
        <div>
          <dt>Available</dt>
          <dd class="purse-main">
            <Amount minor={available} currency={currency} />
          </dd>
          <dd class="text-secondary">{availableWords(available)}</dd>
        </div>
        <div>
          <dt>On its way</dt>
          <dd class="purse-side">
            <Amount minor={onItsWay} currency={currency} />
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

function availableWords(available: number): string {
  if (available < 0) return 'More was taken back than there was. The next orders make up for it.';
  return available === 0
    ? 'Paid orders come here, less their fees.'
    : 'From paid orders, less their fees. It can be paid out now.';
}
