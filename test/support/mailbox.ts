import { MailWorker } from '../../src/notifications/mail/mail-worker.js';
import type { TestApp } from './app.js';
import type { Client } from './client.js';
import { select } from './facts.js';
import type { MailServer } from './mail-server.js';

export interface RecipientJson {
  id: string;
  email: string;
  status: string;
  lastDelivery: Record<string, unknown> | null;
  [member: string]: unknown;
}

export const RECIPIENTS = '/api/notification-recipient';

/** Sends what is due, in the app's own process. */
export const sendMails = (app: TestApp): Promise<void> => app.get(MailWorker).drain();

export const addRecipient = async (
  shop: Client,
  email: string,
  more: Record<string, unknown> = {},
): Promise<RecipientJson> => {
  const reply = await shop.call<RecipientJson>('POST', RECIPIENTS, { email, ...more });
  if (reply.status !== 201) throw new Error(`no recipient: ${reply.status} ${reply.text}`);
  return reply.body;
};

/** Where the mailbox's owner decides. */
export async function pageOf(app: TestApp, id: string): Promise<string> {
  const sql = 'SELECT token FROM notification_recipients WHERE id = $1';
  const [row] = await select<{ token: string }>(app, sql, [id]);
  return `${app.url}/notification-recipient/${row!.token}`;
}

export const press = (url: string, body?: BodyInit): Promise<Response> =>
  fetch(url, { method: 'POST', redirect: 'manual', ...(body ? { body } : {}) });

/** A recipient whose owner has followed the link in the first mail; no mail is left over. */
export async function subscribe(
  app: TestApp,
  shop: Client,
  server: MailServer,
  email: string,
  more: Record<string, unknown> = {},
): Promise<RecipientJson> {
  const recipient = await addRecipient(shop, email, more);
  await sendMails(app);
  const link = linkIn(server.to(email).at(-1)!.html ?? '');
  const reply = await press(`${link}/confirm`);
  if (reply.status !== 200) throw new Error(`not confirmed: ${reply.status}`);
  server.forget();
  app.clock.advance(1_000);
  return recipient;
}

/** The first link of a mail. */
export const linkIn = (html: string): string => /href="([^"]+)"/.exec(html)![1]!;
