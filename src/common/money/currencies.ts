/**
 * The ISO 4217 currencies a shop can charge in, with their exponent: how many decimal digits one
 * major unit has. Left out on purpose: metals, funds and unit-of-account codes (CHE, CLF, UYW,
 * XAD, XDR), test codes, and every withdrawn code. Source: ISO 4217 list one, as of 2026.
 */
const CODES_BY_EXPONENT: readonly (readonly [exponent: number, codes: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'],
  [
    2,
    `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF
     CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL
     HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT
     MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB
     SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH
     USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG`,
  ],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
];

const EXPONENTS: ReadonlyMap<string, number> = new Map(
  CODES_BY_EXPONENT.flatMap(([exponent, codes]) =>
    codes.split(/\s+/).map((code) => [code, exponent] as const),
  ),
);

/** Every chargeable currency, in alphabetical order. */
export const CURRENCY_CODES: readonly string[] = [...EXPONENTS.keys()].toSorted();

/** Decimal digits of one major unit (JPY 0, EUR 2, KWD 3); undefined for an unknown code. */
export function currencyExponent(code: string): number | undefined {
  return EXPONENTS.get(code);
}

/** Upper-case codes only: `eur` is not a currency. */
export function isCurrency(value: unknown): value is string {
  return typeof value === 'string' && EXPONENTS.has(value);
}
