import { Injectable } from '@nestjs/common';
import { contentHash } from '../common/canonical-json.js';
import { Clock } from '../common/clock.js';
import { tokenAt, uuidv7 } from '../common/ids.js';
import { Config } from '../config/config.js';
import { type OrderResponse, orderResponse } from '../contract/order.response.js';
import { inVersion } from '../contract/versions/versions.js';
import { violatedUnique } from '../database/faults.js';
import type { NewOrder, OrderWithPayment } from '../database/orders/order.entity.js';
import { OrderRepository, type Selector } from '../database/orders/order.repository.js';
import type { RememberedAnswer } from '../database/orders/new-row.js';
import { asStored } from '../database/orders/order.rows.js';
import { type ApiVersion, isBefore } from '../http/api-version.js';
import type { RenderedAnswer } from '../http/http.js';
import { Problem, unavailable } from '../http/problem.js';
import type { Caller } from '../merchants/api-key.guard.js';
import { DeliveryWakeUp } from '../notifications/delivery-wake-up.js';
import { CancellationService } from '../payments/cancellation.service.js';
import { ProviderRegistry } from '../providers/provider-registry.js';
import { OrderMetrics } from '../status/order-metrics.js';
import { asked, type CreateOrderRequest, EXPIRY_MINUTES } from './dto/create-order.request.js';
import { bytesShownTo, shownTo } from './dto/order.visibility.js';
import {
  type EarlierAnswer,
  IdempotencyService,
  type RememberedRequest,
} from './idempotency.service.js';

const CREATE_ROUTE = 'POST /api/order';
const CANCEL_ROUTE = 'DELETE /api/order/{txid}';

/** An order that held the id ended in the same moment: so often its creation is tried again. */
const ROUNDS_MAX = 3;

@Injectable()
export class OrdersService {
  constructor(
    private readonly orders: OrderRepository,
    private readonly idempotency: IdempotencyService,
    private readonly cancellation: CancellationService,
    private readonly providers: ProviderRegistry,
    private readonly wakeUp: DeliveryWakeUp,
    private readonly metrics: OrderMetrics,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /**
   * Creates an order, or answers a repeat with what the first request got. Unique indexes decide
   * which request is the first.
   * @throws Problem `no_payment_method`, `idempotency_key_reused`,
   *   `order_already_exists`
   */
  async create(
    caller: Caller,
    request: CreateOrderRequest,
    key: string | undefined,
  ): Promise<RenderedAnswer> {
    if (!caller.hasProvider) throw new Problem('no_payment_method');
    const hash = contentHash(request);
    const remembered =
      key === undefined ? undefined : { route: CREATE_ROUTE, key, contentHash: hash };
    for (let round = 1; ; round++) {
      const order = this.newOrder(caller, request, hash);
      const answer = this.answer(201, asStored(order), caller.version);
      if (await this.isFirst(order, remembered && { ...remembered, ...answer })) {
        this.metrics.orders.inc({ status: 'open' });
        this.wakeUp.wake();
        return bytesShownTo(caller, located(caller, { ...answer, txid: order.txid }));
      }
      const earlier = await this.earlierAnswer(caller, request.orderMerchantId, hash, remembered);
      if (earlier) return bytesShownTo(caller, { ...located(caller, earlier), replayed: true });
      if (round === ROUNDS_MAX) throw unavailable('Orders with this id end as fast as they begin.');
    }
  }

  /** @throws Problem `order_not_found` */
  async get(caller: Caller, selector: Selector): Promise<OrderResponse> {
    const order = await this.orders.find(caller, selector);
    if (!order) throw new Problem('order_not_found');
    return shownTo(caller, this.written(order));
  }

  /** @throws Problem `order_not_found`, `order_not_cancelable`, `idempotency_key_reused` */
  async cancel(caller: Caller, txid: string, key: string | undefined): Promise<RenderedAnswer> {
    const remembered =
      key === undefined
        ? undefined
        : { route: CANCEL_ROUTE, key, contentHash: contentHash({ txid }) };
    const earlier = remembered && (await this.idempotency.claim(caller, txid, remembered));
    if (earlier) return bytesShownTo(caller, { ...earlier, replayed: true });
    const order = await this.cancellation
      .cancel(caller, txid, 'by_merchant')
      .catch((error: unknown) => {
        throw this.idempotency.rememberProblem(error, caller, txid, remembered);
      });
    const answer = this.answer(200, order, caller.version);
    if (remembered) await this.idempotency.remember(caller, txid, remembered, answer);
    return bytesShownTo(caller, answer);
  }

  /** The order in the newest contract. */
  written(order: OrderWithPayment): OrderResponse {
    return orderResponse(order, this.config, this.providers);
  }

  /** The whole order as bytes, in the asked contract. */
  private answer(status: number, order: OrderWithPayment, version: ApiVersion): RenderedAnswer {
    const body = JSON.stringify(inVersion(version, this.written(order)));
    return { status, body, apiVersion: version };
  }

  /** Writes the order, unless its id or the key is taken. */
  private isFirst(order: NewOrder, remembered: RememberedAnswer | undefined): Promise<boolean> {
    return this.orders.create(order, remembered).catch((error: unknown) => {
      if (violatedUnique(error) === undefined) throw error;
      return false;
    });
  }

  /**
   * What an earlier request with the same key, or for the same order, leaves to say; null when the
   * order that held the id has ended meanwhile.
   */
  private async earlierAnswer(
    caller: Caller,
    orderMerchantId: string,
    hash: Buffer,
    remembered: RememberedRequest | undefined,
  ): Promise<EarlierAnswer | null> {
    const known = remembered && (await this.idempotency.find(caller, remembered));
    if (known) return known;
    const order = await this.orders.find(caller, { orderMerchantId });
    if (!order?.holdsMerchantId) return null;
    if (!order.contentHash.equals(hash)) {
      const problem = alreadyExists(order);
      throw this.idempotency.rememberProblem(problem, caller, order.txid, remembered);
    }
    const answer = this.answer(200, order, caller.version);
    if (remembered) await this.idempotency.remember(caller, order.txid, remembered, answer);
    return { ...answer, txid: order.txid };
  }

  private newOrder(caller: Caller, request: CreateOrderRequest, hash: Buffer): NewOrder {
    const createdAt = this.clock.now();
    const minutes = request.expiresInMinutes ?? EXPIRY_MINUTES.standard;
    return {
      merchantId: caller.merchantId,
      txid: uuidv7(createdAt.getTime()),
      mode: caller.mode,
      contentHash: hash,
      pageToken: tokenAt(createdAt.getTime()),
      ...asked(request),
      createdAt,
      expiresAt: new Date(createdAt.getTime() + minutes * 60_000),
    };
  }
}

/** Tells where the order is read, by an operation that the caller's version has and does not deprecate. */
function located({ version }: Caller, { txid, ...answer }: EarlierAnswer): RenderedAnswer {
  if (answer.status >= 300) return answer;
  const location = isBefore(version, '1.2') ? `/api/order/${txid}` : `/api/order?txid=${txid}`;
  return { ...answer, location };
}

const alreadyExists = (order: OrderWithPayment): Problem =>
  new Problem('order_already_exists', {
    detail: `The order ${order.orderMerchantId} exists with other content and is ${order.status}.`,
    members: { txid: order.txid, orderStatus: order.status },
  });
