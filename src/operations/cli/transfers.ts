import { toMajorUnits } from '../../common/money.js';
import { textProblem } from '../../common/text.js';
import { violatedUnique } from '../../database/faults.js';
import { type Command, CommandError, type Output } from './command.js';
import * as inputs from './inputs.js';
import type { Input } from './inputs.js';
import { type Services, withServices } from './services.js';

const NOTE: Input<string> = {
  expects: '1 to 255 characters without control characters',
  parse: (text) => (textProblem(text, { min: 1, max: 255 }) ? undefined : text),
};

interface Correction {
  readonly merchantId: string;
  readonly id: string;
  readonly note: string;
}

const reverse: Command = {
  name: 'transfer reverse',
  usage: '--merchant ID --transfer ID --note "charged twice"',
  help:
    'Takes an entry of the ledger back that a payment has caused, such as a fee, by one the other\n' +
    '      way round. What the merchant can be paid out may fall below 0 by it.',
  options: ['merchant', 'transfer', 'note'],
  prepare: (options) => {
    const correction = {
      merchantId: options.required('merchant', inputs.ID),
      id: options.required('transfer', inputs.ID),
      note: options.required('note', NOTE),
    };
    return () => withServices((services) => reverseTransfer(services, correction));
  },
};

export const TRANSFER_COMMANDS: readonly Command[] = [reverse];

async function reverseTransfer(
  { database, transfers, ledger, accounts }: Services,
  { merchantId, id, note }: Correction,
): Promise<Output> {
  const transfer = await transfers.find(merchantId, id);
  if (!transfer) throw new CommandError(`The merchant has no transfer ${id}.`);
  const { kind, amount, currency, mode } = transfer;
  await database
    .transaction(async (tx) => {
      if (!(await ledger.reverse(tx, transfer, note))) {
        throw new CommandError(`A transfer of the kind ${kind} cannot be reversed.`);
      }
      const data = { mode, kind, amount, currency, note };
      await accounts.note(tx, { action: 'transfer.reversed', subject: id, merchantId, data });
    })
    .catch((error: unknown) => {
      if (violatedUnique(error) !== 'transfers_reversed_once') throw error;
      throw new CommandError(`Transfer ${id} was reversed before.`, { cause: error });
    });
  return {
    text: `The ${kind} of ${toMajorUnits(amount, currency)} ${currency} is taken back.`,
    json: { id, reversed: true, mode, kind, amount, currency },
  };
}
