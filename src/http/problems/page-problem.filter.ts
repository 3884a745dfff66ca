import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type NoticeKind, sendPage } from '../page.js';
import { toProblem } from './problem.filter.js';

/** Renders errors of pages as a localised page. */
@Catch()
export class PageProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('errors');

  constructor(private readonly render: (kind: NoticeKind, request: FastifyRequest) => string) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    if (reply.sent) return;
    const problem = toProblem(error);
    if (problem.status >= 500) {
      this.logger.error({ err: problem.cause ?? error, requestId: request.id }, problem.code);
    }
    const kind = problem.code === 'rate_limited' ? 'too_many_requests' : 'unavailable';
    sendPage(reply.headers(problem.headers), problem.status, this.render(kind, request));
  }
}
