import { Controller, Get, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { PayoutPage } from '../database/payouts/payout.repository.js';
import { Operation } from '../http/operation.decorator.js';
import { type Caller, CurrentCaller, NeedsScope } from '../merchants/api-key.guard.js';
import {
  PayoutLinePageResponse,
  PayoutPageResponse,
  PayoutWithSumsResponse,
} from '../contract/payout.response.js';
import { type LinePage, LineQuery, PayoutIdOrNewest, PayoutQuery } from './payout-parameters.js';
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
  })
  @ApiOkResponse({ type: PayoutPageResponse, description: 'One page of payouts.' })
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
  })
  @ApiOkResponse({ type: PayoutWithSumsResponse, description: 'The payout.' })
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
      'Lines of the payout, sorted by number: the orders that it pays, and deductions. They add up to the payout’s amount, and change only until the payout is approved. An order that a payout pays in part has its other part in the next.',
  })
  @ApiOkResponse({ type: PayoutLinePageResponse, description: 'One page of lines.' })
  lines(
    @CurrentCaller() caller: Caller,
    @PayoutIdOrNewest() id: string,
    @LineQuery() page: LinePage,
  ): Promise<PayoutLinePageResponse> {
    return this.payouts.lines(caller, id, page);
  }
}
