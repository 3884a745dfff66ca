import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Clock } from '../common/time/clock.js';
import { sharesOf } from '../common/ip-network.js';
import { Config } from '../config/config.js';
import type { Problem } from '../http/problems/problem.js';
import { MemoryBuckets } from '../overload/memory-buckets.js';
import { rateLimited } from './rate-limited.js';
import type { RedisBuckets } from './redis-buckets.js';
import type { Policy, Taken } from '../overload/token-bucket.js';

/** After this many consecutive failures, … */
const REDIS_FAILURES_MAX = 3;
/** … requests skip Redis for this long. */
const REDIS_PAUSE_MS = 1_000;
/** Minimum interval between log lines about an unavailable Redis. */
const LOG_EVERY_MS = 60_000;

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** kB per hour that all keys of a merchant and mode may send, per write per second of a key. */
const KB_AN_HOUR = 2_000;
/** Lines of payouts, and events sent again, per hour for a merchant and mode, per write per second of a key. */
const LINES_AN_HOUR = 2_000;
const RESENT_AN_HOUR = 500;
/** Maximum debt of reads for large answers, in bursts: the largest page has 7 MB. */
const READS_DEBT = 10;
/** Style sheets and scripts, as a multiple of payment pages: a first visit loads two. */
const ASSETS_TIMES = 4;
/** Sign-in attempts of a network with all accounts, as a multiple of those with one account. */
const NETWORK_TIMES = 5;
/** Sign-in attempts with an account from all networks: high enough that attackers cannot lock its owner out. */
const ACCOUNT_TIMES = 20;
/** Failed attempts of an IP address per minute. A provider sends callbacks of many merchants from few addresses. */
const FAILURES_MAX = { keys: 60, callbacks: 600 } as const;
/** Codes per hour from all known browsers of an account together. */
const CODES_MAX = 20;
/** Portal pages per minute, and burst, for a session or a network; a user has twice as much. */
const VISITS = { rate: 120, burst: 60 } as const;
/** Mails per hour: resets to an address, and invitations of a merchant to one address and in total. */
const MAILS_MAX = { resets: 3, invitationsOfAddress: 3, invitations: 30 } as const;

/** Public routes by kind; each has buckets of its own. */
export type PublicPolicy = 'pages' | 'assets' | 'streams' | 'bank' | 'documents';

/** Actions limited by failures. */
export type FailurePolicy = keyof typeof FAILURES_MAX;

export type PolicyName =
  | PublicPolicy
  | FailurePolicy
  | 'writes'
  | 'reads'
  | 'bytes'
  | 'payoutLines'
  | 'resentEvents'
  | 'signIns'
  | 'signInsOfNetwork'
  | 'signInsOfAccount'
  | 'codes'
  | 'visits'
  | 'visitsOfUser'
  | 'resets'
  | 'invitationsOfAddress'
  | 'invitations';

/** Counted per process, since the protected work is per process. */
const isCountedHere = (policy: PolicyName): boolean => policy in FAILURES_MAX;

/** A claim: policy, owner of the bucket, and tokens. */
export type Claim = readonly [policy: PolicyName, owner: string, tokens: number];

/** Result of one of several buckets, with its claim. */
interface TakenOf extends Taken {
  readonly policy: PolicyName;
  readonly tokens: number;
}

/** Claims of an IP address. */
export const networkClaims = (policy: PolicyName, ip: string): Claim[] =>
  sharesOf(ip).map(({ holder, share }) => [policy, holder, share]);

/**
 * Rate limiter: counts in Redis if configured, otherwise in this process. Counts locally while Redis does not answer,
 * so that it never blocks a request.
 */
