import type { Contents } from './mail-contents.js';
import type { MailModel } from './mail.model.js';

/** A mail to one address that comes once, in English; nobody subscribes to it. */
export interface SystemMail {
  /** A repeat with the same id is the same mail. */
  readonly id: string;
  /** As `mailAddress` makes it. */
  readonly to: string;
  readonly sender: MailModel['merchant'];
  /** About something of test mode, and marked as such. */
  readonly isTest?: boolean;
  readonly contents: Contents & { readonly why: string };
}

/** Nobody's brand: the service itself writes. */
export const SERVICE = { name: 'Payment orders', colour: '0b4f9e' } as const;
