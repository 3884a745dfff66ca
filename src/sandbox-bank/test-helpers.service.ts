import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../common/time/clock.js';
import { NEWEST } from '../common/ids.js';
import type { OrderResponse } from '../contract/order.response.js';
import type { RefundResponse } from '../contract/refund.response.js';
import { isFinished, type OrderWithPayment } from '../database/orders/order.entity.js';
import { OrderRepository } from '../database/orders/order.repository.js';
import type { Payment } from '../database/payments/payment.entity.js';
import type { Refund } from '../database/refunds/refund.entity.js';
import { Problem } from '../http/problems/problem.js';
import type { Caller } from '../merchants/api-key.guard.js';
import { OrdersService } from '../orders/orders.service.js';
import { AcceptanceService } from '../payments/acceptance.service.js';
import { CancellationService } from '../payments/cancellation.service.js';
import { PaymentsService } from '../payments/payments.service.js';
import { Sweeper } from '../payments/sweeper.js';
import { SANDBOX_ACCOUNTS } from '../providers/sandbox/sandbox-message.js';
import { SandboxRefunds } from '../providers/sandbox/sandbox-refunds.js';
import { SANDBOX } from '../providers/sandbox/sandbox.provider.js';
import { RefundReader } from '../refunds/refund-reader.js';
import { RefundRunner } from '../refunds/refund-runner.js';
import type { SimulatedRefundRequest } from './dto/simulated-refund.request.js';
import type {
  SimulatedLatePaymentRequest,
  SimulatedPaymentRequest,
} from './dto/simulated-payment.request.js';
import { SandboxCallbacksService } from './sandbox-callbacks.service.js';

/**
 * Simulates payers, time, the sandbox bank and operators for automatic tests of merchants. Each helper takes the
 * production code path and never writes a state itself. `txid` may be `newest`.
 */
@Injectable()
export class TestHelpersService {
  constructor(
    private readonly orders: OrderRepository,
    private readonly ordersService: OrdersService,
    private readonly payments: PaymentsService,
    private readonly cancellation: CancellationService,
    private readonly acceptance: AcceptanceService,
    private readonly sweeper: Sweeper,
    private readonly bank: SandboxCallbacksService,
    private readonly refundsAtBank: SandboxRefunds,
    private readonly refunds: RefundReader,
    private readonly runner: RefundRunner,
    private readonly clock: Clock,
  ) {}

  /**
   * Simulates the bank's answer for the live payment, or for a new one.
   * @throws Problem `order_not_found`, `order_not_payable`, `payment_in_progress`, `validation_failed`
   */
  async pay(
    caller: Caller,
    txid: string,
    request: SimulatedPaymentRequest,
  ): Promise<OrderResponse> {
    const { outcome, declineCode } = request;
    if (declineCode && outcome !== 'declined') throw notDeclined();
    const order = await this.find(caller, txid);
    const payment = livePayment(order) ?? (await this.start(order));
    const key = { merchantId: payment.merchantId, paymentId: payment.id };
    const decided = await this.bank.decide(key, { outcome, declineCode, ...moneyOf(request) });
    if (!decided) throw new Problem('payment_in_progress');
    // For an unknown outcome the bank sends no callback, so the state is set here.
    if (outcome === 'unknown') await this.payments.apply(payment, { kind: 'unknown' });
    return this.answer(caller, order);
  }

  /**
   * Simulates a late payment for the newest attempt that ended unpaid.
   * @throws Problem `order_not_found`, `no_ended_payment`
   */
  async payLate(
    caller: Caller,
    txid: string,
    request: SimulatedLatePaymentRequest,
  ): Promise<OrderResponse> {
    const order = await this.find(caller, txid);
    if (!(await this.bank.sendLatePayment(order, moneyOf(request)))) {
      throw new Problem('no_ended_payment', { members: membersOf(order) });
    }
    return this.answer(caller, order);
  }

