import type { CollectionAccount } from '../../../database/bank/collection-accounts/collection-account.entity.js';
import type { OpenChange } from '../../../database/bank/collection-accounts/collection-account-change.repository.js';
import type { Mode } from '../../../database/merchants/api-key.entity.js';
import { mayHere, type SignedInContext } from '../../../people/portal-context.js';
import { Cell, DetailRow, Empty, Rows, Typed, When } from '../../kit/components.js';
import { doneBy, formFields, FormField, PostForm } from '../../kit/form-components.js';
import type { Problems } from '../../kit/form.js';
import { Tag } from '../../kit/status.js';
import { TextValue } from '../../kit/values.js';
import { renderConfirm, renderForm } from '../../layout/form-page.view.js';
import { renderPage } from '../../layout/shell.view.js';
import { AccountValue } from '../bank/line-components.js';
import { ZONE } from '../payouts/platform-components.js';
import { OpenChanges } from './changes.view.js';
import { collectionAccountsPath } from './collection-accounts-path.js';

const AccountsDone = doneBy({
  added: 'Added.',
  saved: 'Saved. Payers now see this account.',
  disabled: 'Disabled. Payers no longer see this account; incoming payments are still matched.',
  proposed:
    'Proposed. All operators are notified by email. The change takes effect after another operator confirms it.',
  confirmed:
    'Confirmed. All operators are notified by email. The change takes effect after the waiting time.',
  applied: 'Confirmed. The change is in effect.',
  withdrawn: 'Withdrawn. Nothing was changed.',
});

interface Props {
  readonly context: SignedInContext;
  readonly mode: Mode;
  readonly accounts: readonly CollectionAccount[];
  /** Pending changes of live mode. */
  readonly changes: readonly OpenChange[];
  readonly done: unknown;
}

export const renderCollectionAccounts = ({
  context,
  mode,
  accounts,
  changes,
  done,
}: Props): string =>
  renderPage({
    context,
    title: 'Collection accounts',
    subtitle: `Your own bank accounts that receive transfers in ${mode} mode. Times in UTC.`,
    actions: mayHere(context, 'platform.payouts') && (
      <a class="btn btn-primary" href={`${collectionAccountsPath(mode)}/new`}>
        {mode === 'live' ? 'Propose an account' : 'Add an account'}
      </a>
    ),
    children: (
      <>
        <AccountsDone word={done} />
        <OpenChanges context={context} changes={changes} accounts={accounts} />
        <div class="card">
          {accounts.length === 0 ? (
            <Empty title="No collection account yet">
              Orders can be paid by bank transfer once there is an account of their currency
              {mode === 'live' && ' and transfers are enabled for the merchant'}.
            </Empty>
          ) : (
            <Rows caption="Collection accounts, by currency" columns={COLUMNS}>
              {accounts.map((account) => (
                <Row context={context} account={account} isShown={isFirst(account, accounts)} />
              ))}
            </Rows>
          )}
        </div>
      </>
    ),
  });

const COLUMNS = ['Account', 'Currency', 'Account holder', 'State', 'Added', 'Actions'];

/** Payers see the first active account of their currency. */
const isFirst = (account: CollectionAccount, all: readonly CollectionAccount[]): boolean =>
  all.find(({ currency, disabledAt }) => currency === account.currency && disabledAt === null)
    ?.id === account.id;

interface RowProps {
  readonly context: SignedInContext;
  readonly account: CollectionAccount;
  readonly isShown: boolean;
}

const Row = ({ context, account, isShown }: RowProps) => (
  <tr>
    <Cell label="Account" class="strong">
      <AccountValue account={account.account} />
      {(account.bankName ?? account.bic) !== null && (
        <div class="text-secondary">
          <TextValue text={[account.bankName, account.bic].filter(Boolean).join(', ')} />
        </div>
      )}
    </Cell>
    <Cell label="Currency">{account.currency}</Cell>
    <Cell label="Account holder">
      <Typed text={account.holder} />
    </Cell>
    <Cell label="State">
      <State account={account} isShown={isShown} />
    </Cell>
    <Cell label="Added">
      <When at={account.createdAt} zone={ZONE} />
    </Cell>
    <Cell label="Actions" class="actions">
      {mayHere(context, 'platform.payouts') && account.disabledAt === null && (
        <Actions context={context} account={account} isShown={isShown} />
      )}
    </Cell>
  </tr>
);

