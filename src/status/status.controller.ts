import { Controller, Get, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Problem } from '../common/problem.js';
import { send, Txid } from '../common/http.js';
import { Operation } from '../common/operation.decorator.js';
import { OrderRepository, type Selector } from '../database/repositories/order.repository.js';
import { type Caller, CurrentCaller, NeedsScope, Since } from '../merchants/api-key.guard.js';
import { Deprecated } from '../merchants/deprecated.interceptor.js';
import { OrderSelector, SELECTOR_ERRORS } from './order-selector.decorator.js';
import { statusResponse } from './status.response.js';

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
    takes: ['OrderMerchantId', 'OrderTransactionId'],
    gives: 'OrderStatus',
    answers: { 200: 'The status of the order.' },
    errors: SELECTOR_ERRORS,
  })
  get(
    @CurrentCaller() caller: Caller,
    @OrderSelector('orderTransactionId') selector: Selector,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return this.answer(caller, selector, reply);
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
    description: 'Use `GET /api/order/status?orderTransactionId=` instead.',
    deprecated: true,
    takes: ['Txid'],
    gives: 'OrderStatus',
    answers: { 200: 'The status of the order.' },
    errors: [],
  })
  getByPath(
    @CurrentCaller() caller: Caller,
    @Txid() txid: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return this.answer(caller, { txid }, reply);
  }

  private async answer(caller: Caller, selector: Selector, reply: FastifyReply): Promise<string> {
    const order = await this.orders.findStatus(caller, selector);
    if (!order) throw new Problem('order_not_found');
    const body = JSON.stringify(statusResponse(order));
    return send(reply, { status: 200, body, apiVersion: caller.version });
  }
}
