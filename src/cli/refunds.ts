import { toMajorUnits } from '../common/money/money.js';
import { ERRORS } from '../http/problems/errors.js';
import { Problem } from '../http/problems/problem.js';
import { readFixed } from '../ledger/fee-rate.js';
import type { RecordedRefund } from '../payments/recorded-refunds.service.js';
import { type Command, CommandError, type Output, rethrowAsCommandError } from './command.js';
import * as inputs from './inputs.js';
import { UsageError } from './options.js';
import { type Services, withServices } from './services.js';

interface OrderRefund extends RecordedRefund {
  readonly merchantId: string;
  readonly txid: string;
  /** Amount that remains to be refunded afterwards, in minor units. */
  readonly left: number;
}

const record: Command = {
  name: 'refund record',
  usage:
    '--merchant ID --order ID --amount 12.50 --left 0 --currency EUR --note "SEPA transfer of 2 May"',
  help:
    'Records that unallocated funds of an order (too much, too late, twice, in another currency)\n' +
    '      were refunded to the payer. It moves no money itself.\n' +
    '      --left is what remains to be refunded of that currency afterwards: if it does not match\n' +
    '      the books, nothing is recorded, so running it twice records only one refund.',
  options: ['merchant', 'order', 'amount', 'left', 'currency', 'note'],
  prepare: (options) => {
    const currency = options.required('currency', inputs.ANY_CURRENCY);
    const amount = readFixed(options.required('amount', inputs.AMOUNT_TEXT), currency);
    if (!amount) throw new UsageError(`--amount must be an amount in ${currency}, such as 12.50.`);
    const left = readFixed(options.required('left', inputs.AMOUNT_TEXT), currency);
    if (left === undefined) throw new UsageError(`--left must be an amount in ${currency}, or 0.`);
    const refund = {
      merchantId: options.required('merchant', inputs.ID),
      txid: options.required('order', inputs.ID),
      amount,
      left,
      currency,
      note: options.required('note', inputs.NOTE),
    };
    return () => withServices((services) => recordRefund(services, refund));
  },
};

export const REFUND_COMMANDS: readonly Command[] = [record];

async function recordRefund(
  { orders, refunds, accounts }: Services,
  { merchantId, txid, left, ...refund }: OrderRefund,
): Promise<Output> {
  const order = await orders.findAny(merchantId, txid);
  if (!order) throw new CommandError(`The merchant has no order ${txid}.`);
  const { mode } = order;
  const { amount, currency } = refund;
  const data = { mode, ...refund };
  const entry = { action: 'order.refunded', subject: txid, merchantId, data };
  const refunded = await refunds
    .record({ merchantId, mode }, txid, refund, { left }, (tx) => accounts.note(tx, entry))
    .catch((error: unknown) => {
      if (!(error instanceof Problem)) return rethrowAsCommandError(error);
      throw new CommandError(`${ERRORS[error.code].title}. ${error.detail}`, { cause: error });
    });
  const { amountRefunded } = refunded;
  return {
    text: `${toMajorUnits(amount, currency)} ${currency} of order ${order.orderMerchantId} are written down as sent back.`,
    json: { txid, mode, amount, currency, amountRefunded },
  };
}
