import { Get, Param, Post, Query } from '@nestjs/common';
import type { FileContent } from '../../../database/read-models/platform-payout.repository.js';
import type { Query as QueryValues } from '../../../http/query.js';
import { CurrentContext, type SignedInContext } from '../../../people/portal-context.js';
import { type PageAnswer, attachment, page, seeOther } from '../../kit/answer.js';
import { Form } from '../../kit/http.js';
import { readListQuery } from '../../kit/list-query.js';
import { idOf } from '../../kit/path-id.js';
import { Needs, PortalController } from '../../portal-controller.js';
import { filePath, modeOf } from '../payouts/platform-path.js';
import { refused } from '../payouts/refused.js';
import { renderNewFile, renderNothingToExport, renderNotSent } from './file-forms.view.js';
import { stateOf } from './file-table.view.js';
import { renderFile } from './file.view.js';
import { type FileKey, fileNameOf, FilesPageService, type FileAction } from './files.service.js';
import { renderFiles } from './files.view.js';

const NO_QUERY = readListQuery({});

/** Bank files: creation, download and status. */
@PortalController('platform/payouts/:mode/files')
export class FilesController {
  constructor(private readonly files: FilesPageService) {}

  @Get()
  @Needs('platform.payouts')
  async list(
    @CurrentContext() context: SignedInContext,
    @Param('mode') mode: string,
    @Query() query: QueryValues,
  ): Promise<PageAnswer> {
    const files = await this.files.list(modeOf(mode), readListQuery(query));
    return page(renderFiles(context, modeOf(mode), files));
  }

  @Get('new')
  @Needs('platform.payouts')
  async propose(
    @CurrentContext() context: SignedInContext,
    @Param('mode') mode: string,
    @Query('currency') currency: unknown,
  ): Promise<PageAnswer> {
    const proposal = await this.files.propose(modeOf(mode), String(currency));
    if (!proposal) return page(renderNothingToExport(context, modeOf(mode)));
    return page(renderNewFile({ context, proposal }));
  }

  @Post('new')
  @Needs('platform.payouts')
  async make(
    @CurrentContext() context: SignedInContext,
    @Param('mode') text: string,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const mode = modeOf(text);
    let made = '';
    const problem = await refused(async () => {
      made = (await this.files.make(context, mode, form)).id;
    });
    if (problem === null) return seeOther(`${filePath({ mode, id: made })}?done=made`);
    const proposal = await this.files.propose(mode, form.get('currency') ?? '');
    const html = proposal
      ? renderNewFile({ context, proposal, problem })
      : renderNothingToExport(context, mode);
    return page(html, 409);
  }

  @Get(':id')
  @Needs('platform.payouts')
  async show(
    @CurrentContext() context: SignedInContext,
    @Param('mode') mode: string,
    @Param('id') id: string,
    @Query() query: QueryValues,
  ): Promise<PageAnswer> {
    const found = await this.files.open(modeOf(mode), idOf(id), readListQuery(query));
    return page(renderFile({ context, page: found, done: query['done'] }));
  }

  @Post(':id/download')
  @Needs('platform.payouts')
  async download(
    @CurrentContext() context: SignedInContext,
    @Param('mode') mode: string,
    @Param('id') id: string,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const key = { mode: modeOf(mode), id: idOf(id) };
    // A download would leave the browser on the code form, and a code works only once: redirect first.
    if (form.has('code')) return seeOther(`${filePath(key)}?done=confirmed`);
    let file: FileContent | undefined;
    const problem = await refused(async () => {
      file = await this.files.download(context, key.mode, key.id);
    });
    if (!file) return this.showAgain(context, key, problem);
    return attachment(fileNameOf(file), 'application/xml', Buffer.from(file.content));
  }

  @Get(':id/not-sent')
  @Needs('platform.payouts')
  async askWhetherSent(
    @CurrentContext() context: SignedInContext,
    @Param('mode') mode: string,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    const found = await this.files.open(modeOf(mode), idOf(id), NO_QUERY);
    if (stateOf(found.file) !== 'made') return seeOther(filePath(found.file));
    return page(renderNotSent(context, found));
  }

  @Post(':id/not-sent')
  @Needs('platform.payouts')
  notSent(
    @CurrentContext() context: SignedInContext,
    @Param('mode') mode: string,
    @Param('id') id: string,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    return this.say(context, mode, id, 'not-sent', Number(form.get('downloads')));
  }

  @Post(':id/submitted')
  @Needs('platform.payouts')
  submitted(
    @CurrentContext() context: SignedInContext,
    @Param('mode') mode: string,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    return this.say(context, mode, id, 'submitted');
  }

  @Post(':id/paid')
  @Needs('platform.payouts')
  paid(
    @CurrentContext() context: SignedInContext,
    @Param('mode') mode: string,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    return this.say(context, mode, id, 'paid');
  }

  private async say(
    context: SignedInContext,
    text: string,
    id: string,
    word: FileAction,
    downloads = 0,
  ): Promise<PageAnswer> {
    const key = { mode: modeOf(text), id: idOf(id) };
    const problem = await refused(() => this.files.say(context, key, word, downloads));
    const done = word === 'paid' ? 'settled' : word;
    if (problem === null) return seeOther(`${filePath(key)}?done=${done}`);
    return this.showAgain(context, key, problem);
  }

  private async showAgain(
    context: SignedInContext,
    { mode, id }: FileKey,
    problem: string | null,
  ): Promise<PageAnswer> {
    const found = await this.files.open(mode, id, NO_QUERY);
    return page(renderFile({ context, page: found, problem }), 409);
  }
}
