import { Controller, Get, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { OrderPageResponse } from '../contract/order.response.js';
import { sendFile } from '../exports/send-file.js';
import { Operation } from '../http/operation.decorator.js';
import { Produces, WantedType } from '../http/produces.js';
import { ClientDisconnect } from '../http/client-disconnect.js';
import { type Caller, CurrentCaller, NeedsScope } from '../merchants/api-key.guard.js';
import { CountsAs } from '../merchants/rate-limit.guard.js';
import { OrderSearchService } from './order-search.service.js';
import { type OrderSearch, SearchQuery } from './search-query.js';

const CSV = 'text/csv';
/** Cost of a search in reads, since it may scan many orders. */
const SEARCH_READS = 20;

@ApiTags('orders')
@Controller({ path: 'order', version: ['1', VERSION_NEUTRAL] })
export class OrderSearchController {
  constructor(private readonly search: OrderSearchService) {}

  @Get('search')
  @NeedsScope('orders:read')
  @CountsAs(SEARCH_READS)
  @Produces(CSV)
  @Operation({
    id: 'searchOrders',
    summary: 'Find orders',
    description:
      'The filters of the portal’s list: an order is found when all of them fit. Without any, all ' +
      'orders are. Pass `next` as `after`, with the same filters, for the next page: orders that ' +
      'are made or change meanwhile move none from one page to another. In every version of the ' +
      'contract. A search counts as twenty reads.\n\nWith `Accept: text/csv` all that is found comes as one file, the newest first, ' +
      'however long it is: the one that the portal makes for programs, with amounts in units of ' +
      'the currency and times in the merchant’s time zone. A merchant reads two files at a time. ' +
      'To receive changes, read events instead.',
  })
  @ApiExtraModels(OrderPageResponse)
  @ApiOkResponse({
    description: 'Orders, as `GET /api/order` has them.',
    content: {
      'application/json': { schema: { $ref: getSchemaPath(OrderPageResponse) } },
      [CSV]: { schema: { type: 'string' } },
    },
  })
  async find(
    @CurrentCaller() caller: Caller,
    @SearchQuery() search: OrderSearch,
    @WantedType() type: string,
    @ClientDisconnect() signal: AbortSignal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OrderPageResponse | void> {
    if (type !== CSV) return this.search.page(caller, search);
    sendFile(reply, await this.search.file(caller, search, signal));
  }
}
