import { isIP } from 'node:net';
import type { ISendMailOptions } from '@nestjs-modules/mailer';
import type { MailModel } from './mail.model.js';
import { renderText } from './mail.text.js';
import { renderHtml } from './mail.view.js';

/** More than mail programs display of a subject or name. */
const HEADER_LENGTH_MAX = 150;
const NO_TEXT = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu;

/** Text for a header: one line of limited length, without bidirectional controls. */
export function headerText(text: string): string {
  const characters = [...text.replace(NO_TEXT, ' ').trim()];
  if (characters.length <= HEADER_LENGTH_MAX) return characters.join('');
  return `${characters.slice(0, HEADER_LENGTH_MAX - 1).join('')}…`;
}

export interface Sending {
  /** Id of the delivery or system mail. */
  readonly id: string;
  /** Address normalised by `mailAddress`. */
  readonly to: string;
  readonly from: string;
  readonly subject: string;
  readonly model: MailModel;
  readonly publicUrl: string;
  readonly date: Date;
  /** The event in the feed that caused the mail. */
  readonly event?: { readonly id: string; readonly sequence: number };
}

/** A mail with all headers. Retries of a delivery keep the Message-ID. */
export function mailMessage(sending: Sending): ISendMailOptions {
  const { id, to, from, subject, model, publicUrl, date, event } = sending;
  return {
    messageId: `<${id}@${domainOf(publicUrl)}>`,
    date,
    from: { name: headerText(model.merchant.name), address: from },
    to: { name: '', address: to },
    subject: headerText(`${model.testMode ? '[TEST] ' : ''}${subject}`),
    text: renderText(model),
    html: renderHtml(model),
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(event ? { 'X-Event-Id': event.id, 'X-Event-Sequence': String(event.sequence) } : {}),
      ...(model.unsubscribe ? oneClick(model.unsubscribe.url) : {}),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** One-click unsubscribe by POST, RFC 8058. */
const oneClick = (url: string) => ({
  'List-Unsubscribe': { prepared: true, value: `<${url}/unsubscribe>` },
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/** Address literal of RFC 5321, section 4.1.3, if the service has no host name. */
function domainOf(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  if (hostname.startsWith('[')) return `[IPv6:${hostname.slice(1, -1)}]`;
  return isIP(hostname) ? `[${hostname}]` : hostname;
}
