import { Controller, Delete, Get, Post, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { OrderResponse } from '../contract/order.response.js';
import type { Selector } from '../database/orders/order.repository.js';
import { send } from '../http/http.js';
import { IdempotencyKey } from '../http/parameters.js';
import { JsonBody } from '../contract/json-body.decorator.js';
import { Operation } from '../http/operation.decorator.js';
import { type Caller, CurrentCaller, NeedsScope, Since } from '../merchants/api-key.guard.js';
import { Deprecated } from '../merchants/deprecated.interceptor.js';
import { OrderSelector, Txid } from '../status/order-selector.decorator.js';
import { CreateOrderRequest } from './dto/create-order.request.js';
import { OrdersService } from './orders.service.js';

@ApiTags('orders')
@Controller({ path: 'order', version: ['1', VERSION_NEUTRAL] })
export class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Post()
  @NeedsScope('orders:write')
  @Operation({
    id: 'createOrder',
    summary: 'Create an order',
    description:
      'Send the payer to `paymentPageUrl` of the answer.\n\nWith an `Idempotency-Key` a repeat gets ' +
      'the first answer again for at least 24 hours, whatever became of the order. Without one, ' +
      '`orderMerchantId` protects: no two orders of one id are ever live. The same content gets the ' +
      'existing order, other content a 409. An order that expired, failed or was cancelled without ' +
      'money frees its id, and the same request then makes a new order that can be paid: after you ' +
      'restored a backup of yours, read an order before you create it.',
    errors: ['order_already_exists', 'idempotency_key_reused', 'no_payment_method'],
  })
  @ApiOkResponse({
    type: OrderResponse,
    description: 'The same request came before: the order as it is now.',
  })
  @ApiCreatedResponse({ type: OrderResponse, description: 'The new order.' })
  async create(
    @CurrentCaller() caller: Caller,
    @JsonBody(CreateOrderRequest) request: CreateOrderRequest,
    @IdempotencyKey() key: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return send(reply, await this.orders.create(caller, request, key));
  }

  @Get()
  @NeedsScope('orders:read')
  @Since('1.2')
  @Operation({
    id: 'getOrder',
    summary: 'Read an order',
    description:
      'Name the order by exactly one of the two parameters. An `orderMerchantId` that was used again means the newest of its orders.',
    errors: ['not_in_this_version'],
  })
  @ApiOkResponse({ type: OrderResponse, description: 'The order.' })
  get(
    @CurrentCaller() caller: Caller,
    @OrderSelector('txid') selector: Selector,
  ): Promise<OrderResponse> {
    return this.orders.get(caller, selector);
  }

  @Get(':txid')
  @NeedsScope('orders:read')
  @Deprecated('GET /api/order/{txid}', (txid) => `/api/order?txid=${txid}`)
  @Operation({
    id: 'getOrderByTxid',
    summary: 'Read an order by path',
    description: 'Use `GET /api/order?txid=` instead.',
    deprecated: true,
  })
  @ApiOkResponse({ type: OrderResponse, description: 'The order.' })
  getByPath(@CurrentCaller() caller: Caller, @Txid() txid: string): Promise<OrderResponse> {
    return this.orders.get(caller, { txid });
  }

  @Delete(':txid')
  @NeedsScope('orders:write')
  @Operation({
    id: 'cancelOrder',
    summary: 'Cancel an order',
    description:
      'A payment that is under way is stopped at its provider first. Cancelling a cancelled order changes nothing and succeeds.',
    errors: ['order_not_cancelable', 'idempotency_key_reused'],
  })
  @ApiOkResponse({ type: OrderResponse, description: 'The order, now cancelled.' })
  async cancel(
    @CurrentCaller() caller: Caller,
    @Txid() txid: string,
    @IdempotencyKey() key: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return send(reply, await this.orders.cancel(caller, txid, key));
  }
}
