-- Tables of src/database/notifications/. The entities document the columns.

CREATE TABLE events (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  txid uuid,
  payout_id uuid,
  mode text NOT NULL,
  sequence integer NOT NULL,
  type text NOT NULL,
  data jsonb NOT NULL,
  position bigint,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT events_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT events_mode_check CHECK (mode IN ('test', 'live')),
  CONSTRAINT events_position_check CHECK (position > 0),
  CONSTRAINT events_sequence_check CHECK (sequence > 0),
  CONSTRAINT events_subject_check CHECK ((txid IS NULL) <> (payout_id IS NULL))
);
CREATE UNIQUE INDEX events_order ON events (merchant_id, txid, sequence);
CREATE UNIQUE INDEX events_feed ON events (merchant_id, mode, position) WHERE position IS NOT NULL;
CREATE INDEX events_unpublished ON events (merchant_id, mode, created_at) WHERE position IS NULL;
CREATE UNIQUE INDEX events_payout ON events (merchant_id, payout_id, sequence) WHERE payout_id IS NOT NULL;

CREATE TABLE event_feeds (
  merchant_id uuid NOT NULL,
  mode text NOT NULL,
  last_position bigint NOT NULL DEFAULT 0,
  CONSTRAINT event_feeds_pk PRIMARY KEY (merchant_id, mode),
  CONSTRAINT event_feeds_merchant_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT event_feeds_mode_check CHECK (mode IN ('test', 'live'))
);

CREATE TABLE webhook_endpoints (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  mode text NOT NULL,
  url text NOT NULL,
  description text,
  event_types text array NOT NULL,
  field_key text,
  field_value text,
  api_version text NOT NULL,
  secret text NOT NULL,
  previous_secret text,
  previous_secret_until timestamptz(3),
  enabled boolean NOT NULL DEFAULT true,
  disabled_reason text,
  failing_since timestamptz(3),
  answers_since timestamptz(3),
  warnings integer NOT NULL DEFAULT 0,
  made_by uuid,
  made_by_key uuid,
  sees_payouts boolean NOT NULL DEFAULT true,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  deleted_at timestamptz(3),
  CONSTRAINT webhook_endpoints_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT webhook_endpoints_merchant_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT webhook_endpoints_enabled_check CHECK (enabled = (disabled_reason IS NULL)),
  CONSTRAINT webhook_endpoints_field_check CHECK ((field_key IS NULL) = (field_value IS NULL)),
  CONSTRAINT webhook_endpoints_maker_check CHECK (made_by IS NULL OR made_by_key IS NULL),
  CONSTRAINT webhook_endpoints_mode_check CHECK (mode IN ('test', 'live')),
  CONSTRAINT webhook_endpoints_payouts_check CHECK (sees_payouts
    OR array_to_string(event_types, ' ') NOT LIKE '%payout.%'),
  CONSTRAINT webhook_endpoints_reason_check CHECK (disabled_reason IN ('by_merchant', 'gone', 'failing')),
  CONSTRAINT webhook_endpoints_roll_check CHECK ((previous_secret IS NULL) = (previous_secret_until IS NULL))
);
CREATE INDEX webhook_endpoints_live ON webhook_endpoints (merchant_id, mode) WHERE deleted_at IS NULL;

CREATE TABLE notification_recipients (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  mode text NOT NULL,
  email text,
  locale text NOT NULL,
  time_zone text NOT NULL,
  minimum_amount bigint,
  token text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  confirmed_at timestamptz(3),
  unsubscribed_at timestamptz(3),
  deleted_at timestamptz(3),
  CONSTRAINT notification_recipients_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT notification_recipients_merchant_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT notification_recipients_amount_check CHECK (minimum_amount > 0),
  CONSTRAINT notification_recipients_deleted_check CHECK ((email IS NULL) = (deleted_at IS NOT NULL)),
  CONSTRAINT notification_recipients_mode_check CHECK (mode IN ('test', 'live'))
);
CREATE UNIQUE INDEX notification_recipients_email ON notification_recipients (merchant_id, mode, email);
CREATE INDEX notification_recipients_token ON notification_recipients (token);

