import { mayHere, type PageContext } from '../../people/portal-context.js';
import type { PayerVisibility } from '../../people/roles.js';
import { addressOf } from './order-list-address.js';
import type { ListLook } from './order-list-look.js';
import type { OrdersAccess } from './orders-access.js';

interface FirstOrderProps {
  readonly context: PageContext;
  readonly access: OrdersAccess;
  readonly publicUrl: string;
}

/** What to do where there has never been an order. */
export function FirstOrder({ context, access, publicUrl }: FirstOrderProps) {
  const isTest = access.scope.mode === 'test';
  if (access.scope.merchantId === null) {
    return <p>No merchant has made an order in {access.scope.mode} mode yet.</p>;
  }
  return (
    <div class="card">
      <div class="card-body">
        <h2>No order yet</h2>
        <p>Orders come from your shop, through the API. Three steps to the first one:</p>
        <ol class="first-steps">
          <li>
            <h3>Get an API key</h3>
            {mayHere(context, 'keys.manage') ? (
              <p>
                Make one for {access.scope.mode} mode under{' '}
                <a href={`${access.base}/keys`}>API keys</a>. It is shown once.
              </p>
            ) : (
              <p>Ask an owner or a developer of your shop for one.</p>
            )}
          </li>
          <li>
            <h3>Create an order</h3>
            <p>Put your key in the place of YOUR_KEY. The amount is in minor units, here cents.</p>
            <Command text={curl(publicUrl)} />
          </li>
          <li>
            <h3>Pay it</h3>
            <p>
              Open the paymentPageUrl of the answer.{' '}
              {isTest
                ? 'The sandbox bank pays without money.'
                : 'In live mode a real payment is made; try test mode first.'}{' '}
              Then load this page again.
            </p>
          </li>
        </ol>
      </div>
    </div>
  );
}

const Command = ({ text }: { readonly text: string }) => (
  <div class="command">
    <pre tabindex={0} aria-label="Command">
      <code>{text}</code>
    </pre>
    <button class="btn btn-sm" type="button" data-copy hidden>
      Copy
    </button>
  </div>
);

const curl = (publicUrl: string): string => `curl ${publicUrl}/api/order \\
  -H 'Authorization: Bearer YOUR_KEY' \\
  -H 'Content-Type: application/json' \\
  -d '{"orderMerchantId": "first-order", "amount": 8990, "currency": "EUR"}'`;

const FOUND_BY: Readonly<Record<PayerVisibility, string>> = {
  full: 'A search finds an order by its whole id, e-mail, account or amount, a payer also by the beginning of the name.',
  masked:
    'A search finds an order by its whole id, e-mail or amount, or by the last four characters of the payer’s account. Payers are masked for your role, so nothing else finds them.',
  none: 'A search finds an order by its whole id or amount. Your role does not see payers and customers here, so nothing finds them.',
};

/** Why the list is empty although there are orders. */
export function NothingFound({ list }: { readonly list: ListLook }) {
  const { filter, access } = list;
  const isDated = filter.from !== null || filter.until !== null;
  return (
    <div class="nothing">
      <h2>No order fits this filter</h2>
      <p class="text-secondary">
        {filter.search === null
          ? 'There are orders, but none with all of these properties.'
          : FOUND_BY[access.visibility]}
      </p>
      <p class="mb-0 d-flex flex-wrap gap-2 justify-content-center">
        <a class="btn" href={`${access.base}/orders`}>
          Clear filters
        </a>
        {isDated && list.preset !== '90d' && (
          <a class="btn" href={addressOf({ ...list, preset: '90d' }, '/orders')}>
            Look at the last 90 days
          </a>
        )}
      </p>
    </div>
  );
}
