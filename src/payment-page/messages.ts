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

/** Explanation of a state, and the payer's next step. */
export interface StateMessages {
  title: string;
  happened: string;
  next: string;
}

/** Texts beside the details of a transfer. */
export interface TransferMessages {
  /** Below the QR code. */
  scan: string;
  /** Text alternative of the QR code. */
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
  /** For an ended order whose payer has transfer details. */
  tooLate: string;
}

/** Texts of one language. A spec checks that all languages have the same placeholders. */
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

/** Payers see coarser decline reasons than providers report; unknown codes use the general text. */
export function declineText(messages: Messages, code: string): string {
  return messages.declines[isDeclineCode(code) ? code : 'declined'];
}
