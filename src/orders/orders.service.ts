import { Injectable } from '@nestjs/common';
import { contentHash } from '../common/canonical-json.js';
import { Clock } from '../common/time/clock.js';
import { tokenAt, uuidv7 } from '../common/ids.js';
import { Config } from '../config/config.js';
import { answerOf } from '../contract/answers.js';
import {
  CreatedOrderResponse,
  type OrderResponse,
  orderResponse,
} from '../contract/order.response.js';
import { warningsAbout } from '../contract/parse.js';
import { inVersion } from '../contract/versions/versions.js';
import { violatedUnique } from '../database/faults.js';
import type { NewOrder, OrderWithPayment } from '../database/orders/order.entity.js';
import { OrderRepository, type Selector } from '../database/orders/order.repository.js';
import type { RememberedAnswer } from '../database/orders/order-insert-row.js';
import { asStored } from '../database/orders/order.rows.js';
import { type ApiVersion, isBefore } from '../common/api-version.js';
import type { RenderedAnswer } from '../http/http.js';
import { Problem, unavailable } from '../http/problems/problem.js';
import type { Caller } from '../merchants/api-key.guard.js';
import { DeliverySignal } from '../notifications/delivery-signal.js';
import { CancellationService } from '../payments/cancellation.service.js';
import { TransferOffersService } from '../payments/transfer-offers.service.js';
import { ProviderRegistry } from '../providers/provider-registry.js';
import { OrderMetrics } from '../status/order-metrics.js';
import {
  toOrderColumns,
  type CreateOrderRequest,
  EXPIRY_MINUTES,
} from './dto/create-order.request.js';
import type { UpdateOrderRequest } from './dto/update-order.request.js';
import { redactFor, shownTo } from './dto/order.visibility.js';
import {
  type EarlierAnswer,
  IdempotencyService,
  type IdempotentRequest,
} from './idempotency.service.js';
import { type AnsweredOnce, etagOf, OrderUpdateService } from './order-update.service.js';

const CREATE_ROUTE = 'POST /api/order';
const CANCEL_ROUTE = 'DELETE /api/order/{txid}';
const UPDATE_ROUTE = 'PATCH /api/order/{txid}';

/** Retries of a creation when the order that held the id ends concurrently. */
const ROUNDS_MAX = 3;

