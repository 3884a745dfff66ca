import {
  Controller,
  Get,
  Param,
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
import type { Payout } from '../../database/entities/payout.entity.js';
import type { ShownPayout } from '../../database/repositories/payout-page.repository.js';
import { sendFile } from '../download/send-file.js';
import { formOf, goTo } from '../http.js';
import { PortalFilter } from '../portal.filter.js';
import { Portal } from '../portal.guard.js';
import type { Problems } from '../settings/form.js';
import { CurrentVisit, type PlacedVisit } from '../visit.js';
import { PayoutAskingService } from './payout-asking.service.js';
import { renderCancelPayout, renderTooLate } from './payout-cancel.view.js';
import { PayoutDownloadsService } from './payout-downloads.service.js';
import { renderEditPayout } from './payout-form.view.js';
import { pageIn } from './payout-list.js';
import { PayoutPagesService } from './payout-pages.service.js';
import type { DoneWord } from './payout-parts.js';
import { payoutPath } from './payout-words.js';
import { payoutForm } from './payout.form.js';
import { isCancelable, isChangeable, renderPayout } from './payout.view.js';

/** The page of one payout, and what can be done there. */
@ApiExcludeController()
@UseFilters(PortalFilter)
@Controller({ path: 'portal/m/:merchantId/:mode/payouts/:id', version: VERSION_NEUTRAL })
export class PayoutController {
  constructor(
    private readonly pages: PayoutPagesService,
    private readonly asking: PayoutAskingService,
    private readonly downloads: PayoutDownloadsService,
  ) {}

  @Get()
  @Portal('payouts.read')
  async show(
    @CurrentVisit() visit: PlacedVisit,
    @Param('id') id: string,
    @Query('page') page: unknown,
    @Query('done') done: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    sendPage(reply, 200, renderPayout(visit, await this.pages.open(visit, id, pageIn(page)), done));
  }

  @Get('lines.csv')
  @Portal('orders.export')
  async file(
    @CurrentVisit() visit: PlacedVisit,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const payout = await this.pages.find(visit, id);
    const left = new AbortController();
    reply.raw.once('close', () => left.abort());
    sendFile(reply, await this.downloads.lines(visit, payout, left.signal));
  }

  @Post('submit')
  @Portal('payouts.manage')
  async submit(
    @CurrentVisit() visit: PlacedVisit,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const payout = await this.pages.find(visit, id);
    // Sent twice, or asked for by somebody else meanwhile: the page tells where it stands.
    if (payout.status !== 'draft') return goTo(reply, payoutPath(visit, payout));
    const { problems } = await this.asking.submit(visit, payout);
    if (problems) return this.showForm(visit, payout, { problems }, reply);
    done(reply, visit, payout, 'asked');
  }

  /** A page that was made by the form is loaded again by its address: that leads to the payout. */
  @Get('submit')
  @Portal('payouts.read')
  async back(
    @CurrentVisit() visit: PlacedVisit,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    goTo(reply, payoutPath(visit, await this.pages.find(visit, id)));
  }

  @Get('edit')
  @Portal('payouts.manage')
  async edit(
    @CurrentVisit() visit: PlacedVisit,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const payout = await this.pages.find(visit, id);
    await this.showForm(visit, payout, {}, reply);
  }

  @Post('edit')
  @Portal('payouts.manage')
  async change(
    @CurrentVisit() visit: PlacedVisit,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const form = formOf(request);
    const payout = await this.pages.find(visit, id);
    if (!isChangeable(payout)) return this.showForm(visit, payout, {}, reply);
    const { problems } = await this.asking.change(visit, payout, form);
    if (problems) return this.showForm(visit, payout, { form, problems }, reply);
    done(reply, visit, payout, 'changed');
  }

  @Get('cancel')
  @Portal('payouts.manage')
  async askToCancel(
    @CurrentVisit() visit: PlacedVisit,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const payout = await this.pages.find(visit, id);
    if (isCancelable(payout)) return sendPage(reply, 200, renderCancelPayout(visit, payout));
    sendPage(reply, 409, renderTooLate(visit, payout, 'cancelled'));
  }

  @Post('cancel')
  @Portal('payouts.manage')
  async cancel(
    @CurrentVisit() visit: PlacedVisit,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const payout = await this.pages.find(visit, id);
    if (payout.status === 'cancelled') return goTo(reply, payoutPath(visit, payout));
    if (!isCancelable(payout)) {
      return sendPage(reply, 409, renderTooLate(visit, payout, 'cancelled'));
    }
    await this.asking.cancel(visit, payout);
    done(reply, visit, payout, 'cancelled');
  }

  private async showForm(
    visit: PlacedVisit,
    payout: ShownPayout,
    { form = payoutForm(payout), problems }: Sent,
    reply: FastifyReply,
  ): Promise<void> {
    if (!isChangeable(payout)) {
      return sendPage(reply, 409, renderTooLate(visit, payout, 'changed'));
    }
    const offer = await this.asking.offerFor(visit.place, payout);
    const page = renderEditPayout({ visit, payout, offer, form, problems });
    sendPage(reply, problems ? 422 : 200, page);
  }
}

interface Sent {
  /** As the payout is, when nothing was typed. */
  readonly form?: URLSearchParams;
  readonly problems?: Problems;
}

const done = (reply: FastifyReply, visit: PlacedVisit, payout: Payout, word: DoneWord): void =>
  goTo(reply, `${payoutPath(visit, payout)}?done=${word}`);
