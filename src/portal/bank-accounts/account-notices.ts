import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Config } from '../../config/config.js';
import { JobQueue } from '../../database/job-queue.js';
import {
  BankAccountNoticeRepository,
  type DueNotice,
} from '../../database/repositories/bank-account-notice.repository.js';
import { MailComposer } from '../../notifications/mail/mail-composer.js';
import type { MailOutcome } from '../../notifications/mail/mail-outcome.js';
import { SLOTS } from '../../notifications/mail/mail-transport.js';
import { Mailer } from '../../notifications/mail/mailer.js';
import { MAIL_RETRIES, nextAttemptAt } from '../../notifications/retry-schedule.js';
import { letterOf } from './account-letter.js';

const NOTICES_JOB = 'bank-account-notices';
/** Longer than any attempt may take; then the mail of a worker that died is sent by another. */
const LEASE_MS = 60_000;
/** How often one run looks for more mails. */
const BATCHES_MAX = 20;

/** Writes to owners about new bank accounts. No request waits for it. */
@Injectable()
export class AccountNotices implements OnModuleInit {
  private readonly logger = new Logger('mail');

  constructor(
    private readonly notices: BankAccountNoticeRepository,
    private readonly composer: MailComposer,
    private readonly mailer: Mailer,
    private readonly jobs: JobQueue,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.register(NOTICES_JOB, () => this.run());
  }

  /** There is a mail to send. */
  async ring(): Promise<void> {
    await this.jobs.wake(NOTICES_JOB, this.clock.now());
  }

  /** Sends what is due. */
  async run(): Promise<void> {
    for (let batch = 0; batch < BATCHES_MAX && (await this.sendSome()) > 0; batch++);
  }

  private async sendSome(): Promise<number> {
    const now = this.clock.now();
    const due = await this.notices.claim(now, new Date(now.getTime() + LEASE_MS), SLOTS);
    await Promise.all(due.map((notice) => this.send(notice)));
    return due.length;
  }

  /** Whoever is no owner any more learns nothing of the merchant's accounts. */
  private async send(notice: DueNotice): Promise<void> {
    if (!notice.isOwner) return this.notices.done(notice, null);
    const letter = letterOf(notice, this.config.publicUrl);
    const outcome = await this.mailer.send(letter.id, this.composer.letter(letter));
    const now = this.clock.now();
    const next = outcome.final ? null : nextAttemptAt(MAIL_RETRIES, notice.attempts, now);
    if (next) await this.notices.tryLater(notice, next);
    else await this.notices.done(notice, outcome.succeeded ? now : null);
    this.log(notice, outcome, next);
  }

  /** Neither the address nor anything of the mail. */
  private log(
    { bankAccountId, userId, attempts }: DueNotice,
    { succeeded, statusCode }: MailOutcome,
    next: Date | null,
  ): void {
    const line = { bankAccount: bankAccountId, user: userId, attempts, statusCode };
    if (succeeded) this.logger.log(line, 'mail sent');
    else this.logger.warn(line, next ? 'mail is tried again' : 'mail not sent');
  }
}
