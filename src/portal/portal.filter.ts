import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SessionEndedError } from '../database/people/audit.repository.js';
import { ERRORS } from '../http/problems/errors.js';
import { toProblem } from '../http/problems/problem.filter.js';
import type { Problem } from '../http/problems/problem.js';
import { GoTo, notFound, Refusal, SIGN_IN } from '../people/refusal.js';
import { SecondFactorRequired } from '../people/second-factor/step-up.js';
import { type PageAnswer, invalid, page, prepare, seeOther } from './kit/answer.js';
import { renderRefusal } from './layout/refusal.view.js';
import { renderStepUp } from './people/step-up.view.js';

/** Renders errors as pages. */
@Catch()
export class PortalFilter implements ExceptionFilter {
  private readonly logger = new Logger('errors');

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    if (reply.sent) return;
    const answer = this.answerTo(error, request.id);
    void prepare(reply, answer).send(answer.body);
  }

  private answerTo(error: unknown, requestId: string): PageAnswer {
    if (error instanceof GoTo) return seeOther(error.url);
    if (error instanceof SessionEndedError) return seeOther(SIGN_IN);
    if (error instanceof SecondFactorRequired) return invalid(renderStepUp(error));
    if (error instanceof Refusal) return refusalPage(error);
    const problem = toProblem(error);
    if (problem.status >= 500) {
      this.logger.error({ err: problem.cause ?? error, requestId }, problem.code);
    }
    if (problem.status === 404) return refusalPage(notFound());
    const html = renderRefusal(titleOf(problem), problem.detail, requestId);
    const { headers, ...answer } = page(html, problem.status);
    return { ...answer, headers: { ...problem.headers, ...headers } };
  }
}

const refusalPage = ({ status, title, text }: Refusal): PageAnswer =>
  page(renderRefusal(title, text), status);

const titleOf = ({ status, code }: Problem): string =>
  status >= 500 ? 'Something went wrong' : ERRORS[code].title;
