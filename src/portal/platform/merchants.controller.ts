import { Get, Post, Query } from '@nestjs/common';
import { parse } from '../../contract/parse.js';
import type { Query as QueryValues } from '../../http/query.js';
import { CreateMerchantRequest } from '../../merchants/dto/merchant.request.js';
import { MerchantsService } from '../../merchants/merchants.service.js';
import { AuditService } from '../../people/audit.service.js';
import { CurrentContext, type SignedInContext } from '../../people/portal-context.js';
import { type PageAnswer, invalid, page, seeOther } from '../kit/answer.js';
import { attempt, filled, textOf } from '../kit/form.js';
import { Form } from '../kit/http.js';
import { PAGE, pageOf, readListQuery } from '../kit/list-query.js';
import { Needs, PortalController } from '../portal-controller.js';
import { BankTasksService } from './bank-tasks.service.js';
import { renderMerchants, renderNewMerchant } from './merchants.view.js';

@PortalController('platform')
export class PlatformMerchantsController {
  constructor(
    private readonly merchants: MerchantsService,
    private readonly bankTasks: BankTasksService,
    private readonly audit: AuditService,
  ) {}

  @Get()
  @Needs('platform.read')
  async list(
    @CurrentContext() context: SignedInContext,
    @Query() query: QueryValues,
  ): Promise<PageAnswer> {
    const wanted = readListQuery(query);
    const { text: name, after } = wanted;
    const isStart = name === '' && after === null;
    const [found, tasks] = await Promise.all([
      this.merchants.search({ name, after, limit: PAGE + 1 }),
      isStart ? this.bankTasks.read() : null,
    ]);
    return page(renderMerchants({ context, page: pageOf(wanted, found), tasks }, query['done']));
  }

  @Get('merchants/new')
  @Needs('platform.manage')
  blank(@CurrentContext() context: SignedInContext): PageAnswer {
    return page(renderNewMerchant({ context, form: new URLSearchParams() }));
  }

  @Post('merchants/new')
  @Needs('platform.manage')
  async add(
    @CurrentContext() context: SignedInContext,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const body = filled({ name: textOf(form, 'name'), timeZone: textOf(form, 'timeZone') });
    const { problems } = await attempt(() =>
      this.merchants.create(parse(CreateMerchantRequest, body), (tx, { id, name, timeZone }) =>
        this.audit.record(tx, context, {
          action: 'merchant.created',
          subject: id,
          merchantId: id,
          data: { name, timeZone },
        }),
      ),
    );
    if (problems) return invalid(renderNewMerchant({ context, form, problems }));
    return seeOther('/portal/platform?done=created');
  }
}
