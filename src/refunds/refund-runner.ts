import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../common/time/clock.js';
import { Database } from '../database/database.js';
import { JobScheduler } from '../database/jobs/job-scheduler.js';
import { PaymentRepository } from '../database/payments/payment.repository.js';
import type { Payment } from '../database/payments/payment.entity.js';
import type { Refund, RefundPatch, RefundStatus } from '../database/refunds/refund.entity.js';
import { RefundRepository } from '../database/refunds/refund.repository.js';
import { withTimeout } from '../merchants/timeout.js';
import { PROVIDER_TIMEOUT_MS } from '../payments/payments.service.js';
import { ProviderRegistry } from '../providers/provider-registry.js';
import type { RefundOutcome } from '../providers/provider.js';
import { RefundMover } from '../refund-lifecycle/refund-mover.js';
import { isPending } from '../refund-lifecycle/refund-moves.js';
import { RefundPayees } from './refund-payees.service.js';
import { REFUND_JOB } from './refunds.service.js';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
/** Milliseconds from an answer about a refund to the next call; then every six hours. */
const DELAYS_MS = [2 * SECOND, 5 * SECOND, 15 * SECOND, 60 * SECOND, 300 * SECOND, HOUR];
/** Milliseconds for which a call keeps others from calling: they would miss a refund that is on its way. */
const CALL_MS = 3 * PROVIDER_TIMEOUT_MS;
const LAST_DELAY_MS = 6 * HOUR;
/** Maximum refunds per query, merchants in turns. */
const BATCH_MAX = 100;
/** Parallel calls. */
const AT_ONCE = 5;
/** Maximum duration of a run, since providers may not answer; the next run continues. */
const RUN_MS = 20_000;

/** States on the way to each outcome. */
const STEPS: Readonly<
  Partial<Record<RefundStatus, Readonly<Record<RefundOutcome['kind'], readonly RefundStatus[]>>>>
> = {
  approved: {
    unknown: ['submitted'],
    pending: ['submitted'],
    succeeded: ['submitted', 'succeeded'],
    failed: ['submitted', 'failed'],
  },
  submitted: { unknown: [], pending: [], succeeded: ['succeeded'], failed: ['failed'] },
  succeeded: { unknown: [], pending: [], succeeded: [], failed: ['failed'] },
};

const UNKNOWN = { kind: 'unknown' } as const;

/** Sends approved refunds to their providers, polls those that have no outcome, and ends those that wait too long for payers. */
@Injectable()
export class RefundRunner implements OnModuleInit {
  private readonly logger = new Logger('refunds');

  constructor(
    private readonly database: Database,
    private readonly payments: PaymentRepository,
    private readonly refunds: RefundRepository,
    private readonly mover: RefundMover,
    private readonly payees: RefundPayees,
    private readonly providers: ProviderRegistry,
    private readonly jobs: JobScheduler,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.register(REFUND_JOB, () => this.run());
  }

  async run(): Promise<void> {
    const end = performance.now() + RUN_MS;
    for (let isMore = true; isMore;) {
      const due = await this.refunds.listDue(this.clock.now(), BATCH_MAX);
      isMore = due.length === BATCH_MAX && performance.now() < end;
      while (due.length > 0 && performance.now() < end) {
        const calls = due.splice(0, AT_ONCE).map((refund) => this.runOne(refund));
        await Promise.all(calls.map((call) => call.catch(this.logAndContinue)));
      }
    }
    const next = await this.refunds.nextDue();
    if (next) await this.jobs.wake(REFUND_JOB, next);
  }

  /** Refunds by bank are due only when their payers have no more time to enter an account. */
  private runOne(refund: Refund): Promise<void> {
    return refund.method === 'bank' ? this.payees.expire(refund) : this.attempt(refund);
  }

  /** Calls the provider about an approved or submitted refund, unless another process does. */
  async attempt(refund: Refund): Promise<void> {
    const delay = DELAYS_MS[refund.attempts] ?? LAST_DELAY_MS;
    const claimed = await this.refunds.claim(refund, this.after(Math.max(delay, CALL_MS)));
    if (!claimed) return;
    const outcome = await this.ask(claimed, refund.attempts === 0);
    await this.apply(claimed, outcome);
    if (outcome.kind === 'pending') await this.refunds.schedule(claimed, this.after(delay));
  }

  /** Calls the provider now, also about a refund that has succeeded. */
  async callNow(refund: Refund): Promise<void> {
    if (isPending(refund.status)) return this.attempt(refund);
    await this.apply(refund, await this.ask(refund, false));
  }

  /** Sends a refund once: later calls look for it first, because the answer may be lost. */
  private async ask(refund: Refund, isFirst: boolean): Promise<RefundOutcome> {
    const payment = await this.paymentOf(refund);
    const provider = this.providers.get(payment.provider);
    const request = { refund, payment };
    if (!isFirst) {
      const found = await this.answered(() => provider.refundStatus!(request));
      if (found.kind !== 'absent') return found;
      if (refund.status === 'succeeded') return UNKNOWN;
    }
    return this.answered(() => provider.refund!(request));
  }

  /** Treats errors and timeouts of the provider as no answer. */
  private async answered<T>(ask: () => Promise<T>): Promise<T | typeof UNKNOWN> {
    try {
      return await withTimeout(ask(), PROVIDER_TIMEOUT_MS);
    } catch (error) {
      this.logger.warn(
        { event: 'provider.call.failed', err: error },
        'the provider did not answer about a refund',
      );
      return UNKNOWN;
    }
  }

  private async apply(key: Refund, outcome: RefundOutcome): Promise<void> {
    await this.database.transaction(async (tx) => {
      let locked = await this.mover.lock(tx, key);
      for (const to of STEPS[locked.refund.status]?.[outcome.kind] ?? [])
        locked = await this.mover.move(tx, locked, to, patchOf(to, outcome));
    });
  }

  private after(ms: number): Date {
    return new Date(this.clock.now().getTime() + ms);
  }

  private async paymentOf({ merchantId, paymentId }: Refund): Promise<Payment> {
    const payment = await this.payments.find({ merchantId, id: paymentId });
    if (!payment) throw new Error('a refund has no payment');
    return payment;
  }

  /** One failed refund must not block the others. */
  private readonly logAndContinue = (error: unknown): void =>
    this.logger.warn(
      { event: 'refund.attempt.failed', err: error },
      'refund failed and is retried',
    );
}

const patchOf = (to: RefundStatus, outcome: RefundOutcome): RefundPatch => ({
  ...('reference' in outcome ? { providerReference: outcome.reference } : {}),
  ...(to === 'failed' && outcome.kind === 'failed' ? { statusReason: outcome.message } : {}),
});
