import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../common/time/clock.js';
import { Config } from '../../config/config.js';
import { JobScheduler } from '../../database/jobs/job-scheduler.js';
import { BankAccountNoticeRepository } from '../../database/payouts/bank-accounts/bank-account-notice.repository.js';
import { SystemMailer } from '../../notifications/mail/system-mailer.js';
import { WAIT_MS } from '../../payouts/bank-accounts.service.js';
import { accountNoticeMail } from './account-notice-mail.js';

const NOTICES_JOB = 'bank-account-notices';

/** Notifies owners about new bank accounts, in the background. */
@Injectable()
export class AccountNotices implements OnModuleInit {
  constructor(
    private readonly notices: BankAccountNoticeRepository,
    private readonly systemMailer: SystemMailer,
    private readonly jobs: JobScheduler,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.register(NOTICES_JOB, () => this.run());
  }

  /** Schedules the job. */
  async wake(): Promise<void> {
    await this.jobs.wake(NOTICES_JOB, this.clock.now());
  }

  /** Sends due mails, also to recent owners: an attacker may have removed or disabled them. */
  async run(): Promise<void> {
    const isAllSent = await this.systemMailer.sendDue(this.notices, {
      write: (notice) => accountNoticeMail(notice, this.earliest(), this.config.publicUrl),
      name: ({ bankAccountId, userId }) => ({ bankAccount: bankAccountId, user: userId }),
    });
    if (!isAllSent) await this.wake();
  }

  /** The one-day objection period starts with the last mail. */
  private earliest(): Date {
    return new Date(this.clock.now().getTime() + WAIT_MS);
  }
}
