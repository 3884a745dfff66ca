-- Tables of src/database/payouts/. The entities document the columns.

CREATE TABLE bank_accounts (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  mode text NOT NULL,
  holder text NOT NULL,
  iban text NOT NULL,
  created_by uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  usable_from timestamptz(3) NOT NULL,
  noticed_at timestamptz(3),
  confirmed_by uuid,
  confirmed_at timestamptz(3),
  retired_at timestamptz(3),
  CONSTRAINT bank_accounts_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT bank_accounts_confirmed_by_fk FOREIGN KEY (confirmed_by) REFERENCES users(id),
  CONSTRAINT bank_accounts_created_by_fk FOREIGN KEY (created_by) REFERENCES users(id),
  CONSTRAINT bank_accounts_merchant_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT bank_accounts_confirmed_check CHECK ((confirmed_by IS NULL) = (confirmed_at IS NULL)),
  CONSTRAINT bank_accounts_holder_check CHECK (char_length(holder) BETWEEN 1 AND 70),
  CONSTRAINT bank_accounts_iban_check CHECK (iban ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{8,30}$'),
  CONSTRAINT bank_accounts_mode_check CHECK (mode IN ('test', 'live')),
  CONSTRAINT bank_accounts_times_check
    CHECK (usable_from - greatest(created_at, noticed_at, confirmed_at) >= interval '24 hours')
);
CREATE UNIQUE INDEX bank_accounts_once ON bank_accounts (merchant_id, mode, iban) WHERE retired_at IS NULL;

CREATE TABLE bank_account_notices (
  merchant_id uuid NOT NULL,
  bank_account_id uuid NOT NULL,
  user_id uuid NOT NULL,
  attempts smallint NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3),
  sent_at timestamptz(3),
  is_seasoned boolean NOT NULL DEFAULT false,
  CONSTRAINT bank_account_notices_pk PRIMARY KEY (merchant_id, bank_account_id, user_id),
  CONSTRAINT bank_account_notices_account_fk FOREIGN KEY (merchant_id, bank_account_id)
    REFERENCES bank_accounts(merchant_id,id),
  CONSTRAINT bank_account_notices_user_fk FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT bank_account_notices_sent_check CHECK (sent_at IS NULL OR next_attempt_at IS NULL)
);
CREATE INDEX bank_account_notices_unsent ON bank_account_notices (next_attempt_at)
  WHERE next_attempt_at IS NOT NULL;

CREATE TABLE payout_files (
  id uuid NOT NULL,
  mode text NOT NULL,
  currency text NOT NULL,
  format text NOT NULL,
  message_id text NOT NULL,
  content text NOT NULL,
  sha256 bytea NOT NULL,
  payouts integer NOT NULL,
  amount bigint NOT NULL,
  created_by uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  not_sent_at timestamptz(3),
  CONSTRAINT payout_files_pk PRIMARY KEY (id),
  CONSTRAINT payout_files_created_by_fk FOREIGN KEY (created_by) REFERENCES users(id),
  CONSTRAINT payout_files_amount_check CHECK (amount > 0),
  CONSTRAINT payout_files_format_check CHECK (format IN ('pain.001.001.09', 'pain.001.001.03')),
  CONSTRAINT payout_files_mode_check CHECK (mode IN ('test', 'live')),
  CONSTRAINT payout_files_payouts_check CHECK (payouts > 0),
  CONSTRAINT payout_files_sha256_check CHECK (octet_length(sha256) = 32)
);
CREATE UNIQUE INDEX payout_files_message ON payout_files (message_id);

