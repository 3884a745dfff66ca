import { toMajorUnits } from '../common/money/money.js';
import { violatedUnique } from '../database/faults.js';
import type { CorrectionOutcome } from '../payments/corrections.service.js';
import { type Command, CommandError, type Output } from './command.js';
import * as inputs from './inputs.js';
import { type Services, withServices } from './services.js';

interface Correction {
  readonly merchantId: string;
  readonly id: string;
  readonly note: string;
}

const reverse: Command = {
  name: 'transfer reverse',
  usage: '--merchant ID --transfer ID --note "charged twice"',
  help:
    'Reverses a ledger entry of a payment, such as a fee, by an opposite one. The merchant’s\n' +
    '      available balance may fall below 0.',
  options: ['merchant', 'transfer', 'note'],
  prepare: (options) => {
    const correction = {
      merchantId: options.required('merchant', inputs.ID),
      id: options.required('transfer', inputs.ID),
      note: options.required('note', inputs.NOTE),
    };
    return () => withServices((services) => reverseTransfer(services, correction));
  },
};

export const TRANSFER_COMMANDS: readonly Command[] = [reverse];

async function reverseTransfer(
  { transfers, corrections, accounts }: Services,
  { merchantId, id, note }: Correction,
): Promise<Output> {
  const transfer = await transfers.find(merchantId, id);
  if (!transfer) throw new CommandError(`The merchant has no transfer ${id}.`);
  const { kind, amount, currency, mode } = transfer;
  const data = { mode, kind, amount, currency, note };
  const outcome = await corrections
    .reverse(transfer, note, (tx) =>
      accounts.note(tx, { action: 'transfer.reversed', subject: id, merchantId, data }),
    )
    .catch((error: unknown) => {
      if (violatedUnique(error) !== 'transfers_reversed_once') throw error;
      throw new CommandError(`Transfer ${id} was reversed before.`, { cause: error });
    });
  if (outcome !== 'reversed') throw new CommandError(REFUSALS[outcome](kind));
  return {
    text: `The ${kind} of ${toMajorUnits(amount, currency)} ${currency} is taken back.`,
    json: { id, reversed: true, mode, kind, amount, currency },
  };
}

const REFUSALS: Record<Exclude<CorrectionOutcome, 'reversed'>, (kind: string) => string> = {
  not_reversible: (kind) => `A transfer of the kind ${kind} cannot be reversed.`,
  awaited: () =>
    'The order still waits for the rest of its price: cancel it, or let it expire first.',
  spent: () => 'The money is no longer there: it was accepted for its order, or sent back.',
};
