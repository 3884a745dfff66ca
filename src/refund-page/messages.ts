import type { Locale } from '../common/locale.js';
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

/** What is wrong with an entry. */
export type EntryFault = 'holder' | 'iban' | 'unreachable';

/** Texts of one language. A spec checks that all languages have the same placeholders. */
export interface RefundPageMessages {
  title: string;
  /** Why the payer is asked. */
  why: string;
  holder: string;
  iban: string;
  /** The entry is final. */
  once: string;
  send: string;
  faults: Record<EntryFault, string>;
  entered: { title: string; text: string; warning: string };
  sent: { title: string; text: string };
  ended: { title: string; text: string };
}

export const REFUND_PAGE_MESSAGES: Record<Locale, RefundPageMessages> = {
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
