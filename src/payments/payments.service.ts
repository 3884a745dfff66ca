import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../common/time/clock.js';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { violatedUnique } from '../database/faults.js';
import type { OrderKey, PaymentKey } from '../database/keys.js';
import { MerchantRepository } from '../database/merchants/merchant.repository.js';
import { awaitsTransfer, type Order } from '../database/orders/order.entity.js';
import { OrderRepository } from '../database/orders/order.repository.js';
import type { Payment } from '../database/payments/payment.entity.js';
import { PaymentRepository } from '../database/payments/payment.repository.js';
import type {
  ProviderEvent,
  ProviderEventResult,
} from '../database/providers/provider-event.entity.js';
import { Problem } from '../http/problems/problem.js';
import { ProviderRegistry } from '../providers/provider-registry.js';
import type { StartResult } from '../providers/provider.js';
import { OrderMetrics } from '../status/order-metrics.js';
import { StatusService } from '../status/status.service.js';
import { nextPollAt } from '../lifecycle/poll-schedule.js';
import type { PaymentUpdate } from './settlement.js';
import { SettlementService } from './settlement.service.js';
import { assertStartable, newPayment, type Start } from './start.js';
import { TransfersService } from './transfers.service.js';

/** Milliseconds after which a provider call times out; the outcome is then unknown. */
export const PROVIDER_TIMEOUT_MS = 10_000;

const UNKNOWN = { kind: 'unknown' } as const;

/** Starts payments and polls their outcomes. All updates go through `apply`. */
@Injectable()
export class PaymentsService {
  private readonly logger = new Logger('payments');

  constructor(
    private readonly database: Database,
    private readonly orders: OrderRepository,
    private readonly payments: PaymentRepository,
    private readonly merchants: MerchantRepository,
    private readonly status: StatusService,
    private readonly settlement: SettlementService,
    private readonly transfers: TransfersService,
    private readonly providers: ProviderRegistry,
    private readonly metrics: OrderMetrics,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /**
   * Starts a payment of the outstanding amount. The payment is stored before the provider is called, so that polling
   * finds it after a crash. Gives up a pending transfer.
   * @throws Problem `order_not_payable`, `payment_in_progress`, `order_changed`
   */
  async start(order: OrderKey, start: Start): Promise<Payment> {
    if (this.providers.get(start.provider).isTransfer) return this.transfers.choose(order, start);
    const { locked, payment } = await this.open(order, start).catch((error: unknown) => {
      if (violatedUnique(error) === 'payments_one_live') throw new Problem('payment_in_progress');
      throw error;
    });
    this.metrics.payments.inc({ provider: payment.provider, outcome: 'started' });
    const result = await this.askToStart(locked, payment);
    if (result.kind === 'started') {
      await this.payments.started(payment, result.providerReference, result.redirectUrl);
      return { ...payment, ...result };
    }
    await this.apply(payment, result);
    return payment;
  }

  /**
   * Single entry point for updates by callbacks, redirects, polls and expiry: locks the order, and writes payment,
   * order and events in one transaction.
   * @returns `waiting` if the payment does not exist (yet); the event is applied later
   */
  apply(
    key: PaymentKey,
    update: PaymentUpdate,
    event?: ProviderEvent,
  ): Promise<ProviderEventResult | 'waiting'> {
    const now = this.clock.now();
    return this.database.transaction((tx) => this.settlement.settle(tx, key, update, event, now));
  }

  /**
   * Polls the provider for the outcome of a payment, and voids a payment that its order no longer needs. Transfers are
   * not polled.
   * @returns false while the outcome is unknown
   */
  async poll(payment: Payment): Promise<boolean> {
    if (this.provider(payment).isTransfer) return false;
    const outcome = await this.withTimeout(() => this.provider(payment).status(payment), UNKNOWN);
    await this.apply(payment, outcome);
    if (outcome.kind === 'accepted' || outcome.kind === 'declined') return true;
    if (await this.isWanted(payment)) return false;
    if (!(await this.void(payment))) return false;
    await this.apply(payment, { kind: 'voided', because: 'expired' });
    return true;
  }

  /** A scheduled poll: updates the schedule, and gives the payment up after the last one. */
  async pollOnSchedule(payment: Payment): Promise<void> {
    const order = await this.orderOf(payment);
    const { expiresAt } = order;
    const awaited = { startedAt: payment.createdAt, expiresAt };
    const days = this.config.unknownOutcomeDays;
    const next = nextPollAt(payment.polls + 1, this.clock.now(), awaited, days);
    // The last poll stays due until it has ended, so that an interrupted one is repeated.
    if (!(await this.payments.recordPoll(payment, next ?? payment.nextPollAt))) return;
    const isOver = await this.poll(payment);
    if (!isOver && !next) await this.apply(payment, { kind: 'given_up' });
  }

  /** @returns true if the provider confirms that the payment will never be made */
  async void(payment: Payment): Promise<boolean> {
    const provider = this.provider(payment);
    if (!provider.void) return false;
    return this.withTimeout(() => provider.void!(payment), false);
  }

  private provider(payment: Payment) {
    return this.providers.get(payment.provider);
  }

  /** A payment is needed while its order waits for it and has not expired. */
  private async isWanted(payment: Payment): Promise<boolean> {
    const order = await this.orderOf(payment);
    return order.status === 'processing' && order.expiresAt > this.clock.now();
  }

  private async orderOf(payment: Payment): Promise<Order> {
    const order = await this.orders.findAny(payment.merchantId, payment.txid);
    if (!order) throw new Error('a payment has no order');
    return order;
  }

  private open(
    { merchantId, txid }: OrderKey,
    start: Start,
  ): Promise<{ locked: Order; payment: Payment }> {
    return this.database.transaction(async (tx) => {
      const now = this.clock.now();
      const locked = await this.orders.lock(tx, merchantId, txid);
      if (!locked) throw new Problem('order_not_found');
      assertStartable(locked, start, now);
      if (awaitsTransfer(locked)) await this.transfers.giveUp(tx, locked, now);
      const { expiresAt } = locked;
      const awaited = { startedAt: now, expiresAt };
      const firstPollAt = nextPollAt(0, now, awaited, this.config.unknownOutcomeDays);
      const payment = newPayment(locked, start, firstPollAt, now);
      await this.payments.insert(tx, payment);
      await this.status.move(
        tx,
        locked,
        {
          to: 'processing',
          reason: 'awaiting_provider',
          paymentId: payment.id,
          attempts: locked.attempts + 1,
        },
        now,
      );
      return { locked, payment };
    });
  }

  private async askToStart(order: Order, payment: Payment): Promise<StartResult> {
    const merchant = await this.merchants.find(order.merchantId);
    const request = {
      payment,
      merchantName: merchant?.name ?? '',
      description: order.description,
      returnUrl: `${this.config.publicUrl}/pay/${order.pageToken}/return`,
    };
    return this.withTimeout(() => this.provider(payment).start(request), UNKNOWN);
  }

  /** Treats errors and timeouts of the provider as no answer. */
  private async withTimeout<T>(ask: () => Promise<T>, otherwise: T): Promise<T> {
    const end = new AbortController();
    const late = sleep(PROVIDER_TIMEOUT_MS, otherwise, { signal: end.signal, ref: false });
    late.catch(() => undefined);
    try {
      return await Promise.race([ask(), late]);
    } catch (error) {
      this.logger.warn(
        { event: 'provider.call.failed', err: error },
        'the provider did not answer',
      );
      return otherwise;
    } finally {
      end.abort();
    }
  }
}
