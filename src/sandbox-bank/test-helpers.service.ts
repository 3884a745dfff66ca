import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { NEWEST } from '../common/ids.js';
import type { OrderResponse } from '../contract/order.response.js';
import { isFinished, type OrderWithPayment } from '../database/orders/order.entity.js';
import { OrderRepository } from '../database/orders/order.repository.js';
import type { Payment } from '../database/payments/payment.entity.js';
import { Problem } from '../http/problem.js';
import type { Caller } from '../merchants/api-key.guard.js';
import { OrdersService } from '../orders/orders.service.js';
import { AcceptanceService } from '../payments/acceptance.service.js';
import { CancellationService } from '../payments/cancellation.service.js';
import { PaymentsService } from '../payments/payments.service.js';
import { Sweeper } from '../payments/sweeper.js';
import { SANDBOX_ACCOUNTS } from '../providers/sandbox/sandbox-message.js';
import { SANDBOX } from '../providers/sandbox/sandbox.provider.js';
import type {
  SimulatedLatePaymentRequest,
  SimulatedPaymentRequest,
} from './dto/simulated-payment.request.js';
import { SandboxCallbacksService } from './sandbox-callbacks.service.js';

/**
 * What payers, time, the sandbox bank and the people of the platform do, without any of them, for merchants'
 * automatic tests. Nothing here writes a state: each takes the way of the real thing. `txid` may be `newest`.
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
    private readonly clock: Clock,
  ) {}

  /**
   * Lets the bank answer for the live payment, or for a new one.
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
    // The bank stays silent about an unknown outcome; only asking it shows that.
    if (outcome === 'unknown') await this.payments.apply(payment, { kind: 'unknown' });
    return this.answer(caller, order);
  }

  /**
   * Lets the bank send money for the newest payment that was to bring none.
   * @throws Problem `order_not_found`, `no_ended_payment`
   */
  async payLate(
    caller: Caller,
    txid: string,
    request: SimulatedLatePaymentRequest,
  ): Promise<OrderResponse> {
    const order = await this.find(caller, txid);
    if (!(await this.bank.changeMind(order, moneyOf(request)))) {
      throw new Problem('no_ended_payment', { members: membersOf(order) });
    }
    return this.answer(caller, order);
  }

  /**
   * Ends the order's time now, and does what is done then. An expired order stays as it is.
   * @throws Problem `order_not_found`, `order_finished`
   */
  async expire(caller: Caller, txid: string): Promise<OrderResponse> {
    const order = await this.find(caller, txid);
    if (order.status === 'expired') return this.answer(caller, order);
    const end = isFinished(order.status)
      ? null
      : await this.orders.endTime(order, this.clock.now());
    if (!end) throw new Problem('order_finished', { members: membersOf(order) });
    // No order expires in the millisecond in which it was made.
    await sleep(Math.max(0, end.getTime() - this.clock.now().getTime()));
    if (order.status === 'processing' && order.payment) await this.payments.poll(order.payment);
    await this.sweeper.expireOne(order, end);
    return this.answer(caller, order);
  }

  /**
   * Cancels the order as its payer does on the payment page.
   * @throws Problem `order_not_found`, `order_not_cancelable`
   */
  async cancel(caller: Caller, txid: string): Promise<OrderResponse> {
    const order = await this.find(caller, txid);
    await this.cancellation.cancel(caller, order.txid, 'by_payer');
    return this.answer(caller, order);
  }

  /**
   * Accepts late money as a person of the platform does in the portal.
   * @throws Problem `order_not_found`, `order_not_acceptable`, `order_already_exists`
   */
  async accept(caller: Caller, txid: string): Promise<OrderResponse> {
    const order = await this.find(caller, txid);
    await this.acceptance.accept(caller, order.txid);
    return this.answer(caller, order);
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

const livePayment = ({ status, payment }: OrderWithPayment): Payment | undefined =>
  status === 'processing' && payment?.provider === SANDBOX && payment.status === 'pending'
    ? payment
    : undefined;

/** What money moves, and who sends it: any account of the kind that is asked for without a number. */
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
