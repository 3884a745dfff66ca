import { Controller, HttpCode, Injectable, Post, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Problem } from '../common/problem.js';
import { type Answer, JsonBody, NEWEST, send, Txid } from '../common/http.js';
import { Operation } from '../common/operation.decorator.js';
import { parseBody } from '../common/validation.js';
import type { OrderWithPayment } from '../database/entities/order.entity.js';
import type { Payment } from '../database/entities/payment.entity.js';
import { OrderRepository } from '../database/repositories/order.repository.js';
import { type Caller, CurrentCaller, NeedsScope } from '../merchants/api-key.guard.js';
import { OrdersService } from '../orders/orders.service.js';
import { SANDBOX } from '../providers/sandbox/sandbox.provider.js';
import { PaymentsService } from '../status/payments.service.js';
import { SandboxCallbacksService } from './sandbox-callbacks.service.js';
import { SimulatedPaymentRequest } from './simulated-payment.dto.js';

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
   * @throws Problem `test_mode_only`, `order_not_found`, `order_not_payable`, `payment_in_progress`
   */
  async pay(caller: Caller, txid: string, body: unknown): Promise<Answer> {
    if (caller.mode !== 'test') throw new Problem('test_mode_only');
    const request = parseBody(SimulatedPaymentRequest, body);
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

@ApiTags('test helpers')
@Controller({ path: 'test-helpers/order', version: ['1', VERSION_NEUTRAL] })
export class TestHelpersController {
  constructor(private readonly helpers: TestHelpersService) {}

  @Post(':txid/payment')
  @HttpCode(200)
  @NeedsScope('orders:write')
  @ApiBody({ type: SimulatedPaymentRequest })
  @Operation({
    id: 'simulatePayment',
    summary: 'Let the sandbox bank answer',
    description:
      'For automatic tests, with a test key: starts a payment of the order at the sandbox bank, or takes the one under way, and lets the bank answer as you say. The answer takes the way of a real one.',
    takes: ['TxidOrNewest'],
    gives: 'Order',
    answers: { 200: 'The order after the answer of the bank.' },
    errors: ['test_mode_only', 'order_not_payable', 'payment_in_progress'],
  })
  async pay(
    @CurrentCaller() caller: Caller,
    @Txid(NEWEST) txid: string,
    @JsonBody() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return send(reply, await this.helpers.pay(caller, txid, body));
  }
}
