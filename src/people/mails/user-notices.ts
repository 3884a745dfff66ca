import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/time/clock.js';
import { uuidv7 } from '../../common/ids.js';
import { Config } from '../../config/config.js';
import { idAt } from '../../database/ids.js';
import { JobScheduler } from '../../database/jobs/job-scheduler.js';
import { GuessRepository } from '../../database/people/guess.repository.js';
import type { UserNotice } from '../../database/people/user-notice.entity.js';
import { UserNoticeRepository } from '../../database/people/user-notice.repository.js';
import { SystemMailer } from '../../notifications/mail/system-mailer.js';
import { noticeMail } from './notice-mail.js';

const NOTICES_JOB = 'user-notices';
const DAY_MS = 24 * 3_600_000;
/** Retention of sent notices, for support. */
const KEPT_MS = 90 * DAY_MS;
const PURGE_MAX = 1_000;

type NewNotice = Pick<UserNotice, 'kind' | 'merchantId' | 'data'>;

/** Sends security notices about accounts and merchants in the background. */
@Injectable()
export class UserNotices implements OnModuleInit {
  constructor(
    private readonly notices: UserNoticeRepository,
    private readonly guesses: GuessRepository,
    private readonly systemMailer: SystemMailer,
    private readonly jobs: JobScheduler,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.register(NOTICES_JOB, () => this.run());
  }

  /** Runs in the transaction of the event. */
  async notify(tx: EntityManager, userIds: readonly string[], notice: NewNotice): Promise<void> {
    const createdAt = this.clock.now();
    const sending = { createdAt, attempts: 0, nextAttemptAt: createdAt, sentAt: null };
    await this.notices.insert(
      tx,
      userIds.map((userId) => ({ id: uuidv7(createdAt.getTime()), userId, ...notice, ...sending })),
    );
  }

  /** Mails of this kind sent to a merchant's users within a day; locks out concurrent counts. */
  sentInADay(
    tx: EntityManager,
    notice: Pick<UserNotice, 'kind'> & { readonly merchantId: string },
  ): Promise<number> {
    return this.notices.count(tx, notice, new Date(this.clock.now().getTime() - DAY_MS));
  }

  /** As `notify`, but limited to `max` notices of a kind per user and day. */
  async notifyAtMost(
    tx: EntityManager,
    max: number,
    userId: string,
    notice: NewNotice,
  ): Promise<void> {
    const since = new Date(this.clock.now().getTime() - DAY_MS);
    const sent = await this.notices.countToUser(tx, { userId, kind: notice.kind }, since);
    if (sent < max) await this.notify(tx, [userId], notice);
  }

  /** Wakes the job for a new mail. */
  async wake(): Promise<void> {
    await this.jobs.wake(NOTICES_JOB, this.clock.now());
  }

  /** Sends due mails and purges old notices. */
  async run(): Promise<void> {
    const isAllSent = await this.systemMailer.sendDue(this.notices, {
      write: (notice) => noticeMail(notice, this.config.publicUrl),
      name: ({ id, kind }) => ({ notice: id, type: kind }),
    });
    if (!isAllSent) await this.wake();
    const before = new Date(this.clock.now().getTime() - KEPT_MS);
    await this.notices.purge(idAt(before), PURGE_MAX);
    await this.guesses.purge(before);
  }
}
