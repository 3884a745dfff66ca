import { randomUUID } from 'node:crypto';
import { printedIban } from '../../common/money/iban.js';
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

/** Form that requests a payout. */
export const renderNewPayout = (page: FormPage): string =>
  renderPage({
    context: page.context,
    title: 'Request a payout',
    children: (
      <FormCard problems={page.problems}>
        <PostForm csrf={page.context.csrf} action={`${payoutsPath(page.context)}/new`}>
          {/* Idempotency: the same form submitted twice requests one payout. */}
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
            The platform reviews each payout before it is sent to the bank. You can cancel it until
            it is in a bank file.
          </p>
          <div class="d-flex flex-wrap gap-2">
            <button class="btn btn-primary">Request payout</button>
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

/** Form that changes a payout before its approval. */
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
            <p class="text-secondary">The changed payout needs a new review before its approval.</p>
          )}
          <div class="d-flex flex-wrap gap-2">
            <button class="btn btn-primary">Save changes</button>
            <a class="btn btn-ghost" href={payoutPath(page.context, page.payout)}>
              Back
            </a>
          </div>
        </PostForm>
      </FormCard>
    ),
  });

/** Explains why no payout can be requested and what to do. */
export const renderNothingToAsk = (context: MerchantContext, obstacle: Obstacle): string =>
  renderPage({
    context,
    title: 'Request a payout',
    children: (
      <div class="card nothing">
        <h2>Not available yet</h2>
        <p class="text-secondary">
          <ObstacleText context={context} obstacle={obstacle} />
        </p>
        <p class="mb-0">
          <a class="btn" href={payoutsPath(context)}>
            Back to payouts
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
        Leave empty for the full available amount.
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
  if (state === 'unconfirmed') return 'Not confirmed by an owner yet.';
  if (state === 'unnoticed')
    return 'Waiting for the notification period: one day after the emails to the owners.';
  return `Available from ${momentText(usableFrom, timeZone)}.`;
}
