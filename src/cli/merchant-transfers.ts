import { TRANSFER_DAYS_RANGE } from '../database/merchants/merchant.entity.js';
import type { TransferTerms } from '../merchants/merchants.service.js';
import type { Command, Output } from './command.js';
import * as inputs from './inputs.js';
import type { Input } from './options.js';
import { type Services, withMerchant } from './services.js';

const { min, max } = TRANSFER_DAYS_RANGE;

const DAYS: Input<number> = {
  expects: `a whole number from ${min} to ${max}`,
  parse: (text) => {
    const days = /^\d{1,2}$/.test(text) ? Number(text) : 0;
    return days >= min && days <= max ? days : undefined;
  },
};

const SWITCH: Input<boolean> = {
  expects: 'on or off',
  parse: (text) => ({ on: true, off: false })[text],
};

const transfers: Command = {
  name: 'merchant transfers',
  usage: `--merchant ID [--days ${min}-${max}] [--live on|off]`,
  help:
    'Sets how many days payers of a merchant have for a bank transfer, and whether its live orders\n' +
    '      can be paid by transfer; without --days and --live it shows both.',
  options: ['merchant', 'days', 'live'],
  prepare: (options) => {
    const merchantId = options.required('merchant', inputs.ID);
    const transferDays = options.optional('days', DAYS);
    const takesTransfers = options.optional('live', SWITCH);
    const terms: TransferTerms = {
      ...(transferDays === undefined ? {} : { transferDays }),
      ...(takesTransfers === undefined ? {} : { takesTransfers }),
      ...(takesTransfers ? { transfersAllowedBy: null } : {}),
    };
    return () => withMerchant(merchantId, (services) => setTransfers(services, merchantId, terms));
  },
};

export const MERCHANT_TRANSFER_COMMANDS: readonly Command[] = [transfers];

async function setTransfers(
  { merchants, accounts }: Services,
  merchantId: string,
  terms: TransferTerms,
): Promise<Output> {
  if (Object.keys(terms).length > 0) {
    const entry = { action: 'transfers.changed', merchantId, data: { ...terms } };
    await merchants.setTransfers(merchantId, terms, (tx) => accounts.note(tx, entry));
  }
  const { transferDays, takesTransfers } = (await merchants.find(merchantId))!;
  const live = takesTransfers ? 'can' : 'cannot';
  return {
    text: `Payers have ${transferDays} days for a bank transfer. Live orders ${live} be paid by transfer.`,
    json: { merchantId, days: transferDays, live: takesTransfers },
  };
}
