import { minorUnits } from '../../src/common/money/major-units.js';
import { maskAccount } from '../../src/common/mask.js';
import type {
  OrderFilter,
  OrderScope,
} from '../../src/database/read-models/order-list/order-list.statements.js';
import type { SamplePayout } from './order-list-payouts.js';
import { exponentOf, type Sample } from './order-list-samples.js';

/** What the list has to show, said without a database. */

/** The rows of the filter, newest first. */
export function expectedRows(
  samples: readonly Sample[],
  scope: OrderScope,
  filter: OrderFilter,
): Sample[] {
  const isMine = ({ merchantId, mode }: Sample): boolean =>
    mode === scope.mode && (scope.merchantId === null || merchantId === scope.merchantId);
  return samples
    .filter((sample) => isMine(sample) && isShown(sample, filter))
    .sort((a, b) => {
      const ms = timeOf(b, filter)!.getTime() - timeOf(a, filter)!.getTime();
      if (ms !== 0) return ms;
      return a.txid < b.txid ? 1 : -1;
    });
}

export const timeOf = (sample: Sample, { basis }: OrderFilter): Date | null =>
  basis === 'paid' ? sample.paidAt : sample.createdAt;

function isShown(sample: Sample, filter: OrderFilter): boolean {
  const time = timeOf(sample, filter);
  const { from, until, statuses, currency, amountFrom, amountTo, provider, field } = filter;
  const { payout } = filter;
  return (
    time !== null &&
    (!from || time >= from) &&
    (!until || time < until) &&
    (statuses.length === 0 || statuses.includes(sample.status)) &&
    (currency === null || sample.currency === currency) &&
    (amountFrom === null || sample.amount >= amountFrom) &&
    (amountTo === null || sample.amount <= amountTo) &&
    (provider === null || sample.payment?.provider === provider) &&
    (filter.exception === null ||
      (filter.exception === 'only'
        ? sample.exception !== 'none'
        : sample.exception === filter.exception)) &&
    (!field || sample.fields[field.name] === field.value) &&
    (payout === null || sample.payouts.some(({ id }) => id === payout)) &&
    (filter.search === null || isFound(sample, filter.search, filter.payerSight)) &&
    (filter.payer === null ||
      isFoundPayer(sample, filter.payer.toLowerCase(), filter.payerSight)) &&
    (filter.customerEmail === null ||
      sample.customerEmail?.toLowerCase() === filter.customerEmail.toLowerCase()) &&
    (filter.txids === null || filter.txids.includes(sample.txid)) &&
    (filter.orderMerchantIds === null || filter.orderMerchantIds.includes(sample.orderMerchantId))
  );
}

const isFoundPayer = (sample: Sample, text: string, sight: OrderFilter['payerSight']): boolean =>
  (sight === 'full' && isPayer(sample, text)) || (sight === 'masked' && isShownPayer(sample, text));

function isFound(sample: Sample, search: string, sight: OrderFilter['payerSight']): boolean {
  const text = search.toLowerCase();
  return (
    sample.txid === text ||
    sample.orderMerchantId === search ||
    (sight !== 'none' && sample.customerEmail?.toLowerCase() === text) ||
    isFoundPayer(sample, text, sight) ||
    minorUnits(search, exponentOf(sample)).includes(sample.amount)
  );
}

function isPayer({ payment }: Sample, text: string): boolean {
  const name = payment?.payerName?.toLowerCase();
  const account = payment?.payerAccount?.replaceAll(' ', '').toLowerCase();
  const accountText = text.replaceAll(' ', '');
  return (
    name === text ||
    (text.length >= 3 && name?.startsWith(text) === true) ||
    account === accountText ||
    (accountText.length === 4 && account?.endsWith(accountText) === true)
  );
}

/** Whether the text is the end of an account as the pages show it. */
function isShownPayer({ payment }: Sample, text: string): boolean {
  const account = payment?.payerAccount;
  const accountText = text.replaceAll(' ', '');
  if (!account || account.includes('@') || accountText.length !== 4) return false;
  return maskAccount(account, null).toLowerCase().endsWith(accountText);
}

/** The payout that pays the order now. */
export const payoutOf = ({ payouts }: Sample): SamplePayout | null =>
  payouts.findLast(({ status }) => status !== 'rejected') ?? null;
