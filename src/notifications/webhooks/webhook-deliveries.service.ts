import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/time/clock.js';
import { answerOf } from '../../contract/answers.js';
import { uuidv7 } from '../../common/ids.js';
import { Database } from '../../database/database.js';
import type { Owner } from '../../database/keys.js';
import { CatchUpRepository } from '../../database/notifications/catch-up.repository.js';
import {
  DeliveryLogRepository,
  type LogPage,
  type Resend,
} from '../../database/notifications/delivery-log.repository.js';
import type { Delivery } from '../../database/notifications/delivery.entity.js';
import type { WebhookEndpoint } from '../../database/notifications/webhook-endpoint.entity.js';
import { noHook, type TransactionHook } from '../../database/transaction-hook.js';
import { Problem } from '../../http/problems/problem.js';
import { WrittenRows } from '../../merchants/written-rows.js';
import { LOG_KEPT_MS } from '../delivery-log-purge.js';
import { DeliverySignal } from '../delivery-signal.js';
import type { ResendEventsRequest } from './dto/webhook-endpoint.request.js';
import {
  WebhookDeliveryPageResponse,
  webhookDeliveryResponse,
  type WebhookDeliveryResponse,
  webhookDeliveryWithAttemptsResponse,
  type WebhookDeliveryWithAttemptsResponse,
  WebhookResendResponse,
} from '../../contract/webhook-delivery.response.js';
import { TEST_EVENT } from '../../contract/event.response.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';

/** Maximum events per resend request. */
export const RESEND_MAX = 1_000;
/** Events as which each resend request counts at least: it reads all events of its range, even if it fails then. */
const RESEND_MIN = 500;
/** Maximum waiting tests and resent events per merchant and mode when more are requested. */
export const ASKED_MAX = 20_000;
/** Seconds until some of them may be delivered. */
const RETRY_AFTER = 60;

/** Delivery log of endpoints, tests and resends. */
@Injectable()
export class WebhookDeliveriesService {
  constructor(
    private readonly database: Database,
    private readonly endpoints: WebhookEndpointsService,
    private readonly log: DeliveryLogRepository,
    private readonly catchUps: CatchUpRepository,
    private readonly deliverySignal: DeliverySignal,
    private readonly writtenRows: WrittenRows,
    private readonly clock: Clock,
  ) {}

  /** @throws Problem `webhook_endpoint_not_found` */
  async list(
    owner: Owner,
    endpointId: string,
    page: LogPage,
  ): Promise<WebhookDeliveryPageResponse> {
    const endpoint = await this.endpoints.find(owner, endpointId);
    const found = await this.log.page(endpoint, { ...page, limit: page.limit + 1 });
    const data = found.slice(0, page.limit).map(webhookDeliveryResponse);
    const next = data.at(-1)?.id ?? null;
    return answerOf(WebhookDeliveryPageResponse, {
      data,
      next,
      hasMore: found.length > page.limit,
    });
  }

  /** @throws Problem `webhook_endpoint_not_found`, `delivery_not_found` */
  async get(
    owner: Owner,
    endpointId: string,
    id: string,
  ): Promise<WebhookDeliveryWithAttemptsResponse> {
    const delivery = await this.find(await this.endpoints.find(owner, endpointId), id);
    return webhookDeliveryWithAttemptsResponse(delivery, await this.log.attempts(delivery));
  }

  /** @throws Problem `webhook_endpoint_not_found`, `rate_limited` */
  async test(
    owner: Owner,
    endpointId: string,
    hook: TransactionHook<Delivery> = noHook,
  ): Promise<WebhookDeliveryResponse> {
    return this.queue(owner, endpointId, { type: TEST_EVENT }, hook);
  }

  /** @throws Problem `webhook_endpoint_not_found`, `delivery_not_found`, `rate_limited` */
  async resend(
    owner: Owner,
    endpointId: string,
    id: string,
    hook: TransactionHook<Delivery> = noHook,
  ): Promise<WebhookDeliveryResponse> {
    const endpoint = await this.endpoints.find(owner, endpointId);
    const { type, eventId, txid, sequence, data } = await this.find(endpoint, id);
    if (!endpoint.seesPayouts && type.startsWith('payout.'))
      throw new Problem('delivery_not_found');
    const again = { type, eventId, txid, sequence, data, resent: true };
    return this.queue(owner, endpointId, again, hook);
  }

