import { Injectable } from '@nestjs/common';
import {
  EVENT_TYPES,
  type EventType,
  PAYOUT_EVENT_TYPES,
} from '../database/notifications/event.entity.js';
import {
  type EventFilter,
  EventRepository,
  type FeedEnd,
} from '../database/notifications/event.repository.js';
import type { Owner } from '../database/keys.js';
import { answerOf } from '../contract/answers.js';
import { EventPageResponse } from '../contract/event.response.js';
import { Problem, unavailable } from '../http/problems/problem.js';
import type { Caller } from '../merchants/api-key.guard.js';
import { type EventQuery, LATEST } from './dto/event-query.js';
import { EventRenderer } from './event-renderer.js';

/** Maximum feed positions scanned per call for the requested types. */
const SCAN_MAX = 5_000;
/** Maximum publishing rounds per call, about 100,000 events. */
const PUBLISH_ROUNDS_MAX = 20;

/** A feed position with the id of its event. */
interface FeedPosition {
  readonly position: number;
  readonly id: string | null;
}

/** Restricts the filter to events that the key may read: payouts need a scope. */
function seenBy({ scopes }: Caller, wanted: EventFilter): EventFilter {
  if (scopes.includes('payouts:read')) return wanted;
  const payouts: readonly EventType[] = PAYOUT_EVENT_TYPES;
  return {
    ...wanted,
    types: (wanted.types ?? EVENT_TYPES).filter((type) => !payouts.includes(type)),
  };
}

const BEGINNING: FeedPosition = { position: 0, id: null };

/** Event feed of a merchant in stable order. */
@Injectable()
export class EventsService {
  constructor(
    private readonly events: EventRepository,
    private readonly renderer: EventRenderer,
  ) {}

  /** Payout events require `payouts:read`. @throws Problem `unknown_event` */
  async read(caller: Caller, query: EventQuery): Promise<EventPageResponse> {
    const { after, limit, filter } = query;
    const start = await this.startOf(caller, after);
    const end = await this.events.publish(caller);
    const from = await this.notBefore(caller, filter.since, start, end);
    // An order has few events, so they need no scan limit.
    const to = filter.txids ? end.last : Math.min(from.position + SCAN_MAX, end.last);
    const range = { after: from.position, to };
    const found = await this.events.page(caller, range, seenBy(caller, filter), limit);
    const last = found.at(-1)?.event;
    // A full page ends with its last event, any other where the scan ended.
    const position = found.length === limit ? last!.position! : to;
    return answerOf(EventPageResponse, {
      data: found.map((each) => this.renderer.event(each)),
      next: await this.idAt(caller, position, [from, last]),
      hasMore: position < end.last || !end.complete,
    });
  }

  /** The start position, or that of the requested time if it is later. */
  private async notBefore(
    owner: Owner,
    since: Date | null,
    start: FeedPosition,
    { last }: FeedEnd,
  ): Promise<FeedPosition> {
    const position = since ? await this.events.placeBefore(owner, since, last) : 0;
    if (position <= start.position) return start;
    return { position, id: await this.events.idAt(owner, position) };
  }

  /** Id of the event at the position; usually known already. */
  private async idAt(
    owner: Owner,
    position: number,
    known: readonly ((Pick<FeedPosition, 'id'> & { position: number | null }) | undefined)[],
  ): Promise<string | null> {
    const event = known.find((each) => each?.position === position);
    return event ? event.id : this.events.idAt(owner, position);
  }

  private async startOf(owner: Owner, after: string | null): Promise<FeedPosition> {
    if (after === null) return BEGINNING;
    if (after === LATEST) {
      const { last } = await this.publishAll(owner);
      return { position: last, id: await this.events.idAt(owner, last) };
    }
    return { position: await this.positionOf(owner, after), id: after };
  }

  /** A webhook can arrive before its event is in the feed; then publishes first. */
  private async positionOf(owner: Owner, id: string): Promise<number> {
    let position = await this.events.positionOf(owner, id);
    if (position === null) {
      await this.publishAll(owner);
      position = await this.events.positionOf(owner, id);
    }
    if (typeof position !== 'number') throw new Problem('unknown_event');
    return position;
  }

  /** Publishes all events, so that later ones come after `latest`. */
  private async publishAll(owner: Owner): Promise<FeedEnd> {
    for (let round = 0; round < PUBLISH_ROUNDS_MAX; round++) {
      const end = await this.events.publish(owner);
      if (end.complete) return end;
    }
    throw unavailable('Many events wait for their places in the feed; they get them meanwhile.');
  }
}
