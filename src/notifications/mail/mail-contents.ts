import type { MailModel, Phrase } from './mail.model.js';

/** What differs from one kind of mail to another. */
export type Contents = Pick<
  MailModel,
  'title' | 'amount' | 'paragraphs' | 'warning' | 'rows' | 'fields' | 'button'
> & {
  readonly subject: Phrase;
  /** Why the reader gets this mail, where it is not the usual reason. */
  readonly why?: string;
};

/** A phrase as plain text. */
export const plain = ({ text, values = {} }: Phrase): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
