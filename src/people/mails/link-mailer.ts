import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Config } from '../../config/config.js';
import { JobQueue } from '../../database/job-queue.js';
import { UserLinkRepository } from '../../database/people/user-link.repository.js';
import { workOff } from '../../database/work-off.js';
import { SystemMailer } from '../../notifications/mail/system-mailer.js';
import { linkMail } from './link-mail.js';

const LINKS_JOB = 'user-links';
/** Links that are over stay so long, for questions. */
const KEPT_MS = 90 * 24 * 3_600_000;

/** Sends the mails of invitations and of resets. No request waits for it. */
@Injectable()
export class LinkMailer implements OnModuleInit {
  constructor(
    private readonly links: UserLinkRepository,
    private readonly systemMailer: SystemMailer,
    private readonly jobs: JobQueue,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.register(LINKS_JOB, () => this.run());
  }

  /** There is a mail to send. */
  async wake(): Promise<void> {
    await this.jobs.wake(LINKS_JOB, this.clock.now());
  }

  /** Sends what is due, and forgets what is over. */
  async run(): Promise<void> {
    const isAllSent = await this.systemMailer.sendDue(this.links, {
      write: (link) => linkMail(link, this.config.publicUrl),
      name: ({ id, kind }) => ({ link: id, type: kind }),
    });
    if (!isAllSent) await this.wake();
    const now = this.clock.now();
    await this.links.forgetTokens(now);
    const before = new Date(now.getTime() - KEPT_MS);
    await workOff('links', (limit) => this.links.purge(before, limit));
  }
}
