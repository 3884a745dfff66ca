import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, type Statement } from '../database.js';
import { dueBy, LONGEST_RETRY } from '../due.js';
import { idAt } from '../ids.js';
import type { Resend } from './delivery-log.repository.js';
import type { EndpointKey } from './webhook-endpoint.repository.js';

/** Maximum extra attempts per delivery, before its scheduled time. */
export const EXTRA_ATTEMPTS_MAX = 250;
/** Deliveries attempted when an endpoint recovers (`FIRST`), and after each success (`NEXT`). */
const FIRST = 4;
const NEXT = 2;
/**
 * Delay before a probe: at least `PROBE_MIN`, else the time since the endpoint started failing divided by
 * `PROBE_SHARE`.
 */
const PROBE_MIN = '5 seconds';
const PROBE_SHARE = 20;

/** Failed deliveries that wait for the next attempt. */
const WAITS = `endpoint_id = $2 AND status = 'pending' AND failed_at IS NOT NULL AND next_attempt_at > $3
  AND extra_attempts < ${EXTRA_ATTEMPTS_MAX}`;

/** Keeps the scheduled time, to restore it after a failed extra attempt. */
const KEEP_TIME = 'scheduled_at = coalesce(d.scheduled_at, d.next_attempt_at)';

/** The next deliveries not attempted since the endpoint `e` recovered. */
const RESCHEDULE_NEXT = `
  UPDATE deliveries d SET next_attempt_at = ${dueBy('$3')}, ${KEEP_TIME}
  FROM (
    SELECT w.merchant_id, w.id FROM webhook_endpoints e JOIN deliveries w
      ON w.merchant_id = e.merchant_id AND w.failed_at < e.answers_since
    WHERE e.merchant_id = $1 AND e.id = $2 AND ${WAITS}
    ORDER BY w.next_attempt_at LIMIT $4 FOR UPDATE OF w SKIP LOCKED
  ) next
  WHERE d.merchant_id = next.merchant_id AND d.id = next.id
  RETURNING 1`;

const BEGIN = `UPDATE webhook_endpoints SET answers_since = $3 WHERE merchant_id = $1 AND id = $2`;

const RESUME: Statement = {
  name: 'deliveries_catch_up',
  text: `WITH brought AS (${RESCHEDULE_NEXT})
    UPDATE webhook_endpoints SET answers_since = NULL
    WHERE merchant_id = $1 AND id = $2 AND answers_since <= $3 AND NOT EXISTS (SELECT FROM brought)`,
};

/**
 * Reschedules the next delivery to the time of the probe, if it is later. The delay also depends on the delivery's age,
 * so that an event that a healthy endpoint rejects is not retried all the time.
 */
const PROBE = `
  UPDATE deliveries d SET next_attempt_at = ${dueBy('probe.at', LONGEST_RETRY)},
    ${KEEP_TIME}
  FROM (
    SELECT w.merchant_id, w.id, greatest($4::timestamptz, $3::timestamptz + greatest(
      interval '${PROBE_MIN}',
      ($3::timestamptz - least(e.failing_since, w.created_at)) / ${PROBE_SHARE})) AS at
    FROM webhook_endpoints e JOIN deliveries w ON w.merchant_id = e.merchant_id
    WHERE e.merchant_id = $1 AND e.id = $2 AND ${WAITS}
    ORDER BY w.next_attempt_at LIMIT 1 FOR UPDATE OF w SKIP LOCKED
  ) probe
  WHERE d.merchant_id = probe.merchant_id AND d.id = probe.id AND d.next_attempt_at > probe.at`;

const COUNT = `SELECT count(*)::integer AS count FROM (
    SELECT FROM deliveries WHERE merchant_id = $1 AND ${WAITS}
      AND event_id >= $4 AND event_id < $5 LIMIT $6) waiting`;

/**
 * Reschedules waiting deliveries when an endpoint recovers. It gets a few immediately and two more per success, so that
 * the endpoint itself sets the pace; after a failure the rest keeps waiting.
 */
@Injectable()
export class CatchUpRepository {
  constructor(private readonly database: Database) {}

  /** Starts to retry all failed deliveries. */
  async begin(tx: EntityManager, { merchantId, id }: EndpointKey, now: Date): Promise<void> {
    await tx.query(BEGIN, [merchantId, id, now]);
    await tx.query(RESCHEDULE_NEXT, [merchantId, id, now, FIRST]);
  }

  /** Continues after a success; ends when no delivery is left. */
  async continueAfterSuccess({ merchantId, id }: EndpointKey, now: Date): Promise<void> {
    await this.database.query(RESUME, [merchantId, id, now, NEXT]);
  }

  /**
   * Schedules a probe of a failing endpoint.
   * @param notBefore time from the endpoint's `Retry-After`
   */
  async probe(
    tx: EntityManager,
    { merchantId, id }: EndpointKey,
    now: Date,
    notBefore: Date = now,
  ): Promise<void> {
    await tx.query(PROBE, [merchantId, id, now, notBefore]);
  }

  /** Counts waiting deliveries of events in the range, up to its limit. */
  async count(
    tx: EntityManager,
    { merchantId, id }: EndpointKey,
    { from, to, limit }: Resend,
    now: Date,
  ): Promise<number> {
    const values = [merchantId, id, now, idAt(from), idAt(to), limit];
    const rows = await tx.query<{ count: number }[]>(COUNT, values);
    return rows[0]!.count;
  }
}
