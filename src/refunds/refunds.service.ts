import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { contentHash } from '../common/canonical-json.js';
import { uuidv7 } from '../common/ids.js';
import { Clock } from '../common/time/clock.js';
import type { RefundResponse } from '../contract/refund.response.js';
import { Database } from '../database/database.js';
import { violatedCheck, violatedUnique } from '../database/faults.js';
import { JobScheduler } from '../database/jobs/job-scheduler.js';
import type { Owner } from '../database/keys.js';
import type { Order } from '../database/orders/order.entity.js';
import { OrderRepository } from '../database/orders/order.repository.js';
import type { Refund, RefundOrigin } from '../database/refunds/refund.entity.js';
import { RefundRepository } from '../database/refunds/refund.repository.js';
import { noHook, type TransactionHook } from '../database/transaction-hook.js';
import type { RenderedAnswer } from '../http/http.js';
import { Problem } from '../http/problems/problem.js';
import type { Caller } from '../merchants/api-key.guard.js';
import { RefundPayouts } from '../payouts/refund-payouts.service.js';
import { type LockedRefund, RefundMover } from '../refund-lifecycle/refund-mover.js';
import { IdempotencyService, type IdempotentRequest } from '../orders/idempotency.service.js';
import type { CreateRefundRequest } from './dto/create-refund.request.js';
import { payeeOf } from './payee.js';
import { refundAnswer, located, responseOf } from './refund-answers.js';
import { AWAITS_PAYER, RefundPayees } from './refund-payees.service.js';
import { RefundSources } from './refund-sources.js';

export const REFUND_JOB = 'refunds';

const HANDLED =
  'The balance is too low without money of bank transfers, and without money about which one operator decided: such money is paid out, and refunds nothing by a provider. Or an operator has to review a report about the order first.';

const NO_REQUESTER =
  'Live refunds are approved by somebody other than the person who made the key. This key was made on the command line: make one in the portal.';

const CREATE_ROUTE = 'POST /api/order/{txid}/refund';

/** A requested refund, and who requests it. */
interface Requested {
  readonly request: CreateRefundRequest;
  readonly origin: RefundOrigin;
  /** The user, or the creator of the API key. */
  readonly requestedBy: string | null;
}

/** Equal for equal requests. */
const hashOf = (txid: string, request: CreateRefundRequest): Buffer =>
  contentHash({ txid, request });

