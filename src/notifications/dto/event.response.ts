import type { EventWithSubject } from '../../database/repositories/event.rows.js';
import type { EventRenderer } from '../event-renderer.js';

type Payload = ReturnType<EventRenderer['payload']>;

/** One event of the feed: what a webhook tells, and what webhooks have in their headers. */
export const eventResponse = ({ event }: EventWithSubject, { type, timestamp, data }: Payload) => ({
  id: event.id,
  type,
  timestamp,
  sequence: event.sequence,
  data,
});

export type EventResponse = ReturnType<typeof eventResponse>;

/** A part of the feed, and where it goes on. */
export interface EventPageResponse {
  readonly data: readonly EventResponse[];
  /** What to pass as `after` next time; null while the feed is empty. */
  readonly next: string | null;
  /** Whether asking again at once makes sense. */
  readonly hasMore: boolean;
}
