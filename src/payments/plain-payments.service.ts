import { Injectable, Logger } from '@nestjs/common';
import { outsideRequest } from '../database/connection/time-budget.js';
import type { PaidOrder } from '../database/providers/message-row.js';
import type { ProviderEvent } from '../database/providers/provider-event.entity.js';
import {
  ProviderEventRepository,
  type Stored,
} from '../database/providers/provider-event.repository.js';
import { Problem } from '../http/problem.js';
import { OrderMetrics } from '../status/order-metrics.js';
import { StatusService } from '../status/status.service.js';
import { plainlyPaid } from './plain-payment.js';

/** Applies messages in the statement that stores them, where what they mean is plain. */
@Injectable()
export class PlainPaymentsService {
  private readonly logger = new Logger('callbacks');

  constructor(
    private readonly events: ProviderEventRepository,
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
    if (applied) outsideRequest(() => this.tell(applied, event));
    return stored;
  }

  private tell({ before, order, payment }: PaidOrder, { provider }: ProviderEvent): void {
    this.metrics.payments.inc({ provider, outcome: payment.status });
    this.status.changed(before, order);
  }
}
