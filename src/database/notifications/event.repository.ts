import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../database.js';
import type { Owner } from '../keys.js';
import type { EventType, MerchantEvent } from './event.entity.js';
import { asOf, EVENTS, type EventWithSubject } from './event.rows.js';

/** End of a merchant's feed. */
export interface FeedEnd {
  /** The last published position; 0 for none. */
  readonly last: number;
  /** False while committed events are not published yet. */
  readonly complete: boolean;
}

/** Filter of the feed; null = any. */
export interface EventFilter {
  readonly types: readonly EventType[] | null;
  /** At this time or later. */
  readonly since: Date | null;
  /** Only events of these orders. */
  readonly txids: readonly string[] | null;
}

/** Matches all events. */
export const ANY_EVENT: EventFilter = { types: null, since: null, txids: null };

/**
 * Maximum time, in milliseconds, by which an event may be older than an earlier one in the feed: transactions commit in
 * any order, and the clocks of healthy processes differ by less than a minute from the database's.
 */
const DISORDER_MS = 180_000;

/** Events published per transaction; thousands may wait when the feed was not read for long. */
export const PUBLISH_MAX = 5_000;

const FEED_END: Statement = {
  name: 'event_feed_end',
  text: `SELECT
    coalesce((SELECT last_position FROM event_feeds WHERE merchant_id = $1 AND mode = $2), 0) AS last,
    NOT EXISTS (SELECT FROM events
      WHERE merchant_id = $1 AND mode = $2 AND position IS NULL) AS complete`,
};

const OPEN_FEED = `INSERT INTO event_feeds (merchant_id, mode) VALUES ($1, $2)
  ON CONFLICT DO NOTHING`;

const LOCK_FEED = `SELECT last_position AS last FROM event_feeds
  WHERE merchant_id = $1 AND mode = $2 FOR UPDATE`;

const FEED_ORDER = 'created_at, coalesce(txid, payout_id), sequence';

/**
 * Runs under the feed's lock, so that it sees all assigned positions. Events of one order or payout keep their
 * sequence: their times never decrease, and a transaction that sees one of them sees the earlier ones.
 */
const PUBLISH = `
  WITH fresh AS (
    SELECT id, $3::bigint + row_number() OVER (ORDER BY ${FEED_ORDER}) AS position
    FROM events WHERE merchant_id = $1 AND mode = $2 AND position IS NULL
    ORDER BY ${FEED_ORDER} LIMIT ${PUBLISH_MAX}
  ), published AS (
    UPDATE events e SET position = fresh.position FROM fresh
    WHERE e.merchant_id = $1 AND e.id = fresh.id RETURNING e.id
  ), moved AS (
    UPDATE event_feeds SET last_position = $3::bigint + (SELECT count(*) FROM published)
    WHERE merchant_id = $1 AND mode = $2 RETURNING last_position
  )
  SELECT last_position AS last FROM moved`;

const IN_PAGE = `e.merchant_id = $1 AND e.mode = $2 AND e.position > $3 AND e.position <= $4
    AND ($5::text[] IS NULL OR e.type = ANY ($5))
    AND ($7::timestamptz IS NULL OR e.created_at >= $7)`;

const PAGE: Statement = {
  name: 'events_page',
  text: `${EVENTS} WHERE ${IN_PAGE} ORDER BY e.position LIMIT $6`,
};

/**
 * Looks up the events of each order first, so that it does not scan a long feed. Positions of an order's events grow
 * with their sequence, so the first of each order are enough.
 */
const PAGE_OF_ORDERS: Statement = {
  name: 'events_page_of_orders',
  text: `WITH mine AS MATERIALIZED (
      SELECT i.id FROM unnest($8::uuid[]) wanted (txid) CROSS JOIN LATERAL (
        SELECT e.id FROM (SELECT * FROM events
          WHERE merchant_id = $1 AND txid = wanted.txid ORDER BY sequence OFFSET 0) e
        WHERE ${IN_PAGE} LIMIT $6) i
    ) ${EVENTS} WHERE e.merchant_id = $1 AND e.id IN (SELECT id FROM mine) ORDER BY e.position LIMIT $6`,
};

