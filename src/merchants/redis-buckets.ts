import { Redis, type Result } from 'ioredis';
import { guardReaders } from '../common/guarded-readers.js';
import { withTimeout } from './timeout.js';
import { missingMax, type Policy, type Taken } from '../overload/token-bucket.js';

const KEY_PREFIX = 'orders:rate:';
/** Maximum time that a request waits for Redis. */
const COMMAND_TIMEOUT_MS = 250;
/** Replaces a connection after this time without an answer. */
const SILENCE_MAX_MS = 1_000;

/**
 * `take` and `charge` of token-bucket.ts as an atomic script with the clock of Redis and the same names. A full bucket
 * is the same as none, so keys expire when their bucket is full.
 */
const TAKE = `
local period, rate, full = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local tokens, most, is_owed = tonumber(ARGV[4]), tonumber(ARGV[5]), ARGV[6] == '1'
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local bucket = redis.call('HMGET', KEYS[1], 'missing', 'at')
local elapsed = math.max(0, now - (tonumber(bucket[2]) or now))
local missing = math.max(0, math.min(most, tonumber(bucket[1]) or 0) - elapsed * rate)
local wanted = math.max(0, missing + tokens * period)
local granted = is_owed or wanted <= full
if granted then missing = math.min(most, wanted) end
redis.call('HSET', KEYS[1], 'missing', missing, 'at', now)
redis.call('PEXPIRE', KEYS[1], math.ceil(missing / rate))
return {granted and 1 or 0, missing, now}
`;

declare module 'ioredis' {
  // The parameter must have the library's name for declaration merging.
  interface RedisCommander<Context> {
    takeToken(
      key: string,
      periodMs: number,
      rate: number,
      full: number,
      tokens: number,
      most: number,
      isOwed: 0 | 1,
    ): Result<[granted: 0 | 1, missing: number, at: number], Context>;
  }
}

/** Buckets shared by all processes. */
export class RedisBuckets {
  private readonly redis: Redis;

  /**
   * @param onError called for each failed connection; reconnects automatically
   * @param timeoutMs maximum time that a request waits for an answer
   */
  constructor(
    url: string,
    onError: (error: unknown) => void,
    private readonly timeoutMs = COMMAND_TIMEOUT_MS,
  ) {
    this.redis = new Redis(url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      enableReadyCheck: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      connectTimeout: SILENCE_MAX_MS,
      socketTimeout: SILENCE_MAX_MS,
      // Otherwise a connection that ends before the handshake is never replaced.
      disableClientInfo: true,
    });
    this.redis.defineCommand('takeToken', { numberOfKeys: 1, lua: TAKE });
    this.redis.on('error', onError);
    this.redis.on('connect', () => {
      this.redis.stream.unref();
      guardReaders(this.redis.stream);
    });
  }

  /** Waits for the first connection, or for its failure. */
  async open(): Promise<void> {
    await this.redis.connect().catch(() => undefined);
  }

  close(): void {
    this.redis.disconnect();
  }

  /**
   * @param isOwed whether to take tokens that are not available, too
   * @throws Error if Redis is unavailable or too slow
   */
  async take(policy: Policy, name: string, tokens = 1, isOwed = false): Promise<Taken> {
    const { burst, periodMs, rate } = policy;
    const [granted, missing, at] = await withTimeout(
      this.redis.takeToken(
        KEY_PREFIX + name,
        periodMs,
        rate,
        burst * periodMs,
        tokens,
        missingMax(policy),
        isOwed ? 1 : 0,
      ),
      this.timeoutMs,
    );
    return { granted: granted === 1, missing, at };
  }
}
