import { Controller, Delete, Get, Patch, Post, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CreatedOrderResponse, OrderResponse } from '../contract/order.response.js';
import type { Selector } from '../database/orders/order.repository.js';
import { send } from '../http/http.js';
import { IdempotencyKey, IfMatch } from '../http/parameters.js';
import { JsonBody } from '../contract/json-body.decorator.js';
import { Operation } from '../http/operation.decorator.js';
import { type Caller, CurrentCaller, NeedsScope, Since } from '../merchants/api-key.guard.js';
import { Deprecated } from '../merchants/deprecated.interceptor.js';
import { OrderSelector, Txid } from '../status/order-selector.decorator.js';
import { CreateOrderRequest } from './dto/create-order.request.js';
import { UpdateOrderRequest } from './dto/update-order.request.js';
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
      'existing order, other content a 409. An order that expired, failed or was cancelled frees its ' +
      'id, also when a part of its money came, and the same request then makes a new order that can ' +
      'be paid: after you restored a backup of yours, read an order before you create it.\n\nSloppy texts ' +
      'are taken: line breaks become spaces, `eur` is `EUR`, `de_DE` is `de-DE`, an empty e-mail is none. The ' +
      'answer lists each in `warnings`; what was kept decides whether two requests are the same.',
    errors: ['order_already_exists', 'idempotency_key_reused', 'no_payment_method'],
  })
  @ApiOkResponse({
    type: CreatedOrderResponse,
    description: 'The same request came before: the order as it is now.',
  })
  @ApiCreatedResponse({ type: CreatedOrderResponse, description: 'The new order.' })
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
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OrderResponse> {
    return this.read(caller, selector, reply);
  }

  @Get(':txid')
  @NeedsScope('orders:read')
  @Deprecated('GET /api/order/{txid}', (txid) => `/api/order?txid=${txid}`)
  @Operation({
    id: 'getOrderByTxid',
    summary: 'Read an order by path',
    description: 'By the service’s own name for it.',
  })
  @ApiOkResponse({ type: OrderResponse, description: 'The order.' })
  getByPath(
    @CurrentCaller() caller: Caller,
    @Txid() txid: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OrderResponse> {
    return this.read(caller, { txid }, reply);
  }

  @Patch(':txid')
  @NeedsScope('orders:write')
  @Operation({
    id: 'updateOrder',
    summary: 'Change an order',
    description:
      'An open order can be changed, its amount until money has come or the payer has received transfer details. Of one that ' +
      'awaits a transfer, `expiresAt` cannot become earlier: the payer already has it. The payer sees the change at once, and `order.updated` ' +
      'is sent. With `If-Match` it is changed only when it still has that `ETag`, so that of two programs neither undoes what ' +
      'the other did.\n\nWhether a creation is a repeat is decided by what the first one asked for, whatever was changed since.',
    errors: ['order_not_changeable', 'payment_in_progress', 'idempotency_key_reused'],
  })
  @ApiOkResponse({ type: OrderResponse, description: 'The order as it is now.' })
  async update(
    @CurrentCaller() caller: Caller,
    @Txid() txid: string,
    @JsonBody(UpdateOrderRequest) request: UpdateOrderRequest,
    @IfMatch() tags: readonly string[] | undefined,
    @IdempotencyKey() key: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return send(reply, await this.orders.update(caller, txid, request, tags, key));
  }

  @Delete(':txid')
  @NeedsScope('orders:write')
  @Operation({
    id: 'cancelOrder',
    summary: 'Cancel an order',
    description:
      'A payment that is under way is stopped at its provider first. While a transfer is awaited, cancelling only means to wait ' +
      'no longer: money that comes all the same is kept apart with the exception `paid_late`. A part of the money that has come ' +
      'stays in `amountReceived` and `exception`, and an operator refunds it: then `order.refunded` is sent. ' +
      'Cancelling a cancelled order changes nothing and succeeds.',
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

  private async read(
    caller: Caller,
    selector: Selector,
    reply: FastifyReply,
  ): Promise<OrderResponse> {
    const { order, etag } = await this.orders.read(caller, selector);
    void reply.header('etag', etag);
    return order;
  }
}
