-- Tables of src/database/exports/, doctor/, jobs/ and schema/. The entities document the columns.

CREATE TABLE exports (
  id uuid NOT NULL,
  merchant_id uuid,
  mode text NOT NULL,
  requested_by uuid NOT NULL,
  request jsonb NOT NULL,
  query text NOT NULL,
  status text NOT NULL DEFAULT 'queued',
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
  CONSTRAINT exports_pk PRIMARY KEY (id),
  CONSTRAINT exports_merchant_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT exports_finished_check CHECK ((status IN ('queued', 'running')) = (finished_at IS NULL)
    AND (finished_at IS NULL) = (expires_at IS NULL)),
  CONSTRAINT exports_lease_check CHECK ((status = 'running') = (lease_until IS NOT NULL)),
  CONSTRAINT exports_manifest_check CHECK ((status = 'ready') = (manifest IS NOT NULL)),
  CONSTRAINT exports_mode_check CHECK (mode IN ('test', 'live')),
  CONSTRAINT exports_place_check CHECK ((status = 'running') = (place IS NOT NULL)),
  CONSTRAINT exports_status_check CHECK (status IN ('queued', 'running', 'ready', 'failed', 'cancelled'))
);
CREATE UNIQUE INDEX exports_merchant_place ON exports (merchant_id, place) WHERE status = 'running';
CREATE UNIQUE INDEX exports_platform_place ON exports (place) WHERE status = 'running' AND merchant_id IS NULL;
CREATE INDEX exports_list ON exports (merchant_id, mode, id);
CREATE INDEX exports_due ON exports (created_at) WHERE status IN ('queued', 'running');
CREATE INDEX exports_untold ON exports (finished_at) WHERE status = 'ready' AND told_at IS NULL;
CREATE INDEX exports_age ON exports (expires_at);

CREATE TABLE export_chunks (
  export_id uuid NOT NULL,
  number integer NOT NULL,
  content bytea NOT NULL,
  CONSTRAINT export_chunks_pk PRIMARY KEY (export_id, number),
  CONSTRAINT export_chunks_export_fk FOREIGN KEY (export_id) REFERENCES exports(id) ON DELETE CASCADE
);
ALTER TABLE export_chunks ALTER COLUMN content SET STORAGE EXTERNAL;

CREATE TABLE doctor_reports (
  name text NOT NULL,
  due_at timestamptz(3) NOT NULL,
  findings jsonb,
  CONSTRAINT doctor_reports_pk PRIMARY KEY (name)
);

CREATE TABLE schema_fence (
  id smallint NOT NULL,
  reads integer NOT NULL,
  CONSTRAINT schema_fence_pk PRIMARY KEY (id),
  CONSTRAINT schema_fence_id_check CHECK (id = 1)
);
INSERT INTO schema_fence VALUES (1, 1);

CREATE TABLE jobs (
  name text NOT NULL,
  due_at timestamptz(3) NOT NULL,
  CONSTRAINT jobs_pk PRIMARY KEY (name)
);
