import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { runDetached } from '../overload/request-context.js';
import { Database } from '../database/database.js';
import type { PaidOrder } from '../database/payments/paid-order.js';
import { PaymentRepository } from '../database/payments/payment.repository.js';
import type { ProviderEvent } from '../database/providers/provider-event.entity.js';
import {
  ProviderEventRepository,
  type Stored,
} from '../database/providers/provider-event.repository.js';
import { OrderMetrics } from '../status/order-metrics.js';
import { StatusService } from '../status/status.service.js';
import { plainlyPaid } from './fast-path-payment.js';
import { UnavailableError } from '../overload/errors.js';

/** Applies full payments in one statement: callbacks while they are stored, and bank money. */
@Injectable()
export class FastPathPaymentsService {
  private readonly logger = new Logger('callbacks');

  constructor(
    private readonly database: Database,
    private readonly events: ProviderEventRepository,
    private readonly payments: PaymentRepository,
    private readonly status: StatusService,
    private readonly metrics: OrderMetrics,
  ) {}

  /** @throws UnavailableError; then nothing was stored */
  async store(event: ProviderEvent): Promise<Stored> {
    const stored = await this.events
      .store(event, (waiting) => plainlyPaid(event, waiting))
      .catch((error: unknown) => {
        // After any other error the callback is stored and applied on the slow path.
        if (error instanceof UnavailableError) throw error;
        this.logger.warn(
          { event: 'callback.fast_path.failed', err: error },
          'callback could not be applied at once',
        );
        return this.events.store(event);
      });
    const { applied } = stored;
    if (applied) runDetached(() => this.notify(applied));
    return stored;
  }

  /**
   * Applies them in the caller's transaction, which holds the orders' locks.
   * @throws Error if an order changed since it was read
   */
  async pay(tx: EntityManager, paid: readonly PaidOrder[], now: Date): Promise<void> {
    await this.payments.payInFull(tx, paid, now);
    this.database.afterCommit(tx, () => paid.forEach((each) => this.notify(each)));
  }

  private notify({ before, order, payment }: PaidOrder): void {
    this.metrics.payments.inc({ provider: payment.provider, outcome: payment.status });
    this.status.changed(before, order);
  }
}
