import type { Payout } from '../../database/entities/payout.entity.js';
import { PostForm } from '../layout/parts.js';
import { renderPage } from '../layout/shell.view.js';
import { PayoutTag } from '../layout/payout-status.js';
import { moneyText } from '../order/order-words.js';
import type { PlacedVisit } from '../visit.js';
import { maskedIban, payoutPath, shortId } from './payout-words.js';

/** Asks before a payout is cancelled. */
export const renderCancelPayout = (visit: PlacedVisit, payout: Payout): string =>
  renderPage({
    visit,
    title: `Cancel payout ${shortId(payout.id)}?`,
    children: (
      <div class="card form-card">
        <div class="card-body">
          <p>
            {moneyText(payout.amount, payout.currency)} will not be sent to{' '}
            {maskedIban(payout.iban)}.{' '}
            {payout.status === 'draft'
              ? 'No money was set aside for this draft.'
              : 'The money is available again at once.'}{' '}
            This cannot be undone.
          </p>
          <PostForm csrf={visit.csrf}>
            <div class="d-flex flex-wrap gap-2">
              <button class="btn btn-danger">Cancel the payout</button>
              <a class="btn" href={payoutPath(visit, payout)}>
                Keep it
              </a>
            </div>
          </PostForm>
        </div>
      </div>
    ),
  });

/** Says why a payout is not changed or cancelled any more. */
export const renderTooLate = (
  visit: PlacedVisit,
  payout: Payout,
  what: 'cancelled' | 'changed',
): string =>
  renderPage({
    visit,
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
          <a href={payoutPath(visit, payout)}>Back to the payout</a>
        </p>
      </>
    ),
  });
