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
import { sendPage } from '../../../common/page.js';
import type { Query as QueryValues } from '../../../common/query.js';
import type { FileContent } from '../../../database/repositories/payout-desk.repository.js';
import { formOf, goTo } from '../../http.js';
import { PortalFilter } from '../../portal.filter.js';
import { Portal } from '../../portal.guard.js';
import { idOf } from '../../settings/path-id.js';
import { CurrentVisit, type SignedVisit } from '../../visit.js';
import { readListQuery } from '../list-query.js';
import { filePath, modeOf } from './desk-path.js';
import { renderNewFile, renderNothingToExport, renderNotSent } from './file-forms.view.js';
import { renderFile } from './file.view.js';
import { stateOf } from './file-table.view.js';
import { type FileKey, fileNameOf, FilesPageService, type FileWord } from './files.service.js';
import { renderFiles } from './files.view.js';
import { refused } from './refused.js';

const NO_QUERY = readListQuery({});

/** Bank files: made, handed out, and what came of them. */
@ApiExcludeController()
@UseFilters(PortalFilter)
@Controller({ path: 'portal/platform/payouts/:mode/files', version: VERSION_NEUTRAL })
export class FilesController {
  constructor(private readonly files: FilesPageService) {}

  @Get()
  @Portal('platform.payouts')
  async list(
    @CurrentVisit() visit: SignedVisit,
    @Param('mode') mode: string,
    @Query() query: QueryValues,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const page = await this.files.list(modeOf(mode), readListQuery(query));
    sendPage(reply, 200, renderFiles(visit, modeOf(mode), page));
  }

  @Get('new')
  @Portal('platform.payouts')
  async propose(
    @CurrentVisit() visit: SignedVisit,
    @Param('mode') mode: string,
    @Query('currency') currency: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const proposal = await this.files.propose(modeOf(mode), String(currency));
    if (!proposal) return sendPage(reply, 200, renderNothingToExport(visit, modeOf(mode)));
    sendPage(reply, 200, renderNewFile({ visit, proposal }));
  }

  @Post('new')
  @Portal('platform.payouts')
  async make(
    @CurrentVisit() visit: SignedVisit,
    @Param('mode') text: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const mode = modeOf(text);
    const form = formOf(request);
    let made = '';
    const problem = await refused(async () => {
      made = (await this.files.make(visit, mode, form)).id;
    });
    if (problem === null) return goTo(reply, `${filePath({ mode, id: made })}?done=made`);
    const proposal = await this.files.propose(mode, form.get('currency') ?? '');
    const page = proposal
      ? renderNewFile({ visit, proposal, problem })
      : renderNothingToExport(visit, mode);
    sendPage(reply, 409, page);
  }

  @Get(':id')
  @Portal('platform.payouts')
  async show(
    @CurrentVisit() visit: SignedVisit,
    @Param('mode') mode: string,
    @Param('id') id: string,
    @Query() query: QueryValues,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const page = await this.files.open(modeOf(mode), idOf(id), readListQuery(query));
    sendPage(reply, 200, renderFile({ visit, page, done: query['done'] }));
  }

  @Post(':id/download')
  @Portal('platform.payouts')
  async download(
    @CurrentVisit() visit: SignedVisit,
    @Param('mode') mode: string,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const key = { mode: modeOf(mode), id: idOf(id) };
    // A file leaves the browser on the form for the code, which is good for one use only.
    if (formOf(request).has('code')) return goTo(reply, `${filePath(key)}?done=confirmed`);
    let file: FileContent | undefined;
    const problem = await refused(async () => {
      file = await this.files.download(visit, key.mode, key.id);
    });
    if (!file) return this.showAgain(visit, key, problem, reply);
    void reply
      .code(200)
      .header('cache-control', 'no-store')
      .header('content-disposition', `attachment; filename="${fileNameOf(file)}"`)
      .type('application/xml')
      .send(Buffer.from(file.content));
  }

  @Get(':id/not-sent')
  @Portal('platform.payouts')
  async askWhetherSent(
    @CurrentVisit() visit: SignedVisit,
    @Param('mode') mode: string,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const page = await this.files.open(modeOf(mode), idOf(id), NO_QUERY);
    if (stateOf(page.file) !== 'made') return goTo(reply, filePath(page.file));
    sendPage(reply, 200, renderNotSent(visit, page));
  }

  @Post(':id/not-sent')
  @Portal('platform.payouts')
  notSent(
    @CurrentVisit() visit: SignedVisit,
    @Param('mode') mode: string,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.say(visit, mode, id, 'not-sent', reply, Number(formOf(request).get('downloads')));
  }

  @Post(':id/submitted')
  @Portal('platform.payouts')
  submitted(
    @CurrentVisit() visit: SignedVisit,
    @Param('mode') mode: string,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.say(visit, mode, id, 'submitted', reply);
  }

  @Post(':id/paid')
  @Portal('platform.payouts')
  paid(
    @CurrentVisit() visit: SignedVisit,
    @Param('mode') mode: string,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.say(visit, mode, id, 'paid', reply);
  }

  private async say(
    visit: SignedVisit,
    text: string,
    id: string,
    word: FileWord,
    reply: FastifyReply,
    downloads = 0,
  ): Promise<void> {
    const key = { mode: modeOf(text), id: idOf(id) };
    const problem = await refused(() => this.files.say(visit, key, word, downloads));
    const done = word === 'paid' ? 'settled' : word;
    if (problem === null) return goTo(reply, `${filePath(key)}?done=${done}`);
    await this.showAgain(visit, key, problem, reply);
  }

  private async showAgain(
    visit: SignedVisit,
    { mode, id }: FileKey,
    problem: string | null,
    reply: FastifyReply,
  ): Promise<void> {
    const page = await this.files.open(mode, id, NO_QUERY);
    sendPage(reply, 409, renderFile({ visit, page, problem }));
  }
}
