import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../common/problem.js';
import { Config } from '../config/config.js';
import type { Caller } from './api-key.guard.js';
import { ipNetwork } from './ip-network.js';
import { type PolicyName, RateLimiter } from './rate-limiter.js';
import { fillMs, msUntilFull, msUntilToken, type Taken, tokensLeft } from './token-bucket.js';

const LIMIT_PAGES = 'limit-pages';

/** Limits a public route by the address that asks. Other public routes have no limit. */
export const LimitPages = (): MethodDecorator => SetMetadata(LIMIT_PAGES, true);

type LimitedRequest = FastifyRequest & { readonly caller?: Caller };

const seconds = (ms: number): number => Math.ceil(ms / 1_000);

/** Stands behind the guard of the API keys, and says in headers how many requests are left. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly limiter: RateLimiter,
    private readonly config: Config,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (!this.config.rateLimits) return true;
    const request = context.switchToHttp().getRequest<LimitedRequest>();
    const policy = this.policyFor(request, context);
    if (!policy) return true;
    const taken = await this.limiter.take(policy, request.caller?.id ?? ipNetwork(request.ip));
    this.tell(context.switchToHttp().getResponse<FastifyReply>(), policy, taken);
    if (taken.granted) return true;
    const waitSeconds = seconds(msUntilToken(this.limiter.policies[policy], taken));
    throw new Problem('rate_limited', { headers: { 'retry-after': String(waitSeconds) } });
  }

  private policyFor(request: LimitedRequest, context: ExecutionContext): PolicyName | undefined {
    if (request.caller) return /^(GET|HEAD)$/.test(request.method) ? 'reads' : 'writes';
    const isPage = this.reflector.get<boolean | undefined>(LIMIT_PAGES, context.getHandler());
    return isPage ? 'pages' : undefined;
  }

  /** The fields of draft-ietf-httpapi-ratelimit-headers. */
  private tell(reply: FastifyReply, name: PolicyName, taken: Taken): void {
    const policy = this.limiter.policies[name];
    const left = tokensLeft(policy, taken);
    void reply.headers({
      'ratelimit-policy': `"${name}";q=${policy.burst};w=${seconds(fillMs(policy))}`,
      ratelimit: `"${name}";r=${left};t=${seconds(msUntilFull(policy, taken))}`,
    });
  }
}
