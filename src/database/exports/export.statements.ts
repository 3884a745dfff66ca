import type { Statement } from '../database.js';
import { dueBy, LEASE } from '../due.js';
import { columnsOf } from '../entity-sql.js';
import { Export } from './export.entity.js';

const COLUMNS = columnsOf('e', Export);

const OF_OWNER = 'e.merchant_id IS NOT DISTINCT FROM $1 AND e.mode = $2';
const OF_READER = `${OF_OWNER} AND ($3::uuid IS NULL OR e.requested_by = $3)`;

/** Only the worker with the last claim, and only while the export is not cancelled. */
const HELD = `id = $1 AND attempts = $2 AND status = 'running'`;

export const INSERT_EXPORT = `WITH inserted AS (
      INSERT INTO exports (id, merchant_id, mode, requested_by, request, query, created_at)
      SELECT $1::uuid, $2::uuid, $3::text, $4::uuid, $5::jsonb, $6::text, $7::timestamptz
      WHERE (SELECT count(*) FROM exports e WHERE e.merchant_id IS NOT DISTINCT FROM $2
        AND e.status IN ('queued', 'running')) < $8
      RETURNING 1)
    SELECT FROM inserted`;

/** Serializes concurrent requests of a merchant, or of the platform, which has no row to lock. */
export const TAKE_TURN = `SELECT pg_advisory_xact_lock(hashtextextended('exports ' || coalesce($1, ''), 0))`;

/** Keeps unfinished exports first, then ready ones, newest first. */
export const FORGET_OLDEST = `DELETE FROM exports WHERE finished_at IS NOT NULL AND id IN (
    SELECT e.id FROM exports e WHERE ${OF_OWNER}
    ORDER BY e.finished_at IS NULL DESC, e.status = 'ready' DESC, e.finished_at DESC, e.id DESC OFFSET $3)`;

/** Whether an export is queued, or lost its worker before `$1`. */
export const EXPORT_IS_DUE = `EXISTS (SELECT FROM exports
  WHERE status = 'queued' OR status = 'running' AND lease_until <= $1)`;

/**
 * Claims a queued export with a free slot, or one whose worker died, in the same slot. Merchants without a recent
 * export go first, oldest export first.
 */
export const CLAIM: Statement = {
  name: 'export_claim',
  text: `WITH next AS (
      SELECT e.id, coalesce(e.place, free.place) AS place FROM exports e
      CROSS JOIN LATERAL (
        SELECT min(n) AS place FROM generate_series(1, $3::integer) n
        WHERE NOT EXISTS (SELECT FROM exports r WHERE r.status = 'running' AND r.place = n
          AND r.merchant_id IS NOT DISTINCT FROM e.merchant_id)
      ) free
      WHERE e.status = 'queued' AND free.place IS NOT NULL
        OR e.status = 'running' AND e.lease_until <= $1
      ORDER BY (SELECT max(f.finished_at) FROM exports f
          WHERE f.merchant_id IS NOT DISTINCT FROM e.merchant_id) NULLS FIRST,
        e.created_at, e.id LIMIT 1 FOR UPDATE OF e SKIP LOCKED
    )
    UPDATE exports e SET status = 'running', place = next.place, lease_until = ${dueBy('$2', LEASE)},
      attempts = e.attempts + 1, rows_done = 0, rows_total = NULL
    FROM next WHERE e.id = next.id RETURNING ${COLUMNS}`,
};

export const FORGET_CHUNKS: Statement = {
  name: 'export_forget_chunks',
  text: `DELETE FROM export_chunks WHERE export_id =
    (SELECT id FROM exports WHERE ${HELD} FOR UPDATE)`,
};

export const PROGRESS: Statement = {
  name: 'export_progress',
  text: `UPDATE exports SET lease_until = ${dueBy('$3', LEASE)}, rows_done = $4, rows_total = $5
    WHERE ${HELD} RETURNING 1`,
};

/** A single statement, so that a worker that lost its claim cannot write. */
export const WRITE_CHUNK: Statement = {
  name: 'export_write_chunk',
  text: `WITH held AS (
      UPDATE exports SET lease_until = ${dueBy('$3', LEASE)}, rows_done = $4, rows_total = $5 WHERE ${HELD}
      RETURNING id
    )
    INSERT INTO export_chunks (export_id, number, content) SELECT id, $6::integer, $7::bytea FROM held RETURNING 1`,
};

export const CANCEL: Statement = {
  name: 'export_cancel',
  text: `WITH cancelled AS (
      UPDATE exports e SET status = 'cancelled', place = NULL, lease_until = NULL,
        finished_at = $5, expires_at = $6
      WHERE ${OF_READER} AND e.id = $4 AND e.status IN ('queued', 'running') RETURNING id
    ), forgotten AS (
      DELETE FROM export_chunks c USING cancelled WHERE c.export_id = cancelled.id
    )
    SELECT id FROM cancelled`,
};

export const UNTOLD: Statement = {
  name: 'exports_untold',
  text: `SELECT ${COLUMNS} FROM exports e WHERE e.status = 'ready' AND e.told_at IS NULL
    ORDER BY row_number() OVER (PARTITION BY e.merchant_id ORDER BY e.finished_at), random() LIMIT $1`,
};

export const PURGE: Statement = {
  name: 'exports_purge',
  text: `DELETE FROM exports WHERE id IN
      (SELECT id FROM exports WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)
    RETURNING 1`,
};
