import { Injectable } from '@nestjs/common';
import { API_VERSIONS, type ApiVersion, NEWEST_API_VERSION } from '../../common/api-version.js';
import { containsCardNumber } from '../../common/card-number.js';
import { Clock } from '../../common/clock.js';
import { isUuid, uuidv7 } from '../../common/ids.js';
import { Problem } from '../../common/problem.js';
import { textProblem } from '../../common/text.js';
import { Config } from '../../config/config.js';
import { Database } from '../../database/database.js';
import type { OrderWithPayment } from '../../database/entities/order.entity.js';
import type { Payment } from '../../database/entities/payment.entity.js';
import {
  NOTED,
  NOTES_MAX,
  type OrderMoney,
  OrderPageRepository,
  type PageAttempt,
  type PageDelivery,
  type PageTransfer,
} from '../../database/repositories/order-page.repository.js';
import { OrderRepository } from '../../database/repositories/order.repository.js';
import { WebhookDeliveriesService } from '../../notifications/webhooks/webhook-deliveries.service.js';
import { paymentPageUrl } from '../../orders/dto/order.response.js';
import { OrdersService } from '../../orders/orders.service.js';
import type { Body } from '../../orders/versions/contract-change.js';
import { CancellationService } from '../../status/cancellation.service.js';
import { AuditService } from '../people/audit.service.js';
import { notFound } from '../refusal.js';
import { mayHere, type PlacedVisit } from '../visit.js';
import { type Unallocated, unallocatedIn } from './ledger-words.js';
import { orderSight, type OrderSight, seenOrder, seenPayment } from './payer-mask.js';
import { type TimelineEntry, timelineOf } from './timeline.js';

/** Characters of a note. */
export const NOTE_MAX = 1_000;

/** A webhook delivery and every attempt at it. */
export interface LoggedDelivery extends PageDelivery {
  readonly log: readonly PageAttempt[];
}

/** An order's page; whom the visitor may not know is not in it. */
export interface OrderPage {
  readonly order: OrderWithPayment;
  readonly sight: OrderSight;
  readonly isRevealed: boolean;
  /** Ids of the payments of which a provider told who paid. */
  readonly payerKnown: ReadonlySet<string>;
  readonly payments: readonly Payment[];
  readonly payout: OrderMoney['payout'];
  readonly unallocated: readonly Unallocated[];
  /** Where every amount went; empty for those who do not pay out. */
  readonly ledger: readonly PageTransfer[];
  readonly timeline: readonly TimelineEntry[];
  readonly webhooks: readonly LoggedDelivery[];
  /** Null for those who may not pay or cancel the order. */
  readonly paymentPageUrl: string | null;
  readonly isCancelable: boolean;
  /** As the newest version of the API answers. */
  readonly json: string;
}

/** An order as one version of the API writes it. */
export interface VersionedOrder {
  readonly version: ApiVersion;
  readonly body: Body;
}

export interface VersionLab {
  readonly order: OrderWithPayment;
  readonly sight: OrderSight;
  /** Oldest first. */
  readonly versions: readonly VersionedOrder[];
}

