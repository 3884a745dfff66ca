import {
  Controller,
  Get,
  Param,
  Post,
  Query,
  Res,
  UseFilters,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { sendPage } from '../../common/page.js';
import type { Query as QueryValues } from '../../common/query.js';
import { goTo } from '../http.js';
import { PortalFilter } from '../portal.filter.js';
import { Portal } from '../portal.guard.js';
import { idOf } from '../settings/path-id.js';
import { CurrentVisit, type SignedVisit } from '../visit.js';
import { readListQuery } from './list-query.js';
import { PeopleAccessService } from './people-access.service.js';
import { renderPeople } from './people.view.js';

const PATH = '/portal/platform/people';

@ApiExcludeController()
@UseFilters(PortalFilter)
@Controller({ path: 'portal/platform/people', version: VERSION_NEUTRAL })
export class PlatformPeopleController {
  constructor(private readonly people: PeopleAccessService) {}

  @Get()
  @Portal('platform.manage')
  async list(
    @CurrentVisit() visit: SignedVisit,
    @Query() query: QueryValues,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const page = await this.people.list(readListQuery(query));
    sendPage(reply, 200, renderPeople(visit, page, query['done']));
  }

  @Post(':id/disable')
  @Portal('platform.manage')
  async disable(
    @CurrentVisit() visit: SignedVisit,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.people.disable(visit, idOf(id));
    goTo(reply, `${PATH}?done=locked`);
  }

  @Post(':id/enable')
  @Portal('platform.manage')
  async enable(
    @CurrentVisit() visit: SignedVisit,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.people.enable(visit, idOf(id));
    goTo(reply, `${PATH}?done=unlocked`);
  }
}
