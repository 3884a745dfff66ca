import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/time/clock.js';
import { drainBatches } from '../../database/drain-batches.js';
import { MAIL_RETRIES, nextAttemptAt } from '../retry-schedule.js';
import { MailComposer } from './mail-composer.js';
import type { MailOutcome } from './mail-outcome.js';
import { SYSTEM_MAIL_SLOTS } from './mail-transport.js';
import type { SystemMail } from './mail.model.js';
import { Mailer } from './mailer.js';

/** Longer than any attempt; then another worker retries the mail of a dead one. */
const LEASE_MS = 60_000;

/** Table with an outbox of mails. */
export interface SystemMailTable<Due> {
  /** Claims due mails until `leaseUntil`. */
  claim(now: Date, leaseUntil: Date, limit: number): Promise<Due[]>;
  tryLater(due: Due, nextAttemptAt: Date): Promise<void>;
  /** @param sentAt null if the mail will never be sent */
  done(due: Due, sentAt: Date | null): Promise<void>;
}

export interface SystemMailWriter<Due> {
  /** @returns null if the mail must no longer be sent */
  write(due: Due): SystemMail | null;
  /** Log fields; neither address nor content. */
  name(due: Due): Readonly<Record<string, string>>;
}

/** Sends a system mail at once, or all due mails of a table. */
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
   * Failed mails are retried on the usual schedule.
   * @returns false if the time limit of a run was reached
   */
  sendDue<Due extends { readonly attempts: number }>(
    table: SystemMailTable<Due>,
    writer: SystemMailWriter<Due>,
  ): Promise<boolean> {
    return drainBatches('system mails', async () => {
      const now = this.clock.now();
      const due = await table.claim(now, new Date(now.getTime() + LEASE_MS), SYSTEM_MAIL_SLOTS);
      await Promise.all(
        due.map((one) => this.sendOne(one, table, writer).catch(this.logAndContinue)),
      );
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
    if (succeeded) this.logger.log({ event: 'system_mail.sent', ...line }, 'mail sent');
    else
      this.logger.warn(
        { event: 'system_mail.failed', ...line, retry: next !== null },
        'mail not sent',
      );
  }

  /** A mail that cannot be rendered does not block others: it is due again after its lease. */
  private readonly logAndContinue = (error: unknown): void =>
    this.logger.error(
      { event: 'system_mail.render.failed', err: error },
      'mail could not be rendered and is retried',
    );
}
