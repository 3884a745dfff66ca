import { Get, Param, Post, Query } from '@nestjs/common';
import type { ShownPayout } from '../../database/read-models/payout-page.repository.js';
import type { Payout } from '../../database/payouts/payout.entity.js';
import type { ExportFile } from '../../exports/export-stream.service.js';
import type { Query as QueryValues } from '../../http/query.js';
import { ClientDisconnect } from '../../http/client-disconnect.js';
import { CurrentContext, type MerchantContext } from '../../people/portal-context.js';
import { type PageAnswer, invalid, page, seeOther } from '../kit/answer.js';
import type { Problems } from '../kit/form.js';
import { Form } from '../kit/http.js';
import type { DoneKey } from '../kit/payout-components.js';
import { payoutPath } from '../kit/payout-text.js';
import { Needs, PortalController } from '../portal-controller.js';
import { PayoutAskingService } from './payout-asking.service.js';
import { renderCancelPayout, renderTooLate } from './payout-cancel.view.js';
import { PayoutExportsService } from './payout-exports.service.js';
import { renderEditPayout } from './payout-form.view.js';
import { pageIn } from './payout-list.js';
import { PayoutPagesService } from './payout-pages.service.js';
import { payoutForm } from './payout.form.js';
import { isPayoutCancelable, isChangeable, renderPayout } from './payout.view.js';

/** Page of one payout and its actions. */
@PortalController('m/:merchantId/:mode/payouts/:id')
export class PayoutController {
  constructor(
    private readonly pages: PayoutPagesService,
    private readonly asking: PayoutAskingService,
    private readonly exports: PayoutExportsService,
  ) {}

  @Get()
  @Needs('payouts.read')
  async show(
    @CurrentContext() context: MerchantContext,
    @Param('id') id: string,
    @Query() query: QueryValues,
  ): Promise<PageAnswer> {
    const found = await this.pages.open(context, id, pageIn(query['page']));
    return page(renderPayout(context, found, query['done']));
  }

  @Get('lines.csv')
  @Needs('orders.export')
  async file(
    @CurrentContext() context: MerchantContext,
    @Param('id') id: string,
    @ClientDisconnect() signal: AbortSignal,
  ): Promise<ExportFile> {
    const payout = await this.pages.find(context, id);
    return this.exports.lines(context, payout, signal);
  }

  @Post('submit')
  @Needs('payouts.manage')
  async submit(
    @CurrentContext() context: MerchantContext,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    const payout = await this.pages.find(context, id);
    // Submitted twice, or requested by another user meanwhile: show the current state.
    if (payout.status !== 'draft') return seeOther(payoutPath(context, payout));
    const { problems } = await this.asking.submit(context, payout);
    if (problems) return this.showForm(context, payout, { problems });
    return done(context, payout, 'asked');
  }

  /** Reached when the response of the submitted form is reloaded. */
  @Get('submit')
  @Needs('payouts.read')
  async back(
    @CurrentContext() context: MerchantContext,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    return seeOther(payoutPath(context, await this.pages.find(context, id)));
  }

  @Get('edit')
  @Needs('payouts.manage')
  async edit(
    @CurrentContext() context: MerchantContext,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    const payout = await this.pages.find(context, id);
    return this.showForm(context, payout);
  }

  @Post('edit')
  @Needs('payouts.manage')
  async change(
    @CurrentContext() context: MerchantContext,
    @Param('id') id: string,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const payout = await this.pages.find(context, id);
    if (!isChangeable(payout)) return this.showForm(context, payout);
    const { problems } = await this.asking.change(context, payout, form);
    if (problems) return this.showForm(context, payout, { form, problems });
    return done(context, payout, 'changed');
  }

  @Get('cancel')
  @Needs('payouts.manage')
  async askToCancel(
    @CurrentContext() context: MerchantContext,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    const payout = await this.pages.find(context, id);
    if (isPayoutCancelable(payout)) return page(renderCancelPayout(context, payout));
    return page(renderTooLate(context, payout, 'cancelled'), 409);
  }

  @Post('cancel')
  @Needs('payouts.manage')
  async cancel(
    @CurrentContext() context: MerchantContext,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    const payout = await this.pages.find(context, id);
    if (payout.status === 'cancelled') return seeOther(payoutPath(context, payout));
    if (!isPayoutCancelable(payout)) {
      return page(renderTooLate(context, payout, 'cancelled'), 409);
    }
    await this.asking.cancel(context, payout);
    return done(context, payout, 'cancelled');
  }

  private async showForm(
    context: MerchantContext,
    payout: ShownPayout,
    { form = payoutForm(payout), problems }: Sent = {},
  ): Promise<PageAnswer> {
    if (!isChangeable(payout)) {
      return page(renderTooLate(context, payout, 'changed'), 409);
    }
    const offer = await this.asking.offerFor(context.access, payout);
    const html = renderEditPayout({ context, payout, offer, form, problems });
    return problems ? invalid(html) : page(html);
  }
}

interface Sent {
  /** Default: the values of the payout. */
  readonly form?: URLSearchParams;
  readonly problems?: Problems;
}

const done = (context: MerchantContext, payout: Payout, word: DoneKey): PageAnswer =>
  seeOther(`${payoutPath(context, payout)}?done=${word}`);
