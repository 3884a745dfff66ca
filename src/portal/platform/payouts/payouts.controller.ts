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
import { sendPage } from '../../../common/page.js';
import type { Query as QueryValues } from '../../../common/query.js';
import { formOf, goTo } from '../../http.js';
import { FreshFactor } from '../../people/fresh-factor.js';
import { PortalFilter } from '../../portal.filter.js';
import { AsksForCode, Portal } from '../../portal.guard.js';
import { CurrentVisit, type SignedVisit } from '../../visit.js';
import type { Problems } from '../../settings/form.js';
import { readListQuery } from '../list-query.js';
import { type DeskKey, keyOf, modeOf, payoutPath } from './desk-path.js';
import { DeskService } from './desk.service.js';
import { renderDesk } from './desk.view.js';
import { statusOf } from './refused.js';
import { renderOutcome } from './outcome.view.js';
import { canBecome, OUTCOMES, PayoutPageService } from './payout-page.service.js';
import { renderPayout } from './payout.view.js';

const PAYOUT = ':mode/:merchantId/:id';

/** Payouts of all merchants, and what operators decide about them. */
@ApiExcludeController()
@UseFilters(PortalFilter)
@Controller({ path: 'portal/platform/payouts', version: VERSION_NEUTRAL })
export class DeskController {
  constructor(
    private readonly desk: DeskService,
    private readonly payouts: PayoutPageService,
    private readonly factor: FreshFactor,
  ) {}

  @Get(':mode')
  @Portal('platform.payouts')
  async list(
    @CurrentVisit() visit: SignedVisit,
    @Param('mode') mode: string,
    @Query() query: QueryValues,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const desk = await this.desk.look(modeOf(mode), readListQuery(query));
    sendPage(reply, 200, renderDesk(visit, desk, query['done']));
  }

  @Get(PAYOUT)
  @Portal('platform.payouts')
  async show(
    @CurrentVisit() visit: SignedVisit,
    @Param() params: Record<string, string>,
    @Query() { line, done }: QueryValues,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const page = await this.payouts.open(visit, keyOf(params), lineOf(line));
    const owesCode = this.factor.isOwed(visit);
    sendPage(reply, 200, renderPayout({ visit, page, owesCode, done }));
  }

  @Post(`${PAYOUT}/approve`)
  @Portal('platform.payouts')
  @AsksForCode()
  async approve(
    @CurrentVisit() visit: SignedVisit,
    @Param() params: Record<string, string>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const key = keyOf(params);
    const form = formOf(request);
    const problems = await this.payouts.approve(visit, key, form);
    if (!problems) return goTo(reply, `${payoutPath(key)}?done=approved`);
    await this.showAgain(visit, key, { problems, form }, reply);
  }

  @Post(`${PAYOUT}/reject`)
  @Portal('platform.payouts')
  async reject(
    @CurrentVisit() visit: SignedVisit,
    @Param() params: Record<string, string>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const key = keyOf(params);
    const form = formOf(request);
    const problems = await this.payouts.reject(visit, key, form);
    if (!problems) return goTo(reply, `${payoutPath(key)}?done=rejected`);
    await this.showAgain(visit, key, { problems, form }, reply);
  }

  /** Also for a page that a form has made and that is loaded again by its address. */
  @Get(`${PAYOUT}/:outcome`)
  @Portal('platform.payouts')
  async ask(
    @CurrentVisit() visit: SignedVisit,
    @Param() params: Record<string, string>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { payout } = await this.payouts.open(visit, keyOf(params));
    const outcome = OUTCOMES.find((known) => known === params['outcome']);
    if (!outcome || !canBecome(payout, outcome)) return goTo(reply, payoutPath(payout));
    const form = new URLSearchParams();
    sendPage(reply, 200, renderOutcome({ visit, payout, outcome, form, problems: undefined }));
  }

  @Post(`${PAYOUT}/:outcome`)
  @Portal('platform.payouts')
  async end(
    @CurrentVisit() visit: SignedVisit,
    @Param() params: Record<string, string>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const key = keyOf(params);
    const outcome = OUTCOMES.find((known) => known === params['outcome']);
    if (!outcome) return goTo(reply, payoutPath(key));
    const form = formOf(request);
    const problems = await this.payouts.end(visit, key, outcome, form);
    if (!problems) return goTo(reply, `${payoutPath(key)}?done=${outcome}`);
    const { payout } = await this.payouts.open(visit, key);
    sendPage(reply, statusOf(problems), renderOutcome({ visit, payout, outcome, form, problems }));
  }

  private async showAgain(
    visit: SignedVisit,
    key: DeskKey,
    sent: { readonly problems: Problems; readonly form: URLSearchParams },
    reply: FastifyReply,
  ): Promise<void> {
    const page = await this.payouts.open(visit, key);
    const owesCode = this.factor.isOwed(visit);
    sendPage(reply, statusOf(sent.problems), renderPayout({ visit, page, owesCode, ...sent }));
  }
}

/** A page is never refused for an odd address: what is not understood is left out. */
const lineOf = (text: unknown): number =>
  typeof text === 'string' && /^\d{1,6}$/.test(text) ? Number(text) : 0;
