import { Injectable } from '@nestjs/common';
import type { ApiVersion } from '../common/api-version.js';
import { contentHash } from '../common/canonical-json.js';
import { Clock } from '../common/clock.js';
import { Problem, unavailable } from '../common/problem.js';
import type { Answer } from '../common/http.js';
import { randomToken, uuidv7 } from '../common/ids.js';
import { parseBody } from '../common/validation.js';
import { Config } from '../config/config.js';
import type { OrderWithPayment } from '../database/entities/order.entity.js';
import { violatedUnique } from '../database/faults.js';
import {
  type NewOrder,
  OrderRepository,
  type RememberedAnswer,
  type Selector,
} from '../database/repositories/order.repository.js';
import type { Caller } from '../merchants/api-key.guard.js';
import { DeliveryBell } from '../notifications/delivery-bell.js';
import { ProviderRegistry } from '../providers/provider-registry.js';
import { CancellationService } from '../status/cancellation.service.js';
import { Tally } from '../status/tally.js';
import { CreateOrderRequest, LIVE_RULES, VERSION_1_0_RULES } from './dto/create-order.dto.js';
import { orderResponse } from './dto/order.response.js';
import { shownTo } from './dto/order.visibility.js';
import { EXPIRY_MINUTES } from './dto/rules.js';
import { IdempotencyService, type RememberedRequest } from './idempotency.service.js';
import { orderIn } from './versions/versions.js';

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
    private readonly bell: DeliveryBell,
    private readonly tally: Tally,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /**
   * Creates an order, or answers a repeat with what the first request got. Unique indexes decide
   * which request is the first.
   * @throws Problem `validation_failed`, `no_payment_method`, `idempotency_key_reused`,
   *   `order_already_exists`
   */
  async create(caller: Caller, body: unknown, key: string | undefined): Promise<Answer> {
    const request = parseBody(CreateOrderRequest, body, ruleGroups(caller));
    if (!caller.hasProvider) throw new Problem('no_payment_method');
    const hash = contentHash(request);
    const remembered =
      key === undefined ? undefined : { route: CREATE_ROUTE, key, contentHash: hash };
    for (let round = 1; ; round++) {
      const order = this.newOrder(caller, request, hash);
      const answer = this.answer(201, asStored(order), caller.version);
      if (await this.isFirst(order, remembered && { ...remembered, ...answer })) {
        this.tally.orders.inc({ status: 'open' });
        this.bell.ring();
        return shownTo(caller, { ...answer, location: `/api/order/${order.txid}` });
      }
      const earlier = await this.earlierAnswer(caller, request.orderMerchantId, hash, remembered);
      if (earlier) return shownTo(caller, { ...earlier, replayed: true });
      if (round === ROUNDS_MAX) throw unavailable('Orders with this id end as fast as they begin.');
    }
  }

  /** @throws Problem `order_not_found` */
  async get(caller: Caller, selector: Selector): Promise<Answer> {
    const order = await this.orders.find(caller, selector);
    if (!order) throw new Problem('order_not_found');
    return shownTo(caller, this.answer(200, order, caller.version));
  }

  /** @throws Problem `order_not_found`, `order_not_cancelable`, `idempotency_key_reused` */
  async cancel(caller: Caller, txid: string, key: string | undefined): Promise<Answer> {
    const remembered =
      key === undefined
        ? undefined
        : { route: CANCEL_ROUTE, key, contentHash: contentHash({ txid }) };
    const earlier = remembered && (await this.idempotency.claim(caller, txid, remembered));
    if (earlier) return shownTo(caller, { ...earlier, replayed: true });
    const order = await this.cancellation
      .cancel(caller, txid, 'by_merchant')
      .catch((error: unknown) => {
        throw this.idempotency.rememberProblem(error, caller, txid, remembered);
      });
    const answer = this.answer(200, order, caller.version);
    if (remembered) await this.idempotency.remember(caller, txid, remembered, answer);
    return shownTo(caller, answer);
  }

  /** The whole order as bytes, in the asked contract. */
  answer(status: number, order: OrderWithPayment, version: ApiVersion): Answer {
    const newest = orderResponse(order, {
      publicUrl: this.config.publicUrl,
      canVoid: (provider) => this.providers.canVoid(provider),
    });
    return { status, body: JSON.stringify(orderIn(version, newest)), apiVersion: version };
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
  ): Promise<Answer | null> {
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
    return answer;
  }

  private newOrder(caller: Caller, request: CreateOrderRequest, hash: Buffer): NewOrder {
    const createdAt = this.clock.now();
    const minutes = request.expiresInMinutes ?? EXPIRY_MINUTES.standard;
    return {
      merchantId: caller.merchantId,
      txid: uuidv7(createdAt.getTime()),
      mode: caller.mode,
      orderMerchantId: request.orderMerchantId,
      contentHash: hash,
      amount: request.amount,
      currency: request.currency,
      description: request.description ?? null,
      customerName: request.customer?.name ?? null,
      customerEmail: request.customer?.email ?? null,
      optionalFields: request.optionalFields ?? {},
      pageToken: randomToken(),
      returnUrl: request.returnUrl ?? null,
      cancelUrl: request.cancelUrl ?? null,
      locale: request.locale ?? null,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + minutes * 60_000),
    };
  }
}

const ruleGroups = (caller: Caller): string[] => [
  ...(caller.mode === 'live' ? [LIVE_RULES] : []),
  ...(caller.version === '1.0' ? [VERSION_1_0_RULES] : []),
];

/** The row that the database makes of a new order. */
const asStored = (order: NewOrder): OrderWithPayment => ({
  ...order,
  holdsMerchantId: true,
  status: 'open',
  statusReason: null,
  exception: 'none',
  amountReceived: 0,
  amountRefunded: 0,
  fee: null,
  attempts: 0,
  paymentId: null,
  payment: null,
  version: 1,
  updatedAt: order.createdAt,
  paidAt: null,
});

const alreadyExists = (order: OrderWithPayment): Problem =>
  new Problem('order_already_exists', {
    detail: `The order ${order.orderMerchantId} exists with other content and is ${order.status}.`,
    members: { txid: order.txid, orderStatus: order.status },
  });
