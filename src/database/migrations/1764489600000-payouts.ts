import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Files are what a bank was given: nothing of them changes but that they were not sent after all. */
const FILE_FACTS =
  'id, mode, currency, format, message_id, content, sha256, payouts, amount, created_by, created_at';

const up = `
CREATE TABLE bank_accounts (
  merchant_id uuid NOT NULL CONSTRAINT bank_accounts_merchant_fk REFERENCES merchants (id),
  id uuid NOT NULL,
  mode text NOT NULL CONSTRAINT bank_accounts_mode_check CHECK (mode IN ('test', 'live')),
  holder text NOT NULL CONSTRAINT bank_accounts_holder_check CHECK (char_length(holder) BETWEEN 1 AND 70),
  iban text NOT NULL CONSTRAINT bank_accounts_iban_check CHECK (iban ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{8,30}$'),
  created_by uuid NOT NULL CONSTRAINT bank_accounts_created_by_fk REFERENCES users (id),
  created_at timestamptz(3) NOT NULL,
  usable_from timestamptz(3) NOT NULL,
  confirmed_by uuid CONSTRAINT bank_accounts_confirmed_by_fk REFERENCES users (id),
  confirmed_at timestamptz(3),
  retired_at timestamptz(3),
  CONSTRAINT bank_accounts_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT bank_accounts_confirmed_check CHECK ((confirmed_by IS NULL) = (confirmed_at IS NULL)),
  CONSTRAINT bank_accounts_times_check CHECK (usable_from >= created_at)
);
CREATE UNIQUE INDEX bank_accounts_once ON bank_accounts (merchant_id, mode, iban)
  WHERE retired_at IS NULL;

CREATE TABLE bank_account_notices (
  merchant_id uuid NOT NULL,
  bank_account_id uuid NOT NULL,
  user_id uuid NOT NULL CONSTRAINT bank_account_notices_user_fk REFERENCES users (id),
  attempts smallint NOT NULL DEFAULT '0',
  next_attempt_at timestamptz(3),
  sent_at timestamptz(3),
  CONSTRAINT bank_account_notices_pk PRIMARY KEY (merchant_id, bank_account_id, user_id),
  CONSTRAINT bank_account_notices_account_fk
    FOREIGN KEY (merchant_id, bank_account_id) REFERENCES bank_accounts (merchant_id, id),
  CONSTRAINT bank_account_notices_sent_check CHECK (sent_at IS NULL OR next_attempt_at IS NULL)
);
CREATE INDEX bank_account_notices_unsent ON bank_account_notices (next_attempt_at)
  WHERE next_attempt_at IS NOT NULL;

CREATE TABLE payout_files (
  id uuid CONSTRAINT payout_files_pk PRIMARY KEY,
  mode text NOT NULL CONSTRAINT payout_files_mode_check CHECK (mode IN ('test', 'live')),
  currency text NOT NULL,
  format text NOT NULL
    CONSTRAINT payout_files_format_check CHECK (format IN ('pain.001.001.09', 'pain.001.001.03')),
  message_id text NOT NULL,
  content text NOT NULL,
  sha256 bytea NOT NULL CONSTRAINT payout_files_sha256_check CHECK (octet_length(sha256) = 32),
  payouts integer NOT NULL CONSTRAINT payout_files_payouts_check CHECK (payouts > 0),
  amount bigint NOT NULL CONSTRAINT payout_files_amount_check CHECK (amount > 0),
  created_by uuid NOT NULL CONSTRAINT payout_files_created_by_fk REFERENCES users (id),
  created_at timestamptz(3) NOT NULL,
  not_sent_at timestamptz(3)
);
CREATE UNIQUE INDEX payout_files_message ON payout_files (message_id);
CREATE TRIGGER payout_files_immutable BEFORE DELETE OR UPDATE OF ${FILE_FACTS} ON payout_files
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_files_not_sent_once BEFORE UPDATE OF not_sent_at ON payout_files
  FOR EACH ROW WHEN (OLD.not_sent_at IS NOT NULL) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_files_no_truncate BEFORE TRUNCATE ON payout_files
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE payouts (
  merchant_id uuid NOT NULL CONSTRAINT payouts_merchant_fk REFERENCES merchants (id),
  id uuid NOT NULL,
  mode text NOT NULL CONSTRAINT payouts_mode_check CHECK (mode IN ('test', 'live')),
  currency text NOT NULL CONSTRAINT payouts_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
  amount bigint NOT NULL CONSTRAINT payouts_amount_check CHECK (amount > 0),
  status text NOT NULL CONSTRAINT payouts_status_check CHECK (status IN ('draft',
    'pending_approval', 'approved', 'exported', 'submitted', 'paid', 'rejected', 'cancelled',
    'failed', 'returned')),
  status_reason text,
  bank_account_id uuid NOT NULL,
  holder text NOT NULL,
  iban text NOT NULL,
  content_hash bytea,
  approved_hash bytea,
  requested_by uuid CONSTRAINT payouts_requested_by_fk REFERENCES users (id),
  approved_by uuid CONSTRAINT payouts_approved_by_fk REFERENCES users (id),
  approved_at timestamptz(3),
  file_id uuid CONSTRAINT payouts_file_fk REFERENCES payout_files (id),
  version integer NOT NULL DEFAULT 1 CONSTRAINT payouts_version_check CHECK (version > 0),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  paid_at timestamptz(3),
  CONSTRAINT payouts_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT payouts_bank_account_fk
    FOREIGN KEY (merchant_id, bank_account_id) REFERENCES bank_accounts (merchant_id, id),
  CONSTRAINT payouts_two_people_check CHECK (approved_by <> requested_by),
  CONSTRAINT payouts_hash_check CHECK (status IN ('draft', 'cancelled') OR content_hash IS NOT NULL),
  CONSTRAINT payouts_approved_check CHECK ((approved_by IS NULL) = (approved_at IS NULL)
    AND (approved_by IS NULL) = (approved_hash IS NULL)
    AND (approved_by IS NOT NULL OR status IN
      ('draft', 'pending_approval', 'rejected', 'cancelled'))),
  CONSTRAINT payouts_file_check CHECK (file_id IS NOT NULL OR status NOT IN
    ('exported', 'submitted', 'paid', 'failed', 'returned')),
  CONSTRAINT payouts_paid_at_check CHECK (paid_at IS NULL OR status IN ('paid', 'returned'))
);
CREATE INDEX payouts_list ON payouts (merchant_id, mode, id);
CREATE INDEX payouts_queue ON payouts (mode, status, id)
  WHERE status IN ('pending_approval', 'approved', 'exported', 'submitted');
CREATE INDEX payouts_file ON payouts (file_id) WHERE file_id IS NOT NULL;

CREATE TABLE payout_lines (
  merchant_id uuid NOT NULL,
  payout_id uuid NOT NULL,
  number integer NOT NULL CONSTRAINT payout_lines_number_check CHECK (number > 0),
  kind text NOT NULL CONSTRAINT payout_lines_kind_check CHECK (kind IN ('order', 'fee', 'correction')),
  transfer_id uuid NOT NULL,
  txid uuid NOT NULL,
  amount bigint NOT NULL CONSTRAINT payout_lines_amount_check CHECK (amount <> 0),
  CONSTRAINT payout_lines_pk PRIMARY KEY (merchant_id, payout_id, number),
  CONSTRAINT payout_lines_payout_fk
    FOREIGN KEY (merchant_id, payout_id) REFERENCES payouts (merchant_id, id),
  CONSTRAINT payout_lines_transfer_fk
    FOREIGN KEY (merchant_id, transfer_id) REFERENCES transfers (merchant_id, id)
);
CREATE UNIQUE INDEX payout_lines_transfer ON payout_lines (merchant_id, transfer_id, payout_id);
CREATE INDEX payout_lines_order ON payout_lines (merchant_id, txid, payout_id) WHERE kind = 'order';
CREATE INDEX payout_lines_history ON payout_lines (merchant_id, payout_id, txid)
  WHERE kind = 'order';

ALTER TABLE transfers ADD CONSTRAINT transfers_payout_fk
  FOREIGN KEY (merchant_id, payout_id) REFERENCES payouts (merchant_id, id);

CREATE TABLE payout_schedules (
  merchant_id uuid NOT NULL,
  mode text NOT NULL CONSTRAINT payout_schedules_mode_check CHECK (mode IN ('test', 'live')),
  currency text NOT NULL CONSTRAINT payout_schedules_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
  frequency text NOT NULL
    CONSTRAINT payout_schedules_frequency_check CHECK (frequency IN ('daily', 'weekly', 'monthly')),
  day integer,
  minimum_amount bigint NOT NULL
    CONSTRAINT payout_schedules_minimum_check CHECK (minimum_amount > 0),
  bank_account_id uuid NOT NULL,
  next_run_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  CONSTRAINT payout_schedules_pk PRIMARY KEY (merchant_id, mode, currency),
  CONSTRAINT payout_schedules_bank_account_fk
    FOREIGN KEY (merchant_id, bank_account_id) REFERENCES bank_accounts (merchant_id, id),
  CONSTRAINT payout_schedules_day_check CHECK (CASE frequency WHEN 'daily' THEN day IS NULL
    WHEN 'weekly' THEN day BETWEEN 1 AND 7 ELSE day BETWEEN 1 AND 28 END)
);
CREATE INDEX payout_schedules_due ON payout_schedules (next_run_at);

ALTER TABLE events
  ALTER COLUMN txid DROP NOT NULL,
  ADD COLUMN payout_id uuid,
  ADD CONSTRAINT events_payout_fk
    FOREIGN KEY (merchant_id, payout_id) REFERENCES payouts (merchant_id, id),
  ADD CONSTRAINT events_subject_check CHECK ((txid IS NULL) <> (payout_id IS NULL));
CREATE UNIQUE INDEX events_payout ON events (merchant_id, payout_id, sequence)
  WHERE payout_id IS NOT NULL;
CREATE TRIGGER events_payout_append_only BEFORE UPDATE OF payout_id ON events
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

ALTER TABLE deliveries
  DROP CONSTRAINT deliveries_order_check,
  ADD CONSTRAINT deliveries_event_check
    CHECK (event_id IS NOT NULL OR (txid IS NULL AND sequence IS NULL));
`;

const down = `
ALTER TABLE deliveries
  DROP CONSTRAINT deliveries_event_check,
  ADD CONSTRAINT deliveries_order_check
    CHECK ((event_id IS NULL) = (txid IS NULL) AND (txid IS NULL) = (sequence IS NULL));
DROP TRIGGER events_payout_append_only ON events;
DROP INDEX events_payout;
ALTER TABLE events DROP COLUMN payout_id, ALTER COLUMN txid SET NOT NULL;
ALTER TABLE transfers DROP CONSTRAINT transfers_payout_fk;
DROP TABLE payout_schedules, payout_lines, payouts, payout_files, bank_account_notices,
  bank_accounts;
`;

/** Money that goes on to merchants' banks. */
export class Payouts1764489600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
