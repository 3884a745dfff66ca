import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { answerOf } from '../contract/answers.js';
import { OrderPageResponse, orderResponse } from '../contract/order.response.js';
import type { Scope } from '../database/merchants/api-key.entity.js';
import { MerchantRepository } from '../database/merchants/merchant.repository.js';
import type { OrderFilter } from '../database/read-models/order-list/order-list.model.js';
import { OrderListRepository } from '../database/read-models/order-list/order-list.repository.js';
import type { OrderWithPayment } from '../database/orders/order.entity.js';
import { type ExportFile, ExportStreamService } from '../exports/export-stream.service.js';
import { Problem } from '../http/problems/problem.js';
import type { Caller } from '../merchants/api-key.guard.js';
import { ProviderRegistry } from '../providers/provider-registry.js';
import { cursorText } from './order-cursor.js';
import type { OrderSearch } from './search-query.js';

const PAYOUTS: Scope = 'payouts:read';
/** Columns of a file about payouts. */
const OF_PAYOUTS = ['payout_id', 'payout_date'];

const DIRECTIONS = { newest: 'older', oldest: 'newer' } as const;

/** Order search of the API, with the filters of the portal. */
@Injectable()
export class OrderSearchService {
  constructor(
    private readonly orderList: OrderListRepository,
    private readonly files: ExportStreamService,
    private readonly merchants: MerchantRepository,
    private readonly providers: ProviderRegistry,
    private readonly config: Config,
  ) {}

  /** @throws Problem `missing_scope` for a payout that the key may not read */
  async page(
    caller: Caller,
    { filter, sort, after, limit }: OrderSearch,
  ): Promise<OrderPageResponse> {
    demandScope(caller, filter);
    // One row more than requested shows whether there are more.
    const window = { direction: DIRECTIONS[sort], cursor: after, limit: limit + 1 };
    const found = await this.orderList.orders(scopeOf(caller), filter, window);
    const orders = found.slice(0, limit);
    const last = orders.at(-1);
    return answerOf(OrderPageResponse, {
      data: orders.map((order) => orderResponse(order, this.config, this.providers)),
      next: last ? cursorText({ time: timeOf(last, filter), txid: last.txid }) : null,
      hasMore: found.length > limit,
    });
  }

  /**
   * All matching orders as a file, as in the portal.
   * @throws Problem as `page` and `ExportStreamService.stream`; `invalid_parameter` for paging parameters
   */
  async file(
    caller: Caller,
    { filter, isPaged }: OrderSearch,
    signal: AbortSignal,
  ): Promise<ExportFile> {
    demandScope(caller, filter);
    if (isPaged) {
      throw new Problem('invalid_parameter', {
        detail: 'A file has all orders, the newest first: leave out `sort`, `after` and `limit`.',
      });
    }
    const merchant = await this.merchants.find(caller.merchantId);
    const request = {
      scope: scopeOf(caller),
      filter,
      preset: 'machine',
      locale: 'en',
      timeZone: merchant!.timeZone,
      columns: null,
      hidden: caller.scopes.includes(PAYOUTS) ? [] : OF_PAYOUTS,
    } as const;
    return this.files.stream(request, { signal });
  }
}

const scopeOf = ({ merchantId, mode }: Caller) => ({ merchantId, mode });

const timeOf = (order: OrderWithPayment, { basis }: OrderFilter): Date =>
  basis === 'paid' ? order.paidAt! : order.createdAt;

function demandScope({ scopes }: Caller, { payout }: OrderFilter): void {
  if (payout === null || scopes.includes(PAYOUTS)) return;
  throw new Problem('missing_scope', {
    detail: `To look for a payout’s orders the key needs the scope ${PAYOUTS}.`,
    members: { missingScope: PAYOUTS },
  });
}
