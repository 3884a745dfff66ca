import { Copyable } from '../kit/components.js';
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

/** First steps, shown until the first order exists. */
export function FirstOrder({ context, access, publicUrl }: FirstOrderProps) {
  const isTest = access.scope.mode === 'test';
  if (access.scope.merchantId === null) {
    return <p>No merchant has created an order in {access.scope.mode} mode yet.</p>;
  }
  return (
    <div class="card">
      <div class="card-body">
        <h2>No orders yet</h2>
        <p>Your shop creates orders through the API. Create your first order in three steps:</p>
        <ol class="first-steps">
          <li>
            <h3>Get an API key</h3>
            {mayHere(context, 'keys.manage') ? (
              <p>
                Create one for {access.scope.mode} mode under{' '}
                <a href={`${access.base}/keys`}>API keys</a>. It is shown once.
              </p>
            ) : (
              <p>Ask an owner or developer of your team for one.</p>
            )}
          </li>
          <li>
            <h3>Create an order</h3>
            <p>Replace YOUR_KEY with your key. The amount is in minor units, here cents.</p>
            <Copyable name="Command" text={curl(publicUrl)} />
          </li>
          <li>
            <h3>Pay it</h3>
            <p>
              Open the paymentPageUrl from the response.{' '}
              {isTest
                ? 'The sandbox bank pays without real money.'
                : 'Live mode makes a real payment, so try test mode first.'}{' '}
              Then reload this page.
            </p>
          </li>
        </ol>
      </div>
    </div>
  );
}

const curl = (publicUrl: string): string => `curl ${publicUrl}/api/order \\
  -H 'Authorization: Bearer YOUR_KEY' \\
  -H 'Content-Type: application/json' \\
  -d '{"orderMerchantId": "first-order", "amount": 8990, "currency": "EUR"}'`;

const FOUND_BY: Readonly<Record<PayerVisibility, string>> = {
  full: 'Search by full order number, ID, email, account or amount, or by the beginning of the payer’s name.',
  masked:
    'Search by full order number, ID, email or amount, or by the last four characters of the payer’s account. Payers are masked for your role and cannot be searched by name.',
  none: 'Search by full order number, ID or amount. Payers and customers are hidden for your role and cannot be searched.',
};

/** Shown if no order matches the filter. */
export function NothingFound({ list }: { readonly list: ListLook }) {
  const { filter, access } = list;
  const isDated = filter.from !== null || filter.until !== null;
  return (
    <div class="nothing">
      <h2>No matching orders</h2>
      <p class="text-secondary">
        {filter.search === null
          ? 'No order matches all of these filters.'
          : FOUND_BY[access.visibility]}
      </p>
      <p class="mb-0 d-flex flex-wrap gap-2 justify-content-center">
        <a class="btn" href={`${access.base}/orders`}>
          Clear filters
        </a>
        {isDated && list.preset !== '90d' && (
          <a class="btn" href={addressOf({ ...list, preset: '90d' }, '/orders')}>
            Show the last 90 days
          </a>
        )}
      </p>
    </div>
  );
}
