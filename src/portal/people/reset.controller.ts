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
import { formOf, goTo } from '../http.js';
import { PortalFilter } from '../portal.filter.js';
import { Portal } from '../portal.guard.js';
import { CurrentVisit, type Visit } from '../visit.js';
import { ResetService } from './reset.service.js';
import { renderAsk, renderAsked, renderChoose, renderChosen } from './reset.view.js';

const PAGE = '/portal/reset';

/** For those who forgot their password. */
@ApiExcludeController()
@UseFilters(PortalFilter)
@Controller({ path: 'portal/reset', version: VERSION_NEUTRAL })
export class ResetController {
  constructor(private readonly resets: ResetService) {}

  @Get()
  @Portal('nobody')
  show(@CurrentVisit() visit: Visit, @Res() reply: FastifyReply): void {
    sendPage(reply, 200, renderAsk(visit));
  }

  @Post()
  @Portal('nobody')
  async ask(
    @CurrentVisit() visit: Visit,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.resets.ask(visit, formOf(request).get('email') ?? '');
    goTo(reply, `${PAGE}/asked`);
  }

  @Get('asked')
  @Portal('nobody')
  asked(@Res() reply: FastifyReply): void {
    sendPage(reply, 200, renderAsked());
  }

  @Get('done')
  @Portal('nobody')
  chosen(@Res() reply: FastifyReply): void {
    sendPage(reply, 200, renderChosen());
  }

  /** To look changes nothing: programs that check mails follow links, too. */
  @Get(':token')
  @Portal('nobody')
  async showChoice(
    @CurrentVisit() visit: Visit,
    @Param('token') token: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { email } = await this.resets.find(token);
    sendPage(reply, 200, renderChoose({ visit, email, problems: {} }));
  }

  @Post(':token')
  @Portal('nobody')
  async choose(
    @CurrentVisit() visit: Visit,
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const form = formOf(request);
    const typed = { fresh: form.get('fresh') ?? '', again: form.get('again') ?? '' };
    const problems = await this.resets.choose(visit, token, typed);
    if (!problems) return goTo(reply, `${PAGE}/done`);
    const { email } = await this.resets.find(token);
    sendPage(reply, 422, renderChoose({ visit, email, problems }));
  }
}
