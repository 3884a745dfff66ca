import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '../database/database.js';
import type { PaymentKey } from '../database/keys.js';
import type { Brought } from '../database/ledger/ledger.repository.js';
import { awaitsTransfer, type Order } from '../database/orders/order.entity.js';
import { OrderRepository } from '../database/orders/order.repository.js';
import { PaymentRepository } from '../database/payments/payment.repository.js';
import type { PricedPayment } from '../database/payments/payment.rows.js';
import type {
  ProviderEvent,
  ProviderEventResult,
} from '../database/providers/provider-event.entity.js';
import { ProviderEventRepository } from '../database/providers/provider-event.repository.js';
import { feeOf } from '../ledger/fee.js';
import { LedgerService } from '../ledger/ledger.service.js';
import type { OrderChange } from '../status/order-change.js';
import { OrderMetrics } from '../status/order-metrics.js';
import { StatusService } from '../status/status.service.js';
import { type Mismatch, mismatchOf } from './mismatch.js';
import { isOwedAgain } from './owed-again.js';
import { type PaymentUpdate, settle, type Settlement, demoteToUnderpaid } from './settlement.js';

/** Discrepancy of a callback: it concerns something else, or contradicts an earlier one. */
type Discrepancy = Mismatch | NonNullable<Settlement['contradicts']>;

export interface HeldPayment {
  readonly order: Order;
  readonly payment: PricedPayment;
}

/** Applies a payment update to the payment, its order and the ledger. */
@Injectable()
export class SettlementService {
  private readonly logger = new Logger('payments');

  constructor(
    private readonly database: Database,
    private readonly orders: OrderRepository,
    private readonly payments: PaymentRepository,
    private readonly events: ProviderEventRepository,
    private readonly status: StatusService,
    private readonly ledger: LedgerService,
    private readonly metrics: OrderMetrics,
  ) {}

  /**
   * @param attempts new number of payments of the order, if the update did not come from a started payment
   * @returns `waiting` if the payment does not exist (yet); the event is applied later
   */
  async settle(
    tx: EntityManager,
    key: PaymentKey,
    update: PaymentUpdate,
    event: ProviderEvent | undefined,
    now: Date,
    attempts?: number,
  ): Promise<ProviderEventResult | 'waiting'> {
    const order = await this.orders.lockByPayment(tx, key);
    const payment = order && (await this.payments.findIn(tx, key));
    if (!order || !payment) return 'waiting';
    return this.settleHeld(tx, { order, payment }, update, event, now, attempts);
  }

  /** Settles a payment whose order the caller has locked; both are current. */
  async settleHeld(
    tx: EntityManager,
    held: HeldPayment,
    update: PaymentUpdate,
    event: ProviderEvent | undefined,
    now: Date,
    attempts?: number,
  ): Promise<ProviderEventResult> {
    const { payment } = held;
    const order = withAttempts(held.order, attempts);
    const mismatch = event ? mismatchOf(event, order, payment) : null;
    // Most payments bring money once, and need no comparison.
    const brought = payment.amountReceived === null ? [] : await this.ledger.brought(tx, payment);
    const isOld = mismatch !== null || (await this.isOldRefusal(tx, payment, update, event));
    const owed = isOwedAgain(order) ? await this.owed(tx, order) : 0;
    const said = isOld ? {} : settle(order, payment, update, now, amountsOf(brought), owed);
    const settlement = (await this.lacksParts(tx, order, said)) ? demoteToUnderpaid(said) : said;
    const discrepancy = mismatch ?? settlement.contradicts;
    const result = resultOf(settlement, discrepancy);
    if (event && !(await this.events.applied(tx, event, result, now))) return 'ignored';
    if (discrepancy) this.report(tx, payment, discrepancy);
    if (event && settlement.money) await this.recallRefusals(tx, payment, event);
    const counted = withAttempts(settlement.order, attempts);
    await this.write(tx, order, payment, { ...settlement, order: counted }, brought, now);
    return result;
  }

  /**
   * Whether a decline of a paid payment is older than the money: callbacks by time of receipt. Polls never start after
   * the money, but may have begun before it.
   */
  private async isOldRefusal(
    tx: EntityManager,
    { amountReceived, completedAt }: PricedPayment,
    { kind }: PaymentUpdate,
    event: ProviderEvent | undefined,
  ): Promise<boolean> {
    if (kind !== 'declined' || amountReceived === null) return false;
    if (!event) return true;
    if (!completedAt || event.receivedAt > completedAt) return false;
    return !(await this.events.isAfterMoney(tx, event));
  }

