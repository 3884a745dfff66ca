import { Get, Param, Post, Query } from '@nestjs/common';
import type { Query as QueryValues } from '../../../http/query.js';
import { CurrentContext, type SignedInContext } from '../../../people/portal-context.js';
import { FreshFactor } from '../../../people/second-factor/fresh-factor.js';
import { type PageAnswer, page, seeOther } from '../../kit/answer.js';
import type { Problems } from '../../kit/form.js';
import { Form } from '../../kit/http.js';
import { readListQuery } from '../../kit/list-query.js';
import { AsksForCode, Needs, PortalController } from '../../portal-controller.js';
import { renderOutcome } from './outcome.view.js';
import { canBecome, OUTCOMES, PayoutPageService } from './payout-page.service.js';
import { renderPlatformPayout } from './payout.view.js';
import { type PlatformPayoutKey, keyOf, modeOf, platformPayoutPath } from './platform-path.js';
import { PlatformPayoutsService } from './platform-payouts.service.js';
import { renderPlatformPayouts } from './platform-payouts.view.js';
import { statusOf } from './refused.js';

const PAYOUT = ':mode/:merchantId/:id';

/** Payouts of all merchants and operators' decisions. */
@PortalController('platform/payouts')
export class PlatformPayoutsController {
  constructor(
    private readonly platform: PlatformPayoutsService,
    private readonly payouts: PayoutPageService,
    private readonly factor: FreshFactor,
  ) {}

  @Get(':mode')
  @Needs('platform.payouts')
  async list(
    @CurrentContext() context: SignedInContext,
    @Param('mode') mode: string,
    @Query() query: QueryValues,
  ): Promise<PageAnswer> {
    const platform = await this.platform.look(modeOf(mode), readListQuery(query));
    return page(renderPlatformPayouts(context, platform, query['done']));
  }

  @Get(PAYOUT)
  @Needs('platform.payouts')
  async show(
    @CurrentContext() context: SignedInContext,
    @Param() params: Record<string, string>,
    @Query() { line, done }: QueryValues,
  ): Promise<PageAnswer> {
    const found = await this.payouts.open(context, keyOf(params), lineOf(line));
    const needsCode = this.factor.isRequired(context);
    return page(renderPlatformPayout({ context, page: found, needsCode, done }));
  }

  @Post(`${PAYOUT}/approve`)
  @Needs('platform.payouts')
  @AsksForCode()
  async approve(
    @CurrentContext() context: SignedInContext,
    @Param() params: Record<string, string>,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const key = keyOf(params);
    const problems = await this.payouts.approve(context, key, form);
    if (!problems) return seeOther(`${platformPayoutPath(key)}?done=approved`);
    return this.showAgain(context, key, { problems, form });
  }

  @Post(`${PAYOUT}/reject`)
  @Needs('platform.payouts')
  async reject(
    @CurrentContext() context: SignedInContext,
    @Param() params: Record<string, string>,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const key = keyOf(params);
    const problems = await this.payouts.reject(context, key, form);
    if (!problems) return seeOther(`${platformPayoutPath(key)}?done=rejected`);
    return this.showAgain(context, key, { problems, form });
  }

  /** Also reached when the response of a submitted form is reloaded. */
  @Get(`${PAYOUT}/:outcome`)
  @Needs('platform.payouts')
  async ask(
    @CurrentContext() context: SignedInContext,
    @Param() params: Record<string, string>,
  ): Promise<PageAnswer> {
    const { payout } = await this.payouts.open(context, keyOf(params));
    const outcome = OUTCOMES.find((known) => known === params['outcome']);
    if (!outcome || !canBecome(payout, outcome)) return seeOther(platformPayoutPath(payout));
    const form = new URLSearchParams();
    return page(renderOutcome({ context, payout, outcome, form, problems: undefined }));
  }

  @Post(`${PAYOUT}/:outcome`)
  @Needs('platform.payouts')
  async end(
    @CurrentContext() context: SignedInContext,
    @Param() params: Record<string, string>,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const key = keyOf(params);
    const outcome = OUTCOMES.find((known) => known === params['outcome']);
    if (!outcome) return seeOther(platformPayoutPath(key));
    const problems = await this.payouts.end(context, key, outcome, form);
    if (!problems) return seeOther(`${platformPayoutPath(key)}?done=${outcome}`);
    const { payout } = await this.payouts.open(context, key);
    return page(renderOutcome({ context, payout, outcome, form, problems }), statusOf(problems));
  }

  private async showAgain(
    context: SignedInContext,
    key: PlatformPayoutKey,
    sent: { readonly problems: Problems; readonly form: URLSearchParams },
  ): Promise<PageAnswer> {
    const found = await this.payouts.open(context, key);
    const needsCode = this.factor.isRequired(context);
    return page(
      renderPlatformPayout({ context, page: found, needsCode, ...sent }),
      statusOf(sent.problems),
    );
  }
}

/** Ignores a value that it cannot parse. */
const lineOf = (text: unknown): number =>
  typeof text === 'string' && /^\d{1,6}$/.test(text) ? Number(text) : 0;
