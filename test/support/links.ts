import { LinkMailer } from '../../src/people/mails/link-mailer.js';
import type { TestApp } from './app.js';
import type { MailServer } from './mail-server.js';
import { linkIn } from './mailbox.js';

/** Sends the mails of links that are due, in the app's own process. */
export const sendLinks = (app: TestApp): Promise<void> => app.get(LinkMailer).run();

/** The path of the link in the newest mail to an address. */
export async function linkTo(app: TestApp, server: MailServer, email: string): Promise<string> {
  await sendLinks(app);
  const mail = server.to(email).at(-1);
  if (!mail) throw new Error(`no mail to ${email}`);
  return new URL(linkIn(mail.html ?? '')).pathname;
}
