import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Clock } from '../../common/time/clock.js';
import { Config } from '../../config/config.js';
import { Database } from '../../database/database.js';
import type { Delivery } from '../../database/notifications/delivery.entity.js';
import {
  type Claimed,
  DeliveryRepository,
  type DeliveryPatch,
} from '../../database/notifications/delivery.repository.js';
import { NotificationRecipientRepository } from '../../database/notifications/notification-recipient.repository.js';
import { JobScheduler } from '../../database/jobs/job-scheduler.js';
import { WorkerEligibility } from '../../database/schema/worker-eligibility.js';
import { AttemptMetrics } from '../attempt-metrics.js';
import { DeliveryLoop } from '../delivery-loop.js';
import { DeliverySignal } from '../delivery-signal.js';
import { add, type InFlight } from '../in-flight.js';
import { type ActiveRecipient, isWanted } from '../recipients/recipient-status.js';
import { MAIL_RETRIES, nextAttemptAt } from '../retry-schedule.js';
import { MailComposer } from './mail-composer.js';
import type { MailOutcome } from './mail-outcome.js';
import { SLOTS } from './mail-transport.js';
import { Mailer } from './mailer.js';

/** Longer than any attempt; then another worker retries the mail of a dead one. */
export const MAIL_LEASE_MS = 60_000;

/** Rendering error of the service. Retried, since the next version may have a fix. */
const NOT_WRITTEN: MailOutcome = {
  succeeded: false,
  final: false,
  statusCode: null,
  error: 'The mail could not be written.',
  response: null,
};

const RESULTS: Partial<Record<Delivery['status'], string>> = {
  delivered: 'delivered',
  failed: 'failed',
};

/** Sends due mails and records the results. */
@Injectable()
export class MailWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('mail');
  /** Mails in progress by merchant. */
  private readonly inFlight: InFlight = new Map();
  private readonly loop: DeliveryLoop<Claimed>;

  constructor(
    private readonly database: Database,
    private readonly deliveries: DeliveryRepository,
    private readonly recipients: NotificationRecipientRepository,
    private readonly composer: MailComposer,
    private readonly mailer: Mailer,
    private readonly config: Config,
    private readonly eligibility: WorkerEligibility,
    private readonly jobs: JobScheduler,
    private readonly clock: Clock,
    private readonly metrics: AttemptMetrics,
    deliverySignal: DeliverySignal,
  ) {
    this.loop = new DeliveryLoop({
      slots: SLOTS,
      claim: (free) => this.claim(free),
      deliver: (delivery) => this.deliver(delivery),
    });
    deliverySignal.onWake(() => this.loop.wake());
  }

  onApplicationBootstrap(): void {
    if (this.config.role === 'api') return;
    this.jobs.onDue('mails', () => this.loop.wake());
    this.loop.start(this.eligibility);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }

  /** Sends until nothing is due. */
  drain(): Promise<void> {
    return this.loop.drain();
  }

  private async claim(free: number): Promise<Claimed[]> {
    const now = this.clock.now();
    const until = new Date(now.getTime() + MAIL_LEASE_MS);
    const claimed = await this.deliveries.claimMails(now, until, free, this.inFlight);
    for (const { merchantId } of claimed) add(this.inFlight, merchantId, 1);
    return claimed;
  }

  private async deliver(delivery: Claimed): Promise<void> {
    try {
      await this.attempt(delivery);
    } finally {
      add(this.inFlight, delivery.merchantId, -1);
    }
  }

  private async attempt(delivery: Claimed): Promise<void> {
    const recipient = await this.deliveries.recipientOf(delivery);
    if (!isWanted(delivery.type, recipient)) {
      await this.recipients.cancelDelivery(delivery, this.clock.now());
      return;
    }
    const startedAt = this.clock.now();
    const start = performance.now();
    const outcome = await this.send(delivery, recipient);
    const attempt = {
      startedAt,
      durationMs: Math.round(performance.now() - start),
      succeeded: outcome.succeeded,
      statusCode: outcome.statusCode,
      error: outcome.error,
      requestHead: null,
      responseHead: outcome.response,
    };
    const patch = this.patchOf(delivery, outcome);
    const written = outcome.succeeded
      ? await this.deliveries.delivered(delivery, attempt, this.clock.now())
      : await this.database.transaction((tx) =>
          this.deliveries.attempted(tx, delivery, attempt, patch),
        );
    if (!written) return;
    this.metrics.attempts.inc({ channel: 'mail', outcome: RESULTS[patch.status] ?? 'retried' });
    this.log(delivery, outcome, patch);
  }

  private async send(delivery: Claimed, recipient: ActiveRecipient): Promise<MailOutcome> {
    const message = await this.composer.compose(delivery, recipient).catch((error: unknown) => {
      this.logger.error(
        { event: 'mail.render.failed', err: error, delivery: delivery.id },
        'mail could not be rendered and is retried',
      );
    });
    return message ? this.mailer.send(delivery.id, message) : NOT_WRITTEN;
  }

  private patchOf(delivery: Claimed, { succeeded, final }: MailOutcome): DeliveryPatch {
    const now = this.clock.now();
    if (succeeded) return { status: 'delivered', nextAttemptAt: null, completedAt: now };
    const next = final ? null : nextAttemptAt(MAIL_RETRIES, delivery.attempts + 1, now);
    return next
      ? { status: 'pending', nextAttemptAt: next, completedAt: null }
      : { status: 'failed', nextAttemptAt: null, completedAt: now };
  }

  /** Logs neither address nor content. */
  private log(delivery: Claimed, outcome: MailOutcome, patch: DeliveryPatch): void {
    const { id, merchantId, type, txid } = delivery;
    const { statusCode } = outcome;
    const line = {
      delivery: id,
      merchant: merchantId,
      type,
      txid,
      status: patch.status,
      statusCode,
    };
    if (outcome.succeeded) this.logger.log({ event: 'mail.delivery.sent', ...line }, 'mail sent');
    else this.logger.warn({ event: 'mail.delivery.failed', ...line }, 'mail not sent');
  }
}
