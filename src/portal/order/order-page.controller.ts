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
import { sendPage } from '../../common/page.js';
import { formOf, goTo } from '../http.js';
import { PortalFilter } from '../portal.filter.js';
import { Portal } from '../portal.guard.js';
import { CurrentVisit, type PlacedVisit } from '../visit.js';
import { renderCancel } from './cancel.view.js';
import { renderOrder } from './order-page.view.js';
import { OrderPageService } from './order-page.service.js';
import { orderPath } from './order-props.js';
import { renderVersions } from './versions.view.js';

/** The page of one order, and what can be done there. */
@ApiExcludeController()
@UseFilters(PortalFilter)
@Controller({ path: 'portal/m/:merchantId/:mode/orders/:txid', version: VERSION_NEUTRAL })
export class OrderPageController {
  constructor(
    private readonly orders: OrderPageService,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Portal('orders.read')
  async show(
    @CurrentVisit() visit: PlacedVisit,
    @Param('txid') txid: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const page = await this.orders.open(visit, txid);
    sendPage(reply, 200, renderOrder(visit, page, this.clock.now()));
  }

  @Post('payer')
  @Portal('payer.reveal')
  async reveal(
    @CurrentVisit() visit: PlacedVisit,
    @Param('txid') txid: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const page = await this.orders.reveal(visit, txid);
    sendPage(reply, 200, renderOrder(visit, page, this.clock.now()));
  }

  /** A page that was made by a form is loaded again by its address: that leads to the order. */
  @Get('payer')
  @Portal('orders.read')
  back(
    @CurrentVisit() visit: PlacedVisit,
    @Param('txid') txid: string,
    @Res() reply: FastifyReply,
  ): void {
    goTo(reply, orderPath(visit, encodeURIComponent(txid)));
  }

  @Get('versions')
  @Portal('orders.read')
  async versions(
    @CurrentVisit() visit: PlacedVisit,
    @Param('txid') txid: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    sendPage(reply, 200, renderVersions(visit, await this.orders.versions(visit, txid)));
  }

  @Post('notes')
  @Portal('orders.note')
  async note(
    @CurrentVisit() visit: PlacedVisit,
    @Param('txid') txid: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const text = formOf(request).get('note') ?? '';
    const problem = await this.orders.note(visit, txid, text);
    if (!problem) return goTo(reply, `${orderPath(visit, txid)}#timeline`);
    const page = await this.orders.open(visit, txid);
    sendPage(reply, 422, renderOrder(visit, page, this.clock.now(), { text, problem }));
  }

  @Post('deliveries/:deliveryId/resend')
  @Portal('deliveries.resend')
  async resend(
    @CurrentVisit() visit: PlacedVisit,
    @Param('txid') txid: string,
    @Param('deliveryId') deliveryId: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.orders.resend(visit, txid, deliveryId);
    goTo(reply, `${orderPath(visit, txid)}#webhooks`);
  }

  @Get('cancel')
  @Portal('orders.cancel')
  async askToCancel(
    @CurrentVisit() visit: PlacedVisit,
    @Param('txid') txid: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const order = await this.orders.find(visit, txid);
    const can = this.orders.isCancelable(order);
    sendPage(reply, can ? 200 : 409, renderCancel(visit, order, can));
  }

  @Post('cancel')
  @Portal('orders.cancel')
  async cancel(
    @CurrentVisit() visit: PlacedVisit,
    @Param('txid') txid: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const order = await this.orders.cancel(visit, txid);
    if (order.status !== 'cancelled')
      return sendPage(reply, 409, renderCancel(visit, order, false));
    goTo(reply, orderPath(visit, order.txid));
  }
}
