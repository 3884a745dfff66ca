import type { DailyBalance } from '../bank/import/daily-balances.js';
import { toMajorUnits } from '../common/money/money.js';
import { BANK_ACCOUNT, refuseUnknownAccount } from './bank-account.js';
import type { Command } from './command.js';
import * as inputs from './inputs.js';
import { withServices } from './services.js';
import { table } from './text.js';

export const statementBalance: Command = {
  name: 'statement balance',
  usage: '--mode test|live [--account A] [--from 2026-11-01] [--until 2026-11-30]',
  help:
    'Reconciles each balance of the collection accounts, day by day: opening + matched + returned +\n' +
    '      paid out + unmatched + other + unexplained = closing. Outgoing money is below 0. Ends\n' +
    '      with 1 when a cent is unexplained: then a statement is missing, or wrong.',
  options: ['mode', 'account', 'from', 'until'],
  prepare: (options) => {
    const mode = options.required('mode', inputs.MODE);
    const account = options.optional('account', BANK_ACCOUNT);
    const filter = {
      mode,
      account: account ?? null,
      from: options.optional('from', inputs.DAY) ?? null,
      until: options.optional('until', inputs.DAY) ?? null,
    };
    return () =>
      withServices(async (services) => {
        await refuseUnknownAccount(services, mode, account);
        const days = await services.bankBalances.days(filter);
        return {
          text: table(COLUMNS, days.map(row)),
          json: { days },
          failed: days.some(({ unexplained }) => unexplained !== 0),
        };
      });
  },
};

const PARTS = [
  'opening',
  'matched',
  'returned',
  'paidOut',
  'unmatched',
  'other',
  'closing',
  'unexplained',
] as const satisfies (keyof DailyBalance)[];
const COLUMNS = ['account', 'day', ...PARTS];

const row = (balance: DailyBalance): string[] => [
  `${balance.account} ${balance.currency}`,
  balance.day,
  ...PARTS.map((part) => toMajorUnits(balance[part], balance.currency)),
];
