import type { Locale } from '../../common/locale.js';
import { formatMoment } from '../../common/time/time-format.js';
import type { ServiceMail } from '../../database/notifications/delivery.entity.js';
import type { FailureStage } from '../webhooks/webhook-outcome.js';
import type { Contents } from './mail.model.js';
import type { MailMessages } from './messages.js';

export interface Reader {
  readonly messages: MailMessages;
  readonly locale: Locale;
  readonly timeZone: string;
  readonly email: string;
  /** Page to confirm and unsubscribe. */
  readonly pageUrl: string;
}

type Data = Readonly<Record<string, unknown>>;
type Saying = Readonly<Record<'title' | 'text' | 'next', string>>;
type Write = (merchant: string, reader: Reader, data: Data) => Contents;

const confirm: Write = (merchant, { messages, email, pageUrl }) => {
  const { title, text, subject, otherwise, button, why } = messages.confirm;
  return {
    subject: { text: subject, values: { merchant } },
    title,
    paragraphs: [{ text, values: { merchant, email } }, { text: otherwise }],
    rows: [],
    button: { label: button, url: pageUrl },
    why,
  };
};

const sample: Write = (merchant, { messages }) => {
  const { title, text, subject } = messages.sample;
  return {
    subject: { text: subject, values: { merchant } },
    title,
    paragraphs: [{ text, values: { merchant } }],
    rows: [],
  };
};

/** Texts about a failing endpoint, by stage. */
const AT_STAGE: Readonly<Record<FailureStage, (words: MailMessages['endpoint']) => Saying>> = {
  '1h': ({ failing }) => ({ ...failing, title: failing.hour }),
  '24h': ({ failing }) => ({ ...failing, title: failing.day }),
  failing: ({ disabled }) => disabled,
  gone: ({ disabled }) => ({ ...disabled, text: disabled.gone }),
};

/** Mails about an endpoint have in `data`: `url`, `since` in RFC 3339, and `stage`. */
const aboutEndpoint: Write = (merchant, { messages, locale, timeZone }, data) => {
  const { address, since } = messages.endpoint;
  const { title, text, next } = AT_STAGE[data['stage'] as FailureStage](messages.endpoint);
  const start = typeof data['since'] === 'string' ? new Date(data['since']) : null;
  return {
    subject: { text: `${merchant}: ${title}` },
    title,
    paragraphs: [{ text, values: { merchant } }, { text: next }],
    rows: [
      { label: address, value: String(data['url']) },
      ...(start ? [{ label: since, value: formatMoment(start, timeZone, locale) }] : []),
    ],
  };
};

const WRITERS: Readonly<Record<ServiceMail, Write>> = {
  'recipient.confirm': confirm,
  'mail.test': sample,
  'endpoint.failing': aboutEndpoint,
  'endpoint.disabled': aboutEndpoint,
};

/** @throws Error for an unknown kind */
export function serviceMail(kind: string, merchant: string, reader: Reader, data: Data): Contents {
  const write = WRITERS[kind as ServiceMail];
  if (!write) throw new Error(`there is no mail of the kind ${kind}`);
  return write(merchant, reader, data);
}
