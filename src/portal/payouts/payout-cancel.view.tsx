import type { Payout } from '../../database/payouts/payout.entity.js';
import type { MerchantContext } from '../../people/portal-context.js';
import { FormCard } from '../kit/fields.js';
import { FormButtons, PostForm } from '../kit/form-components.js';
import { moneyText } from '../kit/order-text.js';
import { PayoutTag } from '../kit/payout-status.js';
import { maskedIban, payoutPath, shortId } from '../kit/payout-text.js';
import { renderPage } from '../layout/shell.view.js';

/** Asks before a payout is cancelled. */
export const renderCancelPayout = (context: MerchantContext, payout: Payout): string =>
  renderPage({
    context,
    title: `Cancel payout ${shortId(payout.id)}?`,
    children: (
      <FormCard>
        <p>
          {moneyText(payout.amount, payout.currency)} will not be sent to {maskedIban(payout.iban)}.{' '}
          {payout.status === 'draft'
            ? 'No money was set aside for this draft.'
            : 'The money is available again at once.'}{' '}
          This cannot be undone.
        </p>
        <PostForm csrf={context.csrf}>
          <FormButtons
            label="Cancel the payout"
            back={payoutPath(context, payout)}
            stay="Keep it"
            kind="danger"
            isLong
          />
        </PostForm>
      </FormCard>
    ),
  });

/** Says why a payout is not changed or cancelled any more. */
export const renderTooLate = (
  context: MerchantContext,
  payout: Payout,
  what: 'cancelled' | 'changed',
): string =>
  renderPage({
    context,
    title: `Payout ${shortId(payout.id)} cannot be ${what}`,
    children: (
      <>
        <p>
          <PayoutTag status={payout.status} />
        </p>
        <p>
          {what === 'changed'
            ? 'A payout can be changed until the platform has approved it for the first time.'
            : 'A payout can be cancelled until it is in a file for the bank.'}{' '}
          Nothing was done.
        </p>
        <p class="mb-0">
          <a href={payoutPath(context, payout)}>Back to the payout</a>
        </p>
      </>
    ),
  });
