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
import { sendPage } from '../../common/page.js';
import { browserOf, formOf, goTo } from '../http.js';
import { CODE_PATH, Portal } from '../portal.guard.js';
import { PortalFilter } from '../portal.filter.js';
import { CurrentVisit, type SignedVisit, type Visit } from '../visit.js';
import { nextPage } from './next-page.js';
import { type SignedIn, SignInService } from './sign-in.service.js';
import { renderCode, renderSignIn } from './sign-in.view.js';
import { VisitsService } from './visits.service.js';

@ApiExcludeController()
@UseFilters(PortalFilter)
@Controller({ path: 'portal', version: VERSION_NEUTRAL })
export class SignInController {
  constructor(
    private readonly signIns: SignInService,
    private readonly visits: VisitsService,
  ) {}

  @Get('sign-in')
  @Portal('nobody')
  show(
    @CurrentVisit() visit: Visit,
    @Query('next') next: unknown,
    @Res() reply: FastifyReply,
  ): void {
    if (visit.session) return goTo(reply, '/portal');
    sendPage(reply, 200, renderSignIn({ visit, next: nextPage(next) }));
  }

  @Post('sign-in')
  @Portal('nobody')
  async signIn(
    @CurrentVisit() visit: Visit,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const form = formOf(request);
    const next = nextPage(form.get('next'));
    const signedIn = await this.signIns.signIn(visit, form, browserOf(request));
    if (!signedIn) {
      const email = form.get('email') ?? '';
      return sendPage(reply, 422, renderSignIn({ visit, next, email, isRefused: true }));
    }
    this.enter(reply, signedIn, next);
  }

  @Get('sign-in/code')
  @Portal('code')
  askCode(
    @CurrentVisit() visit: Visit,
    @Query('next') next: unknown,
    @Res() reply: FastifyReply,
  ): void {
    sendPage(reply, 200, renderCode({ visit, next: nextPage(next) }));
  }

  @Post('sign-in/code')
  @Portal('code')
  async giveCode(
    @CurrentVisit() visit: SignedVisit,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const form = formOf(request);
    const next = nextPage(form.get('next'));
    const code = form.get('code') ?? '';
    const signedIn = await this.signIns.giveCode(visit, code, browserOf(request));
    if (!signedIn) return sendPage(reply, 422, renderCode({ visit, next, isRefused: true }));
    this.enter(reply, signedIn, next);
  }

  @Post('sign-out')
  @Portal('nobody')
  async signOut(@CurrentVisit() visit: Visit, @Res() reply: FastifyReply): Promise<void> {
    if (visit.session) await this.signIns.signOut(visit.session);
    this.visits.forget(reply);
    goTo(reply, '/portal/sign-in');
  }

  private enter(reply: FastifyReply, signedIn: SignedIn, next: string | null): void {
    const { token, device, owesCode } = signedIn;
    this.visits.remember(reply, token);
    if (device) this.visits.rememberDevice(reply, device);
    goTo(reply, owesCode ? withNext(CODE_PATH, next) : (next ?? '/portal'));
  }
}

const withNext = (path: string, next: string | null): string =>
  next ? `${path}?next=${encodeURIComponent(next)}` : path;
