import { Get, Param, Post, Query } from '@nestjs/common';
import { CurrentContext, type SignedInContext } from '../../people/portal-context.js';
import { isTotpSecret, TotpService } from '../../people/second-factor/totp.service.js';
import { SecurityService, WRONG_CODE } from '../../people/security.service.js';
import { SessionsService } from '../../people/sessions/sessions.service.js';
import { type PageAnswer, invalid, page, seeOther } from '../kit/answer.js';
import { Form } from '../kit/http.js';
import { Needs, PortalController } from '../portal-controller.js';
import { renderRecoveryCodes, renderSecondFactor } from './second-factor.view.js';
import { isNeed, renderSecurity, type SecurityPage } from './security.view.js';

const PAGE = '/portal/security';

/** Password, two-factor authentication and sessions of the current user. */
@PortalController('security')
export class SecurityController {
  constructor(
    private readonly security: SecurityService,
    private readonly sessions: SessionsService,
    private readonly totp: TotpService,
  ) {}

  @Get()
  @Needs('self')
  async show(
    @CurrentContext() context: SignedInContext,
    @Query('needed') needed: unknown,
    @Query('done') done: unknown,
  ): Promise<PageAnswer> {
    return this.answer({
      context,
      done,
      ...(isNeed(needed) && !context.session.hasSecondFactor ? { needed } : {}),
    });
  }

  @Post('password')
  @Needs('self')
  async changePassword(
    @CurrentContext() context: SignedInContext,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const field = (name: string): string => form.get(name) ?? '';
    const typed = { old: field('old'), fresh: field('fresh'), again: field('again') };
    const passwordProblems = await this.security.changePassword(context, typed);
    if (passwordProblems) return this.answer({ context, passwordProblems }, 422);
    return seeOther(`${PAGE}?done=password`);
  }

  @Get('second-factor')
  @Needs('self')
  showSetUp(@CurrentContext() context: SignedInContext): PageAnswer {
    const setup = this.totp.propose(context.session.email);
    return page(renderSecondFactor({ context, setup, problems: {} }));
  }

  @Post('second-factor')
  @Needs('self')
  async setUp(
    @CurrentContext() context: SignedInContext,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const secret = form.get('secret') ?? '';
    if (!isTotpSecret(secret)) return seeOther(`${PAGE}/second-factor`);
    const typed = { secret, proof: form.get('proof') ?? '', code: form.get('code') ?? '' };
    const result = await this.security.setUpApp(context, typed);
    if (Array.isArray(result)) return page(renderRecoveryCodes(context, result));
    const setup = { secret, uri: this.totp.uriOf(context.session.email, secret) };
    return invalid(renderSecondFactor({ context, setup, problems: result }));
  }

  @Post('recovery-codes')
  @Needs('self')
  async renewRecoveryCodes(
    @CurrentContext() context: SignedInContext,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const code = form.get('code') ?? '';
    const codes = await this.security.renewRecoveryCodes(context, code);
    if (codes) return page(renderRecoveryCodes(context, codes));
    return this.answer({ context, codeProblem: WRONG_CODE }, 422);
  }

  @Post('sessions/:id/end')
  @Needs('self')
  async endSession(
    @CurrentContext() context: SignedInContext,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    await this.security.endSession(context, id);
    return seeOther(`${PAGE}?done=session`);
  }

  @Post('sessions/end-others')
  @Needs('self')
  async endOtherSessions(@CurrentContext() context: SignedInContext): Promise<PageAnswer> {
    await this.security.endOtherSessions(context);
    return seeOther(`${PAGE}?done=sessions`);
  }

  private async answer(
    found: Omit<SecurityPage, 'sessions' | 'codesLeft'>,
    status = 200,
  ): Promise<PageAnswer> {
    const { context } = found;
    const sessions = await this.sessions.list(context.session.userId);
    const codesLeft = await this.security.recoveryCodesLeft(context);
    return page(renderSecurity({ ...found, sessions, codesLeft }), status);
  }
}
