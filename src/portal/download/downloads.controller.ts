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
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Clock } from '../../common/clock.js';
import { isUuid } from '../../common/ids.js';
import { sendPage } from '../../common/page.js';
import { queryOf } from '../history/history-address.js';
import { everyMerchant, type HistoryPlace, merchantPlace } from '../history/history-place.js';
import { HistoryService } from '../history/history.service.js';
import { formOf, goTo } from '../http.js';
import { PortalFilter } from '../portal.filter.js';
import { Portal } from '../portal.guard.js';
import { notFound } from '../refusal.js';
import { CurrentVisit, type PlacedVisit, type SignedVisit } from '../visit.js';
import { choiceOf } from './download-choice.js';
import { DownloadPagesService } from './download-pages.service.js';
import { renderDownload } from './download.view.js';
import { renderExports } from './exports.view.js';
import { sendFile } from './send-file.js';

/** Files of what the list shows. Each page is there for one merchant, and for all. */
@ApiExcludeController()
@UseFilters(PortalFilter)
@Controller({ path: 'portal', version: VERSION_NEUTRAL })
export class DownloadsController {
  constructor(
    private readonly history: HistoryService,
    private readonly pages: DownloadPagesService,
    private readonly clock: Clock,
  ) {}

  @Get('m/:merchantId/:mode/orders/download')
  @Portal('orders.export')
  ask(
    @CurrentVisit() visit: PlacedVisit,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.showForm(visit, merchantPlace(visit), request, reply);
  }

  @Get('all/:mode/orders/download')
  @Portal('platform.orders')
  askForAll(
    @CurrentVisit() visit: SignedVisit,
    @Param('mode') mode: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.showForm(visit, everyMerchant(visit, mode), request, reply);
  }

  @Get('m/:merchantId/:mode/orders/download.csv')
  @Portal('orders.export')
  file(
    @CurrentVisit() visit: PlacedVisit,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.sendCsv(visit, merchantPlace(visit), request, reply);
  }

  @Get('all/:mode/orders/download.csv')
  @Portal('platform.orders')
  fileOfAll(
    @CurrentVisit() visit: SignedVisit,
    @Param('mode') mode: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.sendCsv(visit, everyMerchant(visit, mode), request, reply);
  }

  @Get('m/:merchantId/:mode/exports')
  @Portal('orders.export')
  list(@CurrentVisit() visit: PlacedVisit, @Res() reply: FastifyReply): Promise<void> {
    return this.showExports(visit, merchantPlace(visit), reply);
  }

  @Get('all/:mode/exports')
  @Portal('platform.orders')
  listForAll(
    @CurrentVisit() visit: SignedVisit,
    @Param('mode') mode: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.showExports(visit, everyMerchant(visit, mode), reply);
  }

  @Post('m/:merchantId/:mode/exports')
  @Portal('orders.export')
  order(
    @CurrentVisit() visit: PlacedVisit,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.startExport(visit, merchantPlace(visit), request, reply);
  }

  @Post('all/:mode/exports')
  @Portal('platform.orders')
  orderForAll(
    @CurrentVisit() visit: SignedVisit,
    @Param('mode') mode: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.startExport(visit, everyMerchant(visit, mode), request, reply);
  }

  @Post('m/:merchantId/:mode/exports/:id/cancel')
  @Portal('orders.export')
  cancel(
    @CurrentVisit() visit: PlacedVisit,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.cancelExport(visit, merchantPlace(visit), id, reply);
  }

  @Post('all/:mode/exports/:id/cancel')
  @Portal('platform.orders')
  cancelForAll(
    @CurrentVisit() visit: SignedVisit,
    @Param('mode') mode: string,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.cancelExport(visit, everyMerchant(visit, mode), id, reply);
  }

  @Get('m/:merchantId/:mode/exports/:id/:part')
  @Portal('orders.export')
  fetch(
    @CurrentVisit() visit: PlacedVisit,
    @Param('id') id: string,
    @Param('part') part: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.sendPart(visit, merchantPlace(visit), { id, part }, reply);
  }

  @Get('all/:mode/exports/:id/:part')
  @Portal('platform.orders')
  fetchForAll(
    @CurrentVisit() visit: SignedVisit,
    @Param('mode') mode: string,
    @Param('id') id: string,
    @Param('part') part: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.sendPart(visit, everyMerchant(visit, mode), { id, part }, reply);
  }

  private async showForm(
    visit: SignedVisit,
    place: HistoryPlace,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const query = queryOf(request);
    const asked = this.history.ask(place, query);
    const content = await this.pages.content(asked, query.has('sums'));
    sendPage(reply, 200, renderDownload(visit, { asked, content, choice: choiceOf(query) }));
  }

  private async sendCsv(
    visit: SignedVisit,
    place: HistoryPlace,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const query = queryOf(request);
    const asked = this.history.ask(place, query);
    const left = new AbortController();
    reply.raw.once('close', () => left.abort());
    sendFile(reply, await this.pages.file(visit, asked, choiceOf(query), left.signal));
  }

  private async showExports(
    visit: SignedVisit,
    place: HistoryPlace,
    reply: FastifyReply,
  ): Promise<void> {
    sendPage(
      reply,
      200,
      renderExports(visit, place, await this.pages.list(visit, place), this.clock.now()),
    );
  }

  private async startExport(
    visit: SignedVisit,
    place: HistoryPlace,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const form = formOf(request);
    await this.pages.order(visit, this.history.ask(place, form), choiceOf(form));
    goTo(reply, `${place.base}/exports`);
  }

  private async cancelExport(
    visit: SignedVisit,
    place: HistoryPlace,
    id: string,
    reply: FastifyReply,
  ): Promise<void> {
    if (!isUuid(id)) throw notFound();
    await this.pages.cancel(visit, place, id);
    goTo(reply, `${place.base}/exports`);
  }

  private async sendPart(
    visit: SignedVisit,
    place: HistoryPlace,
    { id, part }: { readonly id: string; readonly part: string },
    reply: FastifyReply,
  ): Promise<void> {
    if (!isUuid(id)) throw notFound();
    if (part === 'file.csv') return sendFile(reply, await this.pages.exported(visit, place, id));
    if (part !== 'manifest.json') throw notFound();
    const manifest = await this.pages.manifest(visit, place, id);
    void reply.header('cache-control', 'no-store').type('application/json').send(manifest);
  }
}
