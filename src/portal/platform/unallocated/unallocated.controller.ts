import { Get, Param, Post, Query } from '@nestjs/common';
import { PlatformPayoutRepository } from '../../../database/read-models/platform-payout.repository.js';
import type { Query as QueryValues } from '../../../http/query.js';
import { AuditService } from '../../../people/audit.service.js';
import { CurrentContext, type SignedInContext } from '../../../people/portal-context.js';
import { type PageAnswer, page, seeOther } from '../../kit/answer.js';
import { Form } from '../../kit/http.js';
import { PAGE, pageOf, readListQuery } from '../../kit/list-query.js';
import { AsksForCode, Needs, PortalController } from '../../portal-controller.js';
import { keyOf, modeOf, unallocatedPath } from '../payouts/platform-path.js';
import { statusOf } from '../payouts/refused.js';
import { AcceptancePageService } from './acceptance-page.service.js';
import { renderAcceptance } from './acceptance.view.js';
import { DisputedCallbacksService } from './disputed-callbacks.service.js';
import { RefundPageService } from './refund-page.service.js';
import { renderRefund } from './refund.view.js';
import { renderUnallocated } from './unallocated.view.js';

const ORDER = ':mode/:merchantId/:id';

/** Unallocated funds and disputed provider callbacks. */
@PortalController('platform/unallocated')
export class UnallocatedController {
  constructor(
    private readonly platform: PlatformPayoutRepository,
    private readonly acceptance: AcceptancePageService,
    private readonly refunds: RefundPageService,
    private readonly reports: DisputedCallbacksService,
    private readonly audit: AuditService,
  ) {}

  @Get(':mode')
  @Needs('platform.read')
  async list(
    @CurrentContext() context: SignedInContext,
    @Param('mode') text: string,
    @Query() query: QueryValues,
  ): Promise<PageAnswer> {
    const mode = modeOf(text);
    const wanted = readListQuery(query);
    if (context.session.platformRole === 'support') {
      const data = { mode, filter: 'unallocated' };
      await this.audit.recordView(context, { action: 'orders.listed', data });
    }
    const [found, reports] = await Promise.all([
      this.platform.unallocated(mode, wanted.after, PAGE + 1),
      this.reports.list(mode),
    ]);
    const orders = pageOf(wanted, found);
    return page(renderUnallocated(context, mode, orders, reports, query['done']));
  }

  @Get(ORDER)
  @Needs('platform.payouts')
  async ask(
    @CurrentContext() context: SignedInContext,
    @Param() params: Record<string, string>,
  ): Promise<PageAnswer> {
    const found = await this.acceptance.open(context, keyOf(params));
    return page(renderAcceptance({ context, page: found }), found.isAcceptable ? 200 : 409);
  }

  @Post(ORDER)
  @Needs('platform.payouts')
  @AsksForCode()
  async accept(
    @CurrentContext() context: SignedInContext,
    @Param() params: Record<string, string>,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const key = keyOf(params);
    const problems = await this.acceptance.accept(context, key, form);
    if (!problems) return seeOther(`${unallocatedPath(key.mode)}?done=accepted`);
    const found = await this.acceptance.open(context, key);
    return page(renderAcceptance({ context, page: found, problems }), statusOf(problems));
  }

  @Get(`${ORDER}/refund`)
  @Needs('platform.payouts')
  async askRefund(
    @CurrentContext() context: SignedInContext,
    @Param() params: Record<string, string>,
  ): Promise<PageAnswer> {
    const found = await this.refunds.open(context, keyOf(params));
    return page(renderRefund({ context, page: found }), found.left.length > 0 ? 200 : 409);
  }

  @Post(`${ORDER}/refund`)
  @Needs('platform.payouts')
  @AsksForCode()
  async refund(
    @CurrentContext() context: SignedInContext,
    @Param() params: Record<string, string>,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const key = keyOf(params);
    const problems = await this.refunds.record(context, key, form);
    if (!problems) return seeOther(`${unallocatedPath(key.mode)}?done=refunded`);
    const found = await this.refunds.open(context, key);
    const status = found.left.length > 0 ? statusOf(problems) : 409;
    return page(renderRefund({ context, page: found, form, problems }), status);
  }

  @Post(`${ORDER}/handled`)
  @Needs('platform.payouts')
  async handled(
    @CurrentContext() context: SignedInContext,
    @Param() params: Record<string, string>,
  ): Promise<PageAnswer> {
    const key = keyOf(params);
    await this.reports.handled(context, key);
    return seeOther(`${unallocatedPath(key.mode)}?done=handled`);
  }
}
