import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  Logger,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem, unavailable } from './problem.js';
import { problemBody } from './problem-body.js';
import { UnavailableError } from '../../overload/errors.js';

/** Problems for framework errors before a handler runs, by error code. */
const BY_CODE: Readonly<Record<string, () => Problem>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new Problem('unsupported_media_type'),
  FST_ERR_CTP_BODY_TOO_LARGE: () => new Problem('body_too_large'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => new Problem('malformed_request'),
  FST_ERR_CTP_EMPTY_JSON_BODY: () => new Problem('malformed_json'),
  FST_ERR_BAD_URL: () => new Problem('route_not_found'),
  FST_ERR_MAX_PARAM_LENGTH: () => new Problem('uri_too_long'),
  FST_ERR_ASYNC_CONSTRAINT: () => new Problem('malformed_request'),
  ECONNRESET: () => new Problem('malformed_request'),
};

const BY_STATUS: Readonly<Record<number, () => Problem>> = {
  400: () => new Problem('malformed_request'),
  404: () => new Problem('route_not_found'),
  408: () => new Problem('request_timeout'),
  413: () => new Problem('body_too_large'),
  414: () => new Problem('uri_too_long'),
  415: () => new Problem('unsupported_media_type'),
  431: () => new Problem('headers_too_large'),
};

/** Problem for any error. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof UnavailableError) return unavailable(error.message, error.cause);
  const { code, statusCode } = (error ?? {}) as { code?: string; statusCode?: number };
  const status = error instanceof HttpException ? error.getStatus() : statusCode;
  const known = BY_CODE[code ?? ''] ?? BY_STATUS[status ?? 0];
  return known ? known() : new Problem('internal_error', { cause: error });
}

/** Converts errors to answers. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('errors');

  constructor(
    private readonly publicUrl: string,
    private readonly allowedMethods: (path: string) => readonly string[],
  ) {}

  /** Must never fail: any error in it becomes the answer. */
  async catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    if (reply.sent) return;
    const problem = this.orMethodNotAllowed(toProblem(error), request);
    const body = this.bodyOf(problem, error, request);
    try {
      await problem.remember?.(problem.status, body);
      this.send(reply, problem, body);
    } catch (fault) {
      // Nothing was stored, so the repeat that a 503 asks for is a new request.
      const failure = toProblem(fault);
      this.send(reply, failure, this.bodyOf(failure, fault, request));
    }
  }

  private bodyOf(problem: Problem, error: unknown, request: FastifyRequest): string {
    if (problem.status >= 500) {
      this.logger.error({ err: problem.cause ?? error, requestId: request.id }, problem.code);
    }
    return problemBody(problem, this.publicUrl, request.id, request.url);
  }

  private send(reply: FastifyReply, problem: Problem, body: string): void {
    void reply
      .status(problem.status)
      .headers(problem.headers)
      .type('application/problem+json')
      .send(body);
  }

  /** Answers 405 instead of 404 if the path exists for other methods. */
  private orMethodNotAllowed(problem: Problem, request: FastifyRequest): Problem {
    if (problem.code !== 'route_not_found') return problem;
    const allow = this.allowedMethods(request.url.split('?')[0] ?? '');
    if (allow.length === 0 || allow.includes(request.method)) return problem;
    return new Problem('method_not_allowed', { headers: { allow: allow.join(', ') } });
  }
}
