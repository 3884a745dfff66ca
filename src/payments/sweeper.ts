import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { lastDayBefore, STATEMENT_DAYS } from '../common/bank-days.js';
import { Clock } from '../common/clock.js';
import { TransferReferenceRepository } from '../database/bank/transfer-reference.repository.js';
import { Database } from '../database/database.js';
import { JobQueue } from '../database/job-queue.js';
import { IdempotencyRepository } from '../database/orders/idempotency.repository.js';
import type { OrderKey } from '../database/keys.js';
import { awaitsTransfer, isFinished, type Order } from '../database/orders/order.entity.js';
import { OrderRepository } from '../database/orders/order.repository.js';
import { PaymentRepository } from '../database/payments/payment.repository.js';
import { ProviderEventRepository } from '../database/providers/provider-event.repository.js';
import { workOff } from '../database/work-off.js';
import { StatusService } from '../status/status.service.js';
import { PaymentsService } from './payments.service.js';
import { ProviderCallbacksService } from './provider-callbacks.service.js';
import { expiry } from './settlement.js';
import { SettlementService } from './settlement.service.js';

export const SWEEP_JOB = 'sweep';
/** Rows of one kind that one look finds at most, merchants in turns. */
const BATCH_MAX = 500;
/** A sweep looks at payments for so long: their providers may be silent, and others wait for the next. */
const POLLS_MS = 10_000;
/** Payments that are looked at side by side. */
const POLLS_AT_ONCE = 5;
/** The sweep wakes itself for what is due before the clock rings anyway, in milliseconds. */
const HORIZON_MS = 60_000;
/** Idempotency records are kept for twice the promised 24 hours. */
const REMEMBERED_MS = 48 * 3_600_000;

/** Does what is due: the tables say what, the job queue only says when to look. */
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
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.register(SWEEP_JOB, () => this.run());
  }

  async run(): Promise<void> {
    const now = this.clock.now();
    await this.applyForgotten(now);
    // Side by side: a provider that keeps silent must not keep other orders from expiring.
    await Promise.all([this.pollDue(now), this.expire(), this.expireTransfers()]);
    const before = new Date(now.getTime() - REMEMBERED_MS);
    await workOff('idempotency keys', (limit) => this.idempotency.purge(before, limit));
    const next = await this.orders.nextDue();
    if (next && next.getTime() - now.getTime() < HORIZON_MS) await this.jobs.wake(SWEEP_JOB, next);
  }

  /** What has no payment is not opened: taking it was the look. */
  private async applyForgotten(now: Date): Promise<void> {
    await workOff('callbacks to apply', async () => {
      const taken = await this.events.claim(now, BATCH_MAX);
      for (const event of taken) {
        if (event.isKnown) await this.callbacks.apply(event).catch(this.goOn);
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
      await Promise.all(polls.map((poll) => poll.catch(this.goOn)));
    }
  }

  private async expire(): Promise<void> {
    await workOff('orders to expire', async () => {
      const now = this.clock.now();
      let expired = 0;
      for (const { merchantId, txid } of await this.orders.listDue(now, BATCH_MAX)) {
        if (await this.expireOne({ merchantId, txid }, now).catch(this.goOn)) expired++;
      }
      return expired;
    });
  }

  /** Money may have been booked in time and not been told yet: the bank's day says when it is over. */
  private async expireTransfers(): Promise<void> {
    await workOff('transfers to wait for no longer', async () => {
      const now = this.clock.now();
      const today = now.toISOString().slice(0, 10);
      const givenUp = lastDayBefore(today, STATEMENT_DAYS);
      let over = 0;
      for (const key of await this.references.listOver(today, now, givenUp, BATCH_MAX)) {
        if (await this.expireTransfer(key, now).catch(this.goOn)) over++;
      }
      return over;
    });
  }

  /** @returns false when it need not: a payer may have started to pay between the look and the lock */
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

  /** One row that fails must not keep the others waiting. */
  private readonly goOn = (error: unknown): void =>
    this.logger.warn({ err: error }, 'tried again later');
}
