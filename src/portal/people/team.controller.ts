import { Get, Param, Post, Query } from '@nestjs/common';
import { Clock } from '../../common/time/clock.js';
import { CurrentContext, pathOf, type MerchantContext } from '../../people/portal-context.js';
import { merchantRole, TeamService } from '../../people/team.service.js';
import { type PageAnswer, page, seeOther } from '../kit/answer.js';
import { Form } from '../kit/http.js';
import { idOf } from '../kit/path-id.js';
import { Needs, PortalController } from '../portal-controller.js';
import { renderTeam, type TeamPage } from './team.view.js';

/** Team members and invitations of one merchant. */
@PortalController('m/:merchantId/:mode/team')
export class TeamController {
  constructor(
    private readonly team: TeamService,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Needs('team.manage')
  async show(
    @CurrentContext() context: MerchantContext,
    @Query('done') done: unknown,
  ): Promise<PageAnswer> {
    return this.answer({ context, done });
  }

  @Post('invitations')
  @Needs('team.manage')
  async invite(
    @CurrentContext() context: MerchantContext,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const problems = await this.team.invite(context, form);
    if (!problems) return back(context, 'invited');
    const typed = { email: form.get('email') ?? '', role: merchantRole(form.get('role')) };
    return this.answer({ context, problems, typed }, 422);
  }

  @Post('invitations/:id/again')
  @Needs('team.manage')
  async sendAgain(
    @CurrentContext() context: MerchantContext,
    @Param('id') id: string,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    await this.team.sendAgain(context, idOf(id), form);
    return back(context, 'again');
  }

  @Post('invitations/:id/revoke')
  @Needs('team.manage')
  async revoke(
    @CurrentContext() context: MerchantContext,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    await this.team.revoke(context, idOf(id));
    return back(context, 'revoked');
  }

  @Post('members/:userId/role')
  @Needs('team.manage')
  async changeRole(
    @CurrentContext() context: MerchantContext,
    @Param('userId') userId: string,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const role = merchantRole(form.get('role'));
    if (!role) return this.answer({ context, fault: 'Choose a role from the list.' }, 422);
    await this.team.changeRole(context, idOf(userId), role, form);
    return back(context, 'role');
  }

  @Post('members/:userId/remove')
  @Needs('team.manage')
  async remove(
    @CurrentContext() context: MerchantContext,
    @Param('userId') text: string,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const userId = idOf(text);
    await this.team.remove(context, userId, form);
    // A user who removed themselves can no longer open this team.
    if (userId === context.session.userId) return seeOther('/portal');
    return back(context, 'removed');
  }

  private async answer(found: Omit<TeamPage, 'team' | 'now'>, status = 200): Promise<PageAnswer> {
    const team = await this.team.of(found.context);
    return page(renderTeam({ ...found, team, now: this.clock.now() }), status);
  }
}

const back = ({ access }: MerchantContext, done: string): PageAnswer =>
  seeOther(`${pathOf(access)}/team?done=${done}`);
