import { randomUUID } from 'node:crypto';
import { printedIban } from '../../common/iban.js';
import type { Payout } from '../../database/payouts/payout.entity.js';
import type { MerchantContext } from '../../people/portal-context.js';
import { Choice, FormCard } from '../kit/fields.js';
import { PostForm } from '../kit/form-components.js';
import type { Problems } from '../kit/form.js';
import { moneyText, momentText } from '../kit/order-text.js';
import { accountsPath, payoutPath, payoutsPath, shortId } from '../kit/payout-text.js';
import { TextValue } from '../kit/values.js';
import { renderPage } from '../layout/shell.view.js';
import type { OfferedAccount } from './payout-balances.js';
import type { Obstacle } from './payout-balances.js';
import { ObstacleText } from './payout-obstacle.view.js';
import type { PayoutOffer } from './payout.form.js';

interface FormPage {
  readonly context: MerchantContext;
  readonly offer: PayoutOffer;
  readonly form: URLSearchParams;
  readonly problems?: Problems | undefined;
}

/** Asks for a new payout. */
export const renderNewPayout = (page: FormPage): string =>
  renderPage({
    context: page.context,
    title: 'Ask for a payout',
    children: (
      <FormCard problems={page.problems}>
        <PostForm csrf={page.context.csrf} action={`${payoutsPath(page.context)}/new`}>
          {/* Sent twice, a form asks once. */}
          <input type="hidden" name="id" value={randomUUID()} />
          <Choice
            name="currency"
            label="Currency"
            options={page.offer.currencyBalances.map(({ currency, available }) => [
              currency,
              `${moneyText(available, currency)} available`,
            ])}
            value={page.form.get('currency') ?? ''}
            problem={page.problems?.['currency']}
          />
          <Fields {...page} />
          <p class="text-secondary">
            Somebody at the platform looks at each payout before the bank pays it. You can cancel it
            until it is in a file for the bank.
          </p>
          <div class="d-flex flex-wrap gap-2">
            <button class="btn btn-primary">Ask for the payout</button>
            <button class="btn" formaction={`${payoutsPath(page.context)}/new?as=draft`}>
              Save as draft
            </button>
            <a class="btn btn-ghost" href={payoutsPath(page.context)}>
              Back
            </a>
          </div>
        </PostForm>
      </FormCard>
    ),
  });

/** Changes a payout that nobody has approved yet. */
export const renderEditPayout = (page: FormPage & { readonly payout: Payout }): string =>
  renderPage({
    context: page.context,
    title: `Change payout ${shortId(page.payout.id)}`,
    children: (
      <FormCard problems={page.problems}>
        <PostForm csrf={page.context.csrf} action={`${payoutPath(page.context, page.payout)}/edit`}>
          <input type="hidden" name="currency" value={page.payout.currency} />
          <Fields {...page} />
          {page.payout.status !== 'draft' && (
            <p class="text-secondary">
              Whoever was about to approve the payout has to look at it again.
            </p>
          )}
          <div class="d-flex flex-wrap gap-2">
            <button class="btn btn-primary">Save the change</button>
            <a class="btn btn-ghost" href={payoutPath(page.context, page.payout)}>
              Back
            </a>
          </div>
        </PostForm>
      </FormCard>
    ),
  });

/** Says why nothing can be asked for, and what to do. */
export const renderNothingToAsk = (context: MerchantContext, obstacle: Obstacle): string =>
  renderPage({
    context,
    title: 'Ask for a payout',
    children: (
      <div class="card nothing">
        <h2>Not yet</h2>
        <p class="text-secondary">
          <ObstacleText context={context} obstacle={obstacle} />
        </p>
        <p class="mb-0">
          <a class="btn" href={payoutsPath(context)}>
            Back to the payouts
          </a>
        </p>
      </div>
    ),
  });

const Fields = (page: FormPage) => (
  <>
    <AmountField {...page} />
    <Accounts {...page} />
  </>
);

function AmountField({ offer, form, problems }: FormPage) {
  const problem = problems?.['amount'];
  const [only, ...others] = offer.currencyBalances;
  return (
    <div class="mb-3">
      <label class="form-label" for="amount">
        Amount
      </label>
      <input
        class={problem ? 'form-control is-invalid' : 'form-control'}
        id="amount"
        name="amount"
        type="text"
        inputMode="decimal"
        value={form.get('amount') ?? ''}
        maxLength={30}
        autocomplete="off"
        aria-describedby={problem ? 'amount-hint amount-problem' : 'amount-hint'}
        aria-invalid={problem ? 'true' : undefined}
      />
      <small class="form-hint" id="amount-hint">
        {only &&
          others.length === 0 &&
          `${moneyText(only.available, only.currency)} is available. `}
        Leave it empty for all that is available.
      </small>
      {problem && (
        <div class="problem" id="amount-problem">
          {problem}
        </div>
      )}
    </div>
  );
}

function Accounts({ context, offer, form, problems }: FormPage) {
  const problem = problems?.['account'];
  return (
    <fieldset class="mb-3" aria-describedby={problem ? 'account-problem' : undefined}>
      <legend class="form-label">Bank account</legend>
      {offer.accounts.map((account) => (
        <Account
          account={account}
          isChosen={form.get('account') === account.id}
          timeZone={context.access.timeZone}
        />
      ))}
      {problem && (
        <div class="problem" id="account-problem">
          {problem}
        </div>
      )}
      <small class="form-hint">
        <a href={accountsPath(context)}>Add or confirm a bank account</a>
      </small>
    </fieldset>
  );
}

interface AccountProps {
  readonly account: OfferedAccount;
  readonly isChosen: boolean;
  readonly timeZone: string;
}

const Account = ({ account, isChosen, timeZone }: AccountProps) => {
  const { id, holder, iban, state } = account;
  const isUsable = state === 'usable';
  return (
    <label class={isUsable ? 'form-check account' : 'form-check account not-yet'}>
      <input
        class="form-check-input"
        type="radio"
        name="account"
        value={id}
        checked={isChosen && isUsable}
        disabled={!isUsable}
        required
      />
      <span class="form-check-label">
        <TextValue text={holder} />
        <span class="iban">{printedIban(iban)}</span>
        {!isUsable && <span class="why-not">{whyNot(account, timeZone)}</span>}
      </span>
    </label>
  );
};

function whyNot({ state, usableFrom }: OfferedAccount, timeZone: string): string {
  if (state === 'unconfirmed') return 'Not confirmed yet: an owner has to do that.';
  if (state === 'unnoticed')
    return 'Waits for its notice: a day must pass after the mails about it.';
  return `Can be used from ${momentText(usableFrom, timeZone)} on.`;
}
