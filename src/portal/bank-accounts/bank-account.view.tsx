import { FRESH_FOR } from '../../common/second-factor.js';
import type { BankAccount } from '../../database/payouts/bank-account.entity.js';
import { pathOf, type MerchantContext } from '../../people/portal-context.js';
import { FormCard } from '../kit/fields.js';
import { formFields, FormButtons, FormField, Notice, PostForm } from '../kit/form-components.js';
import type { Problems } from '../kit/form.js';
import { accountsPath } from '../kit/payout-text.js';
import { renderConfirm, renderForm } from '../layout/form-page.view.js';
import { renderPage } from '../layout/shell.view.js';
import { AccountDetails } from './account-components.js';
import { HOLDER_MAX } from './account.form.js';

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
        Every owner is written to about it, and an owner has to confirm it. Nothing is paid out to
        it until 24 hours after both.
      </p>
    ),
    children: (
      <>
        <FormField
          {...field('holder')}
          label="Account holder"
          hint="As the bank has the name: some banks compare it, and refuse what differs."
          maxLength={HOLDER_MAX}
          autocomplete="off"
        />
        <FormField
          {...field('iban')}
          label="IBAN"
          hint="With or without blanks."
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

/** Whoever confirms says yes to exactly what is shown. */
export const renderConfirmation = (page: ConfirmationPage): string =>
  renderPage({
    context: page.context,
    title: 'Confirm this bank account',
    children: (
      <FormCard>
        {page.codeProblem && (
          <Notice kind="bad">Nothing was confirmed. Please look at the marked field.</Notice>
        )}
        <p>
          Payouts can go there a day later. Compare each character with a paper of your bank, not
          with a mail that somebody sent you.
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
    hint={`Or a recovery code. A code is good for ${FRESH_FOR}.`}
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
            {problem} <a href={`${pathOf(page.context.access)}/payouts`}>See the payouts</a>
          </Notice>
        )}
        <p>Nothing is paid out to it any more. What was paid before stays in the lists.</p>
        {scheduled.length > 0 && (
          <Notice kind="warn">
            Automatic payouts of {scheduled.join(', ')} go to this account, and stop until you
            choose another.
          </Notice>
        )}
        <AccountDetails {...page} zone={page.context.access.timeZone} />
      </>
    ),
    button: 'Remove it',
    back: accountsPath(page.context),
  });
