import { currencyExponent } from '../../common/currencies.js';
import { minorUnits } from '../../common/major-units.js';
import { toMajorUnits, UNKNOWN_EXPONENT } from '../../common/money.js';
import type { Payout } from '../../database/entities/payout.entity.js';
import type { PayoutRequest } from '../../payouts/payouts.service.js';
import { amountIn } from '../amount-field.js';
import { type Attempt, formWith, textOf } from '../settings/form.js';
import type { OfferedAccount, PurseBalance } from './payout-balances.js';

/** What can be asked for. */
export interface PayoutOffer {
  /** In which there is something to pay out. */
  readonly purses: readonly PurseBalance[];
  readonly accounts: readonly OfferedAccount[];
}

export interface PayoutWish extends PayoutRequest {
  readonly currency: string;
}

/** The form before anybody has typed: what leaves no choice is chosen. */
export function blankPayout({ purses, accounts }: PayoutOffer): URLSearchParams {
  const usable = accounts.filter(({ state }) => state === 'usable');
  const account = usable.length === 1 ? usable[0]!.id : null;
  return formWith({ currency: purses[0]?.currency ?? null, amount: null, account });
}

export const payoutForm = ({ currency, amount, bankAccountId }: Payout): URLSearchParams =>
  formWith({ currency, amount: toMajorUnits(amount, currency), account: bankAccountId });

/** Reads the form; an empty amount means all that is available. */
export function wishIn(
  form: URLSearchParams,
  { purses, accounts }: PayoutOffer,
): Attempt<PayoutWish> {
  const purse = purses.find(({ currency }) => currency === form.get('currency'));
  const account = accounts.find(({ id }) => id === form.get('account'));
  const amount = purse && amountOf(textOf(form, 'amount'), purse);
  const problems: Record<string, string> = {
    ...(purse
      ? {}
      : { currency: 'Nothing is available in this currency. Choose one of the list.' }),
    ...(typeof amount === 'string' ? { amount } : {}),
    ...(account ? {} : { account: 'Choose the account to which the money shall go.' }),
  };
  if (!purse || !account || typeof amount !== 'number') return { problems };
  return { done: { currency: purse.currency, amount, bankAccountId: account.id } };
}

/** Minor units, or what is wrong with the text. */
function amountOf(text: string, { currency, available }: PurseBalance): number | string {
  if (text !== '') return amountIn(text, currency, available || 100);
  return available > 0 ? available : 'Nothing is available now: type an amount.';
}

/** Whether a payout is what the form asks for; all that is available can be any amount. */
export function isAsTyped(payout: Payout, form: URLSearchParams): boolean {
  const { currency, amount, bankAccountId } = payout;
  const typed = textOf(form, 'amount');
  const isAmount =
    typed === '' || minorUnits(typed, currencyExponent(currency) ?? UNKNOWN_EXPONENT)[0] === amount;
  return isAmount && form.get('currency') === currency && form.get('account') === bankAccountId;
}