  /** @throws Problem `validation_failed`, `webhook_endpoint_not_found`, `rate_limited` */
  async resendRange(
    owner: Owner,
    endpointId: string,
    request: ResendEventsRequest,
    hook: TransactionHook<number> = noHook,
  ): Promise<WebhookResendResponse> {
    const now = this.clock.now();
    const range = rangeOf(request, now);
    const work = async (tx: EntityManager, endpoint: WebhookEndpoint) => {
      const fresh = await this.log
        .resend(tx, endpoint, range, uuidv7(now.getTime()), now)
        .catch(async (error: unknown) => {
          await this.writtenRows.wrote('resentEvents', owner, RESEND_MIN);
          throw error;
        });
      this.count(tx, owner, Math.max(fresh, RESEND_MIN));
      const queued = fresh + (await this.catchUps.count(tx, endpoint, range, now));
      await this.endpoints.catchUp(tx, endpoint);
      await hook(tx, queued);
      return answerOf(WebhookResendResponse, { queued, hasMore: fresh === RESEND_MAX });
    };
    return this.database.slowWork.pass('write', () => this.whileLocked(owner, endpointId, work));
  }

  private async find(endpoint: WebhookEndpoint, id: string): Promise<Delivery> {
    const delivery = await this.log.find(endpoint, id);
    if (!delivery) throw new Problem('delivery_not_found');
    return delivery;
  }

  private async queue(
    owner: Owner,
    endpointId: string,
    what: Pick<Delivery, 'type'> & Partial<Delivery>,
    hook: TransactionHook<Delivery>,
  ): Promise<WebhookDeliveryResponse> {
    return this.whileLocked(owner, endpointId, async (tx, endpoint) => {
      const delivery = newDelivery(endpoint, what, this.clock.now());
      await this.log.insert(tx, delivery);
      this.count(tx, owner, 1);
      await hook(tx, delivery);
      return webhookDeliveryResponse(delivery);
    });
  }

  /**
   * Deliveries to a disabled endpoint wait until it is enabled.
   * @throws Problem `webhook_endpoint_not_found`; `rate_limited` while too many are waiting, or after too many
   */
  private async whileLocked<T>(
    owner: Owner,
    endpointId: string,
    work: (tx: EntityManager, endpoint: WebhookEndpoint) => Promise<T>,
  ): Promise<T> {
    const wait = await this.writtenRows.secondsUntilAllowed('resentEvents', owner);
    if (wait !== null) throw tooManyResent(wait);
    return this.database.transaction(async (tx) => {
      const endpoint = await this.endpoints.lock(tx, owner, endpointId);
      if ((await this.log.countAsked(tx, endpoint, ASKED_MAX)) >= ASKED_MAX) throw tooMuchWaits();
      this.database.afterCommit(tx, () => this.deliverySignal.wake());
      return work(tx, endpoint);
    });
  }

  /** Counts rows, too: delivered events no longer wait, but stay in the log with their attempts. */
  private count(tx: EntityManager, owner: Owner, deliveries: number): void {
    this.database.afterCommit(
      tx,
      () => void this.writtenRows.wrote('resentEvents', owner, deliveries),
    );
  }
}

const tooManyResent = (seconds: number): Problem =>
  new Problem('rate_limited', {
    detail: 'Too many tests and events were sent again for this merchant lately. Try again later.',
    headers: { 'retry-after': String(seconds) },
  });

const tooMuchWaits = (): Problem =>
  new Problem('rate_limited', {
    detail: `At most ${ASKED_MAX} tests and events that are sent again wait for a merchant’s endpoints. Wait until some were delivered, or delete an endpoint that takes none.`,
    headers: { 'retry-after': String(RETRY_AFTER) },
  });

const newDelivery = (
  { merchantId, id, mode }: WebhookEndpoint,
  what: Pick<Delivery, 'type'> & Partial<Delivery>,
  now: Date,
): Delivery => ({
  merchantId,
  id: uuidv7(now.getTime()),
  mode,
  eventId: null,
  txid: null,
  sequence: null,
  endpointId: id,
  recipientId: null,
  data: null,
  resent: false,
  status: 'pending',
  attempts: 0,
  extraAttempts: 0,
  failedAt: null,
  scheduledAt: null,
  nextAttemptAt: now,
  createdAt: now,
  completedAt: null,
  ...what,
});

/**
 * Excludes events older than the log, since it is unknown whether they were delivered.
 * @throws Problem `validation_failed` for a range that ends before it begins
 */
function rangeOf({ from, to, includeDelivered = false }: ResendEventsRequest, now: Date): Resend {
  if (to !== undefined && Date.parse(to) < Date.parse(from)) {
    throw new Problem('validation_failed', {
      detail: 'One field is not valid: /to.',
      errors: [
        { pointer: '/to', code: 'out_of_range', detail: 'This must not lie before `from`.' },
      ],
    });
  }
  return {
    from: new Date(Math.max(Date.parse(from), now.getTime() - LOG_KEPT_MS)),
    to: to === undefined ? now : new Date(to),
    includeDelivered,
    limit: RESEND_MAX,
  };
}
