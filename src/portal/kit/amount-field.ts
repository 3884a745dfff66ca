import { currencyExponent } from '../../common/currencies.js';
import { minorUnits } from '../../common/major-units.js';
import { toMajorUnits, UNKNOWN_EXPONENT } from '../../common/money.js';
import { moneyText } from './order-text.js';

/**
 * Minor units, or what is wrong with the text.
 * @param example minor units that can be typed
 */
export function amountIn(text: string, currency: string, example: number): number | string {
  const amounts = minorUnits(text, currencyExponent(currency) ?? UNKNOWN_EXPONENT);
  const [amount = 0] = amounts;
  if (amounts.length > 1) {
    const [first, second] = amounts.map((each) => moneyText(each, currency));
    return `This can be read as ${first} or as ${second}. Write it without a sign between thousands.`;
  }
  return amount > 0 ? amount : `Type an amount, such as ${toMajorUnits(example, currency)}.`;
}
