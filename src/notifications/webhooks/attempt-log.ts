import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/time/clock.js';
import { uuidv7 } from '../../common/ids.js';
import { Database } from '../../database/database.js';
import { CatchUpRepository } from '../../database/notifications/catch-up.repository.js';
import {
  type Claimed,
  type ClaimedWebhook,
  DeliveryRepository,
} from '../../database/notifications/delivery.repository.js';
import type { WebhookEndpoint } from '../../database/notifications/webhook-endpoint.entity.js';
import { WebhookEndpointRepository } from '../../database/notifications/webhook-endpoint.repository.js';
import { MemoryBuckets } from '../../overload/memory-buckets.js';
import { AttemptMetrics } from '../attempt-metrics.js';
import { DeliverySignal } from '../delivery-signal.js';
import { TEST_EVENT } from '../../contract/event.response.js';
import {
  deliveryAfter,
  endpointAfter,
  type EndpointNotice,
  isAway,
  retryAfterRequested,
} from './webhook-outcome.js';
import type { WebhookResult } from './webhook-sender.js';

export interface FinishedAttempt extends WebhookResult {
  readonly startedAt: Date;
  readonly durationMs: number;
}

/** Bytes of transcripts that a merchant stores in a mode, of successes and failures each: at once, and an hour. */
const TRANSCRIPTS = { burst: 1_000_000, rate: 500_000, periodMs: 3_600_000 };

/** Records results of attempts: in the delivery, in its endpoint, and in mails about it. */
@Injectable()
export class AttemptLog {
  private readonly transcripts = new MemoryBuckets(TRANSCRIPTS);

  constructor(
    private readonly database: Database,
    private readonly deliveries: DeliveryRepository,
    private readonly endpoints: WebhookEndpointRepository,
    private readonly catchUps: CatchUpRepository,
    private readonly deliverySignal: DeliverySignal,
    private readonly metrics: AttemptMetrics,
    private readonly clock: Clock,
  ) {}

  async attempted(delivery: ClaimedWebhook, result: FinishedAttempt): Promise<void> {
    const now = this.clock.now();
    const { retryAfter: _, ...told } = result;
    const attempt = { ...told, ...this.kept(delivery, result, now) };
    if (result.succeeded && !delivery.isFailing) {
      const isFirst = await this.deliveries.delivered(delivery, attempt, now);
      if (isFirst) this.metrics.attempts.inc({ channel: 'webhook', outcome: 'delivered' });
      if (delivery.isCatchingUp) await this.catchUps.continueAfterSuccess(keyOf(delivery), now);
      return;
    }
    const isTest = delivery.type === TEST_EVENT;
    const patch = deliveryAfter(result, delivery, now, isTest);
    await this.database.transaction(async (tx) => {
      const endpoint = await this.endpoints.lock(tx, keyOf(delivery));
      if (!(await this.deliveries.attempted(tx, delivery, attempt, patch))) return;
      await this.change(tx, endpoint!, result, isTest, now);
      const outcome = patch.status === 'pending' ? 'retried' : patch.status;
      this.database.afterCommit(tx, () =>
        this.metrics.attempts.inc({ channel: 'webhook', outcome }),
      );
    });
  }

  /** Receivers write the transcripts, so a merchant stores only so many bytes of them; failures have a share of their own. */
  private kept(
    { merchantId, mode }: ClaimedWebhook,
    { succeeded, requestHead, responseHead }: WebhookResult,
    now: Date,
  ): Pick<WebhookResult, 'requestHead' | 'responseHead'> {
    const bytes = (requestHead?.length ?? 0) + (responseHead?.length ?? 0);
    const owner = `${merchantId} ${mode} ${succeeded}`;
    const { granted } = this.transcripts.take(owner, now.getTime(), bytes);
    return granted ? { requestHead, responseHead } : { requestHead: null, responseHead: null };
  }

  /** The endpoint was deleted, or lost payout events, while the delivery was queued. */
  async cancelled(delivery: Claimed): Promise<void> {
    await this.database.transaction((tx) =>
      this.endpoints.cancelDeliveries(tx, keyOf(delivery), this.clock.now()),
    );
  }

  /** Failed tests do not affect the health of an endpoint, since the receiver may not exist yet. */
  private async change(
    tx: EntityManager,
    endpoint: WebhookEndpoint,
    result: FinishedAttempt,
    isTest: boolean,
    now: Date,
  ): Promise<void> {
    if (isTest && !result.succeeded && result.statusCode !== 410) return;
    const { patch, notice } = endpointAfter(endpoint, result, now);
    const isDisabled = patch.enabled === false;
    const changes = isDisabled ? { ...patch, updatedAt: now } : patch;
    if (Object.keys(patch).length > 0) await this.endpoints.update(tx, endpoint, changes);
    if (notice) await this.notify(tx, endpoint, notice, now);
    if (!isAway(endpoint, now)) return;
    if (result.succeeded) await this.catchUps.begin(tx, endpoint, now);
    else await this.catchUps.probe(tx, endpoint, now, retryAfterRequested(result, now));
  }

  private async notify(
    tx: EntityManager,
    { merchantId, mode, id, url }: WebhookEndpoint,
    { type, stage, since }: EndpointNotice,
    now: Date,
  ): Promise<void> {
    const data = { endpointId: id, url, since: since.toISOString(), stage };
    const message = { merchantId, mode, type, data };
    await this.endpoints.notify(tx, message, uuidv7(now.getTime()), now);
    this.database.afterCommit(tx, () => this.deliverySignal.wake());
  }
}

const keyOf = ({ merchantId, endpointId }: Claimed) => ({ merchantId, id: endpointId! });