/** One order, as the people of the portal see it and what they do with it. */
@Injectable()
export class OrderPageService {
  constructor(
    private readonly database: Database,
    private readonly orders: OrderRepository,
    private readonly pages: OrderPageRepository,
    private readonly answers: OrdersService,
    private readonly cancellation: CancellationService,
    private readonly deliveries: WebhookDeliveriesService,
    private readonly audit: AuditService,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** @throws Refusal 404 */
  async open(visit: PlacedVisit, txid: string): Promise<OrderPage> {
    const order = await this.find(visit, txid);
    await this.noteLook(visit, order.txid);
    return this.page(visit, order, false);
  }

  /**
   * The page with the payer, once it is written down who asked.
   * @throws Refusal 404
   */
  async reveal(visit: PlacedVisit, txid: string): Promise<OrderPage> {
    const order = await this.find(visit, txid);
    await this.audit.look(visit, { action: 'payer.revealed', subject: order.txid });
    return this.page(visit, order, true);
  }

  /** @throws Refusal 404 */
  async versions(visit: PlacedVisit, txid: string): Promise<VersionLab> {
    const found = await this.find(visit, txid);
    await this.noteLook(visit, found.txid);
    const { sight, order } = seen(visit, found, false);
    const versions = API_VERSIONS.map((version) => ({ version, body: this.body(order, version) }));
    return { order, sight, versions };
  }

  /** @throws Refusal 404 */
  async find({ place }: PlacedVisit, txid: string): Promise<OrderWithPayment> {
    const order = isUuid(txid) ? await this.orders.find(place, { txid: txid.toLowerCase() }) : null;
    if (!order) throw notFound();
    return order;
  }

  isCancelable(order: OrderWithPayment): boolean {
    return this.cancellation.isCancelable(order);
  }

  /**
   * Cancels the order. That somebody asked is written down first: the provider, who may have to stop
   * a payment, is no part of a transaction.
   * @returns the order as it is now, cancelled or not
   */
  async cancel(visit: PlacedVisit, txid: string): Promise<OrderWithPayment> {
    const order = await this.find(visit, txid);
    await this.audit.look(visit, { action: 'order.cancel-asked', subject: order.txid });
    return this.cancellation
      .cancel(visit.place, order.txid, 'by_merchant')
      .catch((error: unknown) => {
        if (error instanceof Problem && error.code === 'order_not_cancelable') {
          return this.find(visit, txid);
        }
        throw error;
      });
  }

  /**
   * Writes something down for everybody who sees the order.
   * @returns what is wrong with it, or null
   * @throws Refusal 404
   */
  async note(visit: PlacedVisit, txid: string, typed: string): Promise<string | null> {
    const { merchantId, txid: id } = await this.find(visit, txid);
    const text = typed.replaceAll('\r\n', '\n').trim();
    const problem = noteProblem(text);
    if (problem) return problem;
    const createdAt = this.clock.now();
    const { userId } = visit.session;
    const note = { merchantId, id: uuidv7(createdAt.getTime()), txid: id, userId, text, createdAt };
    return this.database.transaction(async (tx) => {
      if (!(await this.pages.insertNote(tx, note)))
        return `An order has at most ${NOTES_MAX} notes.`;
      await this.audit.record(tx, visit, { action: NOTED, subject: id });
      return null;
    });
  }

  /** @throws Refusal 404, also for a delivery of another order */
  async resend(visit: PlacedVisit, txid: string, deliveryId: string): Promise<void> {
    const order = await this.find(visit, txid);
    const { deliveries } = await this.pages.traces(order);
    const delivery = deliveries.find(({ id }) => id === deliveryId.toLowerCase());
    if (!delivery?.endpointId || delivery.isEndpointDeleted) throw notFound();
    const deed = { action: 'delivery.resent', subject: order.txid };
    const data = { deliveryId: delivery.id, type: delivery.type };
    await this.deliveries.resend(visit.place, delivery.endpointId, delivery.id, (tx) =>
      this.audit.record(tx, visit, { ...deed, data }),
    );
  }

  /** The platform's people look at other people's orders. */
  private async noteLook(visit: PlacedVisit, txid: string): Promise<void> {
    if (visit.place.role !== 'support') return;
    await this.audit.look(visit, { action: 'order.viewed', subject: txid });
  }

  private async page(
    visit: PlacedVisit,
    found: OrderWithPayment,
    isRevealed: boolean,
  ): Promise<OrderPage> {
    const [traces, money] = await Promise.all([this.pages.traces(found), this.pages.money(found)]);
    const { sight, order } = seen(visit, found, isRevealed);
    return {
      order,
      sight,
      isRevealed,
      payerKnown: new Set(traces.payments.filter(isPayerKnown).map(({ id }) => id)),
      payments: traces.payments.map((payment) => seenPayment(payment, sight.payer)),
      payout: mayHere(visit, 'payouts.read') ? money.payout : null,
      unallocated: unallocatedIn(money.transfers),
      ledger: mayHere(visit, 'payouts.manage') ? money.transfers : [],
      timeline: timelineOf(found, traces),
      webhooks: traces.deliveries
        .filter(({ endpointId }) => endpointId !== null)
        .map((each) => ({
          ...each,
          log: traces.attempts.filter(({ deliveryId }) => deliveryId === each.id),
        })),
      paymentPageUrl: sight.paymentPage ? paymentPageUrl(this.config.publicUrl, found) : null,
      isCancelable: this.isCancelable(found),
      json: JSON.stringify(this.body(order, NEWEST_API_VERSION), null, 2),
    };
  }

  private body(order: OrderWithPayment, version: ApiVersion): Body {
    return JSON.parse(this.answers.answer(200, order, version).body) as Body;
  }
}

function seen({ place }: PlacedVisit, order: OrderWithPayment, isRevealed: boolean) {
  const sight = orderSight(place.role, place.mode, isRevealed);
  return { sight, order: seenOrder(order, sight) };
}

const isPayerKnown = ({ payerAccountNumber, payerAccountName }: Payment): boolean =>
  payerAccountNumber !== null || payerAccountName !== null;

function noteProblem(text: string): string | null {
  if (text === '') return 'Write something.';
  if (containsCardNumber(text)) return 'This looks like a payment card number. Leave it out.';
  const isText = !textProblem(text, { max: NOTE_MAX, lines: true });
  return isText ? null : `Use at most ${NOTE_MAX} characters, and no control characters.`;
}
