import type { BankAccount } from '../../database/entities/bank-account.entity.js';
import { renderPage } from '../layout/shell.view.js';
import { Cell, Empty, Rows, Typed, When, zoneNote } from '../settings/parts.js';
import { mayHere, pathOf, type PlacedVisit } from '../visit.js';
import { AccountState, Done, Iban } from './account-parts.js';
import { countryOf } from './account-words.js';

const COLUMNS = ['Account holder', 'IBAN', 'State', 'Added', 'Actions'];

export const accountsPath = ({ place }: PlacedVisit): string => `${pathOf(place)}/bank-accounts`;

interface AccountsPage {
  readonly visit: PlacedVisit;
  readonly accounts: readonly BankAccount[];
  readonly now: Date;
  readonly done: unknown;
}

export const renderAccounts = (page: AccountsPage): string =>
  renderPage({
    visit: page.visit,
    title: 'Bank accounts',
    subtitle: `Where you are paid out to in ${page.visit.place.mode} mode. ${zoneNote(page.visit.place.timeZone)}.`,
    actions: (
      <>
        <a class="btn" href={`${pathOf(page.visit.place)}/payout-schedule`}>
          Automatic payouts
        </a>
        <a class="btn btn-primary" href={`${accountsPath(page.visit)}/new`}>
          Add an account
        </a>
      </>
    ),
    children: (
      <>
        <Done word={page.done} />
        <div class="card">
          {page.accounts.length === 0 ? (
            <Empty title="No bank account yet">
              Add the account that payouts shall go to. An owner confirms it, and 24 hours after it
              was added it can be used.
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

function Row({ visit, account, now }: AccountsPage & { readonly account: BankAccount }) {
  const zone = visit.place.timeZone;
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
        {mayHere(visit, 'bank-accounts.confirm') && <Actions visit={visit} account={account} />}
      </Cell>
    </tr>
  );
}

interface ActionsProps {
  readonly visit: PlacedVisit;
  readonly account: BankAccount;
}

function Actions({ visit, account: { id, confirmedAt, iban } }: ActionsProps) {
  const path = `${accountsPath(visit)}/${id}`;
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
