import { Get, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import {
  CurrentContext,
  type SignedInContext,
  type PortalContext,
} from '../../people/portal-context.js';
import { PortalContextsService } from '../../people/sessions/portal-contexts.service.js';
import type { KnownBrowser } from '../../people/sessions/sessions.service.js';
import { type SignedIn, SignInService } from '../../people/sessions/sign-in.service.js';
import { type PageAnswer, invalid, page, seeOther } from '../kit/answer.js';
import { CurrentBrowser, Form } from '../kit/http.js';
import { Needs, PortalController } from '../portal-controller.js';
import { CODE_PATH } from '../portal.guard.js';
import { nextPage } from './next-page.js';
import { renderCode, renderSignIn } from './sign-in.view.js';

@PortalController('')
export class SignInController {
  constructor(
    private readonly signIns: SignInService,
    private readonly contexts: PortalContextsService,
  ) {}

  @Get('sign-in')
  @Needs('public')
  show(@CurrentContext() context: PortalContext, @Query('next') next: unknown): PageAnswer {
    if (context.session) return seeOther('/portal');
    return page(renderSignIn({ context, next: nextPage(next) }));
  }

  @Post('sign-in')
  @Needs('public')
  async signIn(
    @CurrentContext() context: PortalContext,
    @Form() form: URLSearchParams,
    @CurrentBrowser() browser: KnownBrowser,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PageAnswer> {
    const next = nextPage(form.get('next'));
    const signedIn = await this.signIns.signIn(context, form, browser);
    if (!signedIn) {
      const email = form.get('email') ?? '';
      return invalid(renderSignIn({ context, next, email, isRefused: true }));
    }
    return this.enter(reply, signedIn, next);
  }

  @Get('sign-in/code')
  @Needs('code')
  askCode(@CurrentContext() context: PortalContext, @Query('next') next: unknown): PageAnswer {
    return page(renderCode({ context, next: nextPage(next) }));
  }

  @Post('sign-in/code')
  @Needs('code')
  async giveCode(
    @CurrentContext() context: SignedInContext,
    @Form() form: URLSearchParams,
    @CurrentBrowser() browser: KnownBrowser,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PageAnswer> {
    const next = nextPage(form.get('next'));
    const code = form.get('code') ?? '';
    const signedIn = await this.signIns.giveCode(context, code, browser);
    if (!signedIn) return invalid(renderCode({ context, next, isRefused: true }));
    return this.enter(reply, signedIn, next);
  }

  @Post('sign-out')
  @Needs('public')
  async signOut(
    @CurrentContext() context: PortalContext,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PageAnswer> {
    if (context.session) await this.signIns.signOut(context.session);
    this.contexts.forget(reply);
    return seeOther('/portal/sign-in');
  }

  private enter(reply: FastifyReply, signedIn: SignedIn, next: string | null): PageAnswer {
    const { token, device, needsCode } = signedIn;
    this.contexts.remember(reply, token);
    if (device) this.contexts.rememberDevice(reply, device);
    return seeOther(needsCode ? withNext(CODE_PATH, next) : (next ?? '/portal'));
  }
}

const withNext = (path: string, next: string | null): string =>
  next ? `${path}?next=${encodeURIComponent(next)}` : path;
