import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { sharesOf } from '../common/ip-network.js';
import { Config } from '../config/config.js';
import { MemoryBuckets } from './memory-buckets.js';
import { rateLimited } from './rate-limited.js';
import type { RedisBuckets } from './redis-buckets.js';
import type { Policy, Taken } from './token-bucket.js';

/** After so many failures in a row, one of which may be chance… */
const REDIS_FAILURES_MAX = 3;
/** … Redis is left alone for so long, and no request waits for it. */
const REDIS_PAUSE_MS = 1_000;
/** The absence of Redis is logged at most this often. */
const LOG_EVERY_MS = 60_000;

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** What all keys of a merchant in one mode may send in an hour, in kB for each write a second of a key. */
const KB_AN_HOUR = 2_000;
/** Bursts that reads can owe for large answers: the largest page has 7 MB. */
const READS_DEBT = 10;
/** Tries to sign in with all accounts from one network, as a multiple of those with one. */
const NETWORK_TIMES = 5;
/** Tries with one account from everywhere: so many that strangers do not shut its owner out. */
const ACCOUNT_TIMES = 20;
/** Tries in vain of an address in a minute. Many merchants' messages can come from the few of a provider. */
const FAILURES_MAX = { keys: 60, callbacks: 600 } as const;
/** Codes in an hour from all browsers together in which the account has signed in before. */
const CODES_MAX = 20;
/** Pages of the portal in a minute for a session or a network, and at once; a user has as much twice. */
const VISITS = { rate: 120, burst: 60 } as const;
/** Mails in an hour that somebody can have sent to an address, and a merchant to one and to all. */
const MAILS_MAX = { resets: 3, invitationsOfAddress: 3, invitations: 30 } as const;

/** What strangers open, counted by kind: none takes from the others. */
export type PublicPolicy = 'pages' | 'streams' | 'bank' | 'documents';

/** What strangers fail at. */
export type FailurePolicy = keyof typeof FAILURES_MAX;

export type PolicyName =
  | PublicPolicy
  | FailurePolicy
  | 'writes'
  | 'reads'
  | 'bytes'
  | 'signIns'
  | 'signInsOfNetwork'
  | 'signInsOfAccount'
  | 'codes'
  | 'visits'
  | 'visitsOfUser'
  | 'resets'
  | 'invitationsOfAddress'
  | 'invitations';

/** Each process counts these alone: the work that is spared is its own. */
const isCountedHere = (policy: PolicyName): boolean => policy in FAILURES_MAX;

/** What is taken: from whose bucket of which policy, and how many tokens. */
export type Claim = readonly [policy: PolicyName, owner: string, tokens: number];

/** What was found in one of several buckets, and what was claimed of it. */
interface TakenOf extends Taken {
  readonly policy: PolicyName;
  readonly tokens: number;
}

/** What the use of an address takes. */
export const networkClaims = (policy: PolicyName, ip: string): Claim[] =>
  sharesOf(ip).map(({ holder, share }) => [policy, holder, share]);

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
      bytes: { ...hourly(KB_AN_HOUR * rates.writes), burst: 24 * KB_AN_HOUR * rates.writes },
      pages,
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
    // The client takes long to load, and most installations have no Redis.
    const { RedisBuckets } = await import('./redis-buckets.js');
    this.redis = new RedisBuckets(redisUrl, (error) => this.warn(error));
    await this.redis.open();
  }

  onApplicationShutdown(): void {
    this.redis?.close();
  }

  /**
   * @param owner who is limited: an API key's id, or a network
   * @param tokens a negative number puts them back
   */
  take(policy: PolicyName, owner: string, tokens = 1): Promise<Taken> {
    return this.change(policy, owner, tokens, false);
  }

  /**
   * Takes what something turned out to cost when it was done, whether it is there or not.
   * @returns what is left in the first of the buckets
   */
  async charge(claims: readonly Claim[]): Promise<TakenOf> {
    const all = [];
    for (const [policy, owner, tokens] of claims) {
      all.push({ ...(await this.change(policy, owner, tokens, true)), policy, tokens });
    }
    return all[0]!;
  }

  /**
   * Takes from all the buckets, or from none when one of them lacks it.
   * @returns what was found in that one, else in the first
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
   * The same for what is not done without.
   * @throws Problem `rate_limited`
   */
  async demandAll(claims: readonly Claim[]): Promise<void> {
    const taken = await this.takeAll(claims);
    if (!taken.granted) throw rateLimited(this.policies[taken.policy], taken);
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
    this.logger.warn({ err: error }, 'Redis is away; this process counts requests alone');
  }
}

const perMinute = (rate: number): Policy => ({ rate, periodMs: MINUTE_MS, burst: rate });

const hourly = (rate: number): Policy => ({ rate, periodMs: HOUR_MS, burst: rate });
