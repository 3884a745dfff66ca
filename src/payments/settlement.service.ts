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
import { type PaymentUpdate, settle, type Settlement, withoutParts } from './settlement.js';

/** What is strange about a message: it is about something else, or contradicts the one before. */
type Oddity = Mismatch | NonNullable<Settlement['contradicts']>;

export interface HeldPayment {
  readonly order: Order;
  readonly payment: PricedPayment;
}

/** Writes down what an update about a payment means for it, its order and the ledger. */
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
   * @param attempts how many payments the order has now, when this one was not started
   * @returns `waiting` when the payment does not exist (yet); the event then stays to be applied
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

  /** The same for an order that the caller has locked, and one of its payments, both as they are now. */
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
    // Most payments bring money once: only then is there something to compare with.
    const brought = payment.amountReceived === null ? [] : await this.ledger.brought(tx, payment);
    const isOld = mismatch !== null || (await this.isOldRefusal(tx, payment, update, event));
    const owed = isOwedAgain(order) ? await this.owed(tx, order) : 0;
    const said = isOld ? {} : settle(order, payment, update, now, amountsOf(brought), owed);
    const settlement = (await this.lacksParts(tx, order, said)) ? withoutParts(said) : said;
    const oddity = mismatch ?? settlement.contradicts;
    const result = resultOf(settlement, oddity);
    if (event && !(await this.events.applied(tx, event, result, now))) return 'ignored';
    if (oddity) this.report(tx, payment, oddity);
    if (event && settlement.money) await this.recallRefusals(tx, payment, event);
    const counted = withAttempts(settlement.order, attempts);
    await this.write(tx, order, payment, { ...settlement, order: counted }, brought, now);
    return result;
  }

  /**
   * Whether a refusal of a payment that has paid was received before the money, or was asked for: a
   * look is never made after the money, but may have begun before it.
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

  /** Refusals that were received after the money, but applied before it, wait for a person after all. */
  private async recallRefusals(
    tx: EntityManager,
    payment: PricedPayment,
    event: ProviderEvent,
  ): Promise<void> {
    if (payment.status !== 'failed') return;
    const refusals = await this.events.recallRefusals(tx, event);
    for (let n = 0; n < refusals; n++) this.report(tx, payment, 'less');
  }

  /** What the merchant of a paid order lacks of its price, because it was taken back. */
  private async owed(tx: EntityManager, order: Order): Promise<number> {
    const { own, asked } = await this.ledger.share(tx, order);
    return Math.max(asked - own, 0);
  }

  /** Whether the order would be paid with parts that came before and are not there any more. */
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

  /** Nobody asks what became of a transfer: it ends where another payment ends its order. */
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

  /** The database keeps who was erased from coming back: then there is nothing to tell. */
  private async knowsPayer(tx: EntityManager, key: PaymentKey): Promise<boolean> {
    const payment = await this.payments.findIn(tx, key);
    return payment?.payerAccountNumber !== null || payment.payerAccountName !== null;
  }

  /** Books the money that arrived, if any did. @returns the fee, for an order that it completes */
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

  private report(tx: EntityManager, payment: PricedPayment, oddity: Oddity): void {
    const { merchantId, txid, id, provider } = payment;
    this.database.afterCommit(tx, () => {
      this.metrics.oddReports.inc({ provider, oddity });
      const about = { merchant: merchantId, txid, payment: id, provider, oddity };
      this.logger.warn(about, 'a provider says something else than before');
    });
  }
}

const withAttempts = <T>(of: T, attempts: number | undefined): T =>
  of && attempts !== undefined ? { ...of, attempts } : of;

const amountsOf = (brought: readonly Brought[]) =>
  Object.fromEntries(brought.map(({ currency, amount }) => [currency, amount]));

/** Less than before, or about something else: a person has to look. */
function resultOf(settlement: Settlement, oddity: Oddity | undefined): ProviderEventResult {
  const changes = settlement.payment !== undefined || settlement.order !== undefined;
  if (changes) return 'applied';
  return oddity ? 'mismatch' : 'ignored';
}
