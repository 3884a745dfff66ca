import { Get, Param, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { OpenInvitation } from '../../database/people/user-link.repository.js';
import { InvitationsService } from '../../people/invitations.service.js';
import {
  CurrentContext,
  isSignedIn,
  pathOf,
  type PortalContext,
} from '../../people/portal-context.js';
import { PortalContextsService } from '../../people/sessions/portal-contexts.service.js';
import { type KnownBrowser, SessionsService } from '../../people/sessions/sessions.service.js';
import { type PageAnswer, invalid, page, seeOther } from '../kit/answer.js';
import { CurrentBrowser, Form } from '../kit/http.js';
import { Needs, PortalController } from '../portal-controller.js';
import { CODE_PATH } from '../portal.guard.js';
import { renderInvitation } from './invitation.view.js';

/** Pages behind the link of an invitation mail. */
@PortalController('invitation/:token')
export class InvitationController {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly sessions: SessionsService,
    private readonly contexts: PortalContextsService,
  ) {}

  /** A GET changes nothing: mail scanners follow links, too. */
  @Get()
  @Needs('public')
  async show(
    @CurrentContext() context: PortalContext,
    @Param('token') token: string,
  ): Promise<PageAnswer> {
    const invitation = await this.invitations.find(token);
    if (needsCode(context)) return seeOther(withNext(CODE_PATH, token));
    const invited = this.invitations.whoIs(context, invitation);
    return page(renderInvitation({ context, invitation, invited, token }));
  }

  @Post('accept')
  @Needs('public')
  async accept(
    @CurrentContext() context: PortalContext,
    @Param('token') token: string,
  ): Promise<PageAnswer> {
    if (!isSignedIn(context)) return seeOther(withNext('/portal/sign-in', token));
    if (needsCode(context)) return seeOther(withNext(CODE_PATH, token));
    return seeOther(merchantPathOf(await this.invitations.accept(context, token)));
  }

  @Post('register')
  @Needs('public')
  async register(
    @CurrentContext() context: PortalContext,
    @Param('token') token: string,
    @Form() form: URLSearchParams,
    @CurrentBrowser() browser: KnownBrowser,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PageAnswer> {
    const field = (name: string): string => form.get(name) ?? '';
    const typed = { name: field('name'), fresh: field('fresh'), again: field('again') };
    const result = await this.invitations.register(context, token, typed);
    if ('user' in result) {
      const begun = await this.sessions.begin(result.user, browser, null);
      if (begun) this.contexts.remember(reply, begun);
      return seeOther(merchantPathOf(result.invitation));
    }
    const invitation = await this.invitations.find(token);
    const typedBefore = { invited: 'new', name: typed.name } as const;
    return invalid(
      renderInvitation({ context, invitation, token, ...typedBefore, problems: result }),
    );
  }
}

/** New members start in test mode. */
const merchantPathOf = ({ merchantId }: OpenInvitation): string =>
  pathOf({ merchantId, mode: 'test' });

/** Whether the second factor is still missing. */
const needsCode = ({ session }: PortalContext): boolean =>
  session !== null && session.hasSecondFactor && session.secondFactorAt === null;

const withNext = (path: string, token: string): string =>
  `${path}?next=${encodeURIComponent(`/portal/invitation/${token}`)}`;
