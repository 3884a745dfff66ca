import { Injectable } from '@nestjs/common';
import { containsCardNumber } from '../../common/money/card-number.js';
import { Clock } from '../../common/time/clock.js';
import { uuidOf, uuidv7 } from '../../common/ids.js';
import { textProblem } from '../../common/text.js';
import { Config } from '../../config/config.js';
import { paymentPageUrl } from '../../contract/order.response.js';
import { inVersion } from '../../contract/versions/versions.js';
import {
  BankQueueRepository,
  type PaidLine,
} from '../../database/bank/matching/bank-queue.repository.js';
import { Database } from '../../database/database.js';
import {
  NOTED,
  NOTES_MAX,
  type OrderMoney,
  OrderPageRepository,
  type PageAttempt,
  type PageDelivery,
  type PageTransfer,
} from '../../database/orders/order-page.repository.js';
import type { OrderWithPayment } from '../../database/orders/order.entity.js';
import { OrderRepository } from '../../database/orders/order.repository.js';
import type { Payment } from '../../database/payments/payment.entity.js';
import type { Refund } from '../../database/refunds/refund.entity.js';
import type { RefundPayee } from '../../database/refunds/refund-payee.entity.js';
import { RefundRepository } from '../../database/refunds/refund.repository.js';
import { type PayerLink, RefundPayees } from '../../refunds/refund-payees.service.js';
import { API_VERSIONS, type ApiVersion, NEWEST_API_VERSION } from '../../common/api-version.js';
import { Problem } from '../../http/problems/problem.js';
import { WebhookDeliveriesService } from '../../notifications/webhooks/webhook-deliveries.service.js';
import { OrdersService } from '../../orders/orders.service.js';
import { CancellationService } from '../../payments/cancellation.service.js';
import { AuditService } from '../../people/audit.service.js';
import { mayHere, type MerchantContext } from '../../people/portal-context.js';
import { notFound } from '../../people/refusal.js';
import { changeBy, type UnallocatedInOrder, unallocatedIn } from './ledger-text.js';
import {
  orderVisibility,
  type OrderVisibility,
  seenLine,
  seenOrder,
  seenPayment,
} from './payer-mask.js';
import { type TimelineEntry, orderTimeline } from './timeline.js';
import type { Body } from './version-lines.js';

/** Maximum length of a note. */
export const ORDER_NOTE_MAX = 1_000;

/** A webhook delivery with all attempts. */
export interface LoggedDelivery extends PageDelivery {
  readonly log: readonly PageAttempt[];
}

/** Data of the order page, masked for the role of the user. */
export interface OrderPage {
  readonly order: OrderWithPayment;
  readonly visibility: OrderVisibility;
  readonly isRevealed: boolean;
  /** IDs of payments whose payer is known. */
  readonly payerKnown: ReadonlySet<string>;
  readonly payments: readonly Payment[];
  /** Newest first. */
  readonly refunds: readonly Refund[];
  /**
   * Links for payers whom the bank did not name, or the accounts that they entered, by refund ID; empty without the
   * permission `refunds.manage`.
   */
  readonly payees: ReadonlyMap<string, PayerLink | RefundPayee>;
  /** Bank statement lines of its transfers. */
  readonly lines: readonly PaidLine[];
  readonly payout: OrderMoney['payout'];
  readonly unallocated: readonly UnallocatedInOrder[];
  /** Ledger transfers that change what the merchant has; empty without the permission `payouts.manage`. */
  readonly ledger: readonly PageTransfer[];
  readonly timeline: readonly TimelineEntry[];
  readonly webhooks: readonly LoggedDelivery[];
  /** Null for roles without access to the payment page. */
  readonly paymentPageUrl: string | null;
  readonly isCancelable: boolean;
  /** What is left to refund, in minor units. */
  readonly amountRefundable: number;
  /** Response of the newest API version. */
  readonly json: string;
}

/** An order in one API version. */
export interface VersionedOrder {
  readonly version: ApiVersion;
  readonly body: Body;
}

export interface VersionLab {
  readonly order: OrderWithPayment;
  readonly visibility: OrderVisibility;
  /** Oldest first. */
  readonly versions: readonly VersionedOrder[];
}

