import { currencyExponent } from '../../common/money/currencies.js';
import { minorUnits } from '../../common/money/major-units.js';
import { toMajorUnits, UNKNOWN_EXPONENT } from '../../common/money/money.js';
import { moneyText } from './order-text.js';

/**
 * Returns minor units, or the problem with the text.
 * @param example minor units of the example in the message
 */
export function amountIn(text: string, currency: string, example: number): number | string {
  const amounts = minorUnits(text, currencyExponent(currency) ?? UNKNOWN_EXPONENT);
  const [amount = 0] = amounts;
  if (amounts.length > 1) {
    const [first, second] = amounts.map((each) => moneyText(each, currency));
    return `This could mean ${first} or ${second}. Enter it without thousands separators.`;
  }
  return amount > 0 ? amount : `Enter an amount, for example ${toMajorUnits(example, currency)}.`;
}