  /** Declines received after the money but applied before it need attention after all. */
  private async recallRefusals(
    tx: EntityManager,
    payment: PricedPayment,
    event: ProviderEvent,
  ): Promise<void> {
    if (payment.status !== 'failed') return;
    const refusals = await this.events.recallRefusals(tx, event);
    for (let n = 0; n < refusals; n++) this.report(tx, payment, 'less');
  }

  /** Amount that the merchant of a paid order lacks because it was taken back. */
  private async owed(tx: EntityManager, order: Order): Promise<number> {
    const { own, price } = await this.ledger.share(tx, order);
    return Math.max(price - own, 0);
  }

  /** Whether the order would be paid with earlier parts that have been taken back. */
  private async lacksParts(
    tx: EntityManager,
    order: Order,
    { order: change }: Settlement,
  ): Promise<boolean> {
    if (change?.to !== 'paid' || order.status === 'paid' || order.amountReceived === 0)
      return false;
    const left = await this.ledger.unallocated(tx, order, order.currency);
    return left < order.amountReceived;
  }

  private async write(
    tx: EntityManager,
    order: Order,
    payment: PricedPayment,
    settlement: Settlement,
    brought: readonly Brought[],
    now: Date,
  ): Promise<void> {
    const fee = await this.book(tx, order, payment, settlement, brought);
    if (settlement.payment) await this.payments.change(tx, payment, settlement.payment);
    if (settlement.order?.updated && !(await this.knowsPayer(tx, payment))) return;
    if (settlement.order) {
      await this.stopWaiting(tx, order, payment, settlement.order, now);
      await this.status.move(tx, order, { ...settlement.order, ...fee }, now);
    }
    const { provider, status } = payment;
    const outcome = settlement.payment?.status;
    if (!outcome || outcome === status) return;
    this.database.afterCommit(tx, () => this.metrics.payments.inc({ provider, outcome }));
  }

  /** A pending transfer ends when another payment ends its order. */
  private async stopWaiting(
    tx: EntityManager,
    order: Order,
    { id }: PricedPayment,
    { to }: OrderChange,
    now: Date,
  ): Promise<void> {
    if (!awaitsTransfer(order) || order.paymentId === id || to === 'processing') return;
    const awaited = { merchantId: order.merchantId, id: order.paymentId! };
    await this.payments.change(tx, awaited, { status: 'cancelled', completedAt: now });
  }

  /** The database rejects payer details of erased payers; then `payment.updated` is not emitted. */
  private async knowsPayer(tx: EntityManager, key: PaymentKey): Promise<boolean> {
    const payment = await this.payments.findIn(tx, key);
    return payment?.payerAccountNumber !== null || payment.payerAccountName !== null;
  }

  /** Books arrived money. @returns the fee of an order that it completes */
  private async book(
    tx: EntityManager,
    order: Order,
    payment: PricedPayment,
    { money, makesUp = 0, order: change }: Settlement,
    brought: readonly Brought[],
  ): Promise<{ fee?: number }> {
    if (!money) return {};
    const occurrence =
      1 + (brought.find(({ currency }) => currency === money.currency)?.parts ?? 0);
    if (change?.to !== 'paid' || order.status === 'paid') {
      const makes = makesUp > 0 ? { amount: makesUp, before: 0, fee: 0 } : null;
      await this.ledger.moneyArrived(tx, order, payment, money, makes, occurrence);
      return {};
    }
    const fee = feeOf(order.amount, payment.price);
    const completes = { amount: order.amount, before: order.amountReceived, fee };
    await this.ledger.moneyArrived(tx, order, payment, money, completes, occurrence);
    return { fee };
  }

  private report(tx: EntityManager, payment: PricedPayment, discrepancy: Discrepancy): void {
    const { merchantId, txid, id, provider } = payment;
    this.database.afterCommit(tx, () => {
      this.metrics.discrepancies.inc({ provider, discrepancy });
      const about = { merchant: merchantId, txid, payment: id, provider, discrepancy };
      this.logger.warn(
        { event: 'payment.discrepancy', ...about },
        'the provider contradicts its earlier message',
      );
    });
  }
}

const withAttempts = <T>(of: T, attempts: number | undefined): T =>
  of && attempts !== undefined ? { ...of, attempts } : of;

const amountsOf = (brought: readonly Brought[]) =>
  Object.fromEntries(brought.map(({ currency, amount }) => [currency, amount]));

/** `mismatch` needs attention: less money than before, or a report about something else. */
function resultOf(
  settlement: Settlement,
  discrepancy: Discrepancy | undefined,
): ProviderEventResult {
  const changes = settlement.payment !== undefined || settlement.order !== undefined;
  if (changes) return 'applied';
  return discrepancy ? 'mismatch' : 'ignored';
}
