import { printedIban } from '../../../common/iban.js';
import type { DeskPayout } from '../../../database/repositories/payout-desk.repository.js';
import { Field, PostForm } from '../../layout/parts.js';
import { renderPage } from '../../layout/shell.view.js';
import { Amount } from '../../layout/values.js';
import { Fact, Facts } from '../../order/order-parts.js';
import { Trouble } from '../../settings/fields.js';
import type { Problems } from '../../settings/form.js';
import { Typed } from '../../settings/parts.js';
import type { SignedVisit } from '../../visit.js';
import { payoutPath } from './desk-path.js';
import { type Outcome, REASON_MAX } from './payout-page.service.js';
import { OUTCOME_WORDS } from './payout-words.js';

interface OutcomePage {
  readonly visit: SignedVisit;
  readonly payout: DeskPayout;
  readonly outcome: Outcome;
  readonly form: URLSearchParams;
  readonly problems: Problems | undefined;
}

/** Asks once more, and why, before the ledger is told what a bank has said. */
export function renderOutcome({ visit, payout, outcome, form, problems }: OutcomePage): string {
  const { title, text, button } = OUTCOME_WORDS[outcome];
  return renderPage({
    visit,
    title,
    children: (
      <div class="card form-card">
        <div class="card-body">
          <Trouble problems={problems} />
          <What payout={payout} />
          <p class="mt-3">{text}</p>
          <PostForm csrf={visit.csrf}>
            {outcome !== 'paid' && (
              <Field
                name="reason"
                label="What the bank says"
                hint="The merchant reads it."
                value={form.get('reason') ?? ''}
                problem={problems?.['reason']}
                autocomplete="off"
                maxLength={REASON_MAX}
              />
            )}
            <div class="d-flex flex-wrap gap-2">
              <button class={outcome === 'paid' ? 'btn btn-primary' : 'btn btn-danger'}>
                {button}
              </button>
              <a class="btn" href={payoutPath(payout)}>
                Back
              </a>
            </div>
          </PostForm>
        </div>
      </div>
    ),
  });
}

const What = ({ payout }: { readonly payout: DeskPayout }) => (
  <Facts>
    <Fact name="Amount">
      <Amount minor={payout.amount} currency={payout.currency} />
    </Fact>
    <Fact name="Merchant">
      <Typed text={payout.merchantName} />
    </Fact>
    <Fact name="Account">
      <Typed text={payout.holder} />
      <div class="id">{printedIban(payout.iban)}</div>
    </Fact>
  </Facts>
);
