import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/time/clock.js';
import { addDays, dayAt, startOfDay } from '../../common/time/time-zone.js';
import { NotificationRecipientRepository } from '../../database/notifications/notification-recipient.repository.js';
import type { WebhookEndpoint } from '../../database/notifications/webhook-endpoint.entity.js';
import { WebhookEndpointRepository } from '../../database/notifications/webhook-endpoint.repository.js';
import { type ExceptionCount, HomeRepository } from '../../database/read-models/home.repository.js';
import { OrderListRepository } from '../../database/read-models/order-list/order-list.repository.js';
import type { ListedOrder } from '../../database/read-models/order-list/order-list.statements.js';
import type { MerchantContext } from '../../people/portal-context.js';
import { presetDays } from '../order-list/date-presets.js';
import { NO_FILTER } from '../order-list/order-filter.js';
import { type Figures, figuresOf } from './figures.js';

/** Number of days in the charts, including today. */
const DAYS = 14;
const LAST_ORDERS = 10;

/** Tasks that need attention. */
export interface HomeNeeds {
  /** Payment discrepancies of orders created in the last 30 days. */
  readonly exceptions: readonly ExceptionCount[];
  /** Failing endpoints, and endpoints disabled for failing. */
  readonly endpoints: readonly WebhookEndpoint[];
  /** Number of unconfirmed email recipients. */
  readonly unconfirmed: number;
}

export interface Home {
  readonly now: Date;
  readonly needs: HomeNeeds;
  readonly figures: Figures;
  /** The newest orders. */
  readonly orders: readonly ListedOrder[];
}

/** Data of the home page of a merchant. */
@Injectable()
export class HomeService {
  constructor(
    private readonly home: HomeRepository,
    private readonly orderList: OrderListRepository,
    private readonly endpoints: WebhookEndpointRepository,
    private readonly recipients: NotificationRecipientRepository,
    private readonly clock: Clock,
  ) {}

  /** @param currency chosen currency; without orders in it, the most used one is shown */
  async open({ access }: MerchantContext, currency: string | null): Promise<Home> {
    const now = this.clock.now();
    const last = dayAt(now, access.timeZone);
    const days = Array.from({ length: DAYS }, (_, i) => addDays(last, i + 1 - DAYS));
    const moments = [...days, addDays(last, 1)].map((day) => startOfDay(day, access.timeZone));
    const window = { cursor: null, direction: 'older', limit: LAST_ORDERS } as const;
    const [needs, dayTotals, page] = await Promise.all([
      this.needs(access, now),
      this.home.dayTotals(access, moments),
      this.orderList.page(access, NO_FILTER, window),
    ]);
    return { now, needs, figures: figuresOf(dayTotals, days, currency), orders: page.rows };
  }

  private async needs(access: MerchantContext['access'], now: Date): Promise<HomeNeeds> {
    const { first, last } = presetDays('30d', access.timeZone, now);
    const from = startOfDay(first, access.timeZone);
    const until = startOfDay(addDays(last, 1), access.timeZone);
    const [exceptions, endpoints, recipients] = await Promise.all([
      this.home.exceptions(access, from, until),
      this.endpoints.list(access),
      this.recipients.list(access),
    ]);
    const waiting = recipients.filter(
      ({ confirmedAt, unsubscribedAt }) => !confirmedAt && !unsubscribedAt,
    );
    return { exceptions, endpoints: endpoints.filter(isInTrouble), unconfirmed: waiting.length };
  }
}

/** Excludes endpoints disabled by the merchant. */
const isInTrouble = ({ enabled, failingSince, disabledReason }: WebhookEndpoint): boolean =>
  enabled ? failingSince !== null : disabledReason !== 'by_merchant';
