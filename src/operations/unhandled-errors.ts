import { Injectable, Logger } from '@nestjs/common';
import { Counter } from 'prom-client';

const EVENTS = ['unhandledRejection', 'uncaughtException'] as const;

/**
 * The last line, and no way to handle errors: what reached nobody may have left anything half done,
 * so the process stops as if it had been asked to, and a supervisor starts the next one.
 */
@Injectable()
export class UnhandledErrors {
  readonly total = new Counter({
    name: 'unhandled_errors_total',
    help: 'Errors that nobody handled: the process stops after the first.',
    registers: [],
  });
  private readonly logger = new Logger('process');

  /** From now on the first such error stops the process, which then exits with 1. */
  watch(): void {
    for (const event of EVENTS) process.on(event, (error: unknown) => this.take(event, error));
  }

  private take(event: string, error: unknown): void {
    this.logger.fatal({ err: error, event }, 'an error that nobody handled');
    this.total.inc();
    // Whoever ends the stop, in time or not, says that all was well.
    process.once('exit', () => (process.exitCode = 1));
    process.kill(process.pid, 'SIGTERM');
  }
}
