import { Controller, Get, Query, Res, UseFilters, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { sendPage } from '../../common/page.js';
import type { Query as QueryValues } from '../../common/query.js';
import { AUDIT_PAGE, AuditService } from '../people/audit.service.js';
import { PortalFilter } from '../portal.filter.js';
import { Portal } from '../portal.guard.js';
import { CurrentVisit, type SignedVisit } from '../visit.js';
import { renderPlatformAudit } from './audit.view.js';
import { pageOf, readListQuery } from './list-query.js';

@ApiExcludeController()
@UseFilters(PortalFilter)
@Controller({ path: 'portal/platform/audit', version: VERSION_NEUTRAL })
export class PlatformAuditController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  @Portal('platform.manage')
  async list(
    @CurrentVisit() visit: SignedVisit,
    @Query() query: QueryValues,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const wanted = { ...readListQuery(query), text: '' };
    const found = await this.audit.page(null, wanted.after);
    sendPage(reply, 200, renderPlatformAudit(visit, pageOf(wanted, found, AUDIT_PAGE)));
  }
}
