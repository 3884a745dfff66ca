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
import type { Query as QueryValues } from '../../common/query.js';
import { MerchantsService } from '../../merchants/merchants.service.js';
import { formOf, goTo } from '../http.js';
import { AuditService } from '../people/audit.service.js';
import { PortalFilter } from '../portal.filter.js';
import { Portal } from '../portal.guard.js';
import { attempt, filled, textOf } from '../settings/form.js';
import { CurrentVisit, type SignedVisit } from '../visit.js';
import { PAGE, pageOf, readListQuery } from './list-query.js';
import { renderMerchants, renderNewMerchant } from './merchants.view.js';

@ApiExcludeController()
@UseFilters(PortalFilter)
@Controller({ path: 'portal/platform', version: VERSION_NEUTRAL })
export class PlatformMerchantsController {
  constructor(
    private readonly merchants: MerchantsService,
    private readonly audit: AuditService,
  ) {}

  @Get()
  @Portal('platform.read')
  async list(
    @CurrentVisit() visit: SignedVisit,
    @Query() query: QueryValues,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const wanted = readListQuery(query);
    const { text: name, after } = wanted;
    const found = await this.merchants.search({ name, after, limit: PAGE + 1 });
    sendPage(reply, 200, renderMerchants(visit, pageOf(wanted, found), query['done']));
  }

  @Get('merchants/new')
  @Portal('platform.manage')
  blank(@CurrentVisit() visit: SignedVisit, @Res() reply: FastifyReply): void {
    sendPage(reply, 200, renderNewMerchant({ visit, form: new URLSearchParams() }));
  }

  @Post('merchants/new')
  @Portal('platform.manage')
  async add(
    @CurrentVisit() visit: SignedVisit,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const form = formOf(request);
    const body = filled({ name: textOf(form, 'name'), timeZone: textOf(form, 'timeZone') });
    const { problems } = await attempt(() =>
      this.merchants.add(body, (tx, { id, name, timeZone }) =>
        this.audit.record(tx, visit, {
          action: 'merchant.created',
          subject: id,
          merchantId: id,
          data: { name, timeZone },
        }),
      ),
    );
    if (problems) return sendPage(reply, 422, renderNewMerchant({ visit, form, problems }));
    goTo(reply, '/portal/platform?done=created');
  }
}
