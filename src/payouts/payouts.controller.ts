import { Controller, Get, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operation } from '../common/operation.decorator.js';
import type { PayoutPage } from '../database/repositories/payout.repository.js';
import { type Caller, CurrentCaller, NeedsScope } from '../merchants/api-key.guard.js';
import type {
  LinePageResponse,
  PayoutPageResponse,
  PayoutWithSumsResponse,
} from './dto/payout.response.js';
import {
  LINE_PARAMETERS,
  type LinePage,
  LineQuery,
  PayoutIdOrNewest,
  PayoutQuery,
} from './payout-parameters.js';
import { PayoutReader } from './payout-reader.js';

@ApiTags('payouts')
@Controller({ path: 'payout', version: ['1', VERSION_NEUTRAL] })
export class PayoutsController {
  constructor(private readonly payouts: PayoutReader) {}

  @Get()
  @NeedsScope('payouts:read')
  @Operation({
    id: 'listPayouts',
    summary: 'List payouts',
    description:
      'The newest first. Payouts are asked for and approved in the portal; here they are read.',
    takes: ['PayoutAfter', 'PayoutStatuses', 'Limit'],
    gives: 'PayoutPage',
    answers: { 200: 'One page of payouts.' },
    errors: ['invalid_parameter'],
  })
  list(
    @CurrentCaller() caller: Caller,
    @PayoutQuery() page: PayoutPage,
  ): Promise<PayoutPageResponse> {
    return this.payouts.list(caller, page);
  }

  @Get(':id')
  @NeedsScope('payouts:read')
  @Operation({
    id: 'getPayout',
    summary: 'Read a payout',
    description:
      'With what its lines come to. The three sums make its amount, but for a `draft`, which has no lines yet.',
    takes: ['PayoutIdOrNewest'],
    gives: 'PayoutWithSums',
    answers: { 200: 'The payout.' },
    errors: [],
  })
  get(
    @CurrentCaller() caller: Caller,
    @PayoutIdOrNewest() id: string,
  ): Promise<PayoutWithSumsResponse> {
    return this.payouts.get(caller, id);
  }

  @Get(':id/line')
  @NeedsScope('payouts:read')
  @Operation({
    id: 'listPayoutLines',
    summary: 'List the lines of a payout',
    description:
      'Which orders it pays, and what is taken off, in the order of their numbers. They sum to the payout’s amount, and change only as long as nobody has approved it. An order that a payout pays in part has its other part in the next.',
    takes: ['PayoutIdOrNewest', 'LineAfter', 'Limit'],
    gives: 'PayoutLinePage',
    answers: { 200: 'One page of lines.' },
    errors: ['invalid_parameter'],
  })
  lines(
    @CurrentCaller() caller: Caller,
    @PayoutIdOrNewest(LINE_PARAMETERS) id: string,
    @LineQuery() page: LinePage,
  ): Promise<LinePageResponse> {
    return this.payouts.lines(caller, id, page);
  }
}
