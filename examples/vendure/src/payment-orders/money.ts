/**
 * Vendure counts all currencies with the same number of decimals, the service each with its own:
 * 10 yen are 1000 there and 10 here.
 */
const VENDURE_DECIMALS = 2;

const decimalsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
    .maximumFractionDigits ?? VENDURE_DECIMALS;

/** An amount of Vendure in whole minor units of the currency. */
export const toMinorUnits = (amount: number, currency: string): number =>
  Math.round(amount * 10 ** (decimalsOf(currency) - VENDURE_DECIMALS));

/** Whole minor units for people: `EUR 12.50`. */
export const inWords = (minorUnits: number, currency: string): string =>
  `${currency} ${(minorUnits / 10 ** decimalsOf(currency)).toFixed(decimalsOf(currency))}`;
