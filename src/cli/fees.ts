import { toMajorUnits } from '../common/money/money.js';
import type { FeeRate } from '../database/ledger/fee-rate.entity.js';
import { percentText, readFixed, readPercent } from '../ledger/fee-rate.js';
import { type Command, CommandError } from './command.js';
import * as inputs from './inputs.js';
import { type Input, UsageError } from './options.js';
import { type Services, withMerchant } from './services.js';
import { day, table } from './text.js';

const PROVIDER: Input<string> = {
  expects: 'the name of a provider, such as sandbox',
  parse: (text) => (/^[a-z\d_-]{1,40}$/.test(text) ? text : undefined),
};

const PERCENT: Input<number> = {
  expects: '0 to 100 with at most 4 decimals, such as 2.9',
  parse: readPercent,
};

const set: Command = {
  name: 'fee set',
  usage: '--merchant ID --provider NAME --currency EUR --percent 2.9 --fixed 0.30',
  help: 'Sets what the merchant pays for each order that is paid from now on.',
  options: ['merchant', 'provider', 'currency', 'percent', 'fixed'],
  prepare: (options) => {
    const currency = options.required('currency', inputs.CURRENCY);
    const fixed = readFixed(options.required('fixed', inputs.AMOUNT_TEXT), currency);
    if (fixed === undefined) {
      throw new UsageError(`--fixed must be an amount in ${currency}, such as 0.30.`);
    }
    const rate = {
      merchantId: options.required('merchant', inputs.ID),
      provider: options.required('provider', PROVIDER),
      currency,
      partsPerMillion: options.required('percent', PERCENT),
      fixed,
    };
    return () => withMerchant(rate.merchantId, (services) => setFee(services, rate));
  },
};

async function setFee(services: Services, rate: Omit<FeeRate, 'updatedAt'>) {
  const { merchantId, ...data } = rate;
  if (!services.providers.find(rate.provider)) {
    const names = services.providers.names().join(', ');
    throw new CommandError(`There is no provider ${rate.provider}. There are: ${names}.`);
  }
  const percent = percentText(rate.partsPerMillion);
  const saved = await services.fees.set(rate, (tx) =>
    services.accounts.note(tx, {
      action: 'fee.changed',
      merchantId,
      data: { ...data, percent },
    }),
  );
  const fixed = toMajorUnits(rate.fixed, rate.currency);
  return {
    text: `An order in ${rate.currency} that is paid through ${rate.provider} costs ${percent} % and ${fixed} ${rate.currency} from now on.`,
    json: feeJson(saved),
  };
}

const list: Command = {
  name: 'fee list',
  usage: '--merchant ID',
  help: 'Lists what a merchant pays for paid orders.',
  options: ['merchant'],
  prepare: (options) => {
    const merchantId = options.required('merchant', inputs.ID);
    return () =>
      withMerchant(merchantId, async ({ fees }) => {
        const all = await fees.list(merchantId);
        return { text: table(COLUMNS, all.map(rowOf)), json: { fees: all.map(feeJson) } };
      });
  },
};

export const FEE_COMMANDS: readonly Command[] = [set, list];

const COLUMNS = ['provider', 'currency', 'percent', 'fixed', 'since'];

const rowOf = ({ provider, currency, partsPerMillion, fixed, updatedAt }: FeeRate): string[] => [
  provider,
  currency,
  percentText(partsPerMillion),
  toMajorUnits(fixed, currency),
  day(updatedAt),
];

const feeJson = ({ provider, currency, partsPerMillion, fixed, updatedAt }: FeeRate) => ({
  provider,
  currency,
  percent: percentText(partsPerMillion),
  fixed: toMajorUnits(fixed, currency),
  updatedAt,
});
