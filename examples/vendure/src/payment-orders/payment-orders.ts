import { Inject, Injectable } from '@nestjs/common';
import {
  type CancelPaymentErrorResult,
  type CancelPaymentResult,
  type CreatePaymentErrorResult,
  type CreatePaymentResult,
  type CreateRefundResult,
  type ID,
  isGraphQlErrorResult,
  Order,
  OrderService,
  Payment,
  RequestContext,
  RequestContextService,
  type SettlePaymentErrorResult,
  type SettlePaymentResult,
  totalCoveredByPayments,
  TransactionalConnection,
} from '@vendure/core';
import { PaymentOrdersClient, type PaymentOrder, type PaymentOrderEvent, Refusal } from './client';
import { inWords, toMinorUnits } from './money';
import { exceptionNote, homelessNote } from './notes';
import { OPTIONS, type PaymentOrdersOptions } from './options';

const CLOSED = new Set(['failed', 'cancelled', 'expired']);
const UNDER_WAY = 'A payment of this order is under way, or has just been made.';
/** What a checkout can show, by the code of the refusal. */
const FOR_CUSTOMERS: Record<string, string> = {
  order_not_cancelable: UNDER_WAY,
  unreachable: 'The payment service cannot be reached. Try again in a moment.',
};

/** Keeps Vendure's payments and the service's orders in step. A payment's `transactionId` is the order's `txid`. */
@Injectable()
export class PaymentOrders {
  constructor(
    private readonly client: PaymentOrdersClient,
    private readonly connection: TransactionalConnection,
    private readonly contexts: RequestContextService,
    private readonly orders: OrderService,
    @Inject(OPTIONS) private readonly options: PaymentOrdersOptions,
  ) {}

