import { Get, Param, Post } from '@nestjs/common';
import { CurrentContext, type MerchantContext } from '../../people/portal-context.js';
import { FreshFactor } from '../../people/second-factor/fresh-factor.js';
import { invalid, page, type PageAnswer, seeOther } from '../kit/answer.js';
import { Form } from '../kit/http.js';
import { orderPath } from '../order/order-props.js';
import { Needs, PortalController } from '../portal-controller.js';
import { type RefundDecision, RefundPagesService } from './refund-pages.service.js';
import { renderRefundForm, renderUndecided } from './refund.view.js';

/** Refunds of one order. */
@PortalController('m/:merchantId/:mode/orders/:txid')
export class RefundPagesController {
  constructor(
    private readonly pages: RefundPagesService,
    private readonly factor: FreshFactor,
  ) {}

  @Get('refund')
  @Needs('refunds.manage')
  async ask(
    @CurrentContext() context: MerchantContext,
    @Param('txid') txid: string,
  ): Promise<PageAnswer> {
    const found = await this.pages.open(context, txid);
    return page(renderRefundForm({ context, ...found }), found.left > 0 ? 200 : 409);
  }

  @Post('refund')
  @Needs('refunds.manage')
  async request(
    @CurrentContext() context: MerchantContext,
    @Param('txid') txid: string,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const found = await this.pages.open(context, txid);
    await this.factor.demandLive(context, form);
    const problems = await this.pages.request(context, found, form);
    if (problems) return invalid(renderRefundForm({ context, ...found, form, problems }));
    return seeOther(`${orderPath(context, found.order.txid)}#refunds`);
  }

  @Post('refunds/:refundId/approve')
  @Needs('refunds.manage')
  async approve(
    @CurrentContext() context: MerchantContext,
    @Param('txid') txid: string,
    @Param('refundId') id: string,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    await this.factor.demandLive(context, form);
    return this.decide(context, txid, id, 'approve');
  }

  /** The account that the payer entered. */
  @Post('refunds/:refundId/confirm-account')
  @Needs('bank-accounts.confirm')
  async confirmAccount(
    @CurrentContext() context: MerchantContext,
    @Param('txid') txid: string,
    @Param('refundId') id: string,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    await this.factor.demandLive(context, form);
    return this.decide(context, txid, id, 'confirm-account');
  }

  @Post('refunds/:refundId/reject')
  @Needs('refunds.manage')
  reject(
    @CurrentContext() context: MerchantContext,
    @Param('txid') txid: string,
    @Param('refundId') id: string,
  ): Promise<PageAnswer> {
    return this.decide(context, txid, id, 'reject');
  }

  @Post('refunds/:refundId/cancel')
  @Needs('refunds.manage')
  cancel(
    @CurrentContext() context: MerchantContext,
    @Param('txid') txid: string,
    @Param('refundId') id: string,
  ): Promise<PageAnswer> {
    return this.decide(context, txid, id, 'cancel');
  }

  private async decide(
    context: MerchantContext,
    txid: string,
    id: string,
    decision: RefundDecision,
  ): Promise<PageAnswer> {
    const { order } = await this.pages.open(context, txid);
    const problems = await this.pages.decide(context, order, id, decision);
    if (problems) return page(renderUndecided(context, order, problems), 409);
    return seeOther(`${orderPath(context, order.txid)}#refunds`);
  }
}
