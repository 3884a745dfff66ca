import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/time/clock.js';
import { TtlCache } from '../../common/ttl-cache.js';
import { addDays, dayAt, startOfDay } from '../../common/time/time-zone.js';
import { NotificationRecipientRepository } from '../../database/notifications/notification-recipient.repository.js';
import type { WebhookEndpoint } from '../../database/notifications/webhook-endpoint.entity.js';
import { WebhookEndpointRepository } from '../../database/notifications/webhook-endpoint.repository.js';
import {
  type DayTotals,
  type ExceptionCount,
  HomeRepository,
} from '../../database/read-models/home.repository.js';
import { OrderListRepository } from '../../database/read-models/order-list/order-list.repository.js';
import type { ListedOrder } from '../../database/read-models/order-list/order-list.statements.js';
import type { MerchantContext } from '../../people/portal-context.js';
import { presetDays } from '../order-list/date-presets.js';
import { NO_FILTER } from '../order-list/order-filter.js';
import { type Figures, figuresOf } from './figures.js';

/** Number of days in the charts, including today. */
const DAYS = 14;
const LAST_ORDERS = 10;

/** Figures of up to this number of orders are not cached. */
const FEW = 1_000;
/** Cache duration of other figures, in milliseconds. */
const COUNTED_MS = 10_000;
const COUNTED_MAX = 1_000;

/** Tasks that need attention. */
export interface HomeNeeds {
  /** Payment discrepancies of orders created in the last 30 days. */
  readonly exceptions: readonly ExceptionCount[];
  /** Failing endpoints, and endpoints disabled for failing. */
  readonly endpoints: readonly WebhookEndpoint[];
  /** Number of unconfirmed email recipients. */
  readonly unconfirmed: number;
}

/** What is counted over all orders of a period. */
interface Counted {
  readonly dayTotals: readonly DayTotals[];
  readonly exceptions: readonly ExceptionCount[];
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
  private readonly counted = new TtlCache<Counted>(
    (counted) => (numberOf(counted) > FEW ? COUNTED_MS : 0),
    COUNTED_MAX,
  );

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
    const window = { cursor: null, direction: 'older', limit: LAST_ORDERS } as const;
    const [{ dayTotals, exceptions }, settings, page] = await Promise.all([
      this.count(access, days, now),
      this.settingsInTrouble(access),
      this.orderList.page(access, NO_FILTER, window),
    ]);
    return {
      now,
      needs: { exceptions, ...settings },
      figures: figuresOf(dayTotals, days, currency),
      orders: page.rows,
    };
  }

  /** Cached and shared, because it reads all orders of the period. */
  private count(access: Access, days: readonly string[], now: Date): Promise<Counted> {
    const { merchantId, mode, timeZone } = access;
    const last = days.at(-1)!;
    return this.counted.get(JSON.stringify([merchantId, mode, timeZone, last]), async () => {
      const moments = [...days, addDays(last, 1)].map((day) => startOfDay(day, timeZone));
      const { first } = presetDays('30d', timeZone, now);
      const [dayTotals, exceptions] = await Promise.all([
        this.home.dayTotals(access, moments),
        this.home.exceptions(access, startOfDay(first, timeZone), moments.at(-1)!),
      ]);
      return { dayTotals, exceptions };
    });
  }

  private async settingsInTrouble(access: Access): Promise<Omit<HomeNeeds, 'exceptions'>> {
    const [endpoints, recipients] = await Promise.all([
      this.endpoints.list(access),
      this.recipients.list(access),
    ]);
    const waiting = recipients.filter(
      ({ confirmedAt, unsubscribedAt }) => !confirmedAt && !unsubscribedAt,
    );
    return { endpoints: endpoints.filter(isInTrouble), unconfirmed: waiting.length };
  }
}

type Access = MerchantContext['access'];

const numberOf = ({ dayTotals, exceptions }: Counted): number =>
  Math.max(
    dayTotals.reduce((sum, { created }) => sum + created, 0),
    exceptions.reduce((sum, { count }) => sum + count, 0),
  );

/** Excludes endpoints disabled by the merchant. */
const isInTrouble = ({ enabled, failingSince, disabledReason }: WebhookEndpoint): boolean =>
  enabled ? failingSince !== null : disabledReason !== 'by_merchant';
