import {
  Controller,
  Get,
  Param,
  Post,
  Req,
  Res,
  UseFilters,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendPage } from '../../common/page.js';
import type { OpenInvitation } from '../../database/repositories/user-link.repository.js';
import { browserOf, formOf, goTo } from '../http.js';
import { PortalFilter } from '../portal.filter.js';
import { CODE_PATH, Portal } from '../portal.guard.js';
import { CurrentVisit, isSigned, pathOf, type Visit } from '../visit.js';
import { renderInvitation } from './invitation.view.js';
import { InvitationsService } from './invitations.service.js';
import { SessionsService } from './sessions.service.js';
import { VisitsService } from './visits.service.js';

/** Where the mail of an invitation leads. */
@ApiExcludeController()
@UseFilters(PortalFilter)
@Controller({ path: 'portal/invitation/:token', version: VERSION_NEUTRAL })
export class InvitationController {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly sessions: SessionsService,
    private readonly visits: VisitsService,
  ) {}

  /** To look changes nothing: programs that check mails follow links, too. */
  @Get()
  @Portal('nobody')
  async show(
    @CurrentVisit() visit: Visit,
    @Param('token') token: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const invitation = await this.invitations.find(token);
    if (owesCode(visit)) return goTo(reply, withNext(CODE_PATH, token));
    const invited = this.invitations.whoIs(visit, invitation);
    sendPage(reply, 200, renderInvitation({ visit, invitation, invited, token }));
  }

  @Post('accept')
  @Portal('nobody')
  async accept(
    @CurrentVisit() visit: Visit,
    @Param('token') token: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (!isSigned(visit)) return goTo(reply, withNext('/portal/sign-in', token));
    if (owesCode(visit)) return goTo(reply, withNext(CODE_PATH, token));
    goTo(reply, placeOf(await this.invitations.accept(visit, token)));
  }

  @Post('register')
  @Portal('nobody')
  async register(
    @CurrentVisit() visit: Visit,
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const form = formOf(request);
    const field = (name: string): string => form.get(name) ?? '';
    const typed = { name: field('name'), fresh: field('fresh'), again: field('again') };
    const result = await this.invitations.register(visit, token, typed);
    if ('user' in result) {
      const begun = await this.sessions.begin(result.user, browserOf(request), null);
      if (begun) this.visits.remember(reply, begun);
      return goTo(reply, placeOf(result.invitation));
    }
    const invitation = await this.invitations.find(token);
    const page = { visit, invitation, invited: 'new', token, name: typed.name } as const;
    sendPage(reply, 422, renderInvitation({ ...page, problems: result }));
  }
}

/** New people begin where nothing can go wrong. */
const placeOf = ({ merchantId }: OpenInvitation): string => pathOf({ merchantId, mode: 'test' });

/** Half a sign-in is none. */
const owesCode = ({ session }: Visit): boolean =>
  session !== null && session.hasSecondFactor && session.secondFactorAt === null;

const withNext = (path: string, token: string): string =>
  `${path}?next=${encodeURIComponent(`/portal/invitation/${token}`)}`;
