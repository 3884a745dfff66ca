import type { Locale } from '../../common/locale.js';
import type { Merchant } from '../../database/merchants/merchant.entity.js';

/** A sentence with values for its placeholders. */
export interface Phrase {
  readonly text: string;
  readonly values?: Readonly<Record<string, string>>;
}

export interface Row {
  readonly label: string;
  readonly value: string;
}

/** Content of a mail, rendered as HTML and as text. */
export interface MailModel {
  readonly locale: Locale;
  readonly merchant: Pick<Merchant, 'name' | 'colour'>;
  /** Set in test mode. */
  readonly testMode?: string;
  readonly title: string;
  /** Displayed in large letters. */
  readonly amount?: string;
  readonly paragraphs: readonly Phrase[];
  /** Warning for the reader. */
  readonly warning?: string;
  readonly rows: readonly Row[];
  /** The order's optional fields with their heading. */
  readonly fields?: { readonly heading: string; readonly rows: readonly Row[] };
  readonly button?: { readonly label: string; readonly url: string };
  readonly why: Phrase;
  /** Unsubscribe link; absent in one-off mails. */
  readonly unsubscribe?: { readonly label: string; readonly url: string };
}

/** Content that differs between kinds of mails. */
export type Contents = Pick<
  MailModel,
  'title' | 'amount' | 'paragraphs' | 'warning' | 'rows' | 'fields' | 'button'
> & {
  readonly subject: Phrase;
  /** Reason for receiving the mail, if it is not the usual one. */
  readonly why?: string;
};

/** One-off system mail in English to one address, without subscription. */
export interface SystemMail extends Contents {
  /** Idempotency id: the same id is the same mail. */
  readonly id: string;
  /** Normalised by `mailAddress`. */
  readonly to: string;
  /** Concerns test mode and is marked accordingly. */
  readonly isTest?: boolean;
  readonly why: string;
}

/** Sender of system mails, without a merchant's brand. */
export const SERVICE = { name: 'Payment orders', colour: '0b4f9e' } as const;

/** Plain text of a phrase, with values formatted by `write`. */
export const plain = (
  { text, values = {} }: Phrase,
  write: (value: string) => string = String,
): string => text.replace(/\{(\w+)\}/g, (_, name: string) => write(values[name] ?? ''));
