import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import type { ApiVersion } from '../../http/api-version.js';
import { inVersion } from './versions.js';

interface CalledRequest extends FastifyRequest {
  /** Left out where everybody may call. */
  readonly caller?: { readonly version: ApiVersion };
}

/** Writes what operations answer in the version that their callers know; bytes stay as they are. */
@Injectable()
export class VersionInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { caller } = context.switchToHttp().getRequest<CalledRequest>();
    if (!caller) return next.handle();
    return next.handle().pipe(map((answer) => inVersion(caller.version, answer)));
  }
}
