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
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ANY_FORM } from '../../common/body-parsers.js';
import { matchLocale } from '../../common/locale.js';
import { Public } from '../../merchants/api-key.guard.js';
import { LimitPages } from '../../merchants/rate-limit.guard.js';
import { STYLESHEET } from './page-style.js';
import { RecipientConsentService } from './recipient-consent.service.js';
import { RecipientPageFilter } from './recipient-page.filter.js';
import { localeOf, sendPage } from './recipient-page.reply.js';
import { renderNotice, renderRecipientPage } from './recipient-page.view.js';
import { recipientPageUrl } from './recipient-page-url.js';
import { type ActiveRecipient, statusOf } from './recipient-status.js';

const YEAR_SECONDS = 31_536_000;

/** Where a mailbox's owner says yes or no to mails. Whoever has the link may. */
@ApiExcludeController()
@Public()
@UseFilters(RecipientPageFilter)
@Controller({ path: 'notification-recipient', version: VERSION_NEUTRAL })
export class RecipientPageController {
  constructor(private readonly consent: RecipientConsentService) {}

  @Get('assets/page.css')
  css(@Res({ passthrough: true }) reply: FastifyReply): string {
    const { css } = STYLESHEET;
    void reply
      .header('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`)
      .type('text/css; charset=utf-8');
    return css;
  }

  /** Shows and changes nothing, also where a program opens the address that is meant for a POST. */
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

  /** Also for mail programs, RFC 8058: answers without a detour, whatever the form holds. */
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
    const { href } = STYLESHEET;
    if (!recipient) return sendPage(reply, 404, renderNotice('notFound', localeOf(request), href));
    const merchant = await this.consent.merchantOf(recipient);
    const page = {
      locale: matchLocale(recipient.locale) ?? 'en',
      status: statusOf(recipient),
      email: recipient.email,
      merchantName: merchant.name,
      isTest: recipient.mode === 'test',
      path: recipientPageUrl('', recipient),
    };
    sendPage(reply, 200, renderRecipientPage(page, href));
  }
}
