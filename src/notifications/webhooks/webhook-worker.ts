import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Config } from '../../config/config.js';
import type { WebhookEndpoint } from '../../database/entities/webhook-endpoint.entity.js';
import {
  type ClaimedWebhook,
  DeliveryRepository,
} from '../../database/repositories/delivery.repository.js';
import { EventRepository } from '../../database/repositories/event.repository.js';
import { DeliveryBell } from '../delivery-bell.js';
import { DeliveryLoop } from '../delivery-loop.js';
import { EventRenderer } from '../event-renderer.js';
import { AttemptLog } from './attempt-log.js';
import { sampleOrder } from './sample-order.js';
import { WebhookSender } from './webhook-sender.js';
import { signatureHeaders } from './webhook-signature.js';

/** Deliveries that are under way at once, in this process. */
const SLOTS = 40;
/** Of these, for one endpoint; one that is failing gets a single one. */
const SLOTS_PER_ENDPOINT = 4;
/** Of these, for all endpoints together that are failing. */
const SLOTS_FAILING = SLOTS / 2;
/** Four times what an attempt lasts at most; then its worker counts as dead. */
const LEASE_MS = 60_000;
/** When the service stops, attempts get this long to end. */
const STOP_MS = 7_000;

/** Delivers events to merchants' endpoints. */
@Injectable()
export class WebhookWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('webhooks');
  private readonly stopped = new AbortController();
  /** Deliveries under way by endpoint, and how many of them go to endpoints that are failing. */
  private readonly underWay = new Map<string, number>();
  private failing = 0;
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
    private readonly bell: DeliveryBell,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.jobs === 'off') return;
    this.bell.onRing(() => this.loop.ring());
    this.loop.start();
  }

  /** What is cut off here comes due again with the end of its lease. */
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
      perEndpoint: SLOTS_PER_ENDPOINT,
      underWay: this.underWay,
      failing: SLOTS_FAILING - this.failing,
    });
    for (const delivery of claimed) this.count(delivery, 1);
    return claimed;
  }

  private count({ endpointId, isFailing }: ClaimedWebhook, change: 1 | -1): void {
    const slots = (this.underWay.get(endpointId!) ?? 0) + change;
    if (slots > 0) this.underWay.set(endpointId!, slots);
    else this.underWay.delete(endpointId!);
    if (isFailing) this.failing += change;
  }

  private async deliver(delivery: ClaimedWebhook): Promise<void> {
    try {
      const endpoint = await this.deliveries.endpointOf(delivery);
      if (!endpoint || endpoint.deletedAt) await this.log.cancelled(delivery);
      else if (endpoint.enabled) await this.attempt(delivery, endpoint);
    } catch (error) {
      if (!this.stopped.signal.aborted) throw error;
      this.logger.warn({ deliveryId: delivery.id }, 'cut off; it is tried again later');
    } finally {
      this.count(delivery, -1);
    }
  }

  private async attempt(delivery: ClaimedWebhook, endpoint: WebhookEndpoint): Promise<void> {
    const body = JSON.stringify(await this.payload(delivery, endpoint));
    const startedAt = this.clock.now();
    const started = performance.now();
    const headers = signatureHeaders(endpoint, delivery.eventId ?? delivery.id, body, startedAt);
    const request = { url: endpoint.url, headers, body };
    const result = await this.sender.post(request, this.stopped.signal);
    const durationMs = Math.round(performance.now() - started);
    await this.log.attempted(delivery, { ...result, startedAt, durationMs });
  }

  private async payload(delivery: ClaimedWebhook, { apiVersion }: WebhookEndpoint) {
    const { merchantId, eventId, type, createdAt } = delivery;
    if (eventId !== null) {
      const event = await this.events.find(merchantId, eventId);
      if (!event) throw new Error(`there is no event ${eventId}`);
      return this.renderer.payload(event, apiVersion);
    }
    return this.renderer.payload(
      { event: { type, createdAt }, order: sampleOrder(delivery) },
      apiVersion,
    );
  }
}