/**
 * Binary search by time. Times are not strictly ordered by position; at an unassigned position it stops too early
 * rather than too late.
 */
const PLACE_BEFORE: Statement = {
  name: 'event_place_before',
  text: `WITH RECURSIVE halved AS (
      SELECT 0::bigint AS low, $3::bigint + 1 AS high
      UNION ALL
      SELECT CASE WHEN e.created_at < $4 THEN e.position ELSE h.low END,
        CASE WHEN e.created_at < $4 THEN h.high ELSE e.position END
      FROM halved h CROSS JOIN LATERAL (SELECT position, created_at FROM events
        WHERE merchant_id = $1 AND mode = $2 AND position = (h.low + h.high) / 2 LIMIT 1) e
      WHERE h.high - h.low > 1
    ) SELECT max(low) AS position FROM halved`,
};

const BY_ID: Statement = {
  name: 'event_by_id',
  text: `${EVENTS} WHERE e.merchant_id = $1 AND e.id = $2`,
};

const POSITION: Statement = {
  name: 'event_position',
  text: 'SELECT position FROM events WHERE merchant_id = $1 AND mode = $2 AND id = $3',
};

const AT: Statement = {
  name: 'event_at',
  text: 'SELECT id FROM events WHERE merchant_id = $1 AND mode = $2 AND position = $3',
};

@Injectable()
export class EventRepository {
  constructor(private readonly database: Database) {}

  /**
   * Assigns feed positions to the merchant's committed events, serialized per feed, at most `PUBLISH_MAX` at a time. An
   * event that commits later gets a later position, regardless of when its transaction began.
   */
  async publish({ merchantId, mode }: Owner): Promise<FeedEnd> {
    const feed = [merchantId, mode];
    const [end] = await this.database.query<FeedEnd>(FEED_END, feed);
    if (end!.complete) return end!;
    return this.database.transaction(async (tx) => {
      await tx.query(OPEN_FEED, feed);
      const [before] = await tx.query<Pick<FeedEnd, 'last'>[]>(LOCK_FEED, feed);
      const values = [...feed, before!.last];
      const [after] = await tx.query<Pick<FeedEnd, 'last'>[]>(PUBLISH, values);
      return { last: after!.last, complete: after!.last - before!.last < PUBLISH_MAX };
    });
  }

  /** Published events with positions after `after` up to `to`, in feed order. */
  async page(
    owner: Owner,
    range: { readonly after: number; readonly to: number },
    { types, since, txids }: EventFilter,
    limit: number,
  ): Promise<EventWithSubject[]> {
    const { merchantId, mode } = owner;
    const values = [merchantId, mode, range.after, range.to, types, limit, since];
    const rows = await (txids
      ? this.database.query<Record<string, unknown>>(PAGE_OF_ORDERS, [...values, txids])
      : this.database.query<Record<string, unknown>>(PAGE, values));
    return rows.map(asOf);
  }

  /** A position up to `last` after which all events since `moment` are; 0 = the start. */
  async placeBefore(owner: Owner, moment: Date, last: number): Promise<number> {
    const earliest = new Date(moment.getTime() - DISORDER_MS);
    const values = [owner.merchantId, owner.mode, last, earliest];
    const rows = await this.database.query<{ position: number }>(PLACE_BEFORE, values);
    return rows[0]!.position;
  }

  async find(merchantId: string, id: string): Promise<EventWithSubject | null> {
    const rows = await this.database.query<Record<string, unknown>>(BY_ID, [merchantId, id]);
    return rows[0] ? asOf(rows[0]) : null;
  }

  /** The event's position; null when not published yet, undefined when the event does not exist. */
  async positionOf(owner: Owner, id: string): Promise<number | null | undefined> {
    const values = [owner.merchantId, owner.mode, id];
    const rows = await this.database.query<Pick<MerchantEvent, 'position'>>(POSITION, values);
    return rows[0]?.position;
  }

  /** The event at a position; null for position 0. */
  async idAt(owner: Owner, position: number): Promise<string | null> {
    const values = [owner.merchantId, owner.mode, position];
    return (await this.database.query<Pick<MerchantEvent, 'id'>>(AT, values))[0]?.id ?? null;
  }
}
