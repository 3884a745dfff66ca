import { Get, Param, Post } from '@nestjs/common';
import { ResetService } from '../../people/passwords/reset.service.js';
import { CurrentContext, type PortalContext } from '../../people/portal-context.js';
import { type PageAnswer, invalid, page, seeOther } from '../kit/answer.js';
import { Form } from '../kit/http.js';
import { Needs, PortalController } from '../portal-controller.js';
import { renderAsk, renderAsked, renderChoose, renderChosen } from './reset.view.js';

const PAGE = '/portal/reset';

/** Password reset. */
@PortalController('reset')
export class ResetController {
  constructor(private readonly resets: ResetService) {}

  @Get()
  @Needs('public')
  show(@CurrentContext() context: PortalContext): PageAnswer {
    return page(renderAsk(context));
  }

  @Post()
  @Needs('public')
  async ask(
    @CurrentContext() context: PortalContext,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    await this.resets.ask(context, form.get('email') ?? '');
    return seeOther(`${PAGE}/asked`);
  }

  @Get('asked')
  @Needs('public')
  asked(): PageAnswer {
    return page(renderAsked());
  }

  @Get('done')
  @Needs('public')
  chosen(): PageAnswer {
    return page(renderChosen());
  }

  /** A GET changes nothing: mail scanners follow links, too. */
  @Get(':token')
  @Needs('public')
  async showChoice(
    @CurrentContext() context: PortalContext,
    @Param('token') token: string,
  ): Promise<PageAnswer> {
    const { email } = await this.resets.find(token);
    return page(renderChoose({ context, email, problems: {} }));
  }

  @Post(':token')
  @Needs('public')
  async choose(
    @CurrentContext() context: PortalContext,
    @Param('token') token: string,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const typed = { fresh: form.get('fresh') ?? '', again: form.get('again') ?? '' };
    const problems = await this.resets.choose(context, token, typed);
    if (!problems) return seeOther(`${PAGE}/done`);
    const { email } = await this.resets.find(token);
    return invalid(renderChoose({ context, email, problems }));
  }
}