CREATE TABLE deliveries (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  mode text NOT NULL,
  type text NOT NULL,
  event_id uuid,
  txid uuid,
  sequence integer,
  endpoint_id uuid,
  recipient_id uuid,
  data jsonb,
  resent boolean NOT NULL DEFAULT false,
  status text NOT NULL DEFAULT 'pending',
  attempts integer NOT NULL DEFAULT 0,
  extra_attempts integer NOT NULL DEFAULT 0,
  failed_at timestamptz(3),
  scheduled_at timestamptz(3),
  next_attempt_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  completed_at timestamptz(3),
  CONSTRAINT deliveries_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT deliveries_endpoint_fk FOREIGN KEY (merchant_id, endpoint_id)
    REFERENCES webhook_endpoints(merchant_id,id),
  CONSTRAINT deliveries_event_fk FOREIGN KEY (merchant_id, event_id) REFERENCES events(merchant_id,id),
  CONSTRAINT deliveries_recipient_fk FOREIGN KEY (merchant_id, recipient_id)
    REFERENCES notification_recipients(merchant_id,id),
  CONSTRAINT deliveries_completed_check CHECK ((status = 'pending') = (completed_at IS NULL)),
  CONSTRAINT deliveries_event_check CHECK (event_id IS NOT NULL OR (txid IS NULL AND sequence IS NULL)),
  CONSTRAINT deliveries_mode_check CHECK (mode IN ('test', 'live')),
  CONSTRAINT deliveries_pending_check CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL)),
  CONSTRAINT deliveries_status_check CHECK (status IN ('pending', 'delivered', 'failed', 'cancelled')),
  CONSTRAINT deliveries_target_check CHECK ((endpoint_id IS NULL) <> (recipient_id IS NULL))
);
CREATE UNIQUE INDEX deliveries_webhook_once ON deliveries (merchant_id, endpoint_id, event_id)
  WHERE endpoint_id IS NOT NULL AND NOT resent;
CREATE UNIQUE INDEX deliveries_mail_once ON deliveries (merchant_id, recipient_id, event_id)
  WHERE recipient_id IS NOT NULL AND NOT resent;
CREATE INDEX deliveries_log ON deliveries (merchant_id, endpoint_id, id) WHERE endpoint_id IS NOT NULL;
CREATE INDEX deliveries_log_of_ended ON deliveries (merchant_id, endpoint_id, status, id)
  WHERE endpoint_id IS NOT NULL AND status IN ('failed', 'cancelled');
CREATE INDEX deliveries_webhook_due ON deliveries (endpoint_id, next_attempt_at) WHERE status = 'pending'
  AND endpoint_id IS NOT NULL;
CREATE INDEX deliveries_mail_due ON deliveries (next_attempt_at) WHERE status = 'pending'
  AND recipient_id IS NOT NULL;
CREATE INDEX deliveries_first_tries ON deliveries (endpoint_id, txid, sequence) WHERE status = 'pending'
  AND attempts = 0 AND endpoint_id IS NOT NULL;
CREATE INDEX deliveries_age ON deliveries (created_at);
CREATE INDEX deliveries_resent ON deliveries (merchant_id, txid) WHERE resent;
CREATE INDEX deliveries_mail_turn ON deliveries (merchant_id, mode, next_attempt_at)
  WHERE status = 'pending' AND recipient_id IS NOT NULL;
CREATE INDEX deliveries_asked ON deliveries (merchant_id, mode) WHERE status = 'pending'
  AND endpoint_id IS NOT NULL AND (resent OR event_id IS NULL);
CREATE INDEX deliveries_resent_events ON deliveries (merchant_id, endpoint_id, event_id)
  WHERE endpoint_id IS NOT NULL AND resent;

CREATE TABLE delivery_attempts (
  merchant_id uuid NOT NULL,
  delivery_id uuid NOT NULL,
  number integer NOT NULL,
  started_at timestamptz(3) NOT NULL,
  duration_ms integer NOT NULL,
  succeeded boolean NOT NULL,
  status_code integer,
  error text,
  request_head text,
  response_head text,
  CONSTRAINT delivery_attempts_pk PRIMARY KEY (merchant_id, delivery_id, number),
  CONSTRAINT delivery_attempts_delivery_fk FOREIGN KEY (merchant_id, delivery_id)
    REFERENCES deliveries(merchant_id,id) ON DELETE CASCADE,
  CONSTRAINT delivery_attempts_error_check CHECK (succeeded = (error IS NULL)),
  CONSTRAINT delivery_attempts_number_check CHECK (number > 0)
);

CREATE TABLE asked_mailboxes (
  merchant_id uuid NOT NULL,
  address_hash bytea NOT NULL,
  mode text NOT NULL,
  asked_at timestamptz(3) NOT NULL,
  questions integer NOT NULL,
  refused_at timestamptz(3),
  CONSTRAINT asked_mailboxes_pk PRIMARY KEY (merchant_id, address_hash, mode),
  CONSTRAINT asked_mailboxes_merchant_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT asked_mailboxes_hash_check CHECK (octet_length(address_hash) = 32),
  CONSTRAINT asked_mailboxes_mode_check CHECK (mode IN ('test', 'live')),
  CONSTRAINT asked_mailboxes_questions_check CHECK (questions > 0)
);
CREATE INDEX asked_mailboxes_lately ON asked_mailboxes (merchant_id, asked_at);
