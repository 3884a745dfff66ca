import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';

/** What happened to orders and payments in this process. Only the metrics read it. */
@Injectable()
export class Tally {
  readonly orders = new Counter({
    name: 'orders_total',
    help: 'Orders that reached the status, each time they did.',
    labelNames: ['status'],
    registers: [],
  });

  readonly payments = new Counter({
    name: 'payments_total',
    help: 'Payment attempts by provider: started, and how they ended.',
    labelNames: ['provider', 'outcome'],
    registers: [],
  });
}
