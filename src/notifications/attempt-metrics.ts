import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';

/** What this process is at, and what came of its attempts to deliver. Only the metrics read it. */
@Injectable()
export class AttemptMetrics {
  readonly attempts = new Counter({
    name: 'delivery_attempts_total',
    help: 'Attempts to deliver by channel (webhook, mail) and outcome (delivered, retried, failed).',
    labelNames: ['channel', 'outcome'],
    registers: [],
  });
  readonly lookups = new Gauge({
    name: 'webhook_lookups',
    help: 'Names of webhook endpoints that are being looked up.',
    registers: [],
  });
}
