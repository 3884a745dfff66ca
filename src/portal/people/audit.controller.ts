import { Get, Query } from '@nestjs/common';
import { uuidOf } from '../../common/ids.js';
import { AUDIT_PAGE, AuditService } from '../../people/audit.service.js';
import { CurrentContext, type MerchantContext } from '../../people/portal-context.js';
import { type PageAnswer, page } from '../kit/answer.js';
import { Needs, PortalController } from '../portal-controller.js';
import { renderAudit } from './audit.view.js';

/** Audit log of one merchant. */
@PortalController('m/:merchantId/:mode/audit')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  @Needs('audit.read')
  async show(
    @CurrentContext() context: MerchantContext,
    @Query('before') asked: unknown,
  ): Promise<PageAnswer> {
    const before = typeof asked === 'string' ? uuidOf(asked) : null;
    const found = await this.audit.page(context.access.merchantId, before);
    const entries = found.slice(0, AUDIT_PAGE);
    const older = found.length > AUDIT_PAGE ? entries.at(-1)!.id : null;
    return page(renderAudit({ context, entries, older, isFirst: before === null }));
  }
}
