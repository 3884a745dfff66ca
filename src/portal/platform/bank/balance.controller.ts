import { Get, Param, Query } from '@nestjs/common';
import { Clock } from '../../../common/time/clock.js';
import { BankBalanceService } from '../../../bank/import/balance.service.js';
import { BankQueueRepository } from '../../../database/bank/matching/bank-queue.repository.js';
import type { Query as QueryValues } from '../../../http/query.js';
import { CurrentContext, type SignedInContext } from '../../../people/portal-context.js';
import { type PageAnswer, page, seeOther } from '../../kit/answer.js';
import { Needs, PortalController } from '../../portal-controller.js';
import { modeOf } from '../payouts/platform-path.js';
import { readBalanceQuery } from './balance-query.js';
import { renderBalance } from './balance.view.js';
import { balancePath } from './bank-path.js';

/** Daily balances of the platform's bank accounts. */
@PortalController('platform/bank')
export class BankBalanceController {
  constructor(
    private readonly balances: BankBalanceService,
    private readonly queue: BankQueueRepository,
    private readonly clock: Clock,
  ) {}

  @Get('balance')
  @Needs('platform.read')
  start(): PageAnswer {
    return seeOther(balancePath('live'));
  }

  @Get(':mode/balance')
  @Needs('platform.read')
  async show(
    @CurrentContext() context: SignedInContext,
    @Param('mode') text: string,
    @Query() values: QueryValues,
  ): Promise<PageAnswer> {
    const mode = modeOf(text);
    const query = readBalanceQuery(values, this.clock.now());
    const [days, accounts] = await Promise.all([
      this.balances.days({ mode, ...query }),
      this.queue.accounts(mode),
    ]);
    return page(renderBalance({ context, mode, query, days, accounts }));
  }
}
