import { Controller, Delete, Get, Post, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { IdempotencyKey, JsonBody, send, Txid } from '../common/http.js';
import type { Selector } from '../database/repositories/order.repository.js';
import { type Caller, CurrentCaller, NeedsScope, Since } from '../merchants/api-key.guard.js';
import { Deprecated } from '../merchants/deprecated.interceptor.js';
import { OrderSelector } from '../status/order-selector.decorator.js';
import { CreateOrderRequest } from './dto/create-order.dto.js';
import { OrdersService } from './orders.service.js';

@ApiTags('orders')
@Controller({ path: 'order', version: ['1', VERSION_NEUTRAL] })
export class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Post()
  @NeedsScope('orders:write')
  @ApiBody({ type: CreateOrderRequest })
  async create(
    @CurrentCaller() caller: Caller,
    @JsonBody() body: unknown,
    @IdempotencyKey() key: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return send(reply, await this.orders.create(caller, body, key));
  }

  @Get()
  @NeedsScope('orders:read')
  @Since('1.2')
  async get(
    @CurrentCaller() caller: Caller,
    @OrderSelector('txid') selector: Selector,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return send(reply, await this.orders.get(caller, selector));
  }

  @Get(':txid')
  @NeedsScope('orders:read')
  @Deprecated('GET /api/order/{txid}', (txid) => `/api/order?txid=${txid}`)
  async getByPath(
    @CurrentCaller() caller: Caller,
    @Txid() txid: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return send(reply, await this.orders.get(caller, { txid }));
  }

  @Delete(':txid')
  @NeedsScope('orders:write')
  async cancel(
    @CurrentCaller() caller: Caller,
    @Txid() txid: string,
    @IdempotencyKey() key: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return send(reply, await this.orders.cancel(caller, txid, key));
  }
}
