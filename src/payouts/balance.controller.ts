import { Controller, Get, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Operation } from '../http/operation.decorator.js';
import { type Caller, CallerAlone, NeedsScope } from '../merchants/api-key.guard.js';
import { BalanceListResponse } from '../contract/balance.response.js';
import { PayoutReader } from './payout-reader.js';

@ApiTags('payouts')
@Controller({ path: 'balance', version: ['1', VERSION_NEUTRAL] })
export class BalanceController {
  constructor(private readonly payouts: PayoutReader) {}

  @Get()
  @NeedsScope('payouts:read')
  @Operation({
    id: 'getBalance',
    summary: 'Read the balance',
    description:
      'What the merchant’s orders brought and no payout has sent on yet, after fees: one entry for each currency in which money ever came.',
  })
  @ApiOkResponse({ type: BalanceListResponse, description: 'The balance, by currency.' })
  get(@CallerAlone() caller: Caller): Promise<BalanceListResponse> {
    return this.payouts.balances(caller);
  }
}