/** Requests, approves and cancels refunds. */
@Injectable()
export class RefundsService {
  constructor(
    private readonly database: Database,
    private readonly orders: OrderRepository,
    private readonly refunds: RefundRepository,
    private readonly sources: RefundSources,
    private readonly mover: RefundMover,
    private readonly refundPayouts: RefundPayouts,
    private readonly payees: RefundPayees,
    private readonly idempotency: IdempotencyService,
    private readonly jobs: JobScheduler,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a refund by API, or returns the first answer to a repeat.
   * @throws Problem as `request`, and `idempotency_key_reused`
   */
  async create(
    caller: Caller,
    txid: string,
    request: CreateRefundRequest,
    key: string | undefined,
  ): Promise<RenderedAnswer> {
    const hash = hashOf(txid, request);
    const remembered: IdempotentRequest | undefined =
      key === undefined ? undefined : { route: CREATE_ROUTE, key, contentHash: hash };
    const earlier = remembered && (await this.idempotency.claim(caller, txid, remembered));
    if (earlier) return { ...located(earlier), replayed: true };
    return this.once(caller, txid, async (tx, order) => {
      const first = remembered && (await this.idempotency.findIn(tx, caller, remembered));
      if (first) return { ...located(first), replayed: true };
      const existing = await this.existing(tx, order, request, hash);
      const requestedBy = await this.refunds.creatorOf(tx, caller);
      const refund =
        existing ?? (await this.requestIn(tx, order, { request, origin: 'api', requestedBy }));
      const answer = refundAnswer(existing ? 200 : 201, refund, order, caller);
      if (remembered) await this.idempotency.rememberIn(tx, caller, txid, remembered, answer);
      return located(answer);
    }).catch((error: unknown) => {
      throw this.idempotency.rememberProblem(error, caller, txid, remembered);
    });
  }

  /**
   * Creates a refund for a user of the portal.
   * @throws Problem `order_not_found`, `order_not_refundable`, `refund_too_large`, `refundable_changed`,
   * `insufficient_balance`
   */
  request(
    owner: Owner,
    txid: string,
    request: CreateRefundRequest,
    requestedBy: string,
    hook: TransactionHook<Refund> = noHook,
  ): Promise<Refund> {
    return this.once(owner, txid, async (tx, order) => {
      const refund = await this.requestIn(tx, order, { request, origin: 'portal', requestedBy });
      await hook(tx, refund);
      return refund;
    });
  }

  /** @throws Problem `refund_not_found`, `refund_not_cancelable` */
  cancel(
    owner: Owner,
    id: string,
    hook: TransactionHook<Refund> = noHook,
  ): Promise<RefundResponse> {
    return this.cancelOnce(owner, id, hook).catch((error: unknown) => {
      // The payer has just entered an account, so that a payout is to be cancelled, too.
      if (violatedCheck(error) !== 'refunds_follow_payout') throw error;
      return this.cancelOnce(owner, id, hook);
    });
  }

  private cancelOnce(
    owner: Owner,
    id: string,
    hook: TransactionHook<Refund>,
  ): Promise<RefundResponse> {
    return this.withFound(owner, id, async (tx, found) => {
      // Also moves the refund. Locks its payout before the order, like everything that moves payouts.
      const isDone = found.method === 'bank' && (await this.refundPayouts.cancel(tx, found));
      const locked = await this.mover.lock(tx, found);
      const { order, refund } = locked;
      if (isDone) await hook(tx, refund);
      if (refund.status === 'cancelled') return responseOf(refund, order);
      // The provider may have received a refund that was attempted.
      if (refund.attempts > 0) throw notCancelable(refund);
      const { refund: cancelled } = await this.mover.move(tx, locked, 'cancelled', {
        statusReason: null,
      });
      await hook(tx, cancelled);
      return responseOf(cancelled, order);
    });
  }

  /** @throws Problem `refund_not_found`, `refund_not_cancelable`, `refund_second_person`, `insufficient_balance` */
  approve(owner: Owner, id: string, userId: string, hook: TransactionHook<Refund>): Promise<void> {
    const approved = this.withLocked(owner, id, async (tx, locked) => {
      assertByProvider(locked.refund);
      if (locked.refund.requestedBy === userId) throw new Problem('refund_second_person');
      const { refund } = await this.send(tx, locked, userId);
      await hook(tx, refund);
    });
    return approved.catch((error: unknown) => {
      const isHandled = violatedCheck(error) === 'refunds_money_handled';
      throw isHandled ? new Problem('insufficient_balance', { detail: HANDLED }) : error;
    });
  }

  /** @throws Problem `refund_not_found`, `refund_not_cancelable` */
  reject(
    owner: Owner,
    id: string,
    statusReason: string,
    hook: TransactionHook<Refund>,
  ): Promise<void> {
    return this.withLocked(owner, id, async (tx, locked) => {
      assertByProvider(locked.refund);
      const { refund } = await this.mover.move(tx, locked, 'rejected', { statusReason });
      await hook(tx, refund);
    });
  }

  /** Locks the order, which serialises its refunds. */
  private once<T>(
    owner: Owner,
    txid: string,
    work: (tx: EntityManager, order: Order) => Promise<T>,
  ): Promise<T> {
    const done = this.database.transaction(async (tx) => {
      const order = await this.orders.lock(tx, owner.merchantId, txid);
      if (order?.mode !== owner.mode) throw new Problem('order_not_found');
      return work(tx, order);
    });
    return done.catch((error: unknown) => {
      if (violatedUnique(error) === 'refunds_merchant_id_once')
        throw new Problem('refund_already_exists');
      // The payer of the order is not the one that the bank named, for example because an operator added it.
      const isElsewhere = violatedCheck(error) === 'payouts_account_usable';
      throw isElsewhere ? new Problem('order_not_refundable', { members: { txid } }) : error;
    });
  }

  private withLocked<T>(
    owner: Owner,
    id: string,
    work: (tx: EntityManager, locked: LockedRefund) => Promise<T>,
  ): Promise<T> {
    return this.withFound(owner, id, async (tx, found) =>
      work(tx, await this.mover.lock(tx, found)),
    );
  }

  private async withFound<T>(
    owner: Owner,
    id: string,
    work: (tx: EntityManager, found: Refund) => Promise<T>,
  ): Promise<T> {
    const found = await this.refunds.find(owner, id);
    if (!found) throw new Problem('refund_not_found');
    return this.database.transaction((tx) => work(tx, found));
  }

  /** The refund that has the id. @throws Problem `refund_already_exists` if its request was another one */
  private async existing(
    tx: EntityManager,
    order: Order,
    { refundMerchantId }: CreateRefundRequest,
    hash: Buffer,
  ): Promise<Refund | null> {
    if (refundMerchantId === undefined) return null;
    const refund = await this.refunds.findByMerchantId(tx, order, refundMerchantId);
    if (refund && !refund.contentHash.equals(hash))
      throw new Problem('refund_already_exists', { members: { refundId: refund.id } });
    return refund;
  }

  private async requestIn(
    tx: EntityManager,
    order: Order,
    { request, origin, requestedBy }: Requested,
  ): Promise<Refund> {
    const taken = await this.sources.take(tx, order, request);
    const { payment, method, amount, fromUnallocated, asksPayer } = taken;
    if (order.mode === 'live' && method === 'provider' && requestedBy === null)
      throw new Problem('refund_second_person', { detail: NO_REQUESTER });
    const now = this.clock.now();
    const locked = await this.mover.request(tx, order, payment, {
      merchantId: order.merchantId,
      id: uuidv7(now.getTime()),
      mode: order.mode,
      txid: order.txid,
      paymentId: payment.id,
      refundMerchantId: request.refundMerchantId ?? null,
      contentHash: hashOf(order.txid, request),
      amount,
      fromUnallocated,
      currency: order.currency,
      status: 'requested',
      statusReason: asksPayer ? AWAITS_PAYER : null,
      method,
      origin,
      reason: request.reason ?? null,
      requestedBy,
      nextAttemptAt: asksPayer ? this.payees.expiryOf(now) : null,
      createdAt: now,
      updatedAt: now,
    });
    if (asksPayer) await this.payees.ask(tx, locked.refund);
    else if (method === 'bank')
      await this.refundPayouts.request(tx, locked.refund, payeeOf(payment, order));
    else if (order.mode === 'test') return (await this.send(tx, locked, null)).refund;
    return locked.refund;
  }

  /** Approves the refund, and lets the job call the provider. */
  private async send(
    tx: EntityManager,
    locked: LockedRefund,
    approvedBy: string | null,
  ): Promise<LockedRefund> {
    const now = this.clock.now();
    const patch = { nextAttemptAt: now, ...(approvedBy === null ? {} : { approvedBy }) };
    const sent = await this.mover.move(tx, locked, 'approved', patch);
    this.database.afterCommit(tx, () => void this.jobs.wake(REFUND_JOB, now));
    return sent;
  }
}

/** @throws Problem `refund_second_person` for a refund by bank, which an operator decides */
function assertByProvider({ method }: Refund): void {
  if (method !== 'bank') return;
  throw new Problem('refund_second_person', {
    detail: 'An operator of the platform approves or rejects refunds by bank.',
  });
}

const notCancelable = ({ id, status }: Refund): Problem =>
  new Problem('refund_not_cancelable', { members: { refundId: id, refundStatus: status } });
