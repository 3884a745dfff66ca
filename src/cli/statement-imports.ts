import path from 'node:path';
import type { ImportResult } from '../bank/import/import.service.js';
import { toMajorUnits } from '../common/money/money.js';
import { LINE_STATES, type LineState } from '../database/bank/lines/bank-line.entity.js';
import type { LineFilter, ListedLine } from '../database/bank/lines/bank-line.repository.js';
import { BANK_ACCOUNT, refuseUnknownAccount } from './bank-account.js';
import type { Command } from './command.js';
import * as inputs from './inputs.js';
import type { Input } from './options.js';
import { type Services, withServices } from './services.js';
import { PROFILE } from './statements.js';
import { table } from './text.js';

const importFiles: Command = {
  name: 'statement import',
  usage: 'FILE… --mode test|live [--profile NAME|FILE]',
  help:
    'Imports bank statements, each booking once, even if several files contain it. A file that\n' +
    '      cannot be read is refused as a whole; the others are imported, and it ends with 1.',
  operands: ['FILE…'],
  options: ['mode', 'profile'],
  prepare: (options) => {
    const files = options.operandList('FILE');
    const mode = options.required('mode', inputs.MODE);
    const named = options.optional('profile', PROFILE);
    return async () => {
      return withServices(async ({ bankImport, bankProfiles }) => {
        const profile = named === undefined ? undefined : await bankProfiles.find(named);
        const results: ImportResult[] = [];
        for (const file of files) {
          const name = path.basename(file);
          const brought = { mode, name, source: 'cli', profile } as const;
          results.push({ ...(await bankImport.import({ path: file }, brought)), file });
        }
        return {
          text: results.map(textOf).join('\n'),
          json: { files: results },
          failed: results.some(({ result }) => result === 'refused'),
        };
      });
    };
  },
};

function textOf({ file, result, reason, warnings, ...counts }: ImportResult): string {
  if (result === 'refused') return `${file}: refused. ${reason ?? ''}`;
  const { new: added, known, matched, suggested, unmatched, notPayments } = counts;
  const lines = `${added} new, ${known} known`;
  const states = `${matched} matched, ${suggested} suggested, ${unmatched} unmatched, ${notPayments} no payments`;
  return [
    `${file}: ${result}. ${lines}: ${states}.`,
    ...warnings.map(({ detail }) => `  ${detail}`),
  ].join('\n');
}

const STATE: Input<LineState> = {
  expects: LINE_STATES.join(', '),
  parse: (text) => LINE_STATES.find((state) => state === text),
};

const lines: Command = {
  name: 'statement lines',
  usage: '--mode test|live [--account A] [--state S]',
  help: 'Lists the bank lines of the platform’s accounts, each booking once.',
  options: ['mode', 'account', 'state'],
  prepare: (options) => {
    const filter = {
      mode: options.required('mode', inputs.MODE),
      account: options.optional('account', BANK_ACCOUNT),
      state: options.optional('state', STATE),
    };
    return () =>
      withServices(async (services) => {
        await refuseUnknownAccount(services, filter.mode, filter.account);
        const all = await linesOf(services, filter);
        return { text: table(COLUMNS, all.map(rowOf)), json: { lines: all.map(lineJson) } };
      });
  },
};

export const STATEMENT_IMPORT_COMMANDS: readonly Command[] = [importFiles, lines];

const PAGE = 1_000;

async function linesOf({ bankLines }: Services, filter: LineFilter): Promise<ListedLine[]> {
  const all: ListedLine[] = [];
  for (;;) {
    const page = await bankLines.list(filter, PAGE, all.at(-1));
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}

const lineJson = (line: ListedLine) => ({
  account: line.account,
  bankReference: line.bankReference,
  direction: line.direction,
  bookedOn: line.bookedOn,
  amount: line.amount,
  amountText: line.amountText,
  currency: line.currency,
  status: line.status,
  kind: line.kind,
  state: line.state,
  orders: line.orders.map(({ txid, amount }) => ({ txid, amount })),
  reason: line.reason,
});

const COLUMNS = ['account', 'booked on', 'amount', 'state', 'reason', 'orders'];

function rowOf({ account, bookedOn, direction, state, reason, orders, ...line }: ListedLine) {
  const { amount, amountText, currency } = line;
  const isPlain = amount !== null && currency !== null;
  const money = isPlain ? toMajorUnits(amount, currency) : (amountText ?? '');
  const signed = `${direction === 'out' ? '-' : ''}${money} ${currency ?? ''}`;
  const paid = orders.map(({ txid }) => txid).join(' ');
  return [account, bookedOn ?? '-', signed, state, reason ?? '', paid];
}
