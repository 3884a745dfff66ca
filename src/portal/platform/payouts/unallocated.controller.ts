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
import { PayoutDeskRepository } from '../../../database/repositories/payout-desk.repository.js';
import { formOf, goTo } from '../../http.js';
import { AuditService } from '../../people/audit.service.js';
import { PortalFilter } from '../../portal.filter.js';
import { AsksForCode, Portal } from '../../portal.guard.js';
import { CurrentVisit, type SignedVisit } from '../../visit.js';
import { PAGE, pageOf, readListQuery } from '../list-query.js';
import { AcceptancePageService } from './acceptance-page.service.js';
import { renderAcceptance } from './acceptance.view.js';
import { keyOf, modeOf, unallocatedPath } from './desk-path.js';
import { OddReportsService } from './odd-reports.service.js';
import { RefundPageService } from './refund-page.service.js';
import { renderRefund } from './refund.view.js';
import { statusOf } from './refused.js';
import { renderUnallocated } from './unallocated.view.js';

const ORDER = ':mode/:merchantId/:id';

/** Money that no order explains, so that it is nobody's yet. */
@ApiExcludeController()
@UseFilters(PortalFilter)
@Controller({ path: 'portal/platform/unallocated', version: VERSION_NEUTRAL })
export class UnallocatedController {
  constructor(
    private readonly desk: PayoutDeskRepository,
    private readonly acceptance: AcceptancePageService,
    private readonly refunds: RefundPageService,
    private readonly reports: OddReportsService,
    private readonly audit: AuditService,
  ) {}

  @Get(':mode')
  @Portal('platform.read')
  async list(
    @CurrentVisit() visit: SignedVisit,
    @Param('mode') text: string,
    @Query() query: QueryValues,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const mode = modeOf(text);
    const wanted = readListQuery(query);
    if (visit.session.platformRole === 'support') {
      const data = { mode, filter: 'unallocated' };
      await this.audit.look(visit, { action: 'orders.listed', data });
    }
    const [found, reports] = await Promise.all([
      this.desk.unallocated(mode, wanted.after, PAGE + 1),
      this.reports.list(mode),
    ]);
    const page = pageOf(wanted, found);
    sendPage(reply, 200, renderUnallocated(visit, mode, page, reports, query['done']));
  }

  @Get(ORDER)
  @Portal('platform.payouts')
  async ask(
    @CurrentVisit() visit: SignedVisit,
    @Param() params: Record<string, string>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const page = await this.acceptance.open(visit, keyOf(params));
    sendPage(reply, page.isAcceptable ? 200 : 409, renderAcceptance({ visit, page }));
  }

  @Post(ORDER)
  @Portal('platform.payouts')
  @AsksForCode()
  async accept(
    @CurrentVisit() visit: SignedVisit,
    @Param() params: Record<string, string>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const key = keyOf(params);
    const problems = await this.acceptance.accept(visit, key, formOf(request));
    if (!problems) return goTo(reply, `${unallocatedPath(key.mode)}?done=accepted`);
    const page = await this.acceptance.open(visit, key);
    sendPage(reply, statusOf(problems), renderAcceptance({ visit, page, problems }));
  }

  @Get(`${ORDER}/refund`)
  @Portal('platform.payouts')
  async askRefund(
    @CurrentVisit() visit: SignedVisit,
    @Param() params: Record<string, string>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const page = await this.refunds.open(visit, keyOf(params));
    sendPage(reply, page.left.length > 0 ? 200 : 409, renderRefund({ visit, page }));
  }

  @Post(`${ORDER}/refund`)
  @Portal('platform.payouts')
  @AsksForCode()
  async refund(
    @CurrentVisit() visit: SignedVisit,
    @Param() params: Record<string, string>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const key = keyOf(params);
    const form = formOf(request);
    const problems = await this.refunds.record(visit, key, form);
    if (!problems) return goTo(reply, `${unallocatedPath(key.mode)}?done=refunded`);
    const page = await this.refunds.open(visit, key);
    const status = page.left.length > 0 ? statusOf(problems) : 409;
    sendPage(reply, status, renderRefund({ visit, page, form, problems }));
  }

  @Post(`${ORDER}/handled`)
  @Portal('platform.payouts')
  async handled(
    @CurrentVisit() visit: SignedVisit,
    @Param() params: Record<string, string>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const key = keyOf(params);
    await this.reports.handled(visit, key);
    goTo(reply, `${unallocatedPath(key.mode)}?done=handled`);
  }
}
