import type { BankAccount } from '../../database/payouts/bank-accounts/bank-account.entity.js';
import { mayHere, pathOf, type MerchantContext } from '../../people/portal-context.js';
import { Cell, Empty, Rows, Typed, When, zoneNote } from '../kit/components.js';
import { accountsPath } from '../kit/payout-text.js';
import { renderPage } from '../layout/shell.view.js';
import { AccountState, AccountDone, Iban } from './account-components.js';
import { countryOf } from './account-text.js';

const COLUMNS = ['Account holder', 'IBAN', 'State', 'Added', 'Actions'];

interface AccountsPage {
  readonly context: MerchantContext;
  readonly accounts: readonly BankAccount[];
  readonly now: Date;
  readonly done: unknown;
}

export const renderAccounts = (page: AccountsPage): string =>
  renderPage({
    context: page.context,
    title: 'Bank accounts',
    subtitle: `Accounts for your payouts in ${page.context.access.mode} mode. ${zoneNote(page.context.access.timeZone)}.`,
    actions: (
      <>
        <a class="btn" href={`${pathOf(page.context.access)}/payout-schedule`}>
          Automatic payouts
        </a>
        <a class="btn btn-primary" href={`${accountsPath(page.context)}/new`}>
          Add an account
        </a>
      </>
    ),
    children: (
      <>
        <AccountDone word={page.done} />
        <div class="card">
          {page.accounts.length === 0 ? (
            <Empty title="No bank accounts yet">
              {' '}
              Add an account for your payouts. An owner must confirm it; it can be used 24 hours
              later.{' '}
            </Empty>
          ) : (
            <Rows caption="Bank accounts" columns={COLUMNS}>
              {page.accounts.map((account) => (
                <Row {...page} account={account} />
              ))}
            </Rows>
          )}
        </div>
      </>
    ),
  });

function Row({ context, account, now }: AccountsPage & { readonly account: BankAccount }) {
  const zone = context.access.timeZone;
  return (
    <tr>
      <Cell label="Account holder" class="strong">
        <Typed text={account.holder} />
      </Cell>
      <Cell label="IBAN">
        <Iban iban={account.iban} />
        <div class="text-secondary">{countryOf(account.iban)}</div>
      </Cell>
      <Cell label="State">
        <AccountState account={account} now={now} zone={zone} />
      </Cell>
      <Cell label="Added">
        <When at={account.createdAt} zone={zone} />
      </Cell>
      <Cell label="Actions" class="actions">
        {mayHere(context, 'bank-accounts.confirm') && (
          <Actions context={context} account={account} />
        )}
      </Cell>
    </tr>
  );
}

interface ActionsProps {
  readonly context: MerchantContext;
  readonly account: BankAccount;
}

function Actions({ context, account: { id, confirmedAt, iban } }: ActionsProps) {
  const path = `${accountsPath(context)}/${id}`;
  const whose = <span class="visually-hidden"> the account that ends with {iban.slice(-4)}</span>;
  return (
    <>
      {confirmedAt === null && (
        <a class="btn btn-sm btn-primary" href={`${path}/confirm`}>
          Confirm{whose}
        </a>
      )}
      <a class="btn btn-sm" href={`${path}/remove`}>
        Remove{whose}
      </a>
    </>
  );
}