/** Reads and changes one order for the portal. */
@Injectable()
export class OrderPageService {
  constructor(
    private readonly database: Database,
    private readonly orders: OrderRepository,
    private readonly pages: OrderPageRepository,
    private readonly refunds: RefundRepository,
    private readonly payees: RefundPayees,
    private readonly lines: BankQueueRepository,
    private readonly answers: OrdersService,
    private readonly cancellation: CancellationService,
    private readonly deliveries: WebhookDeliveriesService,
    private readonly audit: AuditService,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** @throws Refusal 404 */
  async open(context: MerchantContext, txid: string): Promise<OrderPage> {
    const order = await this.find(context, txid);
    await this.recordView(context, order.txid);
    return this.page(context, order, false);
  }

  /**
   * Page with the unmasked payer. The access is audited first.
   * @throws Refusal 404
   */
  async reveal(context: MerchantContext, txid: string): Promise<OrderPage> {
    const order = await this.find(context, txid);
    await this.audit.recordView(context, { action: 'payer.revealed', subject: order.txid });
    return this.page(context, order, true);
  }

  /** @throws Refusal 404 */
  async versions(context: MerchantContext, txid: string): Promise<VersionLab> {
    const found = await this.find(context, txid);
    await this.recordView(context, found.txid);
    const { visibility, order } = seen(context, found, false);
    const versions = API_VERSIONS.map((version) => ({ version, body: this.body(order, version) }));
    return { order, visibility, versions };
  }

  /** @throws Refusal 404 */
  async find({ access }: MerchantContext, txid: string): Promise<OrderWithPayment> {
    const id = uuidOf(txid);
    const order = id && (await this.orders.find(access, { txid: id }));
    if (!order) throw notFound();
    return order;
  }

  isCancelable(order: OrderWithPayment): boolean {
    return this.cancellation.isCancelable(order);
  }

  /**
   * Cancels the order. The request is audited first: the call to the provider cannot be part of a transaction.
   * @returns the order as it is now, cancelled or not
   */
  async cancel(context: MerchantContext, txid: string): Promise<OrderWithPayment> {
    const order = await this.find(context, txid);
    await this.audit.recordView(context, { action: 'order.cancel-asked', subject: order.txid });
    return this.cancellation
      .cancel(context.access, order.txid, 'by_merchant')
      .catch((error: unknown) => {
        if (error instanceof Problem && error.code === 'order_not_cancelable') {
          return this.find(context, txid);
        }
        throw error;
      });
  }

  /**
   * Adds a note that all users of the order can read.
   * @returns the problem with the text, or null
   * @throws Refusal 404
   */
  async note(context: MerchantContext, txid: string, typed: string): Promise<string | null> {
    const { merchantId, txid: id } = await this.find(context, txid);
    const text = typed.replaceAll('\r\n', '\n').trim();
    const problem = noteProblem(text);
    if (problem) return problem;
    const createdAt = this.clock.now();
    const { userId } = context.session;
    const note = { merchantId, id: uuidv7(createdAt.getTime()), txid: id, userId, text, createdAt };
    return this.database.transaction(async (tx) => {
      if (!(await this.pages.insertNote(tx, note)))
        return `An order has at most ${NOTES_MAX} notes.`;
      await this.audit.record(tx, context, { action: NOTED, subject: id });
      return null;
    });
  }

  /** @throws Refusal 404, also for a delivery of another order */
  async resend(context: MerchantContext, txid: string, deliveryId: string): Promise<void> {
    const order = await this.find(context, txid);
    const { deliveries } = await this.pages.traces(order);
    const delivery = deliveries.find(({ id }) => id === deliveryId.toLowerCase());
    if (!delivery?.endpointId || delivery.isEndpointDeleted) throw notFound();
    const entry = { action: 'delivery.resent', subject: order.txid };
    const data = { deliveryId: delivery.id, type: delivery.type };
    await this.deliveries.resend(context.access, delivery.endpointId, delivery.id, (tx) =>
      this.audit.record(tx, context, { ...entry, data }),
    );
  }

  /** Audits views by support. */
  private async recordView(context: MerchantContext, txid: string): Promise<void> {
    if (context.access.role !== 'support') return;
    await this.audit.recordView(context, { action: 'order.viewed', subject: txid });
  }

  private async payeesOf(
    context: MerchantContext,
    refunds: readonly Refund[],
  ): Promise<OrderPage['payees']> {
    const payees = new Map<string, PayerLink | RefundPayee>();
    if (!mayHere(context, 'refunds.manage')) return payees;
    for (const refund of refunds) {
      const payee = await this.payees.ofRequested(refund);
      if (payee) payees.set(refund.id, payee);
    }
    return payees;
  }

  private async page(
    context: MerchantContext,
    found: OrderWithPayment,
    isRevealed: boolean,
  ): Promise<OrderPage> {
    const [traces, money, refunds, lines] = await Promise.all([
      this.pages.traces(found),
      this.pages.money(found),
      this.refunds.ofOrder(found),
      this.lines.ofOrder(found),
    ]);
    const { visibility, order } = seen(context, found, isRevealed);
    return {
      order,
      visibility,
      isRevealed,
      payerKnown: new Set(traces.payments.filter(isPayerKnown).map(({ id }) => id)),
      payments: traces.payments.map((payment) => seenPayment(payment, visibility.payer)),
      refunds,
      payees: await this.payeesOf(context, refunds),
      lines: lines.map((line) => seenLine(line, visibility.payer)),
      payout: mayHere(context, 'payouts.read') ? money.payout : null,
      unallocated: unallocatedIn(money.transfers),
      ledger: mayHere(context, 'payouts.manage')
        ? money.transfers.filter((transfer) => changeBy(transfer) !== 0)
        : [],
      timeline: orderTimeline(found, traces),
      webhooks: traces.deliveries
        .filter(({ endpointId }) => endpointId !== null)
        .map((each) => ({
          ...each,
          log: traces.attempts.filter(({ deliveryId }) => deliveryId === each.id),
        })),
      paymentPageUrl: visibility.paymentPage ? paymentPageUrl(this.config, found) : null,
      isCancelable: this.isCancelable(found),
      amountRefundable: this.answers.written(found).amountRefundable,
      json: JSON.stringify(this.body(order, NEWEST_API_VERSION), null, 2),
    };
  }

  private body(order: OrderWithPayment, version: ApiVersion): Body {
    return inVersion(version, this.answers.written(order)) as Body;
  }
}

function seen({ access }: MerchantContext, order: OrderWithPayment, isRevealed: boolean) {
  const visibility = orderVisibility(access.role, access.mode, isRevealed);
  return { visibility, order: seenOrder(order, visibility) };
}

const isPayerKnown = ({ payerAccountNumber, payerAccountName }: Payment): boolean =>
  payerAccountNumber !== null || payerAccountName !== null;

function noteProblem(text: string): string | null {
  if (text === '') return 'Enter a note.';
  if (containsCardNumber(text)) return 'This looks like a payment card number. Leave it out.';
  const isText = !textProblem(text, { max: ORDER_NOTE_MAX, lines: true });
  return isText ? null : `Use at most ${ORDER_NOTE_MAX} characters, and no control characters.`;
}
