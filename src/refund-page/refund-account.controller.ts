import { Controller, Get, Post, Req, Res, UseFilters, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Locale } from '../common/locale.js';
import { formOf } from '../http/form-body.js';
import { sendPage } from '../http/page.js';
import { PageProblemFilter } from '../http/problems/page-problem.filter.js';
import { Public } from '../merchants/api-key.guard.js';
import { LimitPages } from '../merchants/rate-limit.guard.js';
import { renderMessagePage } from '../payment-page/message.view.js';
import { localeOf } from '../payment-page/page-reply.js';
import { type ShownRefund, RefundAccountService } from './refund-account.service.js';

interface PageRequest extends FastifyRequest {
  params: { token: string };
}

/** Page on which a payer whom the bank did not name enters the account of a refund. The link is sufficient. */
@ApiExcludeController()
@Public()
@UseFilters(
  new PageProblemFilter((kind, request) => renderMessagePage(kind, localeOf(request, null))),
)
@Controller({ path: 'refund-account', version: VERSION_NEUTRAL })
export class RefundAccountController {
  constructor(private readonly pages: RefundAccountService) {}

  @Get(':token')
  @LimitPages()
  show(@Req() request: PageRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.withRefund(request, reply, (asking, locale) => {
      sendPage(reply, 200, this.pages.render(asking, locale));
      return Promise.resolve();
    });
  }

  @Post(':token')
  @LimitPages()
  enter(@Req() request: PageRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.withRefund(request, reply, async (asking, locale) => {
      const rejected = await this.pages.enter(asking, formOf(request));
      if (rejected) return sendPage(reply, 422, this.pages.render(asking, locale, rejected));
      const page = `/refund-account/${asking.payee.token}?lang=${locale}`;
      void reply.header('cache-control', 'no-store').redirect(page, 303);
    });
  }

  private async withRefund(
    request: PageRequest,
    reply: FastifyReply,
    answer: (asking: ShownRefund, locale: Locale) => Promise<void>,
  ): Promise<void> {
    const asking = await this.pages.find(request.params.token);
    const locale = localeOf(request, asking?.order.locale ?? null);
    if (!asking) return sendPage(reply, 404, renderMessagePage('not_found', locale));
    await answer(asking, locale);
  }
}
