import { PostForm } from '../../layout/parts.js';
import { renderPage } from '../../layout/shell.view.js';
import { amountText } from '../../layout/values.js';
import { Trouble } from '../../settings/fields.js';
import type { Problems } from '../../settings/form.js';
import type { SignedVisit } from '../../visit.js';
import type { AcceptancePage } from './acceptance-page.service.js';
import { FreshCode } from './desk-parts.js';
import { unallocatedPath } from './desk-path.js';
import { OrderFacts } from './order-facts.view.js';

interface Props {
  readonly visit: SignedVisit;
  readonly page: AcceptancePage;
  readonly problems?: Problems | null;
}

/** Asks once more before money becomes the merchant's. */
export const renderAcceptance = ({ visit, page, problems }: Props): string =>
  renderPage({
    visit,
    title: 'Accept late money',
    children: (
      <div class="card form-card">
        <div class="card-body">
          <Trouble problems={problems ?? undefined} />
          <OrderFacts {...page} />
          {page.isAcceptable ? (
            <Form visit={visit} page={page} problems={problems ?? undefined} />
          ) : (
            <p class="mt-3 mb-0">
              {page.shortfall ?? 'There is no money to accept here.'}{' '}
              <a href={unallocatedPath(page.order.mode)}>Back</a>
            </p>
          )}
        </div>
      </div>
    ),
  });

function Form({ visit, page, problems }: Props) {
  const { order, owesCode } = page;
  const money = `${amountText(order.amount, order.currency)} ${order.currency}`;
  const rest = order.amountReceived - order.amount;
  return (
    <PostForm csrf={visit.csrf}>
      <p class="mt-3">
        The order becomes paid, its merchant is told so, and {money} less the fee can be paid out.
        {rest > 0 &&
          ` The other ${amountText(rest, order.currency)} ${order.currency} still go back to the payer.`}{' '}
        This cannot be undone. Ask the merchant first whether the payer still gets what was ordered.
      </p>
      {owesCode && <FreshCode problem={problems?.['code']} />}
      <div class="d-flex flex-wrap gap-2">
        <button class="btn btn-primary">Accept {money}</button>
        <a class="btn" href={unallocatedPath(order.mode)}>
          Back
        </a>
      </div>
    </PostForm>
  );
}
