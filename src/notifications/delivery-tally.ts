import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';

/** What came of attempts to deliver in this process. Only the metrics read it. */
@Injectable()
export class DeliveryTally {
  readonly attempts = new Counter({
    name: 'delivery_attempts_total',
    help: 'Attempts to deliver by channel (webhook, mail) and outcome (delivered, retried, failed).',
    labelNames: ['channel', 'outcome'],
    registers: [],
  });
}