CREATE TABLE payouts (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  mode text NOT NULL,
  currency text NOT NULL,
  amount bigint NOT NULL,
  status text NOT NULL,
  status_reason text,
  bank_account_id uuid,
  refund_id uuid,
  holder text NOT NULL,
  iban text NOT NULL,
  remittance text,
  content_hash bytea,
  approved_hash bytea,
  requested_by uuid,
  form_id uuid,
  approved_by uuid,
  approved_at timestamptz(3),
  file_id uuid,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  paid_at timestamptz(3),
  CONSTRAINT payouts_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT payouts_merchant_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT payouts_approved_by_fk FOREIGN KEY (approved_by) REFERENCES users(id),
  CONSTRAINT payouts_bank_account_fk FOREIGN KEY (merchant_id, bank_account_id)
    REFERENCES bank_accounts(merchant_id,id),
  CONSTRAINT payouts_file_fk FOREIGN KEY (file_id) REFERENCES payout_files(id),
  CONSTRAINT payouts_requested_by_fk FOREIGN KEY (requested_by) REFERENCES users(id),
  CONSTRAINT payouts_amount_check CHECK (amount > 0),
  CONSTRAINT payouts_approved_check CHECK ((approved_by IS NULL) = (approved_at IS NULL)
    AND (approved_by IS NULL) = (approved_hash IS NULL) AND (approved_by IS NOT NULL
    OR status IN ('draft', 'pending_approval', 'rejected', 'cancelled'))),
  CONSTRAINT payouts_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
  CONSTRAINT payouts_file_check CHECK (file_id IS NOT NULL
    OR status NOT IN ('exported', 'submitted', 'paid', 'failed', 'returned')),
  CONSTRAINT payouts_hash_check CHECK (status IN ('draft', 'cancelled') OR content_hash IS NOT NULL),
  CONSTRAINT payouts_mode_check CHECK (mode IN ('test', 'live')),
  CONSTRAINT payouts_refund_check CHECK ((refund_id IS NULL) = (bank_account_id IS NOT NULL)
    AND (refund_id IS NULL) = (remittance IS NULL) AND (refund_id IS NULL OR refund_id = id)),
  CONSTRAINT payouts_remittance_check CHECK (remittance ~ '^[-A-Za-z0-9/?:().,''+ ]{1,140}$'),
  CONSTRAINT payouts_paid_at_check CHECK (paid_at IS NULL OR status IN ('paid', 'returned')),
  CONSTRAINT payouts_status_check CHECK (status IN ('draft', 'pending_approval', 'approved', 'exported',
    'submitted', 'paid', 'rejected', 'cancelled', 'failed', 'returned')),
  CONSTRAINT payouts_two_people_check CHECK (approved_by <> requested_by),
  CONSTRAINT payouts_version_check CHECK (version > 0)
);
CREATE INDEX payouts_list ON payouts (merchant_id, mode, id);
CREATE INDEX payouts_queue ON payouts (mode, status, id)
  WHERE status IN ('pending_approval', 'approved', 'exported', 'submitted');
CREATE INDEX payouts_waiting ON payouts (merchant_id, mode, id) WHERE status = 'pending_approval';
CREATE INDEX payouts_file ON payouts (file_id) WHERE file_id IS NOT NULL;
CREATE INDEX payouts_refunds ON payouts (merchant_id, updated_at) WHERE refund_id IS NOT NULL;
CREATE UNIQUE INDEX payouts_id ON payouts (id);
CREATE UNIQUE INDEX payouts_form ON payouts (merchant_id, mode, form_id) WHERE form_id IS NOT NULL;
ALTER TABLE events
  ADD CONSTRAINT events_payout_fk FOREIGN KEY (merchant_id, payout_id) REFERENCES payouts(merchant_id,id);
ALTER TABLE transfers
  ADD CONSTRAINT transfers_payout_fk FOREIGN KEY (merchant_id, payout_id) REFERENCES payouts(merchant_id,id);

CREATE TABLE payout_lines (
  merchant_id uuid NOT NULL,
  payout_id uuid NOT NULL,
  number integer NOT NULL,
  kind text NOT NULL,
  transfer_id uuid NOT NULL,
  txid uuid NOT NULL,
  amount bigint NOT NULL,
  CONSTRAINT payout_lines_pk PRIMARY KEY (merchant_id, payout_id, number),
  CONSTRAINT payout_lines_payout_fk FOREIGN KEY (merchant_id, payout_id) REFERENCES payouts(merchant_id,id),
  CONSTRAINT payout_lines_transfer_fk FOREIGN KEY (merchant_id, transfer_id)
    REFERENCES transfers(merchant_id,id),
  CONSTRAINT payout_lines_amount_check CHECK (amount <> 0),
  CONSTRAINT payout_lines_kind_check CHECK (kind IN ('order', 'fee', 'correction')),
  CONSTRAINT payout_lines_number_check CHECK (number > 0)
);
CREATE UNIQUE INDEX payout_lines_transfer ON payout_lines (merchant_id, transfer_id, payout_id);
CREATE INDEX payout_lines_order ON payout_lines (merchant_id, txid, payout_id) WHERE kind = 'order';
CREATE INDEX payout_lines_history ON payout_lines (merchant_id, payout_id, txid) WHERE kind = 'order';

