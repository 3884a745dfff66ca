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
import { Clock } from '../../common/clock.js';
import { sendPage } from '../../common/page.js';
import { formOf, goTo } from '../http.js';
import { PortalFilter } from '../portal.filter.js';
import { Portal } from '../portal.guard.js';
import { CurrentVisit, pathOf, type PlacedVisit } from '../visit.js';
import { merchantRole, TeamService } from './team.service.js';
import { DONE, renderTeam, type TeamPage } from './team.view.js';

/** A merchant's people. */
@ApiExcludeController()
@UseFilters(PortalFilter)
@Controller({ path: 'portal/m/:merchantId/:mode/team', version: VERSION_NEUTRAL })
export class TeamController {
  constructor(
    private readonly team: TeamService,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Portal('team.manage')
  async show(
    @CurrentVisit() visit: PlacedVisit,
    @Query('done') done: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const known = typeof done === 'string' && Object.hasOwn(DONE, done);
    await this.send(reply, 200, {
      visit,
      ...(known ? { done: done as keyof typeof DONE } : {}),
    });
  }

  @Post('invitations')
  @Portal('team.manage')
  async invite(
    @CurrentVisit() visit: PlacedVisit,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const form = formOf(request);
    const problems = await this.team.invite(visit, form);
    if (!problems) return back(reply, visit, 'invited');
    const typed = { email: form.get('email') ?? '', role: merchantRole(form.get('role')) };
    await this.send(reply, 422, { visit, problems, typed });
  }

  @Post('invitations/:id/again')
  @Portal('team.manage')
  async sendAgain(
    @CurrentVisit() visit: PlacedVisit,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.team.sendAgain(visit, id, formOf(request));
    back(reply, visit, 'again');
  }

  @Post('invitations/:id/revoke')
  @Portal('team.manage')
  async revoke(
    @CurrentVisit() visit: PlacedVisit,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.team.revoke(visit, id);
    back(reply, visit, 'revoked');
  }

  @Post('members/:userId/role')
  @Portal('team.manage')
  async changeRole(
    @CurrentVisit() visit: PlacedVisit,
    @Param('userId') userId: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const form = formOf(request);
    const role = merchantRole(form.get('role'));
    if (!role) return this.send(reply, 422, { visit, fault: 'This is not a role.' });
    await this.team.changeRole(visit, userId, role, form);
    back(reply, visit, 'role');
  }

  @Post('members/:userId/remove')
  @Portal('team.manage')
  async remove(
    @CurrentVisit() visit: PlacedVisit,
    @Param('userId') userId: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.team.remove(visit, userId, formOf(request));
    // Whoever removed himself may not see this team any more.
    if (userId === visit.session.userId) return goTo(reply, '/portal');
    back(reply, visit, 'removed');
  }

  private async send(
    reply: FastifyReply,
    status: number,
    page: Omit<TeamPage, 'team' | 'now'>,
  ): Promise<void> {
    const team = await this.team.of(page.visit);
    sendPage(reply, status, renderTeam({ ...page, team, now: this.clock.now() }));
  }
}

const back = (reply: FastifyReply, { place }: PlacedVisit, done: keyof typeof DONE): void =>
  goTo(reply, `${pathOf(place)}/team?done=${done}`);
