import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Config } from '../../config/config.js';
import { JobQueue } from '../../database/job-queue.js';
import {
  type DueLink,
  UserLinkRepository,
} from '../../database/repositories/user-link.repository.js';
import { MailComposer } from '../../notifications/mail/mail-composer.js';
import type { MailOutcome } from '../../notifications/mail/mail-outcome.js';
import { SLOTS } from '../../notifications/mail/mail-transport.js';
import { Mailer } from '../../notifications/mail/mailer.js';
import { MAIL_RETRIES, nextAttemptAt } from '../../notifications/retry-schedule.js';
import { letterOf } from './link-letters.js';

const LINKS_JOB = 'user-links';
/** Longer than any attempt may take; then the mail of a worker that died is sent by another. */
const LEASE_MS = 60_000;
/** Mails that one run sends side by side, and how often it looks for more. */
const BATCHES_MAX = 20;
/** Links that are over stay so long, for questions. */
const KEPT_MS = 90 * 24 * 3_600_000;
const PURGE_MAX = 1_000;

/** Sends the mails of invitations and of resets. No request waits for it. */
@Injectable()
export class LinkMails implements OnModuleInit {
  private readonly logger = new Logger('mail');

  constructor(
    private readonly links: UserLinkRepository,
    private readonly composer: MailComposer,
    private readonly mailer: Mailer,
    private readonly jobs: JobQueue,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.register(LINKS_JOB, () => this.run());
  }

  /** There is a mail to send. */
  async ring(): Promise<void> {
    await this.jobs.wake(LINKS_JOB, this.clock.now());
  }

  /** Sends what is due, and forgets what is over. */
  async run(): Promise<void> {
    for (let batch = 0; batch < BATCHES_MAX && (await this.sendSome()) > 0; batch++);
    const now = this.clock.now();
    await this.links.forgetTokens(now);
    await this.links.purge(new Date(now.getTime() - KEPT_MS), PURGE_MAX);
  }

  private async sendSome(): Promise<number> {
    const now = this.clock.now();
    const due = await this.links.claim(now, new Date(now.getTime() + LEASE_MS), SLOTS);
    await Promise.all(due.map((link) => this.send(link)));
    return due.length;
  }

  private async send(link: DueLink): Promise<void> {
    const letter = letterOf(link, this.config.publicUrl);
    const outcome = await this.mailer.send(link.id, this.composer.letter(letter));
    const next = this.nextAttempt(link, outcome);
    if (next) await this.links.tryLater(link, next);
    else await this.links.done(link, outcome.succeeded ? this.clock.now() : null);
    this.log(link, outcome, next);
  }

  private nextAttempt({ attempts }: DueLink, { final }: MailOutcome): Date | null {
    return final ? null : nextAttemptAt(MAIL_RETRIES, attempts, this.clock.now());
  }

  /** Neither the address nor anything of the mail. */
  private log(
    { id, kind, attempts }: DueLink,
    { succeeded, statusCode }: MailOutcome,
    next: Date | null,
  ): void {
    const line = { link: id, type: kind, attempts, statusCode };
    if (succeeded) this.logger.log(line, 'mail sent');
    else this.logger.warn(line, next ? 'mail is tried again' : 'mail not sent');
  }
}