CREATE TABLE payout_hands (
  merchant_id uuid NOT NULL,
  payout_id uuid NOT NULL,
  user_id uuid NOT NULL,
  act text NOT NULL,
  CONSTRAINT payout_hands_pk PRIMARY KEY (merchant_id, payout_id, user_id, act),
  CONSTRAINT payout_hands_payout_fk FOREIGN KEY (merchant_id, payout_id) REFERENCES payouts(merchant_id,id),
  CONSTRAINT payout_hands_user_fk FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT payout_hands_act_check CHECK (act IN ('requested', 'submitted', 'changed', 'scheduled',
    'account_added', 'account_confirmed', 'file_made', 'file_downloaded', 'not_sent', 'failed', 'returned',
    'earlier'))
);

CREATE TABLE payout_schedules (
  merchant_id uuid NOT NULL,
  mode text NOT NULL,
  currency text NOT NULL,
  frequency text NOT NULL,
  day integer,
  minimum_amount bigint NOT NULL,
  bank_account_id uuid NOT NULL,
  changed_by uuid array NOT NULL DEFAULT '{}',
  next_run_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  CONSTRAINT payout_schedules_pk PRIMARY KEY (merchant_id, mode, currency),
  CONSTRAINT payout_schedules_bank_account_fk FOREIGN KEY (merchant_id, bank_account_id)
    REFERENCES bank_accounts(merchant_id,id),
  CONSTRAINT payout_schedules_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
  CONSTRAINT payout_schedules_day_check
    CHECK (CASE frequency WHEN 'daily' THEN day IS NULL WHEN 'weekly' THEN day BETWEEN 1 AND 7 ELSE day BETWEEN
    1 AND 28 END),
  CONSTRAINT payout_schedules_frequency_check CHECK (frequency IN ('daily', 'weekly', 'monthly')),
  CONSTRAINT payout_schedules_minimum_check CHECK (minimum_amount > 0),
  CONSTRAINT payout_schedules_mode_check CHECK (mode IN ('test', 'live'))
);
CREATE INDEX payout_schedules_due ON payout_schedules (next_run_at);

CREATE TABLE single_operator_approvals (
  merchant_id uuid NOT NULL,
  payout_id uuid NOT NULL,
  user_id uuid NOT NULL,
  approved_at timestamptz(3) NOT NULL,
  waited_since timestamptz(3) NOT NULL,
  waiting_hours integer NOT NULL,
  CONSTRAINT single_operator_approvals_pk PRIMARY KEY (merchant_id, payout_id, approved_at),
  CONSTRAINT single_operator_approvals_payout_fk FOREIGN KEY (merchant_id, payout_id)
    REFERENCES payouts(merchant_id,id),
  CONSTRAINT single_operator_approvals_user_fk FOREIGN KEY (user_id) REFERENCES users(id)
);

CREATE TABLE money_hands (
  merchant_id uuid NOT NULL,
  txid uuid NOT NULL,
  user_id uuid NOT NULL,
  act text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT money_hands_pk PRIMARY KEY (merchant_id, txid, user_id, act, created_at),
  CONSTRAINT money_hands_order_fk FOREIGN KEY (merchant_id, txid) REFERENCES orders(merchant_id,txid),
  CONSTRAINT money_hands_user_fk FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT money_hands_act_check CHECK (act IN ('file_brought', 'profile_written', 'match_undone',
    'payer_added', 'same_booking', 'same_booking_undone', 'marked_distinct_undone', 'marked_distinct', 'account_proposed', 'matched',
    'transfers_allowed', 'money_accepted', 'refund_recorded', 'return_booked', 'report_handled',
    'return_undone', 'return_spared'))
);
CREATE INDEX money_hands_of_merchant ON money_hands (merchant_id)
  WHERE act = 'return_spared';
