import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { addDays, dayAt, startOfDay } from '../../common/time-zone.js';
import type { WebhookEndpoint } from '../../database/entities/webhook-endpoint.entity.js';
import { HistoryRepository } from '../../database/repositories/history.repository.js';
import type { HistoryRow } from '../../database/repositories/history.statements.js';
import {
  type ExceptionCount,
  HomeRepository,
} from '../../database/repositories/home.repository.js';
import { NotificationRecipientRepository } from '../../database/repositories/notification-recipient.repository.js';
import { WebhookEndpointRepository } from '../../database/repositories/webhook-endpoint.repository.js';
import { presetDays } from '../history/history-dates.js';
import { NO_FILTER } from '../history/history-filter.js';
import type { PlacedVisit } from '../visit.js';
import { type Figures, figuresOf } from './figures.js';

/** Days that the charts show; today is the last of them. */
const DAYS = 14;
const LAST_ORDERS = 10;

/** What waits for a person. */
export interface Needs {
  /** Of orders created in the last 30 days. */
  readonly exceptions: readonly ExceptionCount[];
  /** Endpoints that fail, or that were switched off because they did. */
  readonly endpoints: readonly WebhookEndpoint[];
  /** Mailboxes whose owners have not confirmed. */
  readonly unconfirmed: number;
}

export interface Home {
  readonly now: Date;
  readonly needs: Needs;
  readonly figures: Figures;
  /** The newest orders. */
  readonly orders: readonly HistoryRow[];
}

/** What somebody sees first of a merchant. */
@Injectable()
export class HomeService {
  constructor(
    private readonly home: HomeRepository,
    private readonly history: HistoryRepository,
    private readonly endpoints: WebhookEndpointRepository,
    private readonly recipients: NotificationRecipientRepository,
    private readonly clock: Clock,
  ) {}

  /** @param currency whose figures are wanted; another is shown where it has no orders */
  async open({ place }: PlacedVisit, currency: string | null): Promise<Home> {
    const now = this.clock.now();
    const last = dayAt(now, place.timeZone);
    const days = Array.from({ length: DAYS }, (_, i) => addDays(last, i + 1 - DAYS));
    const moments = [...days, addDays(last, 1)].map((day) => startOfDay(day, place.timeZone));
    const window = { cursor: null, direction: 'older', limit: LAST_ORDERS } as const;
    const [needs, tallies, page] = await Promise.all([
      this.needs(place, now),
      this.home.tallies(place, moments),
      this.history.page(place, NO_FILTER, window),
    ]);
    return { now, needs, figures: figuresOf(tallies, days, currency), orders: page.rows };
  }

  private async needs(place: PlacedVisit['place'], now: Date): Promise<Needs> {
    const { first, last } = presetDays('30d', place.timeZone, now);
    const from = startOfDay(first, place.timeZone);
    const until = startOfDay(addDays(last, 1), place.timeZone);
    const [exceptions, endpoints, recipients] = await Promise.all([
      this.home.exceptions(place, from, until),
      this.endpoints.list(place),
      this.recipients.list(place),
    ]);
    const waiting = recipients.filter(
      ({ confirmedAt, unsubscribedAt }) => !confirmedAt && !unsubscribedAt,
    );
    return { exceptions, endpoints: endpoints.filter(isInTrouble), unconfirmed: waiting.length };
  }
}

/** Whoever switched an endpoint off knows of it. */
const isInTrouble = ({ enabled, failingSince, disabledReason }: WebhookEndpoint): boolean =>
  enabled ? failingSince !== null : disabledReason !== 'by_merchant';