@Injectable()
export class OrdersService {
  constructor(
    private readonly orders: OrderRepository,
    private readonly idempotency: IdempotencyService,
    private readonly cancellation: CancellationService,
    private readonly updates: OrderUpdateService,
    private readonly transferOffers: TransferOffersService,
    private readonly providers: ProviderRegistry,
    private readonly deliverySignal: DeliverySignal,
    private readonly metrics: OrderMetrics,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /**
   * Creates an order, or returns the first answer to a repeat. Unique indexes decide which request is the first.
   * @throws Problem `no_payment_method`, `idempotency_key_reused`, `order_already_exists`
   */
  async create(
    caller: Caller,
    request: CreateOrderRequest,
    key: string | undefined,
  ): Promise<RenderedAnswer> {
    if (!(await this.isPayable(caller, request))) throw new Problem('no_payment_method');
    const hash = contentHash(request);
    const remembered =
      key === undefined ? undefined : { route: CREATE_ROUTE, key, contentHash: hash };
    for (let round = 1; ; round++) {
      const order = this.newOrder(caller, request, hash);
      const answer = this.created(201, asStored(order), caller, request);
      if (await this.isFirst(order, remembered && { ...remembered, ...answer })) {
        this.metrics.orders.inc({ status: 'open' });
        this.deliverySignal.wake();
        return redactFor(caller, located(caller, { ...answer, txid: order.txid }));
      }
      const earlier = await this.earlierAnswer(caller, request, hash, remembered);
      if (earlier) return redactFor(caller, { ...located(caller, earlier), replayed: true });
      if (round === ROUNDS_MAX) throw unavailable('Orders with this id end as fast as they begin.');
    }
  }

  /** @throws Problem `order_not_found` */
  async get(caller: Caller, selector: Selector): Promise<OrderResponse> {
    return (await this.read(caller, selector)).order;
  }

  /** The order with its ETag. @throws Problem `order_not_found` */
  async read(caller: Caller, selector: Selector): Promise<{ order: OrderResponse; etag: string }> {
    const order = await this.orders.find(caller, selector);
    if (!order) throw new Problem('order_not_found');
    return { order: shownTo(caller, this.written(order)), etag: etagOf(order) };
  }

  /** @throws Problem `order_not_found`, `order_not_cancelable`, `idempotency_key_reused` */
  cancel(caller: Caller, txid: string, key: string | undefined): Promise<RenderedAnswer> {
    const remembered = key === undefined ? undefined : of(CANCEL_ROUTE, key, { txid });
    return this.once(caller, txid, remembered, () =>
      this.cancellation.cancel(caller, txid, 'by_merchant'),
    );
  }

  /**
   * Stores the change and its answer together: otherwise a repeat, concurrent or after a crash, could undo later
   * changes.
   * @throws Problem as `OrderUpdateService.update`, and `idempotency_key_reused`
   */
  async update(
    caller: Caller,
    txid: string,
    request: UpdateOrderRequest,
    tags: readonly string[] | undefined,
    key: string | undefined,
  ): Promise<RenderedAnswer> {
    const remembered = key === undefined ? undefined : of(UPDATE_ROUTE, key, { txid, request });
    const earlier = remembered && (await this.idempotency.claim(caller, txid, remembered));
    if (earlier) return redactFor(caller, { ...earlier, replayed: true });
    const answer = await this.updates
      .update(caller, txid, request, tags, this.answeredOnce(caller, remembered))
      .catch((error: unknown) => {
        throw this.idempotency.rememberProblem(error, caller, txid, remembered);
      });
    return redactFor(caller, answer);
  }

  private answeredOnce(
    caller: Caller,
    remembered: IdempotentRequest | undefined,
  ): AnsweredOnce<RenderedAnswer> {
    return {
      earlier: async (tx) => {
        const earlier = remembered && (await this.idempotency.findIn(tx, caller, remembered));
        return earlier ? { ...earlier, replayed: true } : null;
      },
      answer: async (tx, order) => {
        const answer = this.answer(200, order, caller.version);
        if (remembered) {
          await this.idempotency.rememberIn(tx, caller, order.txid, remembered, answer);
        }
        return answer;
      },
    };
  }

  /** Executes a request on an order, or returns the first answer to a repeat. */
  private async once(
    caller: Caller,
    txid: string,
    remembered: IdempotentRequest | undefined,
    act: () => Promise<OrderWithPayment>,
  ): Promise<RenderedAnswer> {
    const earlier = remembered && (await this.idempotency.claim(caller, txid, remembered));
    if (earlier) return redactFor(caller, { ...earlier, replayed: true });
    const order = await act().catch((error: unknown) => {
      throw this.idempotency.rememberProblem(error, caller, txid, remembered);
    });
    const answer = this.answer(200, order, caller.version);
    if (remembered) await this.idempotency.remember(caller, txid, remembered, answer);
    return redactFor(caller, answer);
  }

  /** The order in the newest API version. */
  written(order: OrderWithPayment): OrderResponse {
    return orderResponse(order, this.config, this.providers);
  }

  /** Whether a payment method exists for the order. */
  private async isPayable(caller: Caller, { currency }: CreateOrderRequest): Promise<boolean> {
    if (caller.hasProvider) return true;
    const { merchantId, mode } = caller;
    return (await this.transferOffers.accountFor({ merchantId, mode, currency })) !== null;
  }

  /** The complete order as bytes, in the requested API version. */
  private answer(status: number, order: OrderWithPayment, version: ApiVersion): RenderedAnswer {
    return rendered(status, this.written(order), version, etagOf(order));
  }

  /** The complete order for its creator, with warnings about normalised input. */
  private created(
    status: number,
    order: OrderWithPayment,
    { version }: Caller,
    request: CreateOrderRequest,
  ): RenderedAnswer {
    const warnings = warningsAbout(request);
    const answer = answerOf(CreatedOrderResponse, { ...this.written(order), warnings });
    return rendered(status, answer, version, etagOf(order));
  }

  /** Inserts the order unless its id or the key is taken. */
  private isFirst(order: NewOrder, remembered: RememberedAnswer | undefined): Promise<boolean> {
    return this.orders.create(order, remembered).catch((error: unknown) => {
      if (violatedUnique(error) === undefined) throw error;
      return false;
    });
  }

  /**
   * Answer of an earlier request with the same key, or for the same order; null if the order that held the id has ended
   * meanwhile.
   */
  private async earlierAnswer(
    caller: Caller,
    request: CreateOrderRequest,
    hash: Buffer,
    remembered: IdempotentRequest | undefined,
  ): Promise<EarlierAnswer | null> {
    const known = remembered && (await this.idempotency.find(caller, remembered));
    if (known) return known;
    const { orderMerchantId } = request;
    const order = await this.orders.find(caller, { orderMerchantId });
    if (!order?.holdsMerchantId) return null;
    if (!order.contentHash.equals(hash)) {
      const problem = alreadyExists(order);
      throw this.idempotency.rememberProblem(problem, caller, order.txid, remembered);
    }
    const answer = this.created(200, order, caller, request);
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
      ...toOrderColumns(request),
      createdAt,
      expiresAt: new Date(createdAt.getTime() + minutes * 60_000),
    };
  }
}

const rendered = (
  status: number,
  answer: OrderResponse,
  apiVersion: ApiVersion,
  etag: string,
): RenderedAnswer => ({
  status,
  body: JSON.stringify(inVersion(apiVersion, answer)),
  apiVersion,
  etag,
});

const of = (route: string, key: string, content: object): IdempotentRequest => ({
  route,
  key,
  contentHash: contentHash(content),
});

/** Adds `Location`, with an operation that the caller's version has and does not deprecate. */
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
