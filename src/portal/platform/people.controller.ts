import { Get, Param, Post, Query } from '@nestjs/common';
import type { Query as QueryValues } from '../../http/query.js';
import { CurrentContext, type SignedInContext } from '../../people/portal-context.js';
import { type PageAnswer, page, seeOther } from '../kit/answer.js';
import { readListQuery } from '../kit/list-query.js';
import { idOf } from '../kit/path-id.js';
import { Needs, PortalController } from '../portal-controller.js';
import { PeopleAccessService } from './people-access.service.js';
import { renderPeople } from './people.view.js';

const PATH = '/portal/platform/people';

@PortalController('platform/people')
export class PlatformPeopleController {
  constructor(private readonly people: PeopleAccessService) {}

  @Get()
  @Needs('platform.manage')
  async list(
    @CurrentContext() context: SignedInContext,
    @Query() query: QueryValues,
  ): Promise<PageAnswer> {
    const people = await this.people.list(readListQuery(query));
    return page(renderPeople(context, people, query['done']));
  }

  @Post(':id/disable')
  @Needs('platform.manage')
  async disable(
    @CurrentContext() context: SignedInContext,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    await this.people.disable(context, idOf(id));
    return seeOther(`${PATH}?done=locked`);
  }

  @Post(':id/enable')
  @Needs('platform.manage')
  async enable(
    @CurrentContext() context: SignedInContext,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    await this.people.enable(context, idOf(id));
    return seeOther(`${PATH}?done=unlocked`);
  }
}
