import { Injectable, Logger } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Clock } from '../common/time/clock.js';
import { DeliveryRepository } from '../database/notifications/delivery.repository.js';
import { WebhookEndpointRepository } from '../database/notifications/webhook-endpoint.repository.js';

/** Maximum failing endpoints with a label of their own: the longest failing. */
const NAMED_MAX = 100;

/** Deliveries in the database, the same from every process. */
@Injectable()
export class DeliveryMetrics {
  private readonly logger = new Logger('metrics');
  private readonly due = new Gauge({
    name: 'payment_orders_deliveries_due',
    help: 'Deliveries that are due and that no worker has taken.',
    labelNames: ['channel'],
    registers: [],
  });
  private readonly oldest = new Gauge({
    name: 'payment_orders_deliveries_oldest_age_seconds',
    help: 'How long the oldest of them has been due.',
    labelNames: ['channel'],
    registers: [],
  });
  private readonly failing = new Gauge({
    name: 'payment_orders_webhook_endpoints_failing',
    help: 'Enabled endpoints to which nothing was delivered since a failure.',
    registers: [],
  });
  private readonly failingSince = new Gauge({
    name: 'payment_orders_webhook_endpoint_failing_seconds',
    help: `How long an endpoint has failed; the ${NAMED_MAX} that do so for longest.`,
    labelNames: ['endpoint'],
    registers: [],
  });

  readonly gauges = [this.due, this.oldest, this.failing, this.failingSince];

  constructor(
    private readonly deliveries: DeliveryRepository,
    private readonly endpoints: WebhookEndpointRepository,
    private readonly clock: Clock,
  ) {}

  /** Absent while the database is unavailable. */
  async read(): Promise<void> {
    for (const gauge of this.gauges) gauge.reset();
    await Promise.all([this.readBacklog(), this.readFailing()]).catch((error: unknown) =>
      this.logger.warn(
        { event: 'metrics.deliveries.failed', err: error },
        'deliveries could not be counted',
      ),
    );
  }

  private async readBacklog(): Promise<void> {
    const backlog = await this.deliveries.backlog(this.clock.now());
    for (const channel of ['mail', 'webhook']) this.due.set({ channel }, 0);
    for (const { channel, depth, oldestSeconds } of backlog) {
      this.due.set({ channel }, depth);
      this.oldest.set({ channel }, oldestSeconds);
    }
  }

  private async readFailing(): Promise<void> {
    const failing = await this.endpoints.failing(this.clock.now(), NAMED_MAX);
    this.failing.set(failing[0]?.total ?? 0);
    for (const { id, seconds } of failing) this.failingSince.set({ endpoint: id }, seconds);
  }
}
