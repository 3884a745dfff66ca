import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Clock } from '../../common/time/clock.js';
import { Config } from '../../config/config.js';
import type { EventResponse, TestEventResponse } from '../../contract/event.response.js';
import { inVersion } from '../../contract/versions/versions.js';
import {
  type ClaimedWebhook,
  DeliveryRepository,
} from '../../database/notifications/delivery.repository.js';
import { EventRepository } from '../../database/notifications/event.repository.js';
import type { WebhookEndpoint } from '../../database/notifications/webhook-endpoint.entity.js';
import { JobScheduler } from '../../database/jobs/job-scheduler.js';
import { WorkerEligibility } from '../../database/schema/worker-eligibility.js';
import { DeliveryLoop } from '../delivery-loop.js';
import { DeliverySignal } from '../delivery-signal.js';
import { EventRenderer } from '../event-renderer.js';
import { add, type InFlight } from '../in-flight.js';
import { AttemptLog } from './attempt-log.js';
import { EndpointConcurrency } from './endpoint-concurrency.js';
import { retryAfterRequested } from './webhook-outcome.js';
import { WebhookSender } from './webhook-sender.js';
import { signatureHeaders } from './webhook-signature.js';

/** Concurrent deliveries in this process. */
const SLOTS = 40;
/** Slots shared by all failing or slow endpoints. */
const SLOTS_HELD_BACK = SLOTS / 2;
/** Four times the maximum duration of an attempt; then its worker counts as dead. */
const LEASE_MS = 60_000;
/** Milliseconds for running attempts at shutdown. */
const STOP_MS = 3_500;

/** Delivers events to merchants' endpoints. */
@Injectable()
export class WebhookWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('webhooks');
  private readonly stopped = new AbortController();
  private readonly pace = new EndpointConcurrency();
  /** Deliveries in progress by endpoint, and by merchant: to held-back endpoints, and to others. */
  private readonly inFlight: InFlight = new Map();
  private readonly heldBack: InFlight = new Map();
  private readonly others: InFlight = new Map();
  private heldBackInAll = 0;
  private readonly loop = new DeliveryLoop<ClaimedWebhook>({
    slots: SLOTS,
    claim: (free) => this.claim(free),
    deliver: (delivery) => this.deliver(delivery),
  });

  constructor(
    private readonly deliveries: DeliveryRepository,
    private readonly events: EventRepository,
    private readonly renderer: EventRenderer,
    private readonly sender: WebhookSender,
    private readonly log: AttemptLog,
    private readonly deliverySignal: DeliverySignal,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly eligibility: WorkerEligibility,
    private readonly jobs: JobScheduler,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.role === 'api') return;
    this.deliverySignal.onWake(() => this.loop.wake());
    this.jobs.onDue('webhooks', () => this.loop.wake());
    this.loop.start(this.eligibility);
  }

  /** Interrupted attempts are due again after their lease. */
  async beforeApplicationShutdown(): Promise<void> {
    const limit = setTimeout(() => this.stopped.abort(), STOP_MS);
    await this.loop.stop();
    clearTimeout(limit);
  }

  /** Delivers until nothing is due. */
  drain(): Promise<void> {
    return this.loop.drain();
  }

  private async claim(free: number): Promise<readonly ClaimedWebhook[]> {
    const now = this.clock.now();
    const until = new Date(now.getTime() + LEASE_MS);
    const claimed = await this.deliveries.claimWebhooks(now, until, {
      free,
      freeHeldBack: SLOTS_HELD_BACK - this.heldBackInAll,
      perEndpoint: EndpointConcurrency.first,
      faster: this.pace.faster,
      slow: this.pace.slow,
      inFlight: new Map([...this.inFlight, ...this.pace.resting(now)]),
      heldBack: this.heldBack,
      others: this.others,
    });
    for (const delivery of claimed) this.count(delivery, 1);
    return claimed;
  }

  private count({ merchantId, endpointId, isHeldBack }: ClaimedWebhook, change: 1 | -1): void {
    add(this.inFlight, endpointId!, change);
    add(isHeldBack ? this.heldBack : this.others, merchantId, change);
    if (isHeldBack) this.heldBackInAll += change;
  }

  private async deliver(delivery: ClaimedWebhook): Promise<void> {
    try {
      const endpoint = await this.deliveries.endpointOf(delivery);
      if (!endpoint || endpoint.deletedAt || isHidden(delivery, endpoint))
        await this.log.cancelled(delivery);
      else if (endpoint.enabled) await this.attempt(delivery, endpoint);
    } catch (error) {
      if (!this.stopped.signal.aborted) throw error;
      this.logger.warn(
        { event: 'webhook.delivery.interrupted', delivery: delivery.id },
        'webhook delivery was interrupted and is retried',
      );
    } finally {
      this.count(delivery, -1);
    }
  }

  private async attempt(delivery: ClaimedWebhook, endpoint: WebhookEndpoint): Promise<void> {
    const payload = inVersion(endpoint.apiVersion, await this.payload(delivery));
    const body = JSON.stringify(payload);
    const startedAt = this.clock.now();
    const started = performance.now();
    const headers = signatureHeaders(endpoint, delivery.eventId ?? delivery.id, body, startedAt);
    const request = { url: endpoint.url, headers, body, mode: delivery.mode };
    const result = await this.sender.post(request, this.stopped.signal);
    const durationMs = Math.round(performance.now() - started);
    this.pace.answered(endpoint.id, { ...result, durationMs });
    const now = this.clock.now();
    const patience = retryAfterRequested(result, now);
    if (patience) this.pace.rest(endpoint.id, patience, now);
    await this.log.attempted(delivery, { ...result, startedAt, durationMs });
  }

  private async payload(delivery: ClaimedWebhook): Promise<EventResponse | TestEventResponse> {
    const { merchantId, eventId } = delivery;
    if (eventId === null) return this.renderer.test(delivery);
    const event = await this.events.find(merchantId, eventId);
    if (!event) throw new Error(`there is no event ${eventId}`);
    return this.renderer.event(event);
  }
}

/** The endpoint was redirected by an author without payout rights while the delivery was claimed. */
const isHidden = ({ type }: ClaimedWebhook, { seesPayouts }: WebhookEndpoint): boolean =>
  !seesPayouts && type.startsWith('payout.');
