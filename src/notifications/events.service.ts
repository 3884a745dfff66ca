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
import { Problem, unavailable } from '../http/problem.js';
import type { Caller } from '../merchants/api-key.guard.js';
import { type EventQuery, LATEST } from './dto/event-query.js';
import { EventRenderer } from './event-renderer.js';

/** Places that one call looks at in search of the types that it wants. */
const SCAN_MAX = 5_000;
/** Rounds of publishing that one call waits for; with them come 100,000 events. */
const PUBLISH_ROUNDS_MAX = 20;

/** A place in the feed, and the id of the event there. */
interface FeedPosition {
  readonly position: number;
  readonly id: string | null;
}

/** What a key may hear of: payouts only where it may read them. */
function seenBy({ scopes }: Caller, wanted: EventFilter): EventFilter {
  if (scopes.includes('payouts:read')) return wanted;
  const payouts: readonly EventType[] = PAYOUT_EVENT_TYPES;
  return {
    ...wanted,
    types: (wanted.types ?? EVENT_TYPES).filter((type) => !payouts.includes(type)),
  };
}

const BEGINNING: FeedPosition = { position: 0, id: null };

/** The merchant's events in an order that never changes, for programs that fetch them. */
@Injectable()
export class EventsService {
  constructor(
    private readonly events: EventRepository,
    private readonly renderer: EventRenderer,
  ) {}

  /** A key sees payouts only with `payouts:read`. @throws Problem `unknown_event` */
  async read(caller: Caller, query: EventQuery): Promise<EventPageResponse> {
    const { after, limit, filter } = query;
    const start = await this.startOf(caller, after);
    const end = await this.events.publish(caller);
    const from = await this.notBefore(caller, filter.since, start, end);
    // Those of an order are few, wherever they are.
    const to = filter.txids ? end.last : Math.min(from.position + SCAN_MAX, end.last);
    const range = { after: from.position, to };
    const found = await this.events.page(caller, range, seenBy(caller, filter), limit);
    const last = found.at(-1)?.event;
    // A full page ends with its last event, and any other where the search ended.
    const position = found.length === limit ? last!.position! : to;
    return answerOf(EventPageResponse, {
      data: found.map((each) => this.renderer.event(each)),
      next: await this.idAt(caller, position, [from, last]),
      hasMore: position < end.last || !end.complete,
    });
  }

  /** The start, or the place where the asked time begins if that is further on. */
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

  /** The id of the event at the place; mostly it is known already. */
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

  /** A webhook can bring an event before the feed has it; then the feed catches up. */
  private async positionOf(owner: Owner, id: string): Promise<number> {
    let position = await this.events.positionOf(owner, id);
    if (position === null) {
      await this.publishAll(owner);
      position = await this.events.positionOf(owner, id);
    }
    if (typeof position !== 'number') throw new Problem('unknown_event');
    return position;
  }

  /** Whoever wants the end must see it: what is committed later comes behind it. */
  private async publishAll(owner: Owner): Promise<FeedEnd> {
    for (let round = 0; round < PUBLISH_ROUNDS_MAX; round++) {
      const end = await this.events.publish(owner);
      if (end.complete) return end;
    }
    throw unavailable('Many events wait for their places in the feed; they get them meanwhile.');
  }
}
