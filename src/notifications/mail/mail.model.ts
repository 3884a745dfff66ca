import type { Locale } from '../../common/locale.js';
import type { Merchant } from '../../database/merchants/merchant.entity.js';

/** A sentence and what is put in the place of its words in braces. */
export interface Phrase {
  readonly text: string;
  readonly values?: Readonly<Record<string, string>>;
}

export interface Row {
  readonly label: string;
  readonly value: string;
}

/** What a mail says. Its HTML and its text are two ways to write this down. */
export interface MailModel {
  readonly locale: Locale;
  readonly merchant: Pick<Merchant, 'name' | 'colour'>;
  /** There in test mode. */
  readonly testMode?: string;
  readonly title: string;
  /** In large letters. */
  readonly amount?: string;
  readonly paragraphs: readonly Phrase[];
  /** What the reader has to look into. */
  readonly warning?: string;
  readonly rows: readonly Row[];
  /** The order's optional fields under their heading. */
  readonly fields?: { readonly heading: string; readonly rows: readonly Row[] };
  readonly button?: { readonly label: string; readonly url: string };
  readonly why: Phrase;
  /** Where the reader asked for these mails; a mail that comes once has none. */
  readonly unsubscribe?: { readonly label: string; readonly url: string };
}
