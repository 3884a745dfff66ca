import { Controller, Delete, Get, Post, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { JsonBody } from '../contract/json-body.decorator.js';
import { answerOf } from '../contract/answers.js';
import {
  RefundPageResponse,
  RefundPayerLinkResponse,
  RefundResponse,
} from '../contract/refund.response.js';
import type { RefundListPage } from '../database/refunds/refund.repository.js';
import { send } from '../http/http.js';
import { Operation } from '../http/operation.decorator.js';
import { IdempotencyKey } from '../http/parameters.js';
import { type Caller, CallerAlone, CurrentCaller, NeedsScope } from '../merchants/api-key.guard.js';
import { Txid } from '../status/order-selector.decorator.js';
import { CreateRefundRequest } from './dto/create-refund.request.js';
import { RefundId, RefundQuery } from './refund-parameters.js';
import { RefundPayees } from './refund-payees.service.js';
import { RefundReader } from './refund-reader.js';
import { RefundsService } from './refunds.service.js';

@ApiTags('refunds')
@Controller({ version: ['1', VERSION_NEUTRAL] })
export class RefundsController {
  constructor(
    private readonly refunds: RefundsService,
    private readonly reader: RefundReader,
    private readonly payees: RefundPayees,
  ) {}

  @Post('order/:txid/refund')
  @NeedsScope('refunds:write')
  @Operation({
    id: 'createRefund',
    summary: 'Refund an order',
    description:
      'Sends money of a paid order back the way that it came, all that is left or a part. The money leaves your balance at once; ' +
      'what became of the refund is sent as events of the order. A test refund is approved at once; in live mode an owner or ' +
      'somebody of finance approves it in the portal.\n\nOne refund returns the money of one payment: an order that was paid in parts is ' +
      'refunded part by part, the newest payment first. Send an `Idempotency-Key` or a `refundMerchantId`: without one, a repeat ' +
      'is a second refund.',
    errors: [
      'order_not_refundable',
      'refund_too_large',
      'refundable_changed',
      'insufficient_balance',
      'refund_already_exists',
      'refund_second_person',
      'idempotency_key_reused',
    ],
  })
  @ApiOkResponse({
    type: RefundResponse,
    description: 'The same request came before: the refund as it is now.',
  })
  @ApiCreatedResponse({ type: RefundResponse, description: 'The new refund.' })
  async create(
    @CurrentCaller() caller: Caller,
    @Txid() txid: string,
    @JsonBody(CreateRefundRequest, { isOptional: true }) request: CreateRefundRequest,
    @IdempotencyKey() key: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return send(reply, await this.refunds.create(caller, txid, request, key));
  }

  @Get('refund')
  @NeedsScope('refunds:read')
  @Operation({ id: 'listRefunds', summary: 'List refunds', description: 'The newest first.' })
  @ApiOkResponse({ type: RefundPageResponse, description: 'One page of refunds.' })
  list(
    @CurrentCaller() caller: Caller,
    @RefundQuery() page: RefundListPage,
  ): Promise<RefundPageResponse> {
    return this.reader.list(caller, page);
  }

  @Get('refund/:id')
  @NeedsScope('refunds:read')
  @Operation({ id: 'getRefund', summary: 'Read a refund', description: 'As it is now.' })
  @ApiOkResponse({ type: RefundResponse, description: 'The refund.' })
  get(@CallerAlone() caller: Caller, @RefundId() id: string): Promise<RefundResponse> {
    return this.reader.get(caller, id);
  }

  @Get('refund/:id/payer-link')
  @NeedsScope('refunds:write')
  @Operation({
    id: 'getRefundPayerLink',
    summary: 'Get the link for the payer',
    description:
      'For a transfer whose sender the bank did not name: the payer enters the account on this page, within 30 days. In live ' +
      'mode an owner confirms it in the portal, and an operator can approve the refund 24 hours later. The link needs `refunds:write`, because it ' +
      'decides where the money goes.',
    errors: ['refund_link_not_found'],
  })
  @ApiOkResponse({ type: RefundPayerLinkResponse, description: 'The link.' })
  async payerLink(
    @CallerAlone() caller: Caller,
    @RefundId() id: string,
  ): Promise<RefundPayerLinkResponse> {
    const { url, expiresAt } = await this.payees.link(caller, id);
    return answerOf(RefundPayerLinkResponse, { url, expiresAt: expiresAt.toISOString() });
  }

  @Delete('refund/:id')
  @NeedsScope('refunds:write')
  @Operation({
    id: 'cancelRefund',
    summary: 'Cancel a refund',
    description:
      'Possible until the provider is asked, mostly within a second of the approval. The money is yours again. Cancelling a ' +
      'cancelled refund changes nothing and succeeds.',
    errors: ['refund_not_cancelable'],
  })
  @ApiOkResponse({ type: RefundResponse, description: 'The refund, now cancelled.' })
  cancel(@CallerAlone() caller: Caller, @RefundId() id: string): Promise<RefundResponse> {
    return this.refunds.cancel(caller, id);
  }
}
