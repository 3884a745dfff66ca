import { Controller, Get, Header, Param, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController, type ResponseObject } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorCode, ERRORS, isErrorCode } from '../http/problems/errors.js';
import { isFieldErrorCode } from '../http/problems/field-errors.js';
import { Problem } from '../http/problems/problem.js';
import { Public } from '../merchants/api-key.guard.js';
import { LimitPages } from '../merchants/rate-limit.guard.js';
import {
  type OperationLink,
  renderErrorList,
  renderErrorPage,
  renderFieldErrorPage,
  renderNoSuchError,
} from './error-page.view.js';
import { OpenApi } from './openapi/openapi.js';

const HTML = 'text/html; charset=utf-8';

/** A page for every error, linked from the `type` of each problem. */
@ApiExcludeController()
@Public()
@LimitPages('documents')
@Controller({ path: 'errors', version: VERSION_NEUTRAL })
export class ErrorsController {
  constructor(private readonly openApi: OpenApi) {}

  @Get()
  @Header('content-type', HTML)
  list(): Promise<string> {
    return renderErrorList();
  }

  /** @throws Problem `error_not_found` for a program; browsers get a page */
  @Get(':code')
  @Header('content-type', HTML)
  show(
    @Param('code') code: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    if (isErrorCode(code)) return renderErrorPage(code, this.answeredBy(code));
    if (isFieldErrorCode(code)) return renderFieldErrorPage(code);
    if (!request.headers.accept?.includes('text/html')) throw new Problem('error_not_found');
    void reply.status(ERRORS.error_not_found.status);
    return renderNoSuchError();
  }

  private answeredBy(code: ErrorCode): OperationLink[] {
    const { status } = ERRORS[code];
    return this.openApi
      .operations()
      .filter(({ operation }) => {
        const response = operation.responses[status] as ResponseObject | undefined;
        return code in (response?.content?.['application/problem+json']?.examples ?? {});
      })
      .map(({ name, operation: { tags = [], operationId } }) => ({
        name,
        href: `/docs#/${encodeURIComponent(tags[0] ?? '')}/${operationId}`,
      }));
  }
}
