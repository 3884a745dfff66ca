import { Injectable } from '@nestjs/common';
import { answerOf } from '../contract/answers.js';
import {
  RefundPageResponse,
  refundResponse,
  type RefundResponse,
} from '../contract/refund.response.js';
import type { Owner } from '../database/keys.js';
import type { PublicRefund, Refund } from '../database/refunds/refund.entity.js';
import { type RefundListPage, RefundRepository } from '../database/refunds/refund.repository.js';
import { Problem } from '../http/problems/problem.js';

/** Refunds in the merchant API. */
@Injectable()
export class RefundReader {
  constructor(private readonly refunds: RefundRepository) {}

  async list(owner: Owner, page: RefundListPage): Promise<RefundPageResponse> {
    const found = await this.refunds.list(owner, { ...page, limit: page.limit + 1 });
    const data = found.slice(0, page.limit).map(refundResponse);
    const next = data.at(-1)?.id ?? null;
    return answerOf(RefundPageResponse, { data, next, hasMore: found.length > page.limit });
  }

  /** @throws Problem `refund_not_found` */
  async get(owner: Owner, id: string): Promise<RefundResponse> {
    return refundResponse(await this.find(owner, id));
  }

  /** @throws Problem `refund_not_found` */
  async find(owner: Owner, id: string): Promise<Refund & PublicRefund> {
    const refund = await this.refunds.find(owner, id);
    if (!refund) throw new Problem('refund_not_found');
    return refund;
  }
}
