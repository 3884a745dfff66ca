import type { MigrationInterface, QueryRunner } from 'typeorm';

/** All columns but `position`, which an event gets when it is published, and then keeps. */
const EVENT_FACTS = 'merchant_id, id, txid, mode, sequence, type, data, created_at';

const up = `
DROP TRIGGER events_append_only ON events;
ALTER TABLE events ADD COLUMN mode text, ADD COLUMN position bigint;
UPDATE events e SET mode = o.mode FROM orders o
  WHERE o.merchant_id = e.merchant_id AND o.txid = e.txid;
ALTER TABLE events
  ALTER COLUMN mode SET NOT NULL,
  ADD CONSTRAINT events_mode_check CHECK (mode IN ('test', 'live')),
  ADD CONSTRAINT events_position_check CHECK (position > 0);
CREATE UNIQUE INDEX events_feed ON events (merchant_id, mode, position) WHERE position IS NOT NULL;
CREATE INDEX events_unpublished ON events (merchant_id, mode, created_at) WHERE position IS NULL;
CREATE TRIGGER events_append_only BEFORE DELETE OR UPDATE OF ${EVENT_FACTS} ON events
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER events_published_once BEFORE UPDATE OF position ON events
  FOR EACH ROW WHEN (OLD.position IS NOT NULL) EXECUTE FUNCTION refuse_change();

CREATE TABLE event_feeds (
  merchant_id uuid NOT NULL CONSTRAINT event_feeds_merchant_fk REFERENCES merchants (id),
  mode text NOT NULL CONSTRAINT event_feeds_mode_check CHECK (mode IN ('test', 'live')),
  last_position bigint NOT NULL DEFAULT 0,
  CONSTRAINT event_feeds_pk PRIMARY KEY (merchant_id, mode)
);

CREATE TABLE webhook_endpoints (
  merchant_id uuid NOT NULL CONSTRAINT webhook_endpoints_merchant_fk REFERENCES merchants (id),
  id uuid NOT NULL,
  mode text NOT NULL CONSTRAINT webhook_endpoints_mode_check CHECK (mode IN ('test', 'live')),
  url text NOT NULL,
  description text,
  event_types text[] NOT NULL,
  api_version text NOT NULL,
  secret text NOT NULL,
  previous_secret text,
  previous_secret_until timestamptz(3),
  enabled boolean NOT NULL DEFAULT true,
  disabled_reason text CONSTRAINT webhook_endpoints_reason_check
    CHECK (disabled_reason IN ('by_merchant', 'gone', 'failing')),
  failing_since timestamptz(3),
  warnings integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  deleted_at timestamptz(3),
  CONSTRAINT webhook_endpoints_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT webhook_endpoints_enabled_check CHECK (enabled = (disabled_reason IS NULL)),
  CONSTRAINT webhook_endpoints_roll_check
    CHECK ((previous_secret IS NULL) = (previous_secret_until IS NULL))
);
CREATE INDEX webhook_endpoints_live ON webhook_endpoints (merchant_id, mode)
  WHERE deleted_at IS NULL;

CREATE TABLE notification_recipients (
  merchant_id uuid NOT NULL
    CONSTRAINT notification_recipients_merchant_fk REFERENCES merchants (id),
  id uuid NOT NULL,
  mode text NOT NULL CONSTRAINT notification_recipients_mode_check CHECK (mode IN ('test', 'live')),
  email text,
  locale text NOT NULL,
  time_zone text NOT NULL,
  minimum_amount bigint CONSTRAINT notification_recipients_amount_check CHECK (minimum_amount > 0),
  token text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  confirmed_at timestamptz(3),
  unsubscribed_at timestamptz(3),
  deleted_at timestamptz(3),
  CONSTRAINT notification_recipients_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT notification_recipients_deleted_check CHECK ((email IS NULL) = (deleted_at IS NOT NULL))
);
CREATE UNIQUE INDEX notification_recipients_email
  ON notification_recipients (merchant_id, mode, email);
CREATE UNIQUE INDEX notification_recipients_token ON notification_recipients (token);

CREATE TABLE deliveries (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  mode text NOT NULL CONSTRAINT deliveries_mode_check CHECK (mode IN ('test', 'live')),
  type text NOT NULL,
  event_id uuid,
  txid uuid,
  sequence integer,
  endpoint_id uuid,
  recipient_id uuid,
  data jsonb,
  resent boolean NOT NULL DEFAULT false,
  status text NOT NULL DEFAULT 'pending' CONSTRAINT deliveries_status_check
    CHECK (status IN ('pending', 'delivered', 'failed', 'cancelled')),
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  completed_at timestamptz(3),
  CONSTRAINT deliveries_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT deliveries_event_fk FOREIGN KEY (merchant_id, event_id)
    REFERENCES events (merchant_id, id),
  CONSTRAINT deliveries_endpoint_fk FOREIGN KEY (merchant_id, endpoint_id)
    REFERENCES webhook_endpoints (merchant_id, id),
  CONSTRAINT deliveries_recipient_fk FOREIGN KEY (merchant_id, recipient_id)
    REFERENCES notification_recipients (merchant_id, id),
  CONSTRAINT deliveries_target_check CHECK ((endpoint_id IS NULL) <> (recipient_id IS NULL)),
  CONSTRAINT deliveries_order_check
    CHECK ((event_id IS NULL) = (txid IS NULL) AND (txid IS NULL) = (sequence IS NULL)),
  CONSTRAINT deliveries_pending_check CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL)),
  CONSTRAINT deliveries_completed_check CHECK ((status = 'pending') = (completed_at IS NULL))
);
CREATE UNIQUE INDEX deliveries_webhook_once ON deliveries (merchant_id, endpoint_id, event_id)
  WHERE endpoint_id IS NOT NULL AND NOT resent;
CREATE UNIQUE INDEX deliveries_mail_once ON deliveries (merchant_id, recipient_id, event_id)
  WHERE recipient_id IS NOT NULL AND NOT resent;
CREATE INDEX deliveries_log ON deliveries (merchant_id, endpoint_id, id)
  WHERE endpoint_id IS NOT NULL;
CREATE INDEX deliveries_webhook_due ON deliveries (endpoint_id, next_attempt_at)
  WHERE status = 'pending' AND endpoint_id IS NOT NULL;
CREATE INDEX deliveries_mail_due ON deliveries (next_attempt_at)
  WHERE status = 'pending' AND recipient_id IS NOT NULL;
CREATE INDEX deliveries_first_tries ON deliveries (endpoint_id, txid, sequence)
  WHERE status = 'pending' AND attempts = 0 AND endpoint_id IS NOT NULL;
CREATE INDEX deliveries_age ON deliveries (created_at);

CREATE TABLE delivery_attempts (
  merchant_id uuid NOT NULL,
  delivery_id uuid NOT NULL,
  number integer NOT NULL CONSTRAINT delivery_attempts_number_check CHECK (number > 0),
  started_at timestamptz(3) NOT NULL,
  duration_ms integer NOT NULL,
  succeeded boolean NOT NULL,
  status_code integer,
  error text,
  request_head text,
  response_head text,
  CONSTRAINT delivery_attempts_pk PRIMARY KEY (merchant_id, delivery_id, number),
  CONSTRAINT delivery_attempts_delivery_fk FOREIGN KEY (merchant_id, delivery_id)
    REFERENCES deliveries (merchant_id, id) ON DELETE CASCADE,
  CONSTRAINT delivery_attempts_error_check CHECK (succeeded = (error IS NULL))
);
`;

const down = `
DROP TABLE delivery_attempts, deliveries, notification_recipients, webhook_endpoints, event_feeds;
DROP TRIGGER events_published_once ON events;
DROP TRIGGER events_append_only ON events;
DROP INDEX events_feed, events_unpublished;
ALTER TABLE events DROP COLUMN mode, DROP COLUMN position;
CREATE TRIGGER events_append_only BEFORE UPDATE OR DELETE ON events
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
`;

/** The event feed, and events on their way to endpoints and mailboxes. */
export class Notifications1763884800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
