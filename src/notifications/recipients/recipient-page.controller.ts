import {
  Controller,
  Get,
  Param,
  Post,
  Req,
  Res,
  UseFilters,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExcludeController } from '@nestjs/swagger';
import { recipientStatus } from '../../database/notifications/notification-recipient.entity.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { chooseLocale, type Locale, matchLocale } from '../../common/locale.js';
import { ANY_FORM } from '../../http/body-parsers.js';
import { PageProblemFilter } from '../../http/problems/page-problem.filter.js';
import { forEver, sendPage } from '../../http/page.js';
import { Public } from '../../merchants/api-key.guard.js';
import { LimitPages } from '../../merchants/rate-limit.guard.js';
import { STYLESHEET } from './page-style.js';
import { RecipientConsentService } from './recipient-consent.service.js';
import { recipientPageUrl } from './recipient-page-url.js';
import { renderNotice, renderRecipientPage } from './recipient-page.view.js';
import type { ActiveRecipient } from './recipient-status.js';

/** Language for pages without a known recipient. */
const localeOf = (request: FastifyRequest): Locale =>
  chooseLocale({ acceptLanguage: request.headers['accept-language'] ?? null });

/** Page to confirm and unsubscribe; the link is sufficient. */
@ApiExcludeController()
@Public()
@UseFilters(new PageProblemFilter((kind, request) => renderNotice(kind, localeOf(request))))
@Controller({ path: 'notification-recipient', version: VERSION_NEUTRAL })
export class RecipientPageController {
  constructor(private readonly consent: RecipientConsentService) {}

  @Get('assets/page.css')
  css(@Res({ passthrough: true }) reply: FastifyReply): string {
    forEver(reply).type('text/css; charset=utf-8');
    return STYLESHEET.css;
  }

  /** GET changes nothing, since programs open links in mails, including those for POST. */
  @Get([':token', ':token/confirm', ':token/unsubscribe'])
  @LimitPages()
  async show(
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answer(request, reply, await this.consent.find(token));
  }

  @Post(':token/confirm')
  @LimitPages()
  @RouteConfig(ANY_FORM)
  async confirm(
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answer(request, reply, await this.consent.confirm(token));
  }

  /** One-click unsubscribe of mail programs (RFC 8058): answers directly, whatever the form contains. */
  @Post(':token/unsubscribe')
  @LimitPages()
  @RouteConfig(ANY_FORM)
  async unsubscribe(
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answer(request, reply, await this.consent.unsubscribe(token));
  }

  private async answer(
    request: FastifyRequest,
    reply: FastifyReply,
    recipient: ActiveRecipient | null,
  ): Promise<void> {
    if (!recipient) return sendPage(reply, 404, renderNotice('not_found', localeOf(request)));
    const merchant = await this.consent.merchantOf(recipient);
    const page = {
      locale: matchLocale(recipient.locale) ?? 'en',
      status: recipientStatus(recipient),
      email: recipient.email,
      merchantName: merchant.name,
      isTest: recipient.mode === 'test',
      path: recipientPageUrl('', recipient),
    };
    sendPage(reply, 200, renderRecipientPage(page));
  }
}
