import type { Payout } from '../../database/payouts/payout.entity.js';
import type { MerchantContext } from '../../people/portal-context.js';
import { FormCard } from '../kit/fields.js';
import { FormButtons, PostForm } from '../kit/form-components.js';
import { moneyText } from '../kit/order-text.js';
import { PayoutTag } from '../kit/payout-status.js';
import { maskedIban, payoutPath, shortId } from '../kit/payout-text.js';
import { renderPage } from '../layout/shell.view.js';

/** Asks for confirmation before a payout is cancelled. */
export const renderCancelPayout = (context: MerchantContext, payout: Payout): string =>
  renderPage({
    context,
    title: `Cancel payout ${shortId(payout.id)}?`,
    children: (
      <FormCard>
        <p>
          {moneyText(payout.amount, payout.currency)} will not be sent to {maskedIban(payout.iban)}.{' '}
          {payout.status === 'draft'
            ? 'No money is reserved for this draft.'
            : 'The money is available again immediately.'}{' '}
          This cannot be undone.
        </p>
        <PostForm csrf={context.csrf}>
          <FormButtons
            label="Cancel the payout"
            back={payoutPath(context, payout)}
            stay="Keep payout"
            kind="danger"
            isLong
          />
        </PostForm>
      </FormCard>
    ),
  });

/** Explains why a payout can no longer be changed or cancelled. */
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
            ? 'A payout can be changed until its first approval.'
            : 'A payout can be cancelled until it is in a bank file.'}{' '}
          Nothing was changed.
        </p>
        <p class="mb-0">
          <a href={payoutPath(context, payout)}>Back to the payout</a>
        </p>
      </>
    ),
  });