  /** A customer wants to pay. There is one page at a time: who asks again gets the same one. */
  async begin(
    ctx: RequestContext,
    order: Order,
  ): Promise<CreatePaymentResult | CreatePaymentErrorResult> {
    await this.lock(ctx, { id: order.id });
    order.payments = await this.orders.getOrderPayments(ctx, order.id);
    const amount = order.totalWithTax - totalCoveredByPayments(order, ['Authorized', 'Settled']);
    try {
      const page = await this.openPage(ctx, order, amount);
      // Vendure wants a payment for each time it is asked. This one says where the page is, and nothing more.
      if (page) return { amount: 0, state: 'Cancelled', metadata: pageOf(page) };
      const created = await this.create(ctx, order, amount);
      const { txid } = created;
      return { amount, state: 'Created', transactionId: txid, metadata: pageOf(created) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const errorMessage = FOR_CUSTOMERS[error.code] ?? error.message;
      return { amount, state: 'Error', errorMessage, metadata: { code: error.code } };
    }
  }

  /** The page that the customer has already, unless it is over or asks for something else. */
  private async openPage(
    ctx: RequestContext,
    order: Order,
    amount: number,
  ): Promise<PaymentOrder | undefined> {
    const open = order.payments.find(isOpen);
    if (!open) return undefined;
    const page = await this.client.read(open.transactionId);
    if (page.finished) await this.apply(ctx, order, open, page);
    if (page.status === 'paid' || (!page.finished && open.amount === amount)) return page;
    if (page.finished) return undefined;
    const cancelled = await this.orders.cancelPayment(ctx, open.id);
    if (!isGraphQlErrorResult(cancelled)) return undefined;
    throw new Refusal('not_closed', wordsOf(cancelled));
  }

  private async create(ctx: RequestContext, order: Order, amount: number): Promise<PaymentOrder> {
    const way = `${this.options.shopUrl}/payment-orders/return/${order.code}`;
    const asked = {
      orderMerchantId: nameOf(order),
      amount: toMinorUnits(amount, order.currencyCode),
      currency: order.currencyCode,
      description: `Order ${order.code}`,
      customer: order.customer && {
        name: `${order.customer.firstName} ${order.customer.lastName}`.trim() || undefined,
        email: order.customer.emailAddress,
      },
      locale: ctx.languageCode.replaceAll('_', '-'),
      returnUrl: way,
      cancelUrl: way,
      optionalFields: { channel: ctx.channel.token },
    };
    try {
      return await this.client.create(asked);
    } catch (error) {
      // We asked before and lost the answer, and now the cart is another.
      if (!(error instanceof Refusal) || error.code !== 'order_already_exists') throw error;
      await this.client.cancel(error.txid!);
      return this.client.create(asked);
    }
  }

  /** Nobody settles a payment, staff neither, of which the service does not say now that it was paid. */
  async confirmPaid(payment: Payment): Promise<SettlePaymentResult | SettlePaymentErrorResult> {
    const { status, payment: paid } = await this.client.read(payment.transactionId);
    if (status === 'paid') return { success: true, metadata: { payer: paid?.payerAccountName } };
    return {
      success: false,
      state: payment.state as never,
      errorMessage: `The order is ${status}.`,
    };
  }

  /** Once a payment is cancelled here it cannot be paid there. */
  async end(payment: Payment): Promise<CancelPaymentResult | CancelPaymentErrorResult> {
    try {
      await this.client.cancel(payment.transactionId);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (!error.orderStatus || !CLOSED.has(error.orderStatus)) {
        const errorMessage = FOR_CUSTOMERS[error.code] ?? error.message;
        return { success: false, state: payment.state as never, errorMessage };
      }
    }
    return { success: true };
  }

  /** @returns why the page cannot be closed */
  async closePage(ctx: RequestContext, order: Order): Promise<string | undefined> {
    await this.lock(ctx, { id: order.id });
    const open = (await this.orders.getOrderPayments(ctx, order.id)).find(isOpen);
    const closed = open && (await this.orders.cancelPayment(ctx, open.id));
    return isGraphQlErrorResult(closed) ? wordsOf(closed) : undefined;
  }

  /** The service sends no money back: a person does, and settles the refund in Vendure then. */
  async askForRefund(
    ctx: RequestContext,
    amount: number,
    order: Order,
    payment: Payment,
  ): Promise<CreateRefundResult> {
    const money = inWords(toMinorUnits(amount, order.currencyCode), order.currencyCode);
    const todo = `Send ${money} back by hand for payment order ${payment.transactionId}, then settle this refund.`;
    await this.note(ctx, order.id, todo);
    return { state: 'Pending', metadata: { todo } };
  }

  /** @returns whether the order is known; one that is not may be on its way into the database */
  receive({ sequence, data }: PaymentOrderEvent): Promise<boolean> {
    return this.inOrder(data, async (ctx, order, payment) => {
      if (sequence > (payment.metadata.sequence ?? 0))
        await this.apply(ctx, order, payment, data, sequence);
    });
  }

  /** Asks how the open payment of an order stands, as when its payer comes back. */
  async look(orderCode: string): Promise<void> {
    const payments = this.connection.rawConnection.getRepository(Payment);
    const all = await payments.findBy({ state: 'Created', order: { code: orderCode } });
    const open = all.find(isOpen);
    if (open) await this.bringUpToDate(await this.client.read(open.transactionId));
  }

  /** The same for all, as after an outage of which nobody knows how long it was. */
  async lookAtAll(): Promise<void> {
    const payments = this.connection.rawConnection.getRepository(Payment);
    const open = (await payments.findBy({ state: 'Created' })).filter(isOpen);
    for (let at = 0; at < open.length; at += 100) {
      const txids = open.slice(at, at + 100).map(({ transactionId }) => transactionId);
      for (const order of (await this.client.search(txids)).data) await this.bringUpToDate(order);
    }
  }

  private bringUpToDate(now: PaymentOrder): Promise<boolean> {
    return this.inOrder(now, (ctx, order, payment) => this.apply(ctx, order, payment, now));
  }

  /** Runs with the Vendure order locked, so that what comes at the same moment comes one by one. */
  private async inOrder(
    { txid, orderMerchantId, optionalFields }: PaymentOrder,
    work: (ctx: RequestContext, order: Order, payment: Payment) => Promise<void>,
  ): Promise<boolean> {
    const channelOrToken = optionalFields?.['channel'];
    const outside = await this.contexts.create({ apiType: 'admin', channelOrToken });
    return this.connection.withTransaction(outside, async (ctx) => {
      const order = await this.lock(ctx, { code: codeOf(orderMerchantId) });
      const payments = order ? await this.orders.getOrderPayments(ctx, order.id) : [];
      const payment = payments.find(({ transactionId }) => transactionId === txid);
      if (order && payment) await work(ctx, order, payment);
      return payment !== undefined;
    });
  }

  private async apply(
    ctx: RequestContext,
    order: Order,
    payment: Payment,
    now: PaymentOrder,
    sequence = payment.metadata.sequence ?? 0,
  ): Promise<void> {
    const { exception, amountReceived } = now;
    const { seen = { exception: 'none' }, ...others } = payment.metadata;
    const fits = payment.state === 'Created' && now.amount === this.askedFor(order, payment);
    const homeless = now.status === 'paid' && !fits && payment.state !== 'Settled';
    payment.metadata = { ...others, sequence, seen: { exception, amountReceived, homeless } };
    await this.connection.getRepository(ctx, Payment).save(payment, { reload: false });
    if (payment.state === 'Created') await this.move(ctx, payment, now, fits);
    const isMore = seen.exception !== exception || seen.amountReceived !== amountReceived;
    if (homeless && !seen.homeless) await this.note(ctx, order.id, homelessNote(now));
    else if (exception !== 'none' && isMore) await this.note(ctx, order.id, exceptionNote(now));
  }

  private async move(
    ctx: RequestContext,
    payment: Payment,
    { status }: PaymentOrder,
    fits: boolean,
  ): Promise<void> {
    const moved =
      status === 'paid' && fits
        ? await this.orders.settlePayment(ctx, payment.id)
        : status === 'failed'
          ? await this.orders.transitionPaymentToState(ctx, payment.id, 'Declined')
          : CLOSED.has(status)
            ? await this.orders.cancelPayment(ctx, payment.id)
            : payment;
    if (isGraphQlErrorResult(moved))
      throw new Error(`${wordsOf(moved)} (${payment.transactionId})`);
  }

  private askedFor = (order: Order, { amount }: Payment): number =>
    toMinorUnits(amount, order.currencyCode);

  private async note(ctx: RequestContext, id: ID, note: string): Promise<void> {
    await this.orders.addNoteToOrder(ctx, { id, note, isPublic: false });
  }

  private lock(ctx: RequestContext, where: { id: ID } | { code: string }): Promise<Order | null> {
    return this.connection
      .getRepository(ctx, Order)
      .createQueryBuilder('o')
      .setLock('pessimistic_write')
      .where(where)
      .getOne();
  }
}

/** Of ours, and not ended. */
const isOpen = ({ state, metadata }: Payment): boolean =>
  state === 'Created' && metadata.orderMerchantId !== undefined;

/** Why Vendure did not do it: what we said, if it was us. */
const wordsOf = (fault: { message: string; paymentErrorMessage?: string }): string =>
  fault.paymentErrorMessage || fault.message;

const pageOf = ({ paymentPageUrl, orderMerchantId }: PaymentOrder) => ({
  orderMerchantId,
  public: { paymentPageUrl },
});

/**
 * The order's code and a number, which grows when a payment has ended. So it is the same when a customer
 * repeats what was lost on the way, and the service then answers with the same order.
 */
const nameOf = ({ code, payments }: Order): string =>
  `${code}-${1 + payments.filter(({ transactionId }) => transactionId).length}`;

const codeOf = (name: string): string => name.slice(0, name.lastIndexOf('-'));
