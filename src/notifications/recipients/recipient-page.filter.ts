import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { toProblem } from '../../common/problem.filter.js';
import { STYLESHEET } from './page-style.js';
import { localeOf, sendPage } from './recipient-page.reply.js';
import { renderNotice } from './recipient-page.view.js';

/** The mailbox's owner is told in a page that something went wrong. */
@Catch()
export class RecipientPageFilter implements ExceptionFilter {
  private readonly logger = new Logger('errors');

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    if (reply.sent) return;
    const problem = toProblem(error);
    if (problem.status >= 500) {
      this.logger.error({ err: problem.cause ?? error, requestId: request.id }, problem.code);
    }
    const kind = problem.code === 'rate_limited' ? 'tooManyRequests' : 'unavailable';
    const { href } = STYLESHEET;
    sendPage(
      reply.headers(problem.headers),
      problem.status,
      renderNotice(kind, localeOf(request), href),
    );
  }
}
