import {
  Controller,
  createParamDecorator,
  type ExecutionContext,
  HttpCode,
  Post,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { JsonBody } from '../contract/json-body.decorator.js';
import { OrderResponse } from '../contract/order.response.js';
import { RefundResponse } from '../contract/refund.response.js';
import { Operation } from '../http/operation.decorator.js';
import { Problem } from '../http/problems/problem.js';
import { type Caller, NeedsScope } from '../merchants/api-key.guard.js';
import { RefundId } from '../refunds/refund-parameters.js';
import { TxidOrNewest } from '../status/order-selector.decorator.js';
import {
  SimulatedLatePaymentRequest,
  SimulatedPaymentRequest,
} from './dto/simulated-payment.request.js';
import { SimulatedRefundRequest } from './dto/simulated-refund.request.js';
import { TestHelpersService } from './test-helpers.service.js';

/** The caller; requires a test key. */
const TestCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<{ readonly caller: Caller }>();
  if (caller.mode !== 'test') throw new Problem('test_mode_only');
  return caller;
});

@ApiTags('test helpers')
@Controller({ path: 'test-helpers', version: ['1', VERSION_NEUTRAL] })
export class TestHelpersController {
  constructor(private readonly helpers: TestHelpersService) {}

  @Post('order/:txid/payment')
  @HttpCode(200)
  @NeedsScope('orders:write')
  @Operation({
    id: 'simulatePayment',
    summary: 'Let the sandbox bank answer',
    description:
      'For automatic tests, with a test key: starts a payment of the order at the sandbox bank, or takes the one under way, and lets the bank answer as you say. The answer takes the way of a real one.',
    errors: ['test_mode_only', 'order_not_payable', 'payment_in_progress'],
  })
  @ApiOkResponse({ type: OrderResponse, description: 'The order after the answer of the bank.' })
  pay(
    @TestCaller() caller: Caller,
    @TxidOrNewest() txid: string,
    @JsonBody(SimulatedPaymentRequest) request: SimulatedPaymentRequest,
  ): Promise<OrderResponse> {
    return this.helpers.pay(caller, txid, request);
  }

  @Post('order/:txid/late-payment')
  @HttpCode(200)
  @NeedsScope('orders:write')
  @Operation({
    id: 'simulateLatePayment',
    summary: 'Let money come after all',
    description:
      'For automatic tests, with a test key: the sandbox bank sends money for the newest payment of the order that had been declined or stopped. An order that has ended gets the exception `paid_late`, one that is paid `duplicate_payment`; one that is open is paid.',
    errors: ['test_mode_only', 'no_ended_payment'],
  })
  @ApiOkResponse({ type: OrderResponse, description: 'The order with the money.' })
  payLate(
    @TestCaller() caller: Caller,
    @TxidOrNewest() txid: string,
    @JsonBody(SimulatedLatePaymentRequest, { isOptional: true })
    request: SimulatedLatePaymentRequest,
  ): Promise<OrderResponse> {
    return this.helpers.payLate(caller, txid, request);
  }

  @Post('order/:txid/expire')
  @HttpCode(200)
  @NeedsScope('orders:write')
  @Operation({
    id: 'simulateExpiry',
    summary: 'Let the time to pay end',
    description:
      'For automatic tests, with a test key: `expiresAt` becomes now, and what is done then is done. A payment under way is stopped, or its answer fetched; while its outcome is unknown the order stays `processing`, as it does when time passes by itself.',
    errors: ['test_mode_only', 'order_finished'],
  })
  @ApiOkResponse({ type: OrderResponse, description: 'The order, mostly `expired`.' })
  expire(@TestCaller() caller: Caller, @TxidOrNewest() txid: string): Promise<OrderResponse> {
    return this.helpers.expire(caller, txid);
  }

  @Post('order/:txid/cancel')
  @HttpCode(200)
  @NeedsScope('orders:write')
  @Operation({
    id: 'simulateCancellation',
    summary: 'Let the payer cancel',
    description:
      'For automatic tests, with a test key: the payer presses the cancel button of the payment page. Your own cancellation is `DELETE /api/order/{txid}`.',
    errors: ['test_mode_only', 'order_not_cancelable'],
  })
  @ApiOkResponse({ type: OrderResponse, description: 'The order, cancelled `by_payer`.' })
  cancel(@TestCaller() caller: Caller, @TxidOrNewest() txid: string): Promise<OrderResponse> {
    return this.helpers.cancel(caller, txid);
  }

  @Post('order/:txid/accept')
  @HttpCode(200)
  @NeedsScope('orders:write')
  @Operation({
    id: 'simulateAcceptance',
    summary: 'Let a person accept late money',
    description:
      'For automatic tests, with a test key: what an operator does in the portal with money that came too late. The order becomes `paid`, `manual`.',
    errors: ['test_mode_only', 'order_not_acceptable', 'order_already_exists'],
  })
  @ApiOkResponse({ type: OrderResponse, description: 'The order, now paid.' })
  accept(@TestCaller() caller: Caller, @TxidOrNewest() txid: string): Promise<OrderResponse> {
    return this.helpers.accept(caller, txid);
  }

  @Post('refund/:id')
  @HttpCode(200)
  @NeedsScope('refunds:write')
  @Operation({
    id: 'simulateRefund',
    summary: 'Let the sandbox bank answer about a refund',
    description:
      'For automatic tests, with a test key: the sandbox bank answers as you say, and the refund is in that state when this returns. ' +
      'Without it, a test refund succeeds after about 2 seconds. Not for refunds by bank, which operators approve.',
    errors: ['test_mode_only', 'refund_not_cancelable'],
  })
  @ApiOkResponse({ type: RefundResponse, description: 'The refund after the answer of the bank.' })
  refund(
    @TestCaller() caller: Caller,
    @RefundId() id: string,
    @JsonBody(SimulatedRefundRequest) request: SimulatedRefundRequest,
  ): Promise<RefundResponse> {
    return this.helpers.refund(caller, id, request);
  }
}
