import { currencyExponent } from '../../common/money/currencies.js';
import { uuidOf } from '../../common/ids.js';
import { minorUnits } from '../../common/money/major-units.js';
import { toMajorUnits, UNKNOWN_EXPONENT } from '../../common/money/money.js';
import type { Payout } from '../../database/payouts/payout.entity.js';
import type { PayoutRequest } from '../../payouts/payouts.service.js';
import { amountIn } from '../kit/amount-field.js';
import { type ParsedForm, formWith, textOf } from '../kit/form.js';
import type { OfferedAccount, CurrencyBalance } from './payout-balances.js';

/** Available balances and accounts for a payout. */
export interface PayoutOffer {
  /** Currencies with available money. */
  readonly currencyBalances: readonly CurrencyBalance[];
  readonly accounts: readonly OfferedAccount[];
}

export interface PayoutWish extends PayoutRequest {
  readonly currency: string;
}

/** Empty form; single options are preselected. */
export function blankPayout({ currencyBalances, accounts }: PayoutOffer): URLSearchParams {
  const usable = accounts.filter(({ state }) => state === 'usable');
  const account = usable.length === 1 ? usable[0]!.id : null;
  return formWith({ currency: currencyBalances[0]?.currency ?? null, amount: null, account });
}

export const payoutForm = ({ currency, amount, bankAccountId }: Payout): URLSearchParams =>
  formWith({ currency, amount: toMajorUnits(amount, currency), account: bankAccountId });

/** Parses the form; an empty amount means the full available amount. */
export function wishIn(
  form: URLSearchParams,
  { currencyBalances, accounts }: PayoutOffer,
): ParsedForm<PayoutWish> {
  const balance = currencyBalances.find(({ currency }) => currency === form.get('currency'));
  const account = accounts.find(({ id }) => id === accountIn(form));
  const amount = balance && amountOf(textOf(form, 'amount'), balance);
  const problems: Record<string, string> = {
    ...(balance
      ? {}
      : { currency: 'No funds available in this currency. Choose one from the list.' }),
    ...(typeof amount === 'string' ? { amount } : {}),
    ...(account ? {} : { account: 'Choose the bank account for this payout.' }),
  };
  if (!balance || !account || typeof amount !== 'number') return { problems };
  return { done: { currency: balance.currency, amount, bankAccountId: account.id } };
}

/** Returns minor units, or the problem with the text. */
function amountOf(text: string, { currency, available }: CurrencyBalance): number | string {
  if (text !== '') return amountIn(text, currency, available || 100);
  return available > 0 ? available : 'No funds are available now. Enter an amount.';
}

/** Whether a payout matches the form; an empty amount matches any amount. */
export function isAsTyped(payout: Payout, form: URLSearchParams): boolean {
  const { currency, amount, bankAccountId } = payout;
  const typed = textOf(form, 'amount');
  const isAmount =
    typed === '' || minorUnits(typed, currencyExponent(currency) ?? UNKNOWN_EXPONENT)[0] === amount;
  return isAmount && form.get('currency') === currency && accountIn(form) === bankAccountId;
}

const accountIn = (form: URLSearchParams): string | null => uuidOf(textOf(form, 'account'));
