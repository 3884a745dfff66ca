import { Get, Param, Post } from '@nestjs/common';
import { Clock } from '../../common/time/clock.js';
import type { ExportFile } from '../../exports/export-stream.service.js';
import { ClientDisconnect } from '../../http/client-disconnect.js';
import { CurrentContext, type SignedInContext } from '../../people/portal-context.js';
import { notFound } from '../../people/refusal.js';
import { type PageAnswer, json, page, seeOther } from '../kit/answer.js';
import { Form, SearchParams } from '../kit/http.js';
import { idOf } from '../kit/path-id.js';
import { OrderListService } from '../order-list/order-list.service.js';
import { CurrentOrdersAccess, type OrdersAccess } from '../order-list/orders-access.js';
import { Needs, PortalController } from '../portal-controller.js';
import { choiceOf } from './export-choice.js';
import { renderExportForm } from './export-form.view.js';
import { ExportPagesService } from './export-pages.service.js';
import { renderExports } from './exports.view.js';

/** Exports of the order list of one merchant, or of all merchants for support. */
@PortalController('m/:merchantId/:mode', 'all/:mode')
export class ExportsController {
  constructor(
    private readonly orderList: OrderListService,
    private readonly pages: ExportPagesService,
    private readonly clock: Clock,
  ) {}

  @Get('orders/download')
  @Needs('orders.export', 'platform.orders')
  async ask(
    @CurrentContext() context: SignedInContext,
    @CurrentOrdersAccess() access: OrdersAccess,
    @SearchParams() query: URLSearchParams,
  ): Promise<PageAnswer> {
    const asked = this.orderList.ask(access, query);
    const content = await this.pages.content(asked, query.has('sums'));
    return page(renderExportForm(context, { asked, content, choice: choiceOf(query) }));
  }

  @Get('orders/download.csv')
  @Needs('orders.export', 'platform.orders')
  file(
    @CurrentContext() context: SignedInContext,
    @CurrentOrdersAccess() access: OrdersAccess,
    @SearchParams() query: URLSearchParams,
    @ClientDisconnect() signal: AbortSignal,
  ): Promise<ExportFile> {
    return this.pages.file(context, this.orderList.ask(access, query), choiceOf(query), signal);
  }

  @Get('exports')
  @Needs('orders.export', 'platform.orders')
  async list(
    @CurrentContext() context: SignedInContext,
    @CurrentOrdersAccess() access: OrdersAccess,
  ): Promise<PageAnswer> {
    const exports = await this.pages.list(context, access);
    return page(renderExports(context, access, exports, this.clock.now()));
  }

  @Post('exports')
  @Needs('orders.export', 'platform.orders')
  async order(
    @CurrentContext() context: SignedInContext,
    @CurrentOrdersAccess() access: OrdersAccess,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    await this.pages.order(context, this.orderList.ask(access, form), choiceOf(form));
    return seeOther(`${access.base}/exports`);
  }

  @Post('exports/:id/cancel')
  @Needs('orders.export', 'platform.orders')
  async cancel(
    @CurrentContext() context: SignedInContext,
    @CurrentOrdersAccess() access: OrdersAccess,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    await this.pages.cancel(context, access, idOf(id));
    return seeOther(`${access.base}/exports`);
  }

  @Get('exports/:id/:part')
  @Needs('orders.export', 'platform.orders')
  async fetch(
    @CurrentContext() context: SignedInContext,
    @CurrentOrdersAccess() access: OrdersAccess,
    @Param('id') text: string,
    @Param('part') part: string,
  ): Promise<PageAnswer | ExportFile> {
    const id = idOf(text);
    if (part === 'file.csv') return this.pages.exported(context, access, id);
    if (part !== 'manifest.json') throw notFound();
    return json(await this.pages.manifest(context, access, id));
  }
}
