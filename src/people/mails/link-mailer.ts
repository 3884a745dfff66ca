import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../common/time/clock.js';
import { Config } from '../../config/config.js';
import { JobScheduler } from '../../database/jobs/job-scheduler.js';
import { UserLinkRepository } from '../../database/people/user-link.repository.js';
import { drainBatches } from '../../database/drain-batches.js';
import { SystemMailer } from '../../notifications/mail/system-mailer.js';
import { linkMail } from './link-mail.js';

const LINKS_JOB = 'user-links';
/** Retention of expired links, for support. */
const KEPT_MS = 90 * 24 * 3_600_000;

/** Sends invitation and reset mails in the background. */
@Injectable()
export class LinkMailer implements OnModuleInit {
  constructor(
    private readonly links: UserLinkRepository,
    private readonly systemMailer: SystemMailer,
    private readonly jobs: JobScheduler,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.register(LINKS_JOB, () => this.run());
  }

  /** Wakes the job for a new mail. */
  async wake(): Promise<void> {
    await this.jobs.wake(LINKS_JOB, this.clock.now());
  }

  /** Sends due mails and purges expired links. */
  async run(): Promise<void> {
    const isAllSent = await this.systemMailer.sendDue(this.links, {
      write: (link) => linkMail(link, this.config.publicUrl),
      name: ({ id, kind }) => ({ link: id, type: kind }),
    });
    if (!isAllSent) await this.wake();
    const now = this.clock.now();
    await this.links.forgetTokens(now);
    const before = new Date(now.getTime() - KEPT_MS);
    await drainBatches('links', (limit) => this.links.purge(before, limit));
  }
}
