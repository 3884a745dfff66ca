import {
  Controller,
  createParamDecorator,
  type ExecutionContext,
  HttpCode,
  Injectable,
  Post,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { OrderWithPayment } from '../database/orders/order.entity.js';
import { OrderRepository } from '../database/orders/order.repository.js';
import type { Payment } from '../database/payments/payment.entity.js';
import { JsonBody } from '../contract/json-body.decorator.js';
import { NEWEST } from '../common/ids.js';
import { TxidOrNewest } from '../status/order-selector.decorator.js';
import { Operation } from '../http/operation.decorator.js';
import { OrderResponse } from '../contract/order.response.js';
import { Problem } from '../http/problem.js';
import { type Caller, NeedsScope } from '../merchants/api-key.guard.js';
import { OrdersService } from '../orders/orders.service.js';
import { PaymentsService } from '../payments/payments.service.js';
import { SANDBOX } from '../providers/sandbox/sandbox.provider.js';
import { SimulatedPaymentRequest } from './dto/simulated-payment.request.js';
import { SandboxCallbacksService } from './sandbox-callbacks.service.js';

/** Pays at the sandbox bank without a page, for merchants' automatic tests. */
@Injectable()
export class TestHelpersService {
  constructor(
    private readonly orders: OrderRepository,
    private readonly ordersService: OrdersService,
    private readonly payments: PaymentsService,
    private readonly bank: SandboxCallbacksService,
  ) {}

  /**
   * Lets the bank answer for the live payment, or for a new one.
   * @param txid of the order, or `newest`
   * @throws Problem `order_not_found`, `order_not_payable`, `payment_in_progress`
   */
  async pay(
    caller: Caller,
    txid: string,
    request: SimulatedPaymentRequest,
  ): Promise<OrderResponse> {
    const order = await (txid === NEWEST
      ? this.orders.findNewest(caller)
      : this.orders.find(caller, { txid }));
    if (!order) throw new Problem('order_not_found');
    const payment = livePayment(order) ?? (await this.start(order));
    const decided = await this.bank.decide(
      { merchantId: payment.merchantId, paymentId: payment.id },
      {
        outcome: request.outcome,
        amount: request.amount ?? undefined,
        currency: request.currency ?? undefined,
        payerAccountNumber: request.payerAccountNumber ?? undefined,
        payerAccountName: request.payerAccountName ?? undefined,
        afterSeconds: request.afterSeconds ?? undefined,
        repeat: request.repeat ?? undefined,
      },
    );
    if (!decided) throw new Problem('payment_in_progress');
    // The bank stays silent about an unknown outcome; only asking it shows that.
    if (request.outcome === 'unknown') await this.payments.apply(payment, { kind: 'unknown' });
    return this.ordersService.get(caller, { txid: order.txid });
  }

  private start(order: OrderWithPayment): Promise<Payment> {
    return this.payments.start(order, { provider: SANDBOX, method: SANDBOX });
  }
}

const livePayment = ({ status, payment }: OrderWithPayment): Payment | undefined =>
  status === 'processing' && payment?.provider === SANDBOX && payment.status === 'pending'
    ? payment
    : undefined;

/** The caller, if with a test key. */
const TestCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<{ readonly caller: Caller }>();
  if (caller.mode !== 'test') throw new Problem('test_mode_only');
  return caller;
});

@ApiTags('test helpers')
@Controller({ path: 'test-helpers/order', version: ['1', VERSION_NEUTRAL] })
export class TestHelpersController {
  constructor(private readonly helpers: TestHelpersService) {}

  @Post(':txid/payment')
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
}
