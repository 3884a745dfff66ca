import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';

/** Current and finished delivery attempts of this process, for metrics only. */
@Injectable()
export class AttemptMetrics {
  readonly attempts = new Counter({
    name: 'payment_orders_delivery_attempts_total',
    help: 'Attempts to deliver by channel (webhook, mail) and outcome (delivered, retried, failed).',
    labelNames: ['channel', 'outcome'],
    registers: [],
  });
  readonly lookups = new Gauge({
    name: 'payment_orders_webhook_dns_lookups',
    help: 'Names of webhook endpoints that are being looked up.',
    registers: [],
  });
}
