import { Injectable } from '@nestjs/common';
import type { ApiVersion } from '../common/api-version.js';
import { Config } from '../config/config.js';
import type { OrderWithPayment } from '../database/entities/order.entity.js';
import { orderResponse } from '../orders/dto/order.response.js';
import { orderIn } from '../orders/versions/versions.js';
import { ProviderRegistry } from '../providers/provider-registry.js';

/** What happened, and the order as it was then. */
interface Happened {
  readonly event: { readonly type: string; readonly createdAt: Date };
  readonly order: OrderWithPayment;
}

/** Writes events as receivers read them: with the order as it was, in the contract that they know. */
@Injectable()
export class EventRenderer {
  constructor(
    private readonly config: Config,
    private readonly providers: ProviderRegistry,
  ) {}

  /** The body of a webhook, as Standard Webhooks wants it. */
  payload({ event, order }: Happened, version: ApiVersion) {
    const newest = orderResponse(order, {
      publicUrl: this.config.publicUrl,
      canVoid: (provider) => this.providers.canVoid(provider),
    });
    return {
      type: event.type,
      timestamp: event.createdAt.toISOString(),
      data: orderIn(version, newest),
    };
  }
}
