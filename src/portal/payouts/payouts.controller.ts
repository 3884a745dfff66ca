import { Get, Post, Query } from '@nestjs/common';
import type { ExportFile } from '../../exports/export-stream.service.js';
import { ClientDisconnect } from '../../http/client-disconnect.js';
import { CurrentContext, type MerchantContext } from '../../people/portal-context.js';
import { type PageAnswer, invalid, page, seeOther } from '../kit/answer.js';
import { Form, SearchParams } from '../kit/http.js';
import { payoutPath } from '../kit/payout-text.js';
import { Needs, PortalController } from '../portal-controller.js';
import { PayoutAskingService } from './payout-asking.service.js';
import { obstacleTo } from './payout-balances.js';
import { PayoutExportsService } from './payout-exports.service.js';
import { renderNewPayout, renderNothingToAsk } from './payout-form.view.js';
import { PayoutPagesService } from './payout-pages.service.js';
import { blankPayout } from './payout.form.js';
import { renderPayouts } from './payouts.view.js';

/** Payout list and the form that requests a payout. */
@PortalController('m/:merchantId/:mode/payouts')
export class PayoutPagesController {
  constructor(
    private readonly pages: PayoutPagesService,
    private readonly asking: PayoutAskingService,
    private readonly exports: PayoutExportsService,
  ) {}

  @Get()
  @Needs('payouts.read')
  async list(
    @CurrentContext() context: MerchantContext,
    @SearchParams() query: URLSearchParams,
  ): Promise<PageAnswer> {
    return page(renderPayouts(context, await this.pages.list(context, query)));
  }

  @Get('download.csv')
  @Needs('orders.export')
  file(
    @CurrentContext() context: MerchantContext,
    @SearchParams() query: URLSearchParams,
    @ClientDisconnect() signal: AbortSignal,
  ): Promise<ExportFile> {
    return this.exports.payouts(context, query, signal);
  }

  @Get('new')
  @Needs('payouts.manage')
  async blank(@CurrentContext() context: MerchantContext): Promise<PageAnswer> {
    const offer = await this.asking.offer(context.access);
    const obstacle = obstacleTo(offer.currencyBalances, offer.accounts);
    if (obstacle) return page(renderNothingToAsk(context, obstacle));
    return page(renderNewPayout({ context, offer, form: blankPayout(offer) }));
  }

  @Post('new')
  @Needs('payouts.manage')
  async ask(
    @CurrentContext() context: MerchantContext,
    @Query('as') as: unknown,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const isDraft = as === 'draft';
    const made = await this.asking.ask(context, form, isDraft);
    if (!made.problems) {
      return seeOther(`${payoutPath(context, made.done)}?done=${isDraft ? 'drafted' : 'asked'}`);
    }
    const offer = await this.asking.offer(context.access);
    return invalid(renderNewPayout({ context, offer, form, problems: made.problems }));
  }
}
