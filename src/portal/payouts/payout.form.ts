import { currencyExponent } from '../../common/currencies.js';
import { uuidOf } from '../../common/ids.js';
import { minorUnits } from '../../common/major-units.js';
import { toMajorUnits, UNKNOWN_EXPONENT } from '../../common/money.js';
import type { Payout } from '../../database/payouts/payout.entity.js';
import type { PayoutRequest } from '../../payouts/payouts.service.js';
import { amountIn } from '../kit/amount-field.js';
import { type ParsedForm, formWith, textOf } from '../kit/form.js';
import type { OfferedAccount, CurrencyBalance } from './payout-balances.js';

/** What can be asked for. */
export interface PayoutOffer {
  /** In which there is something to pay out. */
  readonly currencyBalances: readonly CurrencyBalance[];
  readonly accounts: readonly OfferedAccount[];
}

export interface PayoutWish extends PayoutRequest {
  readonly currency: string;
}

/** The form before anybody has typed: what leaves no choice is chosen. */
export function blankPayout({ currencyBalances, accounts }: PayoutOffer): URLSearchParams {
  const usable = accounts.filter(({ state }) => state === 'usable');
  const account = usable.length === 1 ? usable[0]!.id : null;
  return formWith({ currency: currencyBalances[0]?.currency ?? null, amount: null, account });
}

export const payoutForm = ({ currency, amount, bankAccountId }: Payout): URLSearchParams =>
  formWith({ currency, amount: toMajorUnits(amount, currency), account: bankAccountId });

/** Reads the form; an empty amount means all that is available. */
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
      : { currency: 'Nothing is available in this currency. Choose one of the list.' }),
    ...(typeof amount === 'string' ? { amount } : {}),
    ...(account ? {} : { account: 'Choose the account to which the money shall go.' }),
  };
  if (!balance || !account || typeof amount !== 'number') return { problems };
  return { done: { currency: balance.currency, amount, bankAccountId: account.id } };
}

/** Minor units, or what is wrong with the text. */
function amountOf(text: string, { currency, available }: CurrencyBalance): number | string {
  if (text !== '') return amountIn(text, currency, available || 100);
  return available > 0 ? available : 'Nothing is available now: type an amount.';
}

/** Whether a payout is what the form asks for; all that is available can be any amount. */
export function isAsTyped(payout: Payout, form: URLSearchParams): boolean {
  const { currency, amount, bankAccountId } = payout;
  const typed = textOf(form, 'amount');
  const isAmount =
    typed === '' || minorUnits(typed, currencyExponent(currency) ?? UNKNOWN_EXPONENT)[0] === amount;
  return isAmount && form.get('currency') === currency && accountIn(form) === bankAccountId;
}

const accountIn = (form: URLSearchParams): string | null => uuidOf(textOf(form, 'account'));
