import { Injectable } from '@nestjs/common';
import { formatMoment } from '../common/time/time-format.js';
import { Config } from '../config/config.js';
import type { ExportRow } from '../database/exports/export.repository.js';
import { UserRepository } from '../database/people/user.repository.js';
import type { SystemMail } from '../notifications/mail/mail.model.js';
import { SystemMailer } from '../notifications/mail/system-mailer.js';
import { pathOf } from '../people/portal-context.js';
import { ordersOf } from './export-request.js';

/** Notifies the user who requested the file. The link opens a page that requires sign-in. */
@Injectable()
export class ExportNotice {
  constructor(
    private readonly users: UserRepository,
    private readonly systemMailer: SystemMailer,
    private readonly config: Config,
  ) {}

  /** @throws Error if the mail should be retried */
  async send(row: ExportRow): Promise<void> {
    const user = await this.users.find(row.requestedBy);
    if (!user || user.disabledAt) return;
    const mail = exportMail(row, user.email, `${this.config.publicUrl}${exportsPath(row)}`);
    const { succeeded, final } = await this.systemMailer.send(mail);
    if (!succeeded && !final) throw new Error('the mail did not leave');
  }
}

function exportsPath({ request, mode }: ExportRow): string {
  const merchantId = ordersOf(request);
  return `${merchantId === null ? `/portal/all/${mode}` : pathOf({ merchantId, mode })}/exports`;
}

function exportMail({ id, rowsDone, expiresAt }: ExportRow, to: string, url: string): SystemMail {
  const until = expiresAt ? formatMoment(expiresAt, 'UTC', 'en') : 'the end of the week';
  const orders = rowsDone.toLocaleString('en');
  return {
    id,
    to,
    subject: { text: 'Your file of orders is ready' },
    title: 'Your file is ready',
    paragraphs: [
      { text: 'It has {orders} orders, and is kept until {until}.', values: { orders, until } },
    ],
    rows: [],
    button: { label: 'Go to the downloads', url },
    why: 'This was sent because the file was requested with the account {email}.',
  };
}
