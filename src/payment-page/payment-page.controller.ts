import { Controller, Get, Post, Req, Res, UseFilters, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isToken } from '../common/ids.js';
import { TtlCache } from '../common/ttl-cache.js';
import { type Locale, matchLocale } from '../common/locale.js';
import type { OrderWithPayment } from '../database/orders/order.entity.js';
import { formOf } from '../http/form-body.js';
import { PageProblemFilter } from '../http/problems/page-problem.filter.js';
import {
  allowFormTargets,
  type Compressible,
  compressible,
  sendAsset,
  sendPage,
} from '../http/page.js';
import { Public } from '../merchants/api-key.guard.js';
import { LimitPages } from '../merchants/rate-limit.guard.js';
import { SCRIPT, stylesheet } from './assets.js';
import { STREAM_HEADERS } from './event-stream.js';
import { renderMessagePage } from './message.view.js';
import { OrderWatch } from './order-watch.js';
import { LANGUAGE_COOKIE, localeOf } from './page-reply.js';
import { PaymentPageService } from './payment-page.service.js';

const YEAR_SECONDS = 31_536_000;
const DAY_SECONDS = 86_400;
/** Cached assets: a style sheet has 20 kB, and merchants have few colours. */
const ASSETS_MAX = 200;
/** Set after a redirect to the shop: a payer who returns stays on the page. */
const TAKEN_BACK_COOKIE = 'back';

interface PageRequest extends FastifyRequest {
  params: { token: string };
  query: { lang?: unknown; stay?: unknown };
  /** For the request log. */
  order?: OrderWithPayment;
}

/** Hosted payment page of an order. The link is sufficient to use it. */
@ApiExcludeController()
@Public()
@UseFilters(
  new PageProblemFilter((kind, request) => renderMessagePage(kind, localeOf(request, null))),
)
@Controller({ path: 'pay', version: VERSION_NEUTRAL })
export class PaymentPageController {
  /** Compressed assets by their text; one style sheet per colour. */
  private readonly assets = new TtlCache<Compressible>(() => DAY_SECONDS * 1_000, ASSETS_MAX);

  constructor(
    private readonly pages: PaymentPageService,
    private readonly watch: OrderWatch,
  ) {}

  @Get('assets/pay.css')
  @LimitPages('assets')
  async css(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const text = stylesheet((request.query as { c?: string }).c);
    const asset = await this.assets.get(text, () => compressible(text));
    sendAsset(request, reply, 'text/css; charset=utf-8', asset);
  }

  @Get('assets/pay.js')
  @LimitPages('assets')
  async script(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const asset = await this.assets.get(SCRIPT, () => compressible(SCRIPT));
    sendAsset(request, reply, 'text/javascript; charset=utf-8', asset);
  }

  @Get(':token')
  @LimitPages()
  show(@Req() request: PageRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.withOrder(request, reply, async (order, locale) => {
      const chosen = matchLocale(request.query.lang);
      if (chosen) rememberLanguage(reply, chosen);
      const stays = request.query.stay !== undefined || TAKEN_BACK_COOKIE in request.cookies;
      const { html, takesBack, origins } = await this.pages.render(order, locale, stays);
      allowFormTargets(reply, origins);
      if (takesBack) rememberTakenBack(reply, order);
      sendPage(reply, 200, html);
    });
  }

  @Post(':token/start')
  @LimitPages()
  start(@Req() request: PageRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.withOrder(request, reply, async (order) => {
      const form = formOf(request);
      const started = await this.pages.start(order, form.get('method'), form.get('due'));
      goTo(reply, started ?? pageOf(order));
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
  @LimitPages('streams')
  events(@Req() request: PageRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.withOrder(request, reply, async (order) => {
      if (request.method === 'HEAD') sendHeadOfStream(reply);
      else this.watch.stream(order, reply);
    });
  }

  private async withOrder(
    request: PageRequest,
    reply: FastifyReply,
    answer: (order: OrderWithPayment, locale: Locale) => Promise<void>,
  ): Promise<void> {
    const { token } = request.params;
    const order = isToken(token) ? await this.pages.find(token) : null;
    const locale = localeOf(request, order?.locale ?? null);
    if (!order) return sendPage(reply, 404, renderMessagePage('not_found', locale));
    request.order = order;
    await answer(order, locale);
  }
}

const pageOf = (order: OrderWithPayment): string => `/pay/${order.pageToken}`;

const goTo = (reply: FastifyReply, url: string): void =>
  void reply.header('cache-control', 'no-store').redirect(url, 303);

/** A HEAD request gets headers only, and uses no stream. */
const sendHeadOfStream = (reply: FastifyReply): void => void reply.headers(STREAM_HEADERS).send('');

const rememberTakenBack = (reply: FastifyReply, order: OrderWithPayment): void =>
  void reply.setCookie(TAKEN_BACK_COOKIE, '1', {
    path: pageOf(order),
    maxAge: DAY_SECONDS,
    httpOnly: true,
    sameSite: 'lax',
  });

const rememberLanguage = (reply: FastifyReply, locale: Locale): void =>
  void reply.setCookie(LANGUAGE_COOKIE, locale, {
    path: '/pay',
    maxAge: YEAR_SECONDS,
    httpOnly: true,
    sameSite: 'lax',
  });
