import { Injectable } from '@nestjs/common';
import { LedgerRepository } from '../database/ledger/ledger.repository.js';
import type { Owner } from '../database/keys.js';
import { type PayoutPage, PayoutRepository } from '../database/payouts/payout.repository.js';
import { answerOf } from '../contract/answers.js';
import { type BalanceListResponse, balanceListResponse } from '../contract/balance.response.js';
import {
  payoutLineResponse,
  PayoutLinePageResponse,
  PayoutPageResponse,
  payoutResponse,
  payoutWithSumsResponse,
  type PayoutWithSumsResponse,
} from '../contract/payout.response.js';
import { NEWEST } from '../common/ids.js';
import { Problem } from '../http/problems/problem.js';
import type { LinePage } from './payout-parameters.js';
import { PayoutsService } from './payouts.service.js';

/** Payouts in the merchant API. */
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
    const next = data.at(-1)?.id ?? null;
    return answerOf(PayoutPageResponse, { data, next, hasMore: found.length > page.limit });
  }

  /** @throws Problem `payout_not_found` */
  async get(owner: Owner, idOrNewest: string): Promise<PayoutWithSumsResponse> {
    const payout = await this.payouts.findWithSums(owner, await this.idOf(owner, idOrNewest));
    if (!payout) throw new Problem('payout_not_found');
    return payoutWithSumsResponse(payout);
  }

  /** @throws Problem `payout_not_found` */
  async lines(
    owner: Owner,
    idOrNewest: string,
    { after, limit }: LinePage,
  ): Promise<PayoutLinePageResponse> {
    const payout = await this.service.find(owner, await this.idOf(owner, idOrNewest));
    const found = await this.payouts.lines(payout, after, limit + 1);
    const data = found.slice(0, limit).map(payoutLineResponse);
    const next = data.at(-1)?.number ?? null;
    return answerOf(PayoutLinePageResponse, { data, next, hasMore: found.length > limit });
  }

  async balances(owner: Owner): Promise<BalanceListResponse> {
    return balanceListResponse(await this.ledger.balances(owner));
  }

  private async idOf(owner: Owner, idOrNewest: string): Promise<string> {
    if (idOrNewest !== NEWEST) return idOrNewest;
    const [newest] = await this.payouts.list(owner, { before: null, statuses: null, limit: 1 });
    if (!newest) throw new Problem('payout_not_found');
    return newest.id;
  }
}
