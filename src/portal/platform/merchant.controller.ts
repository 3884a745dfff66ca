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
import type { Query as QueryValues } from '../../common/query.js';
import { formOf, goTo } from '../http.js';
import { PortalFilter } from '../portal.filter.js';
import { Portal } from '../portal.guard.js';
import { idOf } from '../settings/path-id.js';
import { CurrentVisit, type SignedVisit } from '../visit.js';
import { MerchantPageService } from './merchant-page.service.js';
import { renderMerchant } from './merchant.view.js';

/** One merchant, as the platform sees it. */
@ApiExcludeController()
@UseFilters(PortalFilter)
@Controller({ path: 'portal/platform/merchants/:merchantId', version: VERSION_NEUTRAL })
export class PlatformMerchantController {
  constructor(private readonly merchants: MerchantPageService) {}

  @Get()
  @Portal('platform.payouts')
  async show(
    @CurrentVisit() visit: SignedVisit,
    @Param('merchantId') merchantId: string,
    @Query() query: QueryValues,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const page = await this.merchants.open(idOf(merchantId));
    const form = this.merchants.formFor(page, query['provider'], query['currency']);
    sendPage(reply, 200, renderMerchant({ visit, page, form, done: query['done'] }));
  }

  @Post()
  @Portal('platform.payouts')
  async setFee(
    @CurrentVisit() visit: SignedVisit,
    @Param('merchantId') merchantId: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const page = await this.merchants.open(idOf(merchantId));
    const form = formOf(request);
    const problems = await this.merchants.setFee(visit, page.merchant.id, form);
    if (problems) return sendPage(reply, 422, renderMerchant({ visit, page, form, problems }));
    goTo(reply, `/portal/platform/merchants/${page.merchant.id}?done=saved`);
  }
}