function State({ account, isShown }: Omit<RowProps, 'context'>) {
  if (account.disabledAt !== null) return <Tag label="Disabled" tone="" icon="ended" />;
  return isShown ? (
    <Tag label="Shown to payers" tone="good" icon="check" />
  ) : (
    <Tag label="Not shown" tone="idle" icon="audit" />
  );
}

const Actions = ({ context, account, isShown }: RowProps) => (
  <div class="d-flex flex-wrap gap-2">
    {!isShown && (
      <PostForm
        action={`${collectionAccountsPath(account.mode)}/${account.id}/prefer`}
        csrf={context.csrf}
      >
        <button class="btn btn-sm">
          {account.mode === 'live' ? 'Propose to show' : 'Show to payers'}
          <span class="visually-hidden"> {account.account}</span>
        </button>
      </PostForm>
    )}
    <a class="btn btn-sm" href={`${collectionAccountsPath(account.mode)}/${account.id}/disable`}>
      {account.mode === 'live' ? 'Propose to disable' : 'Disable'}
      <span class="visually-hidden"> {account.account}</span>
    </a>
  </div>
);

const SecondOperator = () => (
  <p>
    All operators are notified by email. The change takes effect after another operator confirms it
    and the waiting time ends.
  </p>
);

interface NewProps {
  readonly context: SignedInContext;
  readonly mode: Mode;
  readonly form: URLSearchParams;
  readonly problems?: Problems;
}

export function renderNewCollectionAccount({ context, mode, form, problems }: NewProps): string {
  const field = formFields(form, problems);
  const typed = (name: string) => ({ ...field(name), autocomplete: 'off' });
  return renderForm({
    context,
    title: mode === 'live' ? 'Propose a collection account' : 'Add a collection account',
    problems,
    intro: (
      <>
        <p>
          Payers of {mode} orders send their money to this account. Compare every character with a
          document from your bank.
        </p>
        {mode === 'live' && <SecondOperator />}
      </>
    ),
    children: (
      <>
        <FormField
          {...typed('account')}
          label="IBAN"
          hint="For countries without IBANs, the account number as written by the bank."
          maxLength={80}
        />
        <FormField {...typed('currency')} label="Currency" hint="For example EUR." maxLength={3} />
        <FormField
          {...typed('holder')}
          label="Account holder"
          hint="Exactly as registered with the bank: payers’ banks compare it."
          maxLength={70}
        />
        <FormField {...typed('bic')} label="BIC" maxLength={20} isOptional />
        <FormField {...typed('bankName')} label="Bank name" maxLength={70} isOptional />
      </>
    ),
    button: mode === 'live' ? 'Propose the account' : 'Add the account',
    back: collectionAccountsPath(mode),
  });
}

export const renderDisabling = (context: SignedInContext, account: CollectionAccount): string =>
  renderConfirm({
    context,
    title:
      account.mode === 'live'
        ? 'Propose to disable this collection account?'
        : 'Disable this collection account?',
    children: (
      <>
        <p>
          Payers no longer see this account. Its statements are still imported, and incoming
          payments are still matched.
        </p>
        {account.mode === 'live' && (
          <p>
            All operators are notified by email, and another operator must confirm. A waiting time
            applies if payers then see another account. To stop transfers immediately, first disable
            the accounts that payers do not see, then this one.
          </p>
        )}
        <dl class="fact-list account-facts">
          <DetailRow label="Account">
            <AccountValue account={account.account} />
          </DetailRow>
          <DetailRow label="Account holder">
            <Typed text={account.holder} />
          </DetailRow>
          <DetailRow label="Currency">{account.currency}</DetailRow>
        </dl>
      </>
    ),
    button: account.mode === 'live' ? 'Propose' : 'Disable account',
    back: collectionAccountsPath(account.mode),
  });
