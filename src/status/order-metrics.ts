import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';

/** Order and payment counters of this process, for metrics only. */
@Injectable()
export class OrderMetrics {
  readonly orders = new Counter({
    name: 'payment_orders_orders_total',
    help: 'Orders that reached the status, each time they did.',
    labelNames: ['status'],
    registers: [],
  });

  readonly payments = new Counter({
    name: 'payment_orders_payments_total',
    help: 'Payment attempts by provider: started, and how they ended.',
    labelNames: ['provider', 'outcome'],
    registers: [],
  });

  readonly unmatchedCallbacks = new Counter({
    name: 'payment_orders_callbacks_unmatched_total',
    help: 'Callbacks about a payment that does not exist.',
    labelNames: ['provider'],
    registers: [],
  });

  readonly discrepancies = new Counter({
    name: 'payment_orders_callback_discrepancies_total',
    help: 'Callbacks that contradict what is recorded: another amount, currency or payment, an id that is in use, or unreadable.',
    labelNames: ['provider', 'discrepancy'],
    registers: [],
  });
}
