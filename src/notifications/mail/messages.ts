import type { Locale } from '../../common/locale.js';
import type { OrderException } from '../../database/orders/order.entity.js';
import type { NoticeKind } from '../../http/page.js';
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

interface Note {
  title: string;
  text: string;
}

/** Texts of one language. A spec checks that all languages have the same placeholders. */
export interface MailMessages {
  testMode: string;
  paid: Note & {
    subject: string;
    order: string;
    txid: string;
    amount: string;
    received: string;
    method: string;
    payer: string;
    account: string;
    time: string;
    description: string;
    /** Heading of the optional fields from the shop. */
    fields: string;
    exceptions: Record<Exclude<OrderException, 'none'>, string>;
  };
  confirm: Note & { subject: string; otherwise: string; button: string; why: string };
  sample: Note & { subject: string };
  endpoint: {
    address: string;
    since: string;
    failing: { hour: string; day: string; text: string; next: string };
    disabled: Note & { gone: string; next: string };
  };
  why: string;
  unsubscribe: string;
  pages: {
    unconfirmed: Note & { confirm: string; decline: string };
    confirmed: Note & { unsubscribe: string };
    unsubscribed: Note & { confirm: string };
  } & Record<NoticeKind, Note>;
}

export const MAIL_MESSAGES: Record<Locale, MailMessages> = {
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
