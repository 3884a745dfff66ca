import {
  Controller,
  Get,
  Post,
  Query,
  Req,
  Res,
  UseFilters,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { matchLocale } from '../../common/locale.js';
import { sendPage } from '../../common/page.js';
import { MerchantsService } from '../../merchants/merchants.service.js';
import { PaymentPageService } from '../../payment-page/payment-page.service.js';
import { isSampleState } from '../../payment-page/sample-page.js';
import { formOf, goTo } from '../http.js';
import { AuditService } from '../people/audit.service.js';
import { FreshFactor } from '../people/fresh-factor.js';
import { PortalFilter } from '../portal.filter.js';
import { Portal } from '../portal.guard.js';
import { notFound } from '../refusal.js';
import { CurrentVisit, pathOf, type PlacedVisit } from '../visit.js';
import { businessForm, renderBusiness } from './business.view.js';
import { attempt, textOf } from './form.js';

const FIELDS = ['name', 'contactUrl', 'colour', 'logoUrl', 'timeZone'] as const;

/** What payers see of a merchant, and its time zone. */
@ApiExcludeController()
@UseFilters(PortalFilter)
@Controller({ path: 'portal/m/:merchantId/:mode/business', version: VERSION_NEUTRAL })
export class BusinessController {
  constructor(
    private readonly merchants: MerchantsService,
    private readonly pages: PaymentPageService,
    private readonly factor: FreshFactor,
    private readonly audit: AuditService,
  ) {}

  @Get()
  @Portal('business.manage')
  async show(
    @CurrentVisit() visit: PlacedVisit,
    @Query('done') done: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const merchant = await this.merchants.find(visit.place.merchantId);
    if (!merchant) throw notFound();
    sendPage(reply, 200, renderBusiness({ visit, form: businessForm(merchant), done }));
  }

  @Post()
  @Portal('business.manage')
  async save(
    @CurrentVisit() visit: PlacedVisit,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const form = formOf(request);
    const { merchantId } = visit.place;
    // Of both modes: live payers see it.
    await this.factor.demand(visit, form);
    const body = Object.fromEntries(FIELDS.map((name) => [name, textOf(form, name)]));
    const { problems } = await attempt(() =>
      this.merchants.update(merchantId, body, (tx, patch) =>
        this.audit.record(tx, visit, {
          action: 'business.changed',
          subject: merchantId,
          data: patch,
        }),
      ),
    );
    if (problems) return sendPage(reply, 422, renderBusiness({ visit, form, problems }));
    goTo(reply, `${pathOf(visit.place)}/business?done=saved`);
  }

  /** The payment page as it looks with what is saved. */
  @Get('preview')
  @Portal('business.manage')
  async preview(
    @CurrentVisit() visit: PlacedVisit,
    @Query() query: Readonly<Record<string, unknown>>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { state = 'open', locale, lang = locale } = query;
    if (!isSampleState(state)) throw notFound();
    const page = await this.pages.sample(visit.place, state, matchLocale(lang) ?? 'en');
    sendPage(reply, 200, page);
  }
}
