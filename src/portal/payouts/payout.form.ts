import { currencyExponent } from '../../common/currencies.js';
import { isUuid, uuidTime, uuidv7 } from '../../common/ids.js';
import { minorUnits } from '../../common/major-units.js';
import { toMajorUnits } from '../../common/money.js';
import type { Payout } from '../../database/entities/payout.entity.js';
import type { PayoutRequest } from '../../payouts/payouts.service.js';
import { moneyText } from '../order/order-words.js';
import { LIFE_MS } from '../people/sessions.service.js';
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

const VERSION = 14;
/** Clocks of two processes differ by less. */
const CLOCK_MS = 60_000;

/** Made with the form, and the payout's when the form is sent: sent twice, it asks once. */
export const newFormId = (now: Date): string => uuidv7(now.getTime());

/** Whether a form of a session that lives can have that id. */
export function isFormId(id: string, now: Date): boolean {
  if (!isUuid(id) || id[VERSION] !== '7') return false;
  const age = now.getTime() - uuidTime(id);
  return age <= LIFE_MS && age >= -CLOCK_MS;
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
  const amount = purse && amountIn(textOf(form, 'amount'), purse);
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
function amountIn(text: string, { currency, available }: PurseBalance): number | string {
  if (text === '') return available > 0 ? available : 'Nothing is available now: type an amount.';
  const amounts = minorUnits(text, currencyExponent(currency) ?? 2);
  const [amount = 0] = amounts;
  if (amounts.length > 1) {
    const [first, second] = amounts.map((each) => moneyText(each, currency));
    return `This can be read as ${first} or as ${second}. Write it without a sign between thousands.`;
  }
  return amount > 0
    ? amount
    : `Type an amount, such as ${toMajorUnits(available || 100, currency)}.`;
}

/** Whether a payout is what the form asks for; all that is available can be any amount. */
export function isAsTyped(payout: Payout, form: URLSearchParams): boolean {
  const { currency, amount, bankAccountId } = payout;
  const typed = textOf(form, 'amount');
  const isAmount = typed === '' || minorUnits(typed, currencyExponent(currency) ?? 2)[0] === amount;
  return isAmount && form.get('currency') === currency && form.get('account') === bankAccountId;
}
