import { type Locale, matchLocale } from '../../common/locale.js';
import { sepaText } from './sepa-text.js';

/** "Refund of order" in the languages that bank files can write; the others get English. */
const WORDS: Readonly<Partial<Record<Locale, string>>> = {
  de: 'Erstattung zu Bestellung',
  fr: 'Remboursement de la commande',
  es: 'Reembolso del pedido',
  it: "Rimborso dell'ordine",
  nl: 'Terugbetaling van bestelling',
  pl: 'Zwrot za zamowienie',
  pt: 'Reembolso da encomenda',
  tr: 'Siparis iadesi',
};
const ENGLISH = 'Refund of order';

const TEXT_MAX = 140;

/** Digits and letters that look like digits, in a row: matching could read a reference of another order. */
const REFERENCE_LIKE = /[0-9OILSB]{17}/;
const PAYOUT_ID_LIKE = /[0-9A-F]{32}/;

/**
 * Text for the payer's bank statement, in the characters of `sepaText`. Without an order number that matching could read
 * as a reference when the statement has the refund: the merchant chose it.
 * @param locale of the order, such as `de-AT`; null = English
 */
export function refundText(locale: string | null, orderMerchantId: string): string {
  const word = WORDS[matchLocale(locale) ?? 'en'] ?? ENGLISH;
  const text = sepaText(`${word} ${orderMerchantId}`, TEXT_MAX) ?? word;
  const upper = text.toUpperCase();
  const isMisread =
    REFERENCE_LIKE.test(upper.replace(/[^A-Z0-9]/g, '')) || PAYOUT_ID_LIKE.test(upper);
  return isMisread ? word : text;
}
