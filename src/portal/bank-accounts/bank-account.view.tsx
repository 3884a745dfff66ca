import type { BankAccount } from '../../database/entities/bank-account.entity.js';
import { Field, Notice, PostForm } from '../layout/parts.js';
import { renderPage } from '../layout/shell.view.js';
import { Trouble } from '../settings/fields.js';
import type { Problems } from '../settings/form.js';
import { renderConfirm } from '../settings/parts.js';
import { pathOf, type PlacedVisit } from '../visit.js';
import { AccountFacts } from './account-parts.js';
import { HOLDER_MAX } from './account.form.js';
import { accountsPath } from './bank-accounts.view.js';

interface NewAccountPage {
  readonly visit: PlacedVisit;
  readonly form: URLSearchParams;
  readonly problems?: Problems;
}

export const renderNewAccount = ({ visit, form, problems = {} }: NewAccountPage): string =>
  renderPage({
    visit,
    title: 'Add a bank account',
    children: (
      <div class="card form-card">
        <div class="card-body">
          <Trouble problems={problems} />
          <p>
            Every owner is written to about it, and an owner has to confirm it. Nothing is paid out
            to it until 24 hours after both.
          </p>
          <PostForm csrf={visit.csrf}>
            <Field
              name="holder"
              label="Account holder"
              hint="As the bank has the name: some banks compare it, and refuse what differs."
              value={form.get('holder') ?? ''}
              problem={problems['holder']}
              maxLength={HOLDER_MAX}
              autocomplete="off"
            />
            <Field
              name="iban"
              label="IBAN"
              hint="With or without blanks."
              value={form.get('iban') ?? ''}
              problem={problems['iban']}
              maxLength={60}
              autocomplete="off"
            />
            <div class="d-flex gap-2">
              <button class="btn btn-primary">Add the account</button>
              <a class="btn" href={accountsPath(visit)}>
                Back
              </a>
            </div>
          </PostForm>
        </div>
      </div>
    ),
  });

interface AccountPage {
  readonly visit: PlacedVisit;
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
    visit: page.visit,
    title: 'Confirm this bank account',
    children: (
      <div class="card form-card">
        <div class="card-body">
          {page.codeProblem && (
            <Notice kind="bad">Nothing was confirmed. Please look at the marked field.</Notice>
          )}
          <p>
            Payouts can go there a day later. Compare each character with a paper of your bank, not
            with a mail that somebody sent you.
          </p>
          <AccountFacts {...page} zone={page.visit.place.timeZone} />
          <PostForm csrf={page.visit.csrf}>
            {page.needsCode && <Code problem={page.codeProblem} />}
            <div class="d-flex gap-2">
              <button class="btn btn-primary">Confirm the account</button>
              <a class="btn" href={accountsPath(page.visit)}>
                Back
              </a>
            </div>
          </PostForm>
        </div>
      </div>
    ),
  });

const Code = ({ problem }: { readonly problem: string | undefined }) => (
  <Field
    name="code"
    label="Code from your authenticator app"
    hint="Or a recovery code. A code is good for five minutes."
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
    visit: page.visit,
    title: 'Remove this bank account?',
    children: (
      <>
        {problem && (
          <Notice kind="bad">
            {problem} <a href={`${pathOf(page.visit.place)}/payouts`}>See the payouts</a>
          </Notice>
        )}
        <p>Nothing is paid out to it any more. What was paid before stays in the lists.</p>
        {scheduled.length > 0 && (
          <Notice kind="warn">
            Automatic payouts of {scheduled.join(', ')} go to this account, and stop until you
            choose another.
          </Notice>
        )}
        <AccountFacts {...page} zone={page.visit.place.timeZone} />
      </>
    ),
    button: 'Remove it',
    back: accountsPath(page.visit),
  });
