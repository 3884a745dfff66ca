import { Injectable, Logger } from '@nestjs/common';
import { Counter } from 'prom-client';

const EVENTS = ['unhandledRejection', 'uncaughtException'] as const;

/**
 * Last resort for unhandled errors: state may be inconsistent, so the process shuts down as on a stop signal, and a
 * supervisor restarts it.
 */
@Injectable()
export class UnhandledErrors {
  readonly total = new Counter({
    name: 'payment_orders_unhandled_errors_total',
    help: 'Unhandled errors; the process stops after the first one.',
    registers: [],
  });
  private readonly logger = new Logger('process');

  /** From now on the first unhandled error stops the process with exit code 1. */
  watch(): void {
    for (const event of EVENTS) process.on(event, (error: unknown) => this.take(event, error));
  }

  private take(origin: string, error: unknown): void {
    this.logger.fatal({ event: 'process.unhandled_error', origin, err: error }, 'unhandled error');
    this.total.inc();
    // At exit, since the shutdown sets exit code 0.
    process.once('exit', () => (process.exitCode = 1));
    process.kill(process.pid, 'SIGTERM');
  }
}
