import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { workOff } from '../../database/work-off.js';
import { MAIL_RETRIES, nextAttemptAt } from '../retry-schedule.js';
import { MailComposer } from './mail-composer.js';
import type { MailOutcome } from './mail-outcome.js';
import { SYSTEM_MAIL_SLOTS } from './mail-transport.js';
import type { SystemMail } from './mail.model.js';
import { Mailer } from './mailer.js';

/** Longer than any attempt may take; then the mail of a worker that died is sent by another. */
const LEASE_MS = 60_000;

/** Mails that stand in a table until they have left. */
export interface SystemMailTable<Due> {
  /** Takes what is due; nobody else takes it before `leaseUntil`. */
  claim(now: Date, leaseUntil: Date, limit: number): Promise<Due[]>;
  tryLater(due: Due, nextAttemptAt: Date): Promise<void>;
  /** @param sentAt null when the mail will never leave */
  done(due: Due, sentAt: Date | null): Promise<void>;
}

export interface SystemMailWriter<Due> {
  /** @returns null when nobody may read it any more */
  write(due: Due): SystemMail | null;
  /** What the log tells of it: neither the address nor anything of the mail. */
  name(due: Due): Readonly<Record<string, string>>;
}

/** Sends system mails, one at once or all that are due in a table. */
@Injectable()
export class SystemMailer {
  private readonly logger = new Logger('mail');

  constructor(
    private readonly composer: MailComposer,
    private readonly mailer: Mailer,
    private readonly clock: Clock,
  ) {}

  send(mail: SystemMail): Promise<MailOutcome> {
    return this.mailer.send(mail.id, this.composer.systemMail(mail));
  }

  /**
   * A mail that does not leave is tried again as any mail is.
   * @returns false when the time of a run was over before
   */
  sendDue<Due extends { readonly attempts: number }>(
    table: SystemMailTable<Due>,
    writer: SystemMailWriter<Due>,
  ): Promise<boolean> {
    return workOff('letters', async () => {
      const now = this.clock.now();
      const due = await table.claim(now, new Date(now.getTime() + LEASE_MS), SYSTEM_MAIL_SLOTS);
      await Promise.all(due.map((one) => this.sendOne(one, table, writer).catch(this.goOn)));
      return due.length;
    });
  }

  private async sendOne<Due extends { readonly attempts: number }>(
    due: Due,
    table: SystemMailTable<Due>,
    writer: SystemMailWriter<Due>,
  ): Promise<void> {
    const mail = writer.write(due);
    if (!mail) return table.done(due, null);
    const { succeeded, final, statusCode } = await this.send(mail);
    const now = this.clock.now();
    const next = final ? null : nextAttemptAt(MAIL_RETRIES, due.attempts, now);
    if (next) await table.tryLater(due, next);
    else await table.done(due, succeeded ? now : null);
    const line = { ...writer.name(due), attempts: due.attempts, statusCode };
    if (succeeded) this.logger.log(line, 'mail sent');
    else this.logger.warn(line, next ? 'mail is tried again' : 'mail not sent');
  }

  /** One that cannot be written keeps no other back: it is due again when its lease is over. */
  private readonly goOn = (error: unknown): void =>
    this.logger.error({ err: error }, 'mail not written');
}
