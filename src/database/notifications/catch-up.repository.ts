import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, type Statement } from '../database.js';
import { dueBy, LONGEST_RETRY } from '../due.js';
import { idAt } from '../ids.js';
import type { Resend } from './delivery-log.repository.js';
import type { EndpointKey } from './webhook-endpoint.repository.js';

/** Attempts before its time that one delivery gets. */
export const EXTRA_ATTEMPTS_MAX = 250;
/** Deliveries that are tried when an endpoint answers again, and that each success brings forward. */
const FIRST = 4;
const NEXT = 2;
/** Silence until one of those that wait is tried, by how long the endpoint has been silent. */
const PROBE_MIN = '5 seconds';
const PROBE_SHARE = 20;

/** Tried in vain, and not under way. */
const WAITS = `endpoint_id = $2 AND status = 'pending' AND failed_at IS NOT NULL AND next_attempt_at > $3
  AND extra_attempts < ${EXTRA_ATTEMPTS_MAX}`;

/** What is not taken now goes back to where its schedule has it. */
const KEEP_TIME = 'scheduled_at = coalesce(d.scheduled_at, d.next_attempt_at)';

/** The next ones that have not been tried since the endpoint `e` answers. */
const BRING = `
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

const GO_ON: Statement = {
  name: 'deliveries_catch_up',
  text: `WITH brought AS (${BRING})
    UPDATE webhook_endpoints SET answers_since = NULL
    WHERE merchant_id = $1 AND id = $2 AND answers_since <= $3 AND NOT EXISTS (SELECT FROM brought)`,
};

/**
 * The one that would be tried first is tried sooner, when it would not be tried by then anyway. Its own
 * age counts too: an event that an endpoint in good health refuses is not tried all the time.
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
 * Brings forward what waits for its next try. An endpoint that answers again gets a few at once and
 * two more for each that it takes, so that its own answers set the pace: where it fails again, the
 * rest waits on.
 */
@Injectable()
export class CatchUpRepository {
  constructor(private readonly database: Database) {}

  /** Everything that was tried before now is tried once more. */
  async begin(tx: EntityManager, { merchantId, id }: EndpointKey, now: Date): Promise<void> {
    await tx.query(BEGIN, [merchantId, id, now]);
    await tx.query(BRING, [merchantId, id, now, FIRST]);
  }

  /** The endpoint has taken one; it has caught up when nothing is left. */
  async goOn({ merchantId, id }: EndpointKey, now: Date): Promise<void> {
    await this.database.query(GO_ON, [merchantId, id, now, NEXT]);
  }

  /**
   * Sees to it that an endpoint that fails is asked again soon.
   * @param notBefore when it has asked for patience
   */
  async probe(
    tx: EntityManager,
    { merchantId, id }: EndpointKey,
    now: Date,
    notBefore: Date = now,
  ): Promise<void> {
    await tx.query(PROBE, [merchantId, id, now, notBefore]);
  }

  /** Deliveries that wait for their next try, of events of the range, up to its limit. */
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
