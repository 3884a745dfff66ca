import { FRESH_FOR } from '../../common/second-factor.js';
import type { BankAccount } from '../../database/payouts/bank-accounts/bank-account.entity.js';
import { pathOf, type MerchantContext } from '../../people/portal-context.js';
import { FormCard } from '../kit/fields.js';
import { formFields, FormButtons, FormField, Notice, PostForm } from '../kit/form-components.js';
import type { Problems } from '../kit/form.js';
import { accountsPath } from '../kit/payout-text.js';
import { renderConfirm, renderForm } from '../layout/form-page.view.js';
import { renderPage } from '../layout/shell.view.js';
import { AccountDetails } from './account-components.js';
import { HOLDER_MAX } from '../../payouts/bank-file/holder.js';

interface NewAccountPage {
  readonly context: MerchantContext;
  readonly form: URLSearchParams;
  readonly problems?: Problems;
}

export function renderNewAccount({ context, form, problems }: NewAccountPage): string {
  const field = formFields(form, problems);
  return renderForm({
    context,
    title: 'Add a bank account',
    problems,
    intro: (
      <p>
        All owners are notified by email, and an owner must confirm the account. Payouts start 24
        hours after both.
      </p>
    ),
    children: (
      <>
        <FormField
          {...field('holder')}
          label="Account holder"
          hint="Exactly as registered with the bank: some banks reject payments if the name differs."
          maxLength={HOLDER_MAX}
          autocomplete="off"
        />
        <FormField
          {...field('iban')}
          label="IBAN"
          hint="With or without spaces."
          maxLength={60}
          autocomplete="off"
        />
      </>
    ),
    button: 'Add the account',
    back: accountsPath(context),
  });
}

interface AccountPage {
  readonly context: MerchantContext;
  readonly account: BankAccount;
  readonly addedBy: string | undefined;
}

interface ConfirmationPage extends AccountPage {
  readonly needsCode: boolean;
  readonly codeProblem?: string | undefined;
}

/** Shows exactly the details that are confirmed. */
export const renderConfirmation = (page: ConfirmationPage): string =>
  renderPage({
    context: page.context,
    title: 'Confirm this bank account',
    children: (
      <FormCard>
        {page.codeProblem && (
          <Notice kind="bad">Nothing was confirmed. Please check the marked field.</Notice>
        )}
        <p>
          The account can receive payouts one day later. Compare every character with a document
          from your bank, not with an email you received.
        </p>
        <AccountDetails {...page} zone={page.context.access.timeZone} />
        <PostForm csrf={page.context.csrf}>
          {page.needsCode && <Code problem={page.codeProblem} />}
          <FormButtons label="Confirm the account" back={accountsPath(page.context)} />
        </PostForm>
      </FormCard>
    ),
  });

const Code = ({ problem }: { readonly problem: string | undefined }) => (
  <FormField
    name="code"
    label="Code from your authenticator app"
    hint={`Or a recovery code. You are not asked again for ${FRESH_FOR}.`}
    problem={problem}
    autocomplete="one-time-code"
    maxLength={20}
  />
);

interface RemovalPage extends AccountPage {
  /** Currencies whose automatic payouts go there. */
  readonly scheduled: readonly string[];
  readonly problem?: string | undefined;
}

export const renderRemoval = ({ problem, scheduled, ...page }: RemovalPage): string =>
  renderConfirm({
    context: page.context,
    title: 'Remove this bank account?',
    children: (
      <>
        {problem && (
          <Notice kind="bad">
            {problem} <a href={`${pathOf(page.context.access)}/payouts`}>View payouts</a>
          </Notice>
        )}
        <p>No more payouts go to this account. Past payouts stay in the list.</p>
        {scheduled.length > 0 && (
          <Notice kind="warn">
            Automatic payouts in {scheduled.join(', ')} use this account. They stop until you choose
            another one.
          </Notice>
        )}
        <AccountDetails {...page} zone={page.context.access.timeZone} />
      </>
    ),
    button: 'Remove account',
    back: accountsPath(page.context),
  });
