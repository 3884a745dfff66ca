import { Get, Param, Post } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { FILE_FORM } from '../../../../http/file-form.js';
import { CurrentContext, type SignedInContext } from '../../../../people/portal-context.js';
import { type PageAnswer, invalid, page, seeOther } from '../../../kit/answer.js';
import { Form } from '../../../kit/http.js';
import { idOf } from '../../../kit/path-id.js';
import { AsksForCode, Needs, PortalController } from '../../../portal-controller.js';
import { modeOf } from '../../payouts/platform-path.js';
import { bankPath, uploadPath } from '../bank-path.js';
import { UploadsService } from './uploads.service.js';
import { renderNewUpload, renderUpload } from './uploads.view.js';

type Params = Readonly<Record<string, string>>;

/** Manual upload of bank statements. */
@PortalController('platform/bank/:mode/uploads')
export class UploadsController {
  constructor(private readonly uploads: UploadsService) {}

  @Get()
  @Needs('platform.payouts')
  async blank(
    @CurrentContext() context: SignedInContext,
    @Param('mode') text: string,
  ): Promise<PageAnswer> {
    const mode = modeOf(text);
    const choices = await this.uploads.choices(mode);
    return page(renderNewUpload({ context, mode, choices, form: new URLSearchParams() }));
  }

  /** Asks for no code: it changes nothing, and the browser would have to send the file again. */
  @Post()
  @Needs('platform.payouts')
  @AsksForCode()
  @RouteConfig(FILE_FORM)
  async bring(
    @CurrentContext() context: SignedInContext,
    @Param('mode') text: string,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const mode = modeOf(text);
    const brought = await this.uploads.bring(context, mode, form);
    if (!brought.problems) return seeOther(uploadPath(brought.done));
    const choices = await this.uploads.choices(mode);
    const { problems } = brought;
    return invalid(renderNewUpload({ context, mode, choices, form, problems }));
  }

  @Get(':id')
  @Needs('platform.payouts')
  async show(
    @CurrentContext() context: SignedInContext,
    @Param() { mode = '', id = '' }: Params,
  ): Promise<PageAnswer> {
    const found = await this.uploads.open(context, modeOf(mode), idOf(id));
    return page(renderUpload(context, found));
  }

  @Post(':id/import')
  @Needs('platform.payouts')
  async import(
    @CurrentContext() context: SignedInContext,
    @Param() { mode = '', id = '' }: Params,
  ): Promise<PageAnswer> {
    await this.uploads.import(context, modeOf(mode), idOf(id));
    return seeOther(uploadPath({ mode: modeOf(mode), id: idOf(id) }));
  }

  @Post(':id/discard')
  @Needs('platform.payouts')
  async discard(
    @CurrentContext() context: SignedInContext,
    @Param() { mode = '', id = '' }: Params,
  ): Promise<PageAnswer> {
    await this.uploads.discard(context, modeOf(mode), idOf(id));
    return seeOther(`${bankPath(modeOf(mode))}?done=discarded`);
  }
}
