import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../database.js';
import type { Owner } from '../keys.js';
import type { EventType, MerchantEvent } from './event.entity.js';
import { asOf, EVENTS, type EventWithSubject } from './event.rows.js';

/** How far a merchant's feed goes. */
export interface FeedEnd {
  /** The last place that an event has; 0 when none has one. */
  readonly last: number;
  /** False while events that were committed still wait for a place. */
  readonly complete: boolean;
}

/** Which events of the feed are wanted; null = any. */
export interface EventFilter {
  readonly types: readonly EventType[] | null;
  /** Of this moment or later. */
  readonly since: Date | null;
  /** Of these orders. */
  readonly txids: readonly string[] | null;
}

/** An event of the feed: any. */
export const ANY_EVENT: EventFilter = { types: null, since: null, txids: null };

/**
 * Milliseconds by which an event may be older than one that stands before it: transactions commit in
 * any order, and clocks of processes that work are less than a minute from the database's.
 */
const DISORDER_MS = 180_000;

/** Events that get their places in one transaction; thousands wait when nobody read for long. */
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
 * Runs behind the lock, so that it sees all places that were given before. Events of one order or
 * payout keep their sequence: their times never go back, and who sees one of them sees those before
 * it.
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

/** The few events of each order are looked up, however long the feed is. */
const PAGE_OF_ORDERS: Statement = {
  name: 'events_page_of_orders',
  text: `WITH mine AS MATERIALIZED (
      SELECT i.id FROM unnest($8::uuid[]) wanted (txid) CROSS JOIN LATERAL
        (SELECT id FROM events WHERE merchant_id = $1 AND txid = wanted.txid OFFSET 0) i
    ) ${EVENTS} WHERE ${IN_PAGE} AND e.id IN (SELECT id FROM mine) ORDER BY e.position LIMIT $6`,
};

/**
 * Halves the feed until the place is found. Times do not quite follow places; where a place is not
 * taken, it ends too early rather than too late.
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
   * Gives the merchant's committed events their places in the feed, one reader at a time and at most
   * `PUBLISH_MAX` of them. An event that commits later gets a later place, whenever its transaction
   * began.
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

  /** Published events whose place is after `after` and not after `to`, in the feed's order. */
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

  /** A place up to `last` behind which all events of `moment` and later are; 0 = before the first. */
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

  /** The event's place; null when it has none yet, undefined when there is no such event. */
  async positionOf(owner: Owner, id: string): Promise<number | null | undefined> {
    const values = [owner.merchantId, owner.mode, id];
    const rows = await this.database.query<Pick<MerchantEvent, 'position'>>(POSITION, values);
    return rows[0]?.position;
  }

  /** The event at a place; null for the place before the first. */
  async idAt(owner: Owner, position: number): Promise<string | null> {
    const values = [owner.merchantId, owner.mode, position];
    return (await this.database.query<Pick<MerchantEvent, 'id'>>(AT, values))[0]?.id ?? null;
  }
}
