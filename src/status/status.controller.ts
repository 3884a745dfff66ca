import { Controller, Get, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { OrderRepository, type Selector } from '../database/orders/order.repository.js';
import { Operation } from '../http/operation.decorator.js';
import { orderStatusResponse, OrderStatusResponse } from '../contract/order.response.js';
import { Problem } from '../http/problems/problem.js';
import { type Caller, CurrentCaller, NeedsScope, Since } from '../merchants/api-key.guard.js';
import { Deprecated } from '../merchants/deprecated.interceptor.js';
import { OrderSelector, Txid } from './order-selector.decorator.js';

@ApiTags('status')
@Controller({ path: 'order', version: ['1', VERSION_NEUTRAL] })
export class StatusController {
  constructor(private readonly orders: OrderRepository) {}

  @Get('status')
  @NeedsScope('orders:read')
  @Since('1.2')
  @Operation({
    id: 'getOrderStatus',
    summary: 'Read the status of an order',
    description: 'Name the order by exactly one of the two parameters.',
    errors: ['not_in_this_version'],
  })
  @ApiOkResponse({ type: OrderStatusResponse, description: 'The status of the order.' })
  get(
    @CurrentCaller() caller: Caller,
    @OrderSelector('orderTransactionId') selector: Selector,
  ): Promise<OrderStatusResponse> {
    return this.find(caller, selector);
  }

  @Get(':txid/status')
  @NeedsScope('orders:read')
  @Deprecated(
    'GET /api/order/{txid}/status',
    (txid) => `/api/order/status?orderTransactionId=${txid}`,
  )
  @Operation({
    id: 'getOrderStatusByTxid',
    summary: 'Read the status of an order by path',
    description: 'By the service’s own name for the order.',
  })
  @ApiOkResponse({ type: OrderStatusResponse, description: 'The status of the order.' })
  getByPath(@CurrentCaller() caller: Caller, @Txid() txid: string): Promise<OrderStatusResponse> {
    return this.find(caller, { txid });
  }

  private async find(caller: Caller, selector: Selector): Promise<OrderStatusResponse> {
    const order = await this.orders.findStatus(caller, selector);
    if (!order) throw new Problem('order_not_found');
    return orderStatusResponse(order);
  }
}
