import { Get, Param, Post, Query } from '@nestjs/common';
import type { Query as QueryValues } from '../../http/query.js';
import { CurrentContext, type SignedInContext } from '../../people/portal-context.js';
import { type PageAnswer, invalid, page, seeOther } from '../kit/answer.js';
import { Form } from '../kit/http.js';
import { idOf } from '../kit/path-id.js';
import { Needs, PortalController } from '../portal-controller.js';
import { MerchantPageService } from './merchant-page.service.js';
import { renderMerchant } from './merchant.view.js';

/** The platform's settings of one merchant. */
@PortalController('platform/merchants/:merchantId')
export class PlatformMerchantController {
  constructor(private readonly merchants: MerchantPageService) {}

  @Get()
  @Needs('platform.payouts')
  async show(
    @CurrentContext() context: SignedInContext,
    @Param('merchantId') merchantId: string,
    @Query() query: QueryValues,
  ): Promise<PageAnswer> {
    const found = await this.merchants.open(idOf(merchantId));
    const form = this.merchants.formFor(found, query['provider'], query['currency']);
    return page(renderMerchant({ context, page: found, form, done: query['done'] }));
  }

  @Post()
  @Needs('platform.payouts')
  async setFee(
    @CurrentContext() context: SignedInContext,
    @Param('merchantId') merchantId: string,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const found = await this.merchants.open(idOf(merchantId));
    const problems = await this.merchants.setFee(context, found.merchant.id, form);
    if (problems) return invalid(renderMerchant({ context, page: found, form, problems }));
    return seeOther(`/portal/platform/merchants/${found.merchant.id}?done=saved`);
  }

  @Post('transfers')
  @Needs('platform.payouts')
  async allowTransfers(
    @CurrentContext() context: SignedInContext,
    @Param('merchantId') merchantId: string,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const { merchant } = await this.merchants.open(idOf(merchantId));
    await this.merchants.allowTransfers(context, merchant.id, form.get('takes') === 'yes');
    return seeOther(`/portal/platform/merchants/${merchant.id}?done=saved`);
  }
}
