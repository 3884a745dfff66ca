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

/**
 * Text for the payer's bank statement, in the characters of `sepaText`.
 * @param locale of the order, such as `de-AT`; null = English
 */
export function refundText(locale: string | null, orderMerchantId: string): string {
  const word = WORDS[matchLocale(locale) ?? 'en'] ?? ENGLISH;
  return sepaText(`${word} ${orderMerchantId}`, TEXT_MAX) ?? word;
}
