import { Controller, Get, Post, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OrderWithPayment } from '../database/entities/order.entity.js';
import { Public } from '../merchants/api-key.guard.js';
import { LimitPages } from '../merchants/rate-limit.guard.js';
import { SCRIPT, stylesheet } from './assets.js';
import { chooseLocale, matchLocale } from './locale.js';
import { renderMessagePage } from './message.view.js';
import { OrderWatch } from './order-watch.js';
import type { Locale } from './page.model.js';
import { PaymentPageService } from './payment-page.service.js';

/** What a page token looks like; anything else is not looked up. */
const TOKEN = /^[A-Za-z0-9_-]{32}$/;
const LANGUAGE_COOKIE = 'lang';
const YEAR_SECONDS = 31_536_000;

interface PageRequest extends FastifyRequest {
  params: { token: string };
  query: { lang?: unknown };
}

/** The hosted page on which a payer pays one order. Whoever has the link may. */
@ApiExcludeController()
@Public()
@Controller({ path: 'pay', version: VERSION_NEUTRAL })
export class PaymentPageController {
  constructor(
    private readonly pages: PaymentPageService,
    private readonly watch: OrderWatch,
  ) {}

  @Get('assets/pay.css')
  css(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): string {
    forEver(reply).type('text/css; charset=utf-8');
    return stylesheet((request.query as { c?: string }).c);
  }

  @Get('assets/pay.js')
  script(@Res({ passthrough: true }) reply: FastifyReply): string {
    forEver(reply).type('text/javascript; charset=utf-8');
    return SCRIPT;
  }

  @Get(':token')
  @LimitPages()
  show(@Req() request: PageRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.withOrder(request, reply, async (order, locale) => {
      const chosen = matchLocale(request.query.lang);
      if (chosen) rememberLanguage(reply, chosen);
      sendPage(reply, 200, await this.pages.render(order, locale));
    });
  }

  @Post(':token/start')
  @LimitPages()
  start(@Req() request: PageRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.withOrder(request, reply, async (order) => {
      const method = request.body instanceof URLSearchParams ? request.body.get('method') : null;
      goTo(reply, (await this.pages.start(order, method)) ?? pageOf(order));
    });
  }

  @Post(':token/cancel')
  @LimitPages()
  cancel(@Req() request: PageRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.withOrder(request, reply, async (order) => {
      await this.pages.cancel(order);
      goTo(reply, pageOf(order));
    });
  }

  /** Back to the provider's page, for a payer who left it. */
  @Get(':token/continue')
  @LimitPages()
  continue(@Req() request: PageRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.withOrder(request, reply, async (order) => {
      const isLive = order.status === 'processing';
      goTo(reply, (isLive && order.payment?.redirectUrl) || pageOf(order));
    });
  }

  @Get(':token/return')
  @LimitPages()
  returned(@Req() request: PageRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.withOrder(request, reply, async (order) => {
      await this.pages.returned(order);
      goTo(reply, pageOf(order));
    });
  }

  @Get(':token/events')
  events(@Req() request: PageRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.withOrder(request, reply, async (order) => this.watch.stream(order, reply));
  }

  private async withOrder(
    request: PageRequest,
    reply: FastifyReply,
    answer: (order: OrderWithPayment, locale: Locale) => Promise<void>,
  ): Promise<void> {
    const { token } = request.params;
    const order = TOKEN.test(token) ? await this.pages.find(token) : null;
    const locale = chooseLocale({
      query: request.query.lang,
      order: order?.locale ?? null,
      cookie: languageCookie(request),
      acceptLanguage: request.headers['accept-language'] ?? null,
    });
    if (!order) return sendPage(reply, 404, renderMessagePage('not_found', locale));
    await answer(order, locale);
  }
}

const pageOf = (order: OrderWithPayment): string => `/pay/${order.pageToken}`;

const goTo = (reply: FastifyReply, url: string): void =>
  void reply.header('cache-control', 'no-store').redirect(url, 303);

function sendPage(reply: FastifyReply, status: number, html: string): void {
  void reply
    .status(status)
    .headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow' })
    .type('text/html; charset=utf-8')
    .send(html);
}

/** The address of an asset changes with its content. */
const forEver = (reply: FastifyReply): FastifyReply =>
  reply.header('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`);

const languageCookie = (request: FastifyRequest): string | null =>
  /(?:^|;\s*)lang=([a-z]{2})(?:;|$)/.exec(request.headers.cookie ?? '')?.[1] ?? null;

const rememberLanguage = (reply: FastifyReply, locale: Locale): void =>
  void reply.header(
    'set-cookie',
    `${LANGUAGE_COOKIE}=${locale}; Path=/pay; Max-Age=${YEAR_SECONDS}; HttpOnly; SameSite=Lax`,
  );
