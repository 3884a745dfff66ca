import { Controller, Get, Param, Query, Res, UseFilters, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { sendPage } from '../../../common/page.js';
import type { Query as QueryValues } from '../../../common/query.js';
import { PayoutDeskRepository } from '../../../database/repositories/payout-desk.repository.js';
import { AuditService } from '../../people/audit.service.js';
import { PortalFilter } from '../../portal.filter.js';
import { Portal } from '../../portal.guard.js';
import { CurrentVisit, type SignedVisit } from '../../visit.js';
import { PAGE, pageOf, readListQuery } from '../list-query.js';
import { modeOf } from './desk-path.js';
import { renderUnallocated } from './unallocated.view.js';

/** Money that no order explains, so that it is nobody's yet. */
@ApiExcludeController()
@UseFilters(PortalFilter)
@Controller({ path: 'portal/platform/unallocated', version: VERSION_NEUTRAL })
export class UnallocatedController {
  constructor(
    private readonly desk: PayoutDeskRepository,
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
    const found = await this.desk.unallocated(mode, wanted.after, PAGE + 1);
    sendPage(reply, 200, renderUnallocated(visit, mode, pageOf(wanted, found)));
  }
}
