import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../config/config.js';
import { bodyBytes } from '../http/body-parsers.js';
import { oncePerHandler } from '../http/once-per-handler.js';
import type { Caller } from './api-key.guard.js';
import { rateLimited, seconds } from './rate-limited.js';
import {
  type Claim,
  networkClaims,
  type PolicyName,
  type PublicPolicy,
  RateLimiter,
} from './rate-limiter.js';
import { fillMs, msUntilFull, type Taken, tokensLeft } from '../overload/token-bucket.js';

const LIMIT_PAGES = 'limit-pages';
const COUNTS_AS = 'counts-as';

/**
 * Limits public routes by IP address. Health and metrics have no limit; providers and API keys are limited by failures.
 */
export const LimitPages = (policy: PublicPolicy = 'pages'): ClassDecorator & MethodDecorator =>
  SetMetadata(LIMIT_PAGES, policy);

/** Cost of a request of this route in ordinary requests. */
export const CountsAs = (requests: number): MethodDecorator => SetMetadata(COUNTS_AS, requests);

/** Limit of all keys of a merchant and mode together, as a multiple of one key's. */
const MERCHANT_KEYS = 4;
/** Body bytes that count as one request; an ordinary order has a few hundred. */
const UNIT_BYTES = 4 * 1024;

/** Answer bytes that count as one read: ten ordinary orders. */
const ANSWER_BYTES = 10_000;

type LimitedRequest = FastifyRequest & { readonly caller?: Caller };

/** Runs after the API key guard, and sets rate limit headers. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly limiter: RateLimiter,
    private readonly config: Config,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (!this.config.rateLimits) return true;
    const request = context.switchToHttp().getRequest<LimitedRequest>();
    const policy = this.policyFor(request, context);
    return !policy || this.take(context, request, policy);
  }

  private async take(
    context: ExecutionContext,
    request: LimitedRequest,
    policy: PolicyName,
  ): Promise<boolean> {
    const { caller } = request;
    const claims = caller
      ? this.keyClaims(policy, caller, bodyBytes(request), this.countOf(context))
      : networkClaims(policy, request.ip);
    const taken = await this.limiter.takeAll(claims);
    setRateLimitHeaders(this.limiter, context.switchToHttp().getResponse<FastifyReply>(), taken);
    if (taken.granted) return true;
    throw rateLimited(this.limiter.policies[taken.policy], taken, taken.tokens);
  }

  private policyFor(request: LimitedRequest, context: ExecutionContext): PolicyName | undefined {
    if (request.caller) return isRead(request) ? 'reads' : 'writes';
    return this.publicPolicyOf(context);
  }

  private readonly publicPolicyOf = oncePerHandler((context) => {
    const targets = [context.getHandler(), context.getClass()];
    return this.reflector.getAllAndOverride<PublicPolicy | undefined>(LIMIT_PAGES, targets);
  });

  private readonly countOf = oncePerHandler(
    (context) => this.reflector.get<number | undefined>(COUNTS_AS, context.getHandler()) ?? 1,
  );

  /**
   * Claims of a request with a key. Keys can be created quickly, so the merchant's limit applies, too; stored bodies
   * cost by size.
   */
  private keyClaims(
    policy: PolicyName,
    { id, merchantId, mode }: Caller,
    bytes: number,
    count: number,
  ): Claim[] {
    const wanted = Math.max(count, Math.ceil(bytes / UNIT_BYTES));
    // A bucket never holds more than its burst.
    const units = Math.min(wanted, this.limiter.policies[policy].burst);
    const merchant = `${merchantId} ${mode}`;
    return [
      ...sharedClaims(policy, { id, merchantId, mode }, units),
      ...(bytes > 0 ? [['bytes', merchant, bytes / 1_000] as const] : []),
    ];
  }
}

const isRead = ({ method }: FastifyRequest): boolean => /^(GET|HEAD)$/.test(method);

/** Claims on the key's own bucket and on that of all keys of its merchant. */
const sharedClaims = (
  policy: PolicyName,
  { id, merchantId, mode }: Pick<Caller, 'id' | 'merchantId' | 'mode'>,
  tokens: number,
): Claim[] => [
  [policy, id, tokens],
  [policy, `${merchantId} ${mode}`, tokens / MERCHANT_KEYS],
];

/** Headers of draft-ietf-httpapi-ratelimit-headers. */
function setRateLimitHeaders(
  limiter: RateLimiter,
  reply: FastifyReply,
  taken: Taken & { readonly policy: PolicyName },
): void {
  const { policy: name } = taken;
  const policy = limiter.policies[name];
  const left = tokensLeft(policy, taken);
  void reply.headers({
    'ratelimit-policy': `"${name}";q=${policy.burst};w=${seconds(fillMs(policy))}`,
    ratelimit: `"${name}";r=${left};t=${seconds(msUntilFull(policy, taken))}`,
  });
}

/**
 * Charges reads by answer size. The size is known only afterwards, so tokens beyond the first are charged when the
 * answer is written, and may create a debt. Files have a limit of their own.
 */
export function weighAnswers(fastify: FastifyInstance, limiter: RateLimiter): void {
  fastify.addHook('onSend', (request: LimitedRequest, reply, answer, done) => {
    const { caller } = request;
    if (!caller || typeof answer !== 'string' || !isRead(request)) return done(null, answer);
    const tokens = Math.ceil(Buffer.byteLength(answer) / ANSWER_BYTES) - 1;
    if (tokens < 1) return done(null, answer);
    limiter.charge(sharedClaims('reads', caller, tokens)).then((taken) => {
      setRateLimitHeaders(limiter, reply, taken);
      done(null, answer);
    }, done);
  });
}
