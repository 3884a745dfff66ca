import {
  Controller,
  Get,
  Param,
  Post,
  Query,
  Req,
  Res,
  UseFilters,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendPage } from '../../common/page.js';
import { formOf, goTo } from '../http.js';
import { PortalFilter } from '../portal.filter.js';
import { Portal } from '../portal.guard.js';
import { CurrentVisit, type SignedVisit } from '../visit.js';
import { renderRecoveryCodes, renderSecondFactor } from './second-factor.view.js';
import { SecurityService, WRONG_CODE } from './security.service.js';
import { DONE, isNeed, renderSecurity, type SecurityPage } from './security.view.js';
import { SessionsService } from './sessions.service.js';
import { isTotpSecret, TotpService } from './totp.service.js';

const PAGE = '/portal/security';

/** What everybody does for the safety of the own account. */
@ApiExcludeController()
@UseFilters(PortalFilter)
@Controller({ path: 'portal/security', version: VERSION_NEUTRAL })
export class SecurityController {
  constructor(
    private readonly security: SecurityService,
    private readonly sessions: SessionsService,
    private readonly totp: TotpService,
  ) {}

  @Get()
  @Portal('self')
  async show(
    @CurrentVisit() visit: SignedVisit,
    @Query('needed') needed: unknown,
    @Query('done') done: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const notice = typeof done === 'string' && Object.hasOwn(DONE, done) ? done : undefined;
    await this.send(reply, 200, {
      visit,
      ...(isNeed(needed) && !visit.session.hasSecondFactor ? { needed } : {}),
      ...(notice ? { done: notice as keyof typeof DONE } : {}),
    });
  }

  @Post('password')
  @Portal('self')
  async changePassword(
    @CurrentVisit() visit: SignedVisit,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const form = formOf(request);
    const field = (name: string): string => form.get(name) ?? '';
    const typed = { old: field('old'), fresh: field('fresh'), again: field('again') };
    const passwordProblems = await this.security.changePassword(visit, typed);
    if (passwordProblems) return this.send(reply, 422, { visit, passwordProblems });
    goTo(reply, `${PAGE}?done=password`);
  }

  @Get('second-factor')
  @Portal('self')
  showSetUp(@CurrentVisit() visit: SignedVisit, @Res() reply: FastifyReply): void {
    const setup = this.totp.propose(visit.session.email);
    sendPage(reply, 200, renderSecondFactor({ visit, setup, problems: {} }));
  }

  @Post('second-factor')
  @Portal('self')
  async setUp(
    @CurrentVisit() visit: SignedVisit,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const form = formOf(request);
    const secret = form.get('secret') ?? '';
    if (!isTotpSecret(secret)) return goTo(reply, `${PAGE}/second-factor`);
    const typed = { secret, proof: form.get('proof') ?? '', code: form.get('code') ?? '' };
    const result = await this.security.setUpApp(visit, typed);
    if (Array.isArray(result)) return sendPage(reply, 200, renderRecoveryCodes(visit, result));
    const setup = { secret, uri: this.totp.uriOf(visit.session.email, secret) };
    sendPage(reply, 422, renderSecondFactor({ visit, setup, problems: result }));
  }

  @Post('recovery-codes')
  @Portal('self')
  async renewRecoveryCodes(
    @CurrentVisit() visit: SignedVisit,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const code = formOf(request).get('code') ?? '';
    const codes = await this.security.renewRecoveryCodes(visit, code);
    if (codes) return sendPage(reply, 200, renderRecoveryCodes(visit, codes));
    await this.send(reply, 422, { visit, codeProblem: WRONG_CODE });
  }

  @Post('sessions/:id/end')
  @Portal('self')
  async endSession(
    @CurrentVisit() visit: SignedVisit,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.security.endSession(visit, id);
    goTo(reply, `${PAGE}?done=session`);
  }

  @Post('sessions/end-others')
  @Portal('self')
  async endOtherSessions(
    @CurrentVisit() visit: SignedVisit,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.security.endOtherSessions(visit);
    goTo(reply, `${PAGE}?done=sessions`);
  }

  private async send(
    reply: FastifyReply,
    status: number,
    page: Omit<SecurityPage, 'sessions' | 'codesLeft'>,
  ): Promise<void> {
    const { visit } = page;
    const sessions = await this.sessions.list(visit.session.userId);
    const codesLeft = await this.security.recoveryCodesLeft(visit);
    sendPage(reply, status, renderSecurity({ ...page, sessions, codesLeft }));
  }
}
