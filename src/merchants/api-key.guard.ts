import {
  applyDecorators,
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ipAllowed } from '../common/ip-allow-list.js';
import { setTenant } from '../overload/request-context.js';
import type { Scope } from '../database/merchants/api-key.entity.js';
import type { KeyRecord } from '../database/merchants/api-key.repository.js';
import { API_VERSIONS, type ApiVersion, isApiVersion } from '../common/api-version.js';
import { assertSince } from '../contract/versions/assert-since.js';
import { oncePerHandler } from '../http/once-per-handler.js';
import { BROUGHT_BY } from '../http/operation.decorator.js';
import { refuseUnknownParameters } from '../http/parameters.js';
import { Problem } from '../http/problems/problem.js';
import { ApiKeysService } from './api-keys.service.js';
import { FailedAttempts } from './failed-attempts.js';

const SCOPES = 'scopes';
const SINCE = 'since';
const PUBLIC = 'public';

/** Makes a route public. Otherwise it requires an API key with a scope. */
export const Public = (): MethodDecorator & ClassDecorator => SetMetadata(PUBLIC, true);

/** Scopes that a key needs for the route, all of them. */
export const NeedsScope = (...scopes: [Scope, ...Scope[]]): MethodDecorator =>
  SetMetadata(SCOPES, scopes);

/** API version that introduced the operation; older ones do not have it. */
export const Since = (version: ApiVersion): MethodDecorator =>
  applyDecorators(SetMetadata(SINCE, version), ApiExtension(BROUGHT_BY, version));

/** The caller and its API version. */
export interface Caller extends KeyRecord {
  readonly version: ApiVersion;
  /** IP address of the request. */
  readonly address: string;
}

interface CallerRequest extends FastifyRequest {
  caller?: Caller;
}

/** The caller, from the guard. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { caller } = context.switchToHttp().getRequest<CallerRequest>();
  if (!caller) throw new Error('a public route has no caller');
  return caller;
});

/** The caller of an operation without query parameters. */
export const CallerAlone = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const request = context.switchToHttp().getRequest<FastifyRequest & { readonly caller: Caller }>();
  refuseUnknownParameters(context);
  return request.caller;
});

/** Requirements from the decorators of a route. */
interface Rules {
  readonly isPublic: boolean;
  readonly scopes: readonly Scope[] | undefined;
  readonly since: ApiVersion | undefined;
}

const unauthorized = (): Problem =>
  new Problem('unauthorized', { headers: { 'www-authenticate': 'Bearer realm="orders"' } });

/** Global guard: rejects requests unless the route is public or the API key is valid. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly keys: ApiKeysService,
    private readonly failedAttempts: FailedAttempts,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const rules = this.rulesOf(context);
    return rules.isPublic || this.admit(context, rules);
  }

  private readonly rulesOf = oncePerHandler((context): Rules => {
    const handler = context.getHandler();
    return {
      isPublic: this.reflector.getAllAndOverride<boolean>(PUBLIC, [handler, context.getClass()]),
      scopes: this.reflector.get<readonly Scope[] | undefined>(SCOPES, handler),
      since: this.reflector.get<ApiVersion | undefined>(SINCE, handler),
    };
  });

  private async admit(context: ExecutionContext, { scopes, since }: Rules): Promise<boolean> {
    const request = context.switchToHttp().getRequest<CallerRequest>();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    const record = await this.authenticate(request);
    const version = contractVersion(request, record);
    void reply.header('api-version', version);
    const missing = scopes?.find((scope) => !record.scopes.includes(scope));
    if (!scopes || missing) {
      throw new Problem('missing_scope', {
        detail: `This operation needs a key with the scope ${missing ?? 'that nobody has'}.`,
        members: { missingScope: missing },
      });
    }
    if (since) assertSince(since, version);
    request.caller = { ...record, version, address: request.ip };
    setTenant(record.merchantId);
    return true;
  }

  private async authenticate(request: FastifyRequest): Promise<KeyRecord> {
    const secret = secretOf(request);
    if (!secret) throw unauthorized();
    const record = this.keys.remembered(secret) ?? (await this.lookUp(secret, request.ip));
    if (record.allowedIps.length > 0 && !ipAllowed(request.ip, record.allowedIps)) {
      throw new Problem('ip_not_allowed');
    }
    return record;
  }

  /** An invalid key uses up one of the sender's failed attempts. */
  private lookUp(secret: string, ip: string): Promise<KeyRecord> {
    const find = async () => {
      const record = await this.keys.find(secret);
      if (!record) throw unauthorized();
      return record;
    };
    return this.keys.isKnown(secret) ? find() : this.failedAttempts.attempt('keys', ip, find);
  }
}

/** Secret of the API key in the `Authorization` header. */
export const secretOf = ({ headers }: FastifyRequest): string | undefined =>
  /^Bearer ([^\s,]+)$/i.exec(headers.authorization ?? '')?.[1];

function contractVersion(request: FastifyRequest, record: KeyRecord): ApiVersion {
  const asked = request.headers['api-version'];
  if (asked === undefined) return record.apiVersion;
  if (typeof asked === 'string' && isApiVersion(asked)) return asked;
  throw new Problem('unknown_api_version', {
    detail: `Supported versions are ${API_VERSIONS.join(', ')}.`,
    members: { supported: API_VERSIONS },
  });
}
