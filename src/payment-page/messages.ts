import { type DeclineCode, isDeclineCode } from '../common/decline-codes.js';
import type { Locale } from '../common/locale.js';
import type { NoticeKind } from '../http/page.js';
import { ar } from './locales/ar.js';
import { de } from './locales/de.js';
import { en } from './locales/en.js';
import { es } from './locales/es.js';
import { fr } from './locales/fr.js';
import { he } from './locales/he.js';
import { it } from './locales/it.js';
import { nl } from './locales/nl.js';
import { pl } from './locales/pl.js';
import { pt } from './locales/pt.js';
import { tr } from './locales/tr.js';
import { zh } from './locales/zh.js';
import type { PageState } from './page.model.js';

/** What happened, and what the payer does next. */
export interface StateMessages {
  title: string;
  happened: string;
  next: string;
}

/** What stands beside a transfer that the payer makes. */
export interface TransferMessages {
  /** Under the code. */
  scan: string;
  /** Of the code, for who does not see it. */
  code: string;
  holder: string;
  account: string;
  amount: string;
  reference: string;
  onlyReference: string;
  lastDay: string;
  copy: string;
  copied: string;
  looks: string;
  looksSince: string;
  stays: string;
  another: string;
  cancelWarning: string;
  /** Of an order that ended and whose payer was told where to transfer money to. */
  tooLate: string;
}

/** One language. Words in braces are filled in; a spec holds every language to the same ones. */
export interface Messages {
  testBanner: string;
  order: string;
  pay: string;
  payBy: string;
  /** While the outcome of a payment is unknown. */
  askedUntil: string;
  timeLeft: string;
  fiveMinutes: string;
  oneMinute: string;
  chooseMethod: string;
  continueAtBank: string;
  cancel: string;
  cancelWarning: string;
  cancelYes: string;
  back: string;
  leaving: string;
  stay: string;
  questions: string;
  progress: string;
  steps: readonly [string, string, string];
  language: string;
  transfer: TransferMessages;
  states: Record<PageState, StateMessages>;
  declines: Record<DeclineCode, string>;
  pages: Record<NoticeKind, { title: string; text: string }>;
}

export const MESSAGES: Record<Locale, Messages> = {
  en,
  de,
  fr,
  es,
  it,
  nl,
  pl,
  pt,
  tr,
  ar,
  he,
  zh,
};

/** Providers name refusals more finely than a payer needs; an unknown code is a plain refusal. */
export function declineText(messages: Messages, code: string): string {
  return messages.declines[isDeclineCode(code) ? code : 'declined'];
}
