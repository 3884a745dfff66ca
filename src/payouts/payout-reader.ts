import { Injectable } from '@nestjs/common';
import { NEWEST } from '../common/http.js';
import { Problem } from '../common/problem.js';
import { LedgerRepository } from '../database/repositories/ledger.repository.js';
import type { Owner } from '../database/repositories/order.repository.js';
import { type PayoutPage, PayoutRepository } from '../database/repositories/payout.repository.js';
import { type BalanceListResponse, balanceList } from './dto/balance.response.js';
import {
  type LinePageResponse,
  lineResponse,
  type PayoutPageResponse,
  payoutResponse,
  payoutWithSums,
  type PayoutWithSumsResponse,
} from './dto/payout.response.js';
import type { LinePage } from './payout-parameters.js';
import { PayoutsService } from './payouts.service.js';

/** What merchants' programs read of their money. */
@Injectable()
export class PayoutReader {
  constructor(
    private readonly payouts: PayoutRepository,
    private readonly service: PayoutsService,
    private readonly ledger: LedgerRepository,
  ) {}

  async list(owner: Owner, page: PayoutPage): Promise<PayoutPageResponse> {
    const found = await this.payouts.list(owner, { ...page, limit: page.limit + 1 });
    const data = found.slice(0, page.limit).map(payoutResponse);
    return { data, next: data.at(-1)?.id ?? null, hasMore: found.length > page.limit };
  }

  /** @throws Problem `payout_not_found` */
  async get(owner: Owner, idOrNewest: string): Promise<PayoutWithSumsResponse> {
    const payout = await this.payouts.findWithSums(owner, await this.idOf(owner, idOrNewest));
    if (!payout) throw new Problem('payout_not_found');
    return payoutWithSums(payout);
  }

  /** @throws Problem `payout_not_found` */
  async lines(
    owner: Owner,
    idOrNewest: string,
    { after, limit }: LinePage,
  ): Promise<LinePageResponse> {
    const payout = await this.service.find(owner, await this.idOf(owner, idOrNewest));
    const found = await this.payouts.lines(payout, after, limit + 1);
    const data = found.slice(0, limit).map(lineResponse);
    return { data, next: data.at(-1)?.number ?? null, hasMore: found.length > limit };
  }

  async balances(owner: Owner): Promise<BalanceListResponse> {
    return balanceList(await this.ledger.balances(owner));
  }

  private async idOf(owner: Owner, idOrNewest: string): Promise<string> {
    if (idOrNewest !== NEWEST) return idOrNewest;
    const [newest] = await this.payouts.list(owner, { before: null, statuses: null, limit: 1 });
    if (!newest) throw new Problem('payout_not_found');
    return newest.id;
  }
}
