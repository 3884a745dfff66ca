import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendPage } from '../common/page.js';
import { ERRORS } from '../common/errors.js';
import type { Problem } from '../common/problem.js';
import { toProblem } from '../common/problem.filter.js';
import { goTo } from './http.js';
import { SessionEndedError } from '../database/repositories/audit.repository.js';
import { renderRefusal } from './layout/refusal.view.js';
import { CodeOwed } from './people/step-up.js';
import { renderStepUp } from './people/step-up.view.js';
import { GoTo, notFound, Refusal, SIGN_IN } from './refusal.js';

/** People are told in a page why they do not see what they asked for. */
@Catch()
export class PortalFilter implements ExceptionFilter {
  private readonly logger = new Logger('errors');

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    if (reply.sent) return;
    if (error instanceof GoTo) return goTo(reply, error.url);
    if (error instanceof SessionEndedError) return goTo(reply, SIGN_IN);
    if (error instanceof CodeOwed) return sendPage(reply, 422, renderStepUp(error));
    if (error instanceof Refusal) return this.refuse(reply, error);
    const problem = toProblem(error);
    if (problem.status >= 500) {
      this.logger.error({ err: problem.cause ?? error, requestId: request.id }, problem.code);
    }
    if (problem.status === 404) return this.refuse(reply, notFound());
    const page = renderRefusal(titleOf(problem), problem.detail, request.id);
    sendPage(reply.headers(problem.headers), problem.status, page);
  }

  private refuse(reply: FastifyReply, { status, title, text }: Refusal): void {
    sendPage(reply, status, renderRefusal(title, text));
  }
}

const titleOf = ({ status, code }: Problem): string =>
  status >= 500 ? 'This does not work at the moment' : ERRORS[code].title;
