import { Injectable } from '@nestjs/common';
import type { ApiVersion } from '../common/api-version.js';
import { Config } from '../config/config.js';
import type { OrderWithPayment } from '../database/entities/order.entity.js';
import type { ToldPayout } from '../database/repositories/payout.repository.js';
import { orderResponse } from '../orders/dto/order.response.js';
import type { Body } from '../orders/versions/contract-change.js';
import { orderIn } from '../orders/versions/versions.js';
import { payoutResponse, type PayoutResponse } from '../payouts/dto/payout.response.js';
import { ProviderRegistry } from '../providers/provider-registry.js';

/** The order or payout that something happened to, as it was then. */
type Subject = { readonly order: OrderWithPayment } | { readonly payout: ToldPayout };
type Happened = Subject & {
  readonly event: { readonly type: string; readonly createdAt: Date };
};

/**
 * Writes events as receivers read them: with the order as it was, in the contract that they know, or
 * with the payout, which is the same in every version.
 */
@Injectable()
export class EventRenderer {
  constructor(
    private readonly config: Config,
    private readonly providers: ProviderRegistry,
  ) {}

  /** The body of a webhook, as Standard Webhooks wants it. */
  payload(happened: Happened, version: ApiVersion) {
    const { type, createdAt } = happened.event;
    return { type, timestamp: createdAt.toISOString(), data: this.data(happened, version) };
  }

  private data(subject: Subject, version: ApiVersion): Body | PayoutResponse {
    if ('payout' in subject) return payoutResponse(subject.payout);
    const newest = orderResponse(subject.order, {
      publicUrl: this.config.publicUrl,
      canVoid: (provider) => this.providers.canVoid(provider),
    });
    return orderIn(version, newest);
  }
}
