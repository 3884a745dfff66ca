import {
  Controller,
  Get,
  Post,
  Query,
  Req,
  Res,
  UseFilters,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendPage } from '../../common/page.js';
import { sendFile } from '../download/send-file.js';
import { queryOf } from '../history/history-address.js';
import { formOf, goTo } from '../http.js';
import { PortalFilter } from '../portal.filter.js';
import { Portal } from '../portal.guard.js';
import { CurrentVisit, type PlacedVisit } from '../visit.js';
import { PayoutAskingService } from './payout-asking.service.js';
import { obstacleTo } from './payout-balances.js';
import { PayoutDownloadsService } from './payout-downloads.service.js';
import { renderNewPayout, renderNothingToAsk } from './payout-form.view.js';
import { PayoutPagesService } from './payout-pages.service.js';
import { payoutPath } from './payout-words.js';
import { blankPayout } from './payout.form.js';
import { renderPayouts } from './payouts.view.js';

/** The list of payouts, and the form that asks for one. */
@ApiExcludeController()
@UseFilters(PortalFilter)
@Controller({ path: 'portal/m/:merchantId/:mode/payouts', version: VERSION_NEUTRAL })
export class PayoutsController {
  constructor(
    private readonly pages: PayoutPagesService,
    private readonly asking: PayoutAskingService,
    private readonly downloads: PayoutDownloadsService,
  ) {}

  @Get()
  @Portal('payouts.read')
  async list(
    @CurrentVisit() visit: PlacedVisit,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    sendPage(reply, 200, renderPayouts(visit, await this.pages.list(visit, queryOf(request))));
  }

  @Get('download.csv')
  @Portal('orders.export')
  async file(
    @CurrentVisit() visit: PlacedVisit,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const left = new AbortController();
    reply.raw.once('close', () => left.abort());
    sendFile(reply, await this.downloads.payouts(visit, queryOf(request), left.signal));
  }

  @Get('new')
  @Portal('payouts.manage')
  async blank(@CurrentVisit() visit: PlacedVisit, @Res() reply: FastifyReply): Promise<void> {
    const offer = await this.asking.offer(visit.place);
    const obstacle = obstacleTo(offer.purses, offer.accounts);
    if (obstacle) return sendPage(reply, 200, renderNothingToAsk(visit, obstacle));
    sendPage(reply, 200, renderNewPayout({ visit, offer, form: blankPayout(offer) }));
  }

  @Post('new')
  @Portal('payouts.manage')
  async ask(
    @CurrentVisit() visit: PlacedVisit,
    @Query('as') as: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const form = formOf(request);
    const isDraft = as === 'draft';
    const made = await this.asking.ask(visit, form, isDraft);
    if (!made.problems) {
      return goTo(reply, `${payoutPath(visit, made.done)}?done=${isDraft ? 'drafted' : 'asked'}`);
    }
    const offer = await this.asking.offer(visit.place);
    sendPage(reply, 422, renderNewPayout({ visit, offer, form, problems: made.problems }));
  }
}
