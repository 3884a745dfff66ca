import { Get, Post, Query } from '@nestjs/common';
import { matchLocale } from '../../common/locale.js';
import { parse } from '../../contract/parse.js';
import { ChangeMerchantRequest } from '../../merchants/dto/merchant.request.js';
import { MerchantsService } from '../../merchants/merchants.service.js';
import { PaymentPageService } from '../../payment-page/payment-page.service.js';
import { isSampleState } from '../../payment-page/sample-page.js';
import { AuditService } from '../../people/audit.service.js';
import { CurrentContext, pathOf, type MerchantContext } from '../../people/portal-context.js';
import { notFound } from '../../people/refusal.js';
import { FreshFactor } from '../../people/second-factor/fresh-factor.js';
import { type PageAnswer, invalid, page, seeOther } from '../kit/answer.js';
import { attempt, textOf } from '../kit/form.js';
import { Form } from '../kit/http.js';
import { Needs, PortalController } from '../portal-controller.js';
import { businessForm, renderBusiness } from './business.view.js';

const FIELDS = ['name', 'contactUrl', 'colour', 'logoUrl', 'timeZone', 'transferDays'] as const;

/** Business details shown to payers, and the time zone. */
@PortalController('m/:merchantId/:mode/business')
export class BusinessController {
  constructor(
    private readonly merchants: MerchantsService,
    private readonly pages: PaymentPageService,
    private readonly factor: FreshFactor,
    private readonly audit: AuditService,
  ) {}

  @Get()
  @Needs('business.manage')
  async show(
    @CurrentContext() context: MerchantContext,
    @Query('done') done: unknown,
  ): Promise<PageAnswer> {
    const merchant = await this.merchants.find(context.access.merchantId);
    if (!merchant) throw notFound();
    return page(renderBusiness({ context, form: businessForm(merchant), done }));
  }

  @Post()
  @Needs('business.manage')
  async save(
    @CurrentContext() context: MerchantContext,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const { merchantId } = context.access;
    // Applies to both modes: live payers see the changes.
    await this.factor.demand(context, form);
    const body = Object.fromEntries(FIELDS.map((name) => [name, textOf(form, name)]));
    const { problems } = await attempt(() =>
      this.merchants.update(merchantId, parse(ChangeMerchantRequest, body), (tx, patch) =>
        this.audit.record(tx, context, {
          action: 'business.changed',
          subject: merchantId,
          data: patch,
        }),
      ),
    );
    if (problems) return invalid(renderBusiness({ context, form, problems }));
    return seeOther(`${pathOf(context.access)}/business?done=saved`);
  }

  /** Preview of the payment page with the saved details. */
  @Get('preview')
  @Needs('business.manage')
  async preview(
    @CurrentContext() context: MerchantContext,
    @Query() query: Readonly<Record<string, unknown>>,
  ): Promise<PageAnswer> {
    const { state = 'open', locale, lang = locale } = query;
    if (!isSampleState(state)) throw notFound();
    return page(await this.pages.sample(context.access, state, matchLocale(lang) ?? 'en'));
  }
}
