import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = `
CREATE TABLE exports (
  id uuid CONSTRAINT exports_pk PRIMARY KEY,
  merchant_id uuid CONSTRAINT exports_merchant_fk REFERENCES merchants (id),
  mode text NOT NULL CONSTRAINT exports_mode_check CHECK (mode IN ('test', 'live')),
  requested_by uuid NOT NULL,
  request jsonb NOT NULL,
  query text NOT NULL,
  status text NOT NULL DEFAULT 'queued' CONSTRAINT exports_status_check
    CHECK (status IN ('queued', 'running', 'ready', 'failed', 'cancelled')),
  place integer,
  lease_until timestamptz(3),
  attempts integer NOT NULL DEFAULT 0,
  rows_done bigint NOT NULL DEFAULT 0,
  rows_total bigint,
  manifest jsonb,
  created_at timestamptz(3) NOT NULL,
  finished_at timestamptz(3),
  expires_at timestamptz(3),
  told_at timestamptz(3),
  CONSTRAINT exports_place_check CHECK ((status = 'running') = (place IS NOT NULL)),
  CONSTRAINT exports_lease_check CHECK ((status = 'running') = (lease_until IS NOT NULL)),
  CONSTRAINT exports_manifest_check CHECK ((status = 'ready') = (manifest IS NOT NULL)),
  CONSTRAINT exports_finished_check CHECK (
    (status IN ('queued', 'running')) = (finished_at IS NULL)
    AND (finished_at IS NULL) = (expires_at IS NULL))
);
CREATE UNIQUE INDEX exports_merchant_place ON exports (merchant_id, place)
  WHERE status = 'running';
CREATE UNIQUE INDEX exports_platform_place ON exports (place)
  WHERE status = 'running' AND merchant_id IS NULL;
CREATE INDEX exports_list ON exports (merchant_id, mode, id);
CREATE INDEX exports_due ON exports (created_at) WHERE status IN ('queued', 'running');
CREATE INDEX exports_untold ON exports (finished_at) WHERE status = 'ready' AND told_at IS NULL;
CREATE INDEX exports_age ON exports (expires_at);

CREATE TABLE export_chunks (
  export_id uuid NOT NULL CONSTRAINT export_chunks_export_fk
    REFERENCES exports (id) ON DELETE CASCADE,
  number integer NOT NULL,
  content bytea NOT NULL,
  CONSTRAINT export_chunks_pk PRIMARY KEY (export_id, number)
);
-- Compressed already.
ALTER TABLE export_chunks ALTER COLUMN content SET STORAGE EXTERNAL;
`;

const down = `DROP TABLE export_chunks, exports;`;

/** Files that are written in the background, and their bytes. */
export class Exports1764144000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