  /**
   * Expires the order now, with all consequences. An expired order stays unchanged.
   * @throws Problem `order_not_found`, `order_finished`
   */
  async expire(caller: Caller, txid: string): Promise<OrderResponse> {
    const order = await this.find(caller, txid);
    if (order.status === 'expired') return this.answer(caller, order);
    const end = isFinished(order.status)
      ? null
      : await this.orders.endTime(order, this.clock.now());
    if (!end) throw new Problem('order_finished', { members: membersOf(order) });
    // An order cannot expire in the millisecond of its creation.
    await sleep(Math.max(0, end.getTime() - this.clock.now().getTime()));
    if (order.status === 'processing' && order.payment) await this.payments.poll(order.payment);
    await this.sweeper.expireOne(order, end);
    return this.answer(caller, order);
  }

  /**
   * Cancels the order like its payer on the payment page.
   * @throws Problem `order_not_found`, `order_not_cancelable`
   */
  async cancel(caller: Caller, txid: string): Promise<OrderResponse> {
    const order = await this.find(caller, txid);
    await this.cancellation.cancel(caller, order.txid, 'by_payer');
    return this.answer(caller, order);
  }

  /**
   * Accepts a late payment like an operator in the portal.
   * @throws Problem `order_not_found`, `order_not_acceptable`, `order_already_exists`
   */
  async accept(caller: Caller, txid: string): Promise<OrderResponse> {
    const order = await this.find(caller, txid);
    await this.acceptance.accept(caller, order.txid);
    return this.answer(caller, order);
  }

  /**
   * Lets the sandbox bank answer about a refund.
   * @throws Problem `refund_not_found`, `refund_not_cancelable` for a refund by bank
   */
  async refund(
    caller: Caller,
    id: string,
    { outcome }: SimulatedRefundRequest,
  ): Promise<RefundResponse> {
    const outcomes = outcome === 'returned' ? (['succeeded', 'returned'] as const) : [outcome];
    for (const each of outcomes) {
      const refund = await this.refunds.find(caller, id);
      if (refund.method === 'bank') throw notAtSandbox(refund);
      await this.refundsAtBank.decide(refund, each);
      await this.runner.callNow(refund);
    }
    return this.refunds.get(caller, id);
  }

  private async find(caller: Caller, txid: string): Promise<OrderWithPayment> {
    const order = await (txid === NEWEST
      ? this.orders.findNewest(caller)
      : this.orders.find(caller, { txid }));
    if (!order) throw new Problem('order_not_found');
    return order;
  }

  private start(order: OrderWithPayment): Promise<Payment> {
    return this.payments.start(order, { provider: SANDBOX, method: SANDBOX });
  }

  private answer(caller: Caller, { txid }: OrderWithPayment): Promise<OrderResponse> {
    return this.ordersService.get(caller, { txid });
  }
}

const notAtSandbox = ({ id, status }: Refund): Problem =>
  new Problem('refund_not_cancelable', {
    detail: 'A refund by bank is approved by an operator, and sent in a bank file.',
    members: { refundId: id, refundStatus: status },
  });

const livePayment = ({ status, payment }: OrderWithPayment): Payment | undefined =>
  status === 'processing' && payment?.provider === SANDBOX && payment.status === 'pending'
    ? payment
    : undefined;

/** Payment and payer to simulate; without a number, an example account of the type. */
function moneyOf(request: SimulatedLatePaymentRequest) {
  const { amount, currency, payerAccountName, payerAfterSeconds, afterSeconds, repeat } = request;
  const isLater = payerAfterSeconds !== undefined && payerAccountName === undefined;
  const kind = request.payerAccountType ?? (isLater ? 'iban' : undefined);
  return {
    amount,
    currency,
    payerAccountNumber: request.payerAccountNumber ?? (kind && SANDBOX_ACCOUNTS[kind]),
    payerAccountType: request.payerAccountType,
    payerAccountName,
    payerAfterSeconds,
    afterSeconds,
    repeat,
  };
}

const membersOf = ({ txid, status }: OrderWithPayment) => ({ txid, orderStatus: status });

const notDeclined = (): Problem =>
  new Problem('validation_failed', {
    detail: 'One field is not valid: /declineCode.',
    errors: [
      {
        pointer: '/declineCode',
        code: 'wrong_format',
        detail: 'A reason needs the outcome `declined`; leave it out with any other.',
      },
    ],
  });
