import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Config } from '../config/config.js';
import { MemoryBuckets } from './memory-buckets.js';
import type { RedisBuckets } from './redis-buckets.js';
import type { Policy, Taken } from './token-bucket.js';

/** After a failure Redis is left alone for so long, and no request waits for it. */
const REDIS_PAUSE_MS = 1_000;
/** The absence of Redis is logged at most this often. */
const LOG_EVERY_MS = 60_000;

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Mails that somebody can have sent to an address, and a merchant to strangers, in an hour. */
const MAILS_MAX = { resets: 3, invitations: 30 } as const;

export type PolicyName = 'writes' | 'reads' | 'pages' | 'signIns' | 'resets' | 'invitations';

/**
 * Counts requests: in Redis when there is one, else in this process. Without an answer from Redis the
 * process counts alone until it is back; a limit never stands in the way of a request for that.
 */
@Injectable()
export class RateLimiter implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly policies: Readonly<Record<PolicyName, Policy>>;
  private readonly logger = new Logger('rate-limits');
  private readonly memory: Readonly<Record<PolicyName, MemoryBuckets>>;
  private redis: RedisBuckets | undefined;
  // Monotonic, unlike the injected clock: they are about Redis, and no rule depends on them.
  private pausedUntil = 0;
  private silentUntil = 0;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {
    const { rates } = config;
    this.policies = {
      writes: { rate: rates.writes, periodMs: SECOND_MS, burst: 2 * rates.writes },
      reads: { rate: rates.reads, periodMs: SECOND_MS, burst: 2 * rates.reads },
      pages: { rate: rates.pages, periodMs: MINUTE_MS, burst: rates.pages },
      signIns: { rate: rates.signIns, periodMs: MINUTE_MS, burst: rates.signIns },
      resets: { rate: MAILS_MAX.resets, periodMs: HOUR_MS, burst: MAILS_MAX.resets },
      invitations: { rate: MAILS_MAX.invitations, periodMs: HOUR_MS, burst: MAILS_MAX.invitations },
    };
    this.memory = {
      writes: new MemoryBuckets(this.policies.writes),
      reads: new MemoryBuckets(this.policies.reads),
      pages: new MemoryBuckets(this.policies.pages),
      signIns: new MemoryBuckets(this.policies.signIns),
      resets: new MemoryBuckets(this.policies.resets),
      invitations: new MemoryBuckets(this.policies.invitations),
    };
  }

  async onApplicationBootstrap(): Promise<void> {
    const { rateLimits, redisUrl } = this.config;
    if (!rateLimits || !redisUrl) return;
    // The client takes long to load, and most installations have no Redis.
    const { RedisBuckets } = await import('./redis-buckets.js');
    this.redis = new RedisBuckets(redisUrl, (error) => this.warn(error));
    await this.redis.open();
  }

  onApplicationShutdown(): void {
    this.redis?.close();
  }

  /** @param owner who is limited: an API key's id, or a network */
  async take(policy: PolicyName, owner: string): Promise<Taken> {
    if (!this.redis || performance.now() < this.pausedUntil) return this.takeHere(policy, owner);
    try {
      return await this.redis.take(this.policies[policy], `${owner}:${policy}`);
    } catch (error) {
      this.pausedUntil = performance.now() + REDIS_PAUSE_MS;
      this.warn(error);
      return this.takeHere(policy, owner);
    }
  }

  private takeHere(policy: PolicyName, owner: string): Taken {
    return this.memory[policy].take(owner, this.clock.now().getTime());
  }

  private warn(error: unknown): void {
    const now = performance.now();
    if (now < this.silentUntil) return;
    this.silentUntil = now + LOG_EVERY_MS;
    this.logger.warn({ err: error }, 'Redis is away; this process counts requests alone');
  }
}
