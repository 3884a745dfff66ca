import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { lastDayBefore, STATEMENT_DAYS } from '../common/time/bank-days.js';
import { Clock } from '../common/time/clock.js';
import { TransferReferenceRepository } from '../database/bank/matching/transfer-reference.repository.js';
import { Database } from '../database/database.js';
import { JobScheduler } from '../database/jobs/job-scheduler.js';
import { IdempotencyRepository } from '../database/orders/idempotency.repository.js';
import type { OrderKey } from '../database/keys.js';
import { awaitsTransfer, isFinished, type Order } from '../database/orders/order.entity.js';
import { OrderRepository } from '../database/orders/order.repository.js';
import { PaymentRepository } from '../database/payments/payment.repository.js';
import { ProviderEventRepository } from '../database/providers/provider-event.repository.js';
import { drainBatches } from '../database/drain-batches.js';
import { StatusService } from '../status/status.service.js';
import { PaymentsService } from './payments.service.js';
import { ProviderCallbacksService } from './provider-callbacks.service.js';
import { expiry } from './settlement.js';
import { SettlementService } from './settlement.service.js';

export const SWEEP_JOB = 'sweep';
/** Maximum rows of one kind per query, merchants in turns. */
const BATCH_MAX = 500;
/** Maximum duration of the polls of a sweep, since providers may not answer; the next sweep continues. */
const POLLS_MS = 10_000;
/** Parallel polls. */
const POLLS_AT_ONCE = 5;
/** Milliseconds before the next timer for which the sweep schedules itself. */
const HORIZON_MS = 60_000;
/** Idempotency records are kept for twice the promised 24 hours. */
const REMEMBERED_MS = 48 * 3_600_000;

/** Runs due work. The tables decide what is due; the job only triggers the sweep. */
@Injectable()
export class Sweeper implements OnModuleInit {
  private readonly logger = new Logger('sweep');

  constructor(
    private readonly database: Database,
    private readonly orders: OrderRepository,
    private readonly references: TransferReferenceRepository,
    private readonly paymentRows: PaymentRepository,
    private readonly events: ProviderEventRepository,
    private readonly idempotency: IdempotencyRepository,
    private readonly payments: PaymentsService,
    private readonly callbacks: ProviderCallbacksService,
    private readonly settlement: SettlementService,
    private readonly status: StatusService,
    private readonly jobs: JobScheduler,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.register(SWEEP_JOB, () => this.run());
  }

  async run(): Promise<void> {
    const now = this.clock.now();
    await this.applyForgotten(now);
    // In parallel, so that a silent provider does not delay the expiry of orders.
    await Promise.all([this.pollDue(now), this.expire(), this.expireTransfers()]);
    const before = new Date(now.getTime() - REMEMBERED_MS);
    await drainBatches('idempotency keys', (limit) => this.idempotency.purge(before, limit));
    const next = await this.orders.nextDue();
    if (next && next.getTime() - now.getTime() < HORIZON_MS) await this.jobs.wake(SWEEP_JOB, next);
  }

  /** Events without a payment are skipped: claiming them was the check. */
  private async applyForgotten(now: Date): Promise<void> {
    await drainBatches('callbacks to apply', async () => {
      const taken = await this.events.claim(now, BATCH_MAX);
      for (const event of taken) {
        if (event.isKnown) await this.callbacks.apply(event).catch(this.logAndContinue);
      }
      return taken.length;
    });
  }

  private async pollDue(now: Date): Promise<void> {
    const due = await this.paymentRows.listDueForPoll(now, BATCH_MAX);
    const end = performance.now() + POLLS_MS;
    while (due.length > 0 && performance.now() < end) {
      const polls = due
        .splice(0, POLLS_AT_ONCE)
        .map((payment) => this.payments.pollOnSchedule(payment));
      await Promise.all(polls.map((poll) => poll.catch(this.logAndContinue)));
    }
  }

  private async expire(): Promise<void> {
    await drainBatches('orders to expire', async () => {
      const now = this.clock.now();
      let expired = 0;
      for (const { merchantId, txid } of await this.orders.listDue(now, BATCH_MAX)) {
        if (await this.expireOne({ merchantId, txid }, now).catch(this.logAndContinue)) expired++;
      }
      return expired;
    });
  }

  /** Money may have been booked in time but not reported yet, so bank days decide the expiry. */
  private async expireTransfers(): Promise<void> {
    await drainBatches('transfers to expire', async () => {
      const now = this.clock.now();
      const today = now.toISOString().slice(0, 10);
      const givenUp = lastDayBefore(today, STATEMENT_DAYS);
      let over = 0;
      for (const key of await this.references.listOver(today, now, givenUp, BATCH_MAX)) {
        if (await this.expireTransfer(key, now).catch(this.logAndContinue)) over++;
      }
      return over;
    });
  }

  /** @returns false if not needed: a payment may have started between the query and the lock */
  expireOne({ merchantId, txid }: OrderKey, now: Date): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const order = await this.orders.lock(tx, merchantId, txid);
      return order !== null && this.expireLocked(tx, order, now);
    });
  }

  private expireTransfer({ merchantId, txid }: OrderKey, now: Date): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const order = await this.orders.lock(tx, merchantId, txid);
      if (!order) return false;
      const isOver = isFinished(order.status) || (await this.expireLocked(tx, order, now));
      if (isOver) await this.references.forget(tx, order);
      return isOver;
    });
  }

  private async expireLocked(tx: EntityManager, order: Order, now: Date): Promise<boolean> {
    if (order.expiresAt > now) return false;
    if (awaitsTransfer(order)) {
      const payment = { merchantId: order.merchantId, id: order.paymentId! };
      const ended = { kind: 'voided', because: 'expired' } as const;
      await this.settlement.settle(tx, payment, ended, undefined, now);
      return true;
    }
    if (order.status !== 'open') return false;
    await this.status.move(tx, order, expiry(order), now);
    return true;
  }

  /** One failed row must not block the others. */
  private readonly logAndContinue = (error: unknown): void =>
    this.logger.warn({ event: 'sweep.item.failed', err: error }, 'due item failed and is retried');
}
