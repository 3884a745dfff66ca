import { Get, Query } from '@nestjs/common';
import type { Query as QueryValues } from '../../http/query.js';
import { AUDIT_PAGE, AuditService } from '../../people/audit.service.js';
import { CurrentContext, type SignedInContext } from '../../people/portal-context.js';
import { type PageAnswer, page } from '../kit/answer.js';
import { pageOf, readListQuery } from '../kit/list-query.js';
import { Needs, PortalController } from '../portal-controller.js';
import { renderPlatformAudit } from './audit.view.js';

@PortalController('platform/audit')
export class PlatformAuditController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  @Needs('platform.manage')
  async list(
    @CurrentContext() context: SignedInContext,
    @Query() query: QueryValues,
  ): Promise<PageAnswer> {
    const wanted = { ...readListQuery(query), text: '' };
    const found = await this.audit.page(null, wanted.after);
    return page(renderPlatformAudit(context, pageOf(wanted, found, AUDIT_PAGE)));
  }
}
