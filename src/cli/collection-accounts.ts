import {
  type AccountFaults,
  isAccount,
  readCollectionAccount,
} from '../collection-accounts/account-fields.js';
import type { NewCollectionAccount } from '../collection-accounts/account-fields.js';
import type { CollectionAccount } from '../database/bank/collection-accounts/collection-account.entity.js';
import { type Command, CommandError, type Output } from './command.js';
import * as inputs from './inputs.js';
import { type Input, UsageError } from './options.js';
import { type Services, withServices } from './services.js';
import { day, table } from './text.js';

const ACCOUNT: Input<string> = {
  expects: 'an IBAN, or the account as its bank writes it',
  parse: (text) => text,
};
const TEXT: Input<string> = { expects: '1 to 70 characters on one line', parse: (text) => text };
const BIC: Input<string> = {
  expects: 'a BIC of 8 or 11 letters and digits',
  parse: (text) => text,
};

const add: Command = {
  name: 'collection-account add',
  usage: '--account IBAN --currency EUR --name HOLDER --mode test|live [--bic BIC] [--bank NAME]',
  help:
    'Adds an account of yours on which payers can transfer money. The first one of a mode and currency\n' +
    '      is shown to payers; statements of the others are read all the same. Live accounts are proposed and\n' +
    '      confirmed in the portal.',
  options: ['account', 'currency', 'name', 'mode', 'bic', 'bank'],
  prepare: (options) => {
    const account = readCollectionAccount({
      account: options.required('account', ACCOUNT),
      currency: options.required('currency', inputs.CURRENCY),
      holder: options.required('name', TEXT),
      mode: options.required('mode', inputs.MODE),
      bic: options.optional('bic', BIC) ?? null,
      bankName: options.optional('bank', TEXT) ?? null,
    });
    if (!isAccount(account)) throw new UsageError(firstFault(account));
    return () => withServices((services) => addAccount(services, account));
  },
};

async function addAccount(services: Services, wanted: NewCollectionAccount): Promise<Output> {
  const { collectionAccounts, accounts } = services;
  if (wanted.mode === 'live') throw onlyInPortal();
  const added = await collectionAccounts.add(wanted, (tx, { id, mode, currency, account }) =>
    accounts.note(tx, {
      action: 'collection-account.added',
      subject: id,
      data: { mode, currency, account },
    }),
  );
  const { account, currency, mode } = wanted;
  if (!added)
    throw new CommandError(
      `The account ${account} is in use for ${currency} in ${mode} mode, or known under another form of its number.`,
    );
  const shown = await collectionAccounts.shownFor(mode, currency);
  const payable =
    shown && shown.id !== added.id
      ? `Payers are shown ${shown.account} (the first one) until collection-account disable --id ${shown.id}; transfers to ${account} are matched, too.`
      : `${mode} orders in ${currency} can be paid to ${account}, which payers are shown.`;
  return { text: `Collection account ${added.id}: ${payable}`, json: accountJson(added) };
}

const list: Command = {
  name: 'collection-account list',
  usage: '[--mode test|live]',
  help: 'Lists the accounts on which payers transfer money; the first in use of a currency is shown.',
  options: ['mode'],
  prepare: (options) => {
    const mode = options.optional('mode', inputs.MODE);
    return () =>
      withServices(async ({ collectionAccounts }) => {
        const all = await collectionAccounts.list(mode);
        return { text: table(COLUMNS, all.map(rowOf)), json: { accounts: all.map(accountJson) } };
      });
  },
};

const disable: Command = {
  name: 'collection-account disable',
  usage: '--id ID',
  help:
    'Stops showing a test account to payers. Later transfers to it are still matched. Live\n' +
    '      accounts are disabled in the portal.',
  options: ['id'],
  prepare: (options) => {
    const id = options.required('id', inputs.ID);
    return () => withServices((services) => disableAccount(services, id));
  },
};

const prefer: Command = {
  name: 'collection-account prefer',
  usage: '--id ID',
  help:
    'Shows a test account to payers before all others of its currency. Live accounts are put\n' +
    '      first in the portal.',
  options: ['id'],
  prepare: (options) => {
    const id = options.required('id', inputs.ID);
    return () => withServices((services) => preferAccount(services, id));
  },
};

async function preferAccount(services: Services, id: string): Promise<Output> {
  const { collectionAccounts, accounts } = services;
  if (await isLive(services, id)) throw onlyInPortal();
  const isFirst = await collectionAccounts.prefer(id, (tx, { mode, currency, account }) =>
    accounts.note(tx, {
      action: 'collection-account.preferred',
      subject: id,
      data: { mode, currency, account },
    }),
  );
  if (!isFirst) throw notInUse(id);
  return { text: `Payers are shown ${id} first.`, json: { id, preferred: true } };
}

/** Commands have no user, so one person could propose and confirm. */
const onlyInPortal = (): CommandError =>
  new CommandError(
    'Two operators change live accounts in the portal: one proposes, another one confirms, under Collection accounts.',
  );

const isLive = async ({ collectionAccounts }: Services, id: string): Promise<boolean> =>
  (await collectionAccounts.get(id))?.mode === 'live';

const notInUse = (id: string): CommandError =>
  new CommandError(`There is no collection account ${id} in use.`);

async function disableAccount(services: Services, id: string): Promise<Output> {
  const { collectionAccounts, accounts } = services;
  if (await isLive(services, id)) throw onlyInPortal();
  const isDisabled = await collectionAccounts.disable(id, (tx, { mode, currency, account }) =>
    accounts.note(tx, {
      action: 'collection-account.disabled',
      subject: id,
      data: { mode, currency, account },
    }),
  );
  if (!isDisabled) throw notInUse(id);
  return { text: `${id} is no longer shown to payers.`, json: { id, disabled: true } };
}

export const COLLECTION_ACCOUNT_COMMANDS: readonly Command[] = [add, list, prefer, disable];

const OPTION_OF: Readonly<Record<keyof AccountFaults, string>> = {
  mode: 'mode',
  currency: 'currency',
  holder: 'name',
  account: 'account',
  bic: 'bic',
  bankName: 'bank',
};

function firstFault(faults: AccountFaults): string {
  const [field, sentence] = Object.entries(faults)[0]!;
  return `--${OPTION_OF[field as keyof AccountFaults]}: ${sentence}`;
}

const COLUMNS = ['id', 'mode', 'currency', 'state', 'account', 'BIC', 'holder', 'bank'];

function rowOf(collection: CollectionAccount): string[] {
  const { id, mode, currency, account, bic, holder, bankName, disabledAt } = collection;
  const state = disabledAt ? `disabled ${day(disabledAt)}` : 'usable';
  return [id, mode, currency, state, account, bic ?? '-', holder, bankName ?? '-'];
}

const accountJson = (collection: CollectionAccount) => ({
  id: collection.id,
  mode: collection.mode,
  currency: collection.currency,
  holder: collection.holder,
  account: collection.account,
  bic: collection.bic,
  bankName: collection.bankName,
  position: collection.position,
  createdAt: collection.createdAt,
  disabledAt: collection.disabledAt,
});
