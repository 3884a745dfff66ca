import { Controller, Get, Query, Res, UseFilters, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { isUuid } from '../../common/ids.js';
import { sendPage } from '../../common/page.js';
import { PortalFilter } from '../portal.filter.js';
import { Portal } from '../portal.guard.js';
import { CurrentVisit, type PlacedVisit } from '../visit.js';
import { AUDIT_PAGE, AuditService } from './audit.service.js';
import { renderAudit } from './audit.view.js';

/** Who did what at a merchant. */
@ApiExcludeController()
@UseFilters(PortalFilter)
@Controller({ path: 'portal/m/:merchantId/:mode/audit', version: VERSION_NEUTRAL })
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  @Portal('audit.read')
  async show(
    @CurrentVisit() visit: PlacedVisit,
    @Query('before') asked: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const before = typeof asked === 'string' && isUuid(asked) ? asked : null;
    const found = await this.audit.page(visit.place.merchantId, before);
    const entries = found.slice(0, AUDIT_PAGE);
    const older = found.length > AUDIT_PAGE ? entries.at(-1)!.id : null;
    sendPage(reply, 200, renderAudit({ visit, entries, older, isFirst: before === null }));
  }
}
