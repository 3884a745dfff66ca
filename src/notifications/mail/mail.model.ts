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

/** What differs from one kind of mail to another. */
export type Contents = Pick<
  MailModel,
  'title' | 'amount' | 'paragraphs' | 'warning' | 'rows' | 'fields' | 'button'
> & {
  readonly subject: Phrase;
  /** Why the reader gets this mail, where it is not the usual reason. */
  readonly why?: string;
};

/** A mail of the service itself to one address that comes once, in English; nobody subscribes to it. */
export interface SystemMail extends Contents {
  /** A repeat with the same id is the same mail. */
  readonly id: string;
  /** As `mailAddress` makes it. */
  readonly to: string;
  /** About something of test mode, and marked as such. */
  readonly isTest?: boolean;
  readonly why: string;
}

/** Who sends system mails: nobody's brand. */
export const SERVICE = { name: 'Payment orders', colour: '0b4f9e' } as const;

/** A phrase as plain text, with each value as `write` has it. */
export const plain = (
  { text, values = {} }: Phrase,
  write: (value: string) => string = String,
): string => text.replace(/\{(\w+)\}/g, (_, name: string) => write(values[name] ?? ''));
