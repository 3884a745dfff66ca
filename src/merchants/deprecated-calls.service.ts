import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Clock } from '../common/time/clock.js';
import { runDetached } from '../overload/request-context.js';
import {
  ApiKeyRepository,
  type CallsOfKey,
  type DeprecatedCalls,
} from '../database/merchants/api-key.repository.js';

/** Counts are collected for this long before they are written. */
const FLUSH_MS = 5_000;
const DAY_MS = 86_400_000;

/** Counts calls of deprecated operations by key and day in the background. */
@Injectable()
export class DeprecatedCallsService implements BeforeApplicationShutdown {
  private readonly logger = new Logger('deprecated-calls');
  private pending = new Map<string, DeprecatedCalls>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly clock: Clock,
  ) {}

  count(key: { readonly merchantId: string; readonly id: string }, operation: string): void {
    const day = this.clock.now().toISOString().slice(0, 10);
    const name = `${key.id} ${day} ${operation}`;
    const calls = (this.pending.get(name)?.calls ?? 0) + 1;
    this.pending.set(name, {
      merchantId: key.merchantId,
      apiKeyId: key.id,
      operation,
      day,
      calls,
    });
    this.timer ??= runDetached(() => setTimeout(() => void this.flush(), FLUSH_MS).unref());
  }

  /** Counts of the last days and of today; may lack the last seconds. */
  ofLastDays(merchantId: string, days: number): Promise<CallsOfKey[]> {
    const first = new Date(this.clock.now().getTime() - days * DAY_MS);
    return this.keys.callsSince(merchantId, first.toISOString().slice(0, 10));
  }

  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const counts = [...this.pending.values()];
    this.pending = new Map();
    for (const count of counts) {
      await this.keys
        .countCalls(count)
        .catch((error: unknown) =>
          this.logger.warn(
            { event: 'deprecated_calls.count.failed', err: error },
            'calls of deprecated operations were not counted',
          ),
        );
    }
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.flush();
  }
}
