import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';

/** What happened to orders and payments in this process. Only the metrics read it. */
@Injectable()
export class OrderMetrics {
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

  readonly unknownReports = new Counter({
    name: 'provider_reports_unknown_total',
    help: 'Messages of providers about a payment that there is not.',
    labelNames: ['provider'],
    registers: [],
  });

  readonly oddReports = new Counter({
    name: 'provider_reports_odd_total',
    help: 'Messages of providers that contradict what is known: more, less, another currency, about something else, under an id that is taken, or unreadable.',
    labelNames: ['provider', 'oddity'],
    registers: [],
  });
}
