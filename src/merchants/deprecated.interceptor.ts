import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { Config } from '../config/config.js';
import { type ApiVersion, isBefore } from '../common/api-version.js';
import { DEPRECATION, type Deprecation } from '../http/operation.decorator.js';
import type { Caller } from './api-key.guard.js';
import { DeprecatedCallsService } from './deprecated-calls.service.js';

/** Deprecation date of the operations by path (RFC 9745), and their earliest removal (RFC 8594). */
export const DEPRECATED_SINCE = new Date('2026-11-21T00:00:00Z');
export const SUNSET = new Date('2028-11-21T00:00:00Z');

const DEPRECATED = 'deprecated';
/** Version 1.0 has no replacement. */
const DEPRECATED_IN: ApiVersion = '1.2';

interface Better {
  /** Method and path as documented. */
  readonly operation: string;
  /** Path of the replacement. */
  readonly successor: (txid: string) => string;
}

/** Adds deprecation headers, and counts the calls for the key's owner. The body stays unchanged. */
@Injectable()
export class DeprecatedInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly calls: DeprecatedCallsService,
    private readonly config: Config,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { operation, successor } = this.reflector.get<Better>(DEPRECATED, context.getHandler());
    const request = context.switchToHttp().getRequest<FastifyRequest & { caller: Caller }>();
    if (isBefore(request.caller.version, DEPRECATED_IN)) return next.handle();
    this.calls.count(request.caller, operation);
    const { txid } = request.params as { txid: string };
    void context
      .switchToHttp()
      .getResponse<FastifyReply>()
      .headers({
        deprecation: `@${DEPRECATED_SINCE.getTime() / 1000}`,
        sunset: SUNSET.toUTCString(),
        link: [
          `<${this.config.publicUrl}/changelog>; rel="deprecation"; type="text/html"`,
          `<${this.config.publicUrl}${successor(encodeURIComponent(txid))}>; rel="successor-version"`,
        ].join(', '),
      });
    return next.handle();
  }
}

export const Deprecated = (operation: string, successor: Better['successor']): MethodDecorator =>
  applyDecorators(
    SetMetadata(DEPRECATED, { operation, successor } satisfies Better),
    ApiExtension(DEPRECATION, {
      since: DEPRECATED_IN,
      instead: `GET ${successor('')}`,
    } satisfies Deprecation),
    UseInterceptors(DeprecatedInterceptor),
  );
