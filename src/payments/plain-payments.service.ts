import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { outsideRequest } from '../database/connection/time-budget.js';
import { Database } from '../database/database.js';
import type { PaidOrder } from '../database/payments/paid-order.js';
import { PaymentRepository } from '../database/payments/payment.repository.js';
import type { ProviderEvent } from '../database/providers/provider-event.entity.js';
import {
  ProviderEventRepository,
  type Stored,
} from '../database/providers/provider-event.repository.js';
import { Problem } from '../http/problem.js';
import { OrderMetrics } from '../status/order-metrics.js';
import { StatusService } from '../status/status.service.js';
import { plainlyPaid } from './plain-payment.js';

/** Applies in one statement what pays orders in full: messages where they are stored, and money of a bank. */
@Injectable()
export class PlainPaymentsService {
  private readonly logger = new Logger('callbacks');

  constructor(
    private readonly database: Database,
    private readonly events: ProviderEventRepository,
    private readonly payments: PaymentRepository,
    private readonly status: StatusService,
    private readonly metrics: OrderMetrics,
  ) {}

  /** @throws Problem `unavailable`; then nothing was stored */
  async store(event: ProviderEvent): Promise<Stored> {
    const stored = await this.events
      .store(event, (waiting) => plainlyPaid(event, waiting))
      .catch((error: unknown) => {
        // Whatever stands in its way: the message is kept, and tried as any other.
        if (error instanceof Problem) throw error;
        this.logger.warn({ err: error }, 'callback not applied at once');
        return this.events.store(event);
      });
    const { applied } = stored;
    if (applied) outsideRequest(() => this.tell(applied));
    return stored;
  }

  /**
   * The same in the caller's transaction, which holds the orders' locks.
   * @throws Error when one of the orders is not as it was read
   */
  async pay(tx: EntityManager, paid: readonly PaidOrder[], now: Date): Promise<void> {
    await this.payments.payInFull(tx, paid, now);
    this.database.afterCommit(tx, () => paid.forEach((each) => this.tell(each)));
  }

  private tell({ before, order, payment }: PaidOrder): void {
    this.metrics.payments.inc({ provider: payment.provider, outcome: payment.status });
    this.status.changed(before, order);
  }
}
