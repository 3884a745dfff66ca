import { Get, Param, Query } from '@nestjs/common';
import type { Query as QueryValues } from '../../../http/query.js';
import { CurrentContext, type SignedInContext } from '../../../people/portal-context.js';
import { type PageAnswer, page, seeOther } from '../../kit/answer.js';
import { SearchParams } from '../../kit/http.js';
import { Needs, PortalController } from '../../portal-controller.js';
import { modeOf } from '../payouts/platform-path.js';
import { bankPath } from './bank-path.js';
import { BankQueueService } from './bank-queue.service.js';
import { renderBankQueue } from './bank-queue.view.js';
import { readQueueQuery } from './line-filter.js';

/** Statement lines of the platform's bank accounts, by state. */
@PortalController('platform/bank')
export class BankQueueController {
  constructor(private readonly queue: BankQueueService) {}

  /** Redirects to the list of one mode and keeps the filters. */
  @Get()
  @Needs('platform.read')
  start(@SearchParams() query: URLSearchParams): PageAnswer {
    const mode = query.get('mode') === 'test' ? 'test' : 'live';
    query.delete('mode');
    return seeOther(`${bankPath(mode)}${query.size > 0 ? `?${query}` : ''}`);
  }

  @Get(':mode')
  @Needs('platform.read')
  async list(
    @CurrentContext() context: SignedInContext,
    @Param('mode') mode: string,
    @Query() query: QueryValues,
  ): Promise<PageAnswer> {
    const queue = await this.queue.look(modeOf(mode), readQueueQuery(query));
    return page(renderBankQueue(context, queue, query['done']));
  }
}