@Injectable()
export class RateLimiter implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly policies: Readonly<Record<PolicyName, Policy>>;
  private readonly logger = new Logger('rate-limits');
  private readonly memory: Readonly<Record<PolicyName, MemoryBuckets>>;
  private redis: RedisBuckets | undefined;
  // Monotonic, unlike the injected clock: no business rule depends on them.
  private pausedUntil = 0;
  private failures = 0;
  private silentUntil = 0;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {
    const { rates } = config;
    const pages = perMinute(rates.pages);
    this.policies = {
      writes: { rate: rates.writes, periodMs: SECOND_MS, burst: 2 * rates.writes },
      reads: { rate: rates.reads, periodMs: SECOND_MS, burst: 2 * rates.reads, debt: READS_DEBT },
      bytes: daily(KB_AN_HOUR * rates.writes),
      payoutLines: { ...daily(LINES_AN_HOUR * rates.writes), debt: 1 },
      resentEvents: { ...daily(RESENT_AN_HOUR * rates.writes), debt: 1 },
      pages,
      assets: perMinute(ASSETS_TIMES * rates.pages),
      streams: pages,
      bank: pages,
      documents: pages,
      keys: perMinute(FAILURES_MAX.keys),
      callbacks: perMinute(FAILURES_MAX.callbacks),
      signIns: perMinute(rates.signIns),
      signInsOfNetwork: perMinute(NETWORK_TIMES * rates.signIns),
      signInsOfAccount: perMinute(ACCOUNT_TIMES * rates.signIns),
      codes: hourly(CODES_MAX),
      visits: { ...VISITS, periodMs: MINUTE_MS },
      visitsOfUser: { rate: 2 * VISITS.rate, periodMs: MINUTE_MS, burst: 2 * VISITS.burst },
      resets: hourly(MAILS_MAX.resets),
      invitationsOfAddress: hourly(MAILS_MAX.invitationsOfAddress),
      invitations: hourly(MAILS_MAX.invitations),
    };
    const buckets = Object.entries(this.policies).map(([name, policy]) => [
      name,
      new MemoryBuckets(policy),
    ]);
    this.memory = Object.fromEntries(buckets) as Record<PolicyName, MemoryBuckets>;
  }

  async onApplicationBootstrap(): Promise<void> {
    const { rateLimits, redisUrl } = this.config;
    if (!rateLimits || !redisUrl) return;
    // Loaded lazily: the client is slow to load, and most installations have no Redis.
    const { RedisBuckets } = await import('./redis-buckets.js');
    this.redis = new RedisBuckets(redisUrl, (error) => this.warn(error));
    await this.redis.open();
  }

  onApplicationShutdown(): void {
    this.redis?.close();
  }

  /**
   * @param owner an API key's id, or a network
   * @param tokens a negative number returns them
   */
  take(policy: PolicyName, owner: string, tokens = 1): Promise<Taken> {
    return this.change(policy, owner, tokens, false);
  }

  /**
   * Charges the actual cost afterwards, even if it exceeds the available tokens.
   * @returns the rest in the first bucket
   */
  async charge(claims: readonly Claim[]): Promise<TakenOf> {
    const all = [];
    for (const [policy, owner, tokens] of claims) {
      all.push({ ...(await this.change(policy, owner, tokens, true)), policy, tokens });
    }
    return all[0]!;
  }

  /**
   * Takes from all buckets, or from none if one of them lacks tokens.
   * @returns the result of that one, else of the first
   */
  async takeAll(claims: readonly Claim[]): Promise<TakenOf> {
    const all = [];
    for (const [policy, owner, tokens] of claims) {
      const taken = { ...(await this.take(policy, owner, tokens)), policy, tokens };
      if (!taken.granted) {
        await this.giveBack(claims.slice(0, all.length));
        return taken;
      }
      all.push(taken);
    }
    return all[0]!;
  }

  /**
   * As `takeAll`, but throws.
   * @throws Problem `rate_limited`
   */
  async demandAll(claims: readonly Claim[]): Promise<void> {
    const taken = await this.takeAll(claims);
    if (!taken.granted) throw rateLimited(this.policies[taken.policy], taken);
  }

  /** The refusal of a network whose bucket in this process is empty, else null; takes nothing. */
  refusalOf(policy: PolicyName, ip: string): Problem | null {
    const [buckets, now] = [this.memory[policy], this.clock.now().getTime()];
    if (buckets.size === 0) return null;
    for (const [, owner, tokens] of networkClaims(policy, ip)) {
      const taken = buckets.peek(owner, now, tokens);
      if (!taken.granted) return rateLimited(this.policies[policy], taken, tokens);
    }
    return null;
  }

  async giveBack(claims: readonly Claim[]): Promise<void> {
    for (const [policy, owner, tokens] of claims) await this.take(policy, owner, -tokens);
  }

  private async change(
    policy: PolicyName,
    owner: string,
    tokens: number,
    isOwed: boolean,
  ): Promise<Taken> {
    const here = (): Taken => {
      const [buckets, now] = [this.memory[policy], this.clock.now().getTime()];
      return isOwed ? buckets.charge(owner, now, tokens) : buckets.take(owner, now, tokens);
    };
    if (!this.redis || isCountedHere(policy) || performance.now() < this.pausedUntil) return here();
    try {
      const name = `${owner}:${policy}`;
      const taken = await this.redis.take(this.policies[policy], name, tokens, isOwed);
      this.failures = 0;
      return taken;
    } catch (error) {
      this.noteFailure(error);
      return here();
    }
  }

  private noteFailure(error: unknown): void {
    this.warn(error);
    if (++this.failures < REDIS_FAILURES_MAX) return;
    this.failures = 0;
    this.pausedUntil = performance.now() + REDIS_PAUSE_MS;
  }

  private warn(error: unknown): void {
    const now = performance.now();
    if (now < this.silentUntil) return;
    this.silentUntil = now + LOG_EVERY_MS;
    this.logger.warn(
      { event: 'rate_limiter.redis.unavailable', err: error },
      'Redis is not available; this process counts requests alone',
    );
  }
}

const perMinute = (rate: number): Policy => ({ rate, periodMs: MINUTE_MS, burst: rate });

/** An hourly rate, with bursts of a day's. */
const daily = (rate: number): Policy => ({ ...hourly(rate), burst: 24 * rate });

const hourly = (rate: number): Policy => ({ rate, periodMs: HOUR_MS, burst: rate });
