-- Tables of src/database/bank/. The entities document the columns.

CREATE TABLE collection_accounts (
  id uuid NOT NULL,
  mode text NOT NULL,
  currency text NOT NULL,
  holder text NOT NULL,
  account text NOT NULL,
  bic text,
  bank_name text,
  position integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  disabled_at timestamptz(3),
  missing_notified_after date,
  CONSTRAINT collection_accounts_pk PRIMARY KEY (id),
  CONSTRAINT collection_accounts_account_check CHECK (char_length(account) BETWEEN 1 AND 64),
  CONSTRAINT collection_accounts_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
  CONSTRAINT collection_accounts_holder_check CHECK (char_length(holder) BETWEEN 1 AND 70),
  CONSTRAINT collection_accounts_mode_check CHECK (mode IN ('test', 'live'))
);
CREATE UNIQUE INDEX collection_accounts_once ON collection_accounts (mode, currency, account)
  WHERE disabled_at IS NULL;

CREATE TABLE collection_account_changes (
  id uuid NOT NULL,
  kind text NOT NULL,
  account_id uuid NOT NULL,
  currency text NOT NULL,
  holder text NOT NULL,
  account text NOT NULL,
  bic text,
  bank_name text,
  proposed_by uuid,
  proposed_from text NOT NULL,
  proposed_at timestamptz(3) NOT NULL,
  confirmed_by uuid,
  confirmed_at timestamptz(3),
  rule text,
  effective_at timestamptz(3),
  withdrawn_by uuid,
  withdrawn_at timestamptz(3),
  applied_at timestamptz(3),
  position integer,
  CONSTRAINT collection_account_changes_pk PRIMARY KEY (id),
  CONSTRAINT collection_account_changes_confirmed_by_fk FOREIGN KEY (confirmed_by) REFERENCES users(id),
  CONSTRAINT collection_account_changes_proposed_by_fk FOREIGN KEY (proposed_by) REFERENCES users(id),
  CONSTRAINT collection_account_changes_withdrawn_by_fk FOREIGN KEY (withdrawn_by) REFERENCES users(id),
  CONSTRAINT collection_account_changes_applied_check CHECK (applied_at IS NULL OR (withdrawn_at IS NULL
    AND coalesce(effective_at <= applied_at, false))),
  CONSTRAINT collection_account_changes_confirmed_check
    CHECK (num_nonnulls(confirmed_at, effective_at, rule) IN (0, 3)
    AND (confirmed_by IS NULL) = (coalesce(rule, 'earlier') = 'earlier')),
  CONSTRAINT collection_account_changes_kind_check CHECK (kind IN ('add', 'prefer', 'disable')),
  CONSTRAINT collection_account_changes_position_check CHECK ((position IS NULL) = (applied_at IS NULL
    OR kind = 'disable')),
  CONSTRAINT collection_account_changes_rule_check
    CHECK (rule IN ('two_people', 'command_line', 'single_operator', 'earlier')),
  CONSTRAINT collection_account_changes_withdrawn_check CHECK ((withdrawn_by IS NULL) = (withdrawn_at IS NULL))
);
CREATE UNIQUE INDEX collection_account_changes_once ON collection_account_changes (account_id, kind)
  WHERE applied_at IS NULL AND withdrawn_at IS NULL;
CREATE UNIQUE INDEX collection_account_changes_add_once ON collection_account_changes (currency, account)
  WHERE kind = 'add' AND applied_at IS NULL AND withdrawn_at IS NULL;
CREATE INDEX collection_account_changes_account ON collection_account_changes (account_id);

CREATE TABLE transfer_references (
  merchant_id uuid NOT NULL,
  txid uuid NOT NULL,
  mode text NOT NULL,
  reference text NOT NULL,
  collection_account_id uuid NOT NULL,
  waits_until date,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT transfer_references_pk PRIMARY KEY (merchant_id, txid),
  CONSTRAINT transfer_references_account_fk FOREIGN KEY (collection_account_id)
    REFERENCES collection_accounts(id),
  CONSTRAINT transfer_references_order_fk FOREIGN KEY (merchant_id, txid) REFERENCES orders(merchant_id,txid),
  CONSTRAINT transfer_references_mode_check CHECK (mode IN ('test', 'live')),
  CONSTRAINT transfer_references_reference_check CHECK (reference ~ '^RF[0-9]{18}$'
    AND (substr(reference, 5, 1) = '0') = (mode = 'test'))
);
CREATE UNIQUE INDEX transfer_references_once ON transfer_references (reference);
CREATE INDEX transfer_references_waiting ON transfer_references (merchant_id, mode, waits_until)
  WHERE waits_until IS NOT NULL;
CREATE INDEX transfer_references_newest ON transfer_references (mode, created_at) WHERE waits_until IS NOT NULL;

CREATE TABLE csv_profiles (
  id uuid NOT NULL,
  name text NOT NULL,
  profile json NOT NULL,
  created_by uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  removed_by uuid,
  removed_at timestamptz(3),
  CONSTRAINT csv_profiles_pk PRIMARY KEY (id),
  CONSTRAINT csv_profiles_created_by_fk FOREIGN KEY (created_by) REFERENCES users(id),
  CONSTRAINT csv_profiles_removed_by_fk FOREIGN KEY (removed_by) REFERENCES users(id),
  CONSTRAINT csv_profiles_name_check CHECK (char_length(name) BETWEEN 1 AND 140
    AND name !~* '/|\.json$'),
  CONSTRAINT csv_profiles_removed_check CHECK ((removed_by IS NULL) = (removed_at IS NULL))
);
CREATE UNIQUE INDEX csv_profiles_once ON csv_profiles (name) WHERE removed_at IS NULL;

CREATE TABLE bank_files (
  id uuid NOT NULL,
  mode text NOT NULL,
  sha256 bytea NOT NULL,
  reading text NOT NULL DEFAULT '',
  name text NOT NULL,
  size bigint NOT NULL,
  format text NOT NULL,
  source text NOT NULL,
  brought_by uuid,
  warnings json NOT NULL,
  created_at timestamptz(3) NOT NULL,
  imported_at timestamptz(3),
  CONSTRAINT bank_files_pk PRIMARY KEY (id),
  CONSTRAINT bank_files_brought_by_fk FOREIGN KEY (brought_by) REFERENCES users(id),
  CONSTRAINT bank_files_mode_check CHECK (mode IN ('test', 'live')),
  CONSTRAINT bank_files_sha256_check CHECK (octet_length(sha256) = 32),
  CONSTRAINT bank_files_source_check CHECK (source IN ('cli', 'folder', 'portal'))
);
CREATE UNIQUE INDEX bank_files_once ON bank_files (mode, sha256, reading);

CREATE TABLE bank_file_parts (
  file_id uuid NOT NULL,
  number integer NOT NULL,
  content bytea NOT NULL,
  CONSTRAINT bank_file_parts_pk PRIMARY KEY (file_id, number),
  CONSTRAINT bank_file_parts_file_fk FOREIGN KEY (file_id) REFERENCES bank_files(id) ON DELETE CASCADE
);

CREATE TABLE bank_file_hands (
  file_id uuid NOT NULL,
  user_id uuid NOT NULL,
  act text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT bank_file_hands_pk PRIMARY KEY (file_id, user_id, act),
  CONSTRAINT bank_file_hands_file_fk FOREIGN KEY (file_id) REFERENCES bank_files(id),
  CONSTRAINT bank_file_hands_user_fk FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT bank_file_hands_act_check CHECK (act IN ('file_brought', 'profile_written'))
);

CREATE TABLE bank_file_tries (
  id uuid NOT NULL,
  mode text NOT NULL,
  sha256 bytea NOT NULL,
  alive_at timestamptz(3) NOT NULL,
  failed boolean NOT NULL DEFAULT false,
  CONSTRAINT bank_file_tries_pk PRIMARY KEY (id),
  CONSTRAINT bank_file_tries_mode_check CHECK (mode IN ('test', 'live'))
);
CREATE INDEX bank_file_tries_file ON bank_file_tries (mode, sha256);

CREATE TABLE bank_statements (
  id uuid NOT NULL,
  mode text NOT NULL,
  file_id uuid NOT NULL,
  number integer NOT NULL,
  format text NOT NULL,
  statement_id text,
  sequence text,
  account text NOT NULL,
  currency text,
  opening_balance bigint,
  closing_balance bigint,
  balanced boolean,
  covers_until date,
  covers_from date,
  booked_from date,
  booked_until date,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT bank_statements_pk PRIMARY KEY (id),
  CONSTRAINT bank_statements_file_fk FOREIGN KEY (file_id) REFERENCES bank_files(id),
  CONSTRAINT bank_statements_booked_check CHECK (booked_from <= booked_until),
  CONSTRAINT bank_statements_mode_check CHECK (mode IN ('test', 'live'))
);
CREATE UNIQUE INDEX bank_statements_of_file ON bank_statements (file_id, number);
CREATE INDEX bank_statements_account ON bank_statements (mode, account, covers_until);
CREATE INDEX bank_statements_booked ON bank_statements (mode, account, booked_until);

CREATE TABLE bank_lines (
  id uuid NOT NULL,
  mode text NOT NULL,
  account text NOT NULL,
  key text COLLATE "C" NOT NULL,
  ordinal integer NOT NULL,
  booked_on date,
  valued_on date,
  amount bigint,
  amount_text text,
  currency text,
  direction text NOT NULL,
  status text NOT NULL,
  kind text NOT NULL,
  reversal boolean NOT NULL,
  returned boolean NOT NULL,
  contradicts text,
  counterparty_name text,
  counterparty_account text,
  counterparty_account_type text,
  counterparty_bic text,
  payer_references json NOT NULL,
  end_to_end_id text,
  bank_reference text,
  text text,
  named_reference text COLLATE "C",
  identifiers json NOT NULL,
  state text NOT NULL,
  reason text,
  parent_id uuid,
  batch_id uuid,
  batch_key text COLLATE "C",
  unproven text,
  duplicate_of uuid,
  marked_distinct_by uuid,
  formats text[] NOT NULL DEFAULT '{}',
  has_paid boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL,
  looked_at timestamptz(3),
  CONSTRAINT bank_lines_pk PRIMARY KEY (id),
  CONSTRAINT bank_lines_duplicate_of_fk FOREIGN KEY (duplicate_of) REFERENCES bank_lines(id),
  CONSTRAINT bank_lines_marked_distinct_by_fk FOREIGN KEY (marked_distinct_by) REFERENCES users(id),
  CONSTRAINT bank_lines_amount_check CHECK ((amount IS NULL) = (amount_text IS NOT NULL) AND amount >= 0),
  CONSTRAINT bank_lines_direction_check CHECK (direction IN ('in', 'out')),
  CONSTRAINT bank_lines_duplicate_check CHECK (duplicate_of <> id),
  CONSTRAINT bank_lines_mode_check CHECK (mode IN ('test', 'live')),
  CONSTRAINT bank_lines_state_check CHECK (state IN ('announced', 'matched', 'suggested', 'unmatched',
    'not_a_payment', 'ignored', 'superseded')),
  CONSTRAINT bank_lines_status_check CHECK (status IN ('booked', 'announced')),
  CONSTRAINT bank_lines_marked_distinct_check CHECK (marked_distinct_by IS NULL OR duplicate_of IS NOT NULL),
  CONSTRAINT bank_lines_unproven_check
    CHECK (unproven IN ('statement_not_balanced', 'statement_without_balance', 'read_before',
      'booked_in_future'))
);
CREATE UNIQUE INDEX bank_lines_once ON bank_lines (key, account, mode, ordinal);
CREATE INDEX bank_lines_day ON bank_lines (mode, account, booked_on, id);
CREATE INDEX bank_lines_new ON bank_lines (id) WHERE looked_at IS NULL;
CREATE INDEX bank_lines_amount ON bank_lines (mode, account, amount) WHERE direction = 'in';
CREATE INDEX bank_lines_amount_out ON bank_lines (mode, amount, account) WHERE direction = 'out';
CREATE INDEX bank_lines_waiting ON bank_lines (mode, id) WHERE state IN ('suggested', 'unmatched');
CREATE INDEX bank_lines_unknown_money_out ON bank_lines (mode, id) WHERE (state = 'not_a_payment'
  AND reason = 'unknown_money_out');
CREATE INDEX bank_lines_announced ON bank_lines (mode, account, key) WHERE status = 'announced';
CREATE INDEX bank_lines_announced_out ON bank_lines (mode, account) WHERE direction = 'out' AND state = 'announced';
CREATE INDEX bank_lines_batch ON bank_lines (mode, account, batch_key) WHERE batch_key IS NOT NULL;
CREATE INDEX bank_lines_state ON bank_lines (mode, state, id);
CREATE INDEX bank_lines_payer ON bank_lines (mode, left(counterparty_account, 64))
  WHERE state = 'matched';
CREATE INDEX bank_lines_bank_reference
  ON bank_lines (COALESCE(('=' || left(COALESCE((identifiers ->> 'transactionBankReference'), (identifiers ->>
  'entryBankReference')), 16)), CASE WHEN (end_to_end_id IS NULL) THEN '' ELSE '-' END) COLLATE "C", account,
  mode, key, ordinal);
CREATE INDEX bank_lines_entry_reference
  ON bank_lines ((('=' || left((identifiers ->> 'entryBankReference'), 16))) COLLATE "C", account, mode, key,
  ordinal) WHERE ((identifiers ->> 'transactionBankReference') IS NOT NULL);
CREATE INDEX bank_lines_end_to_end_id
  ON bank_lines (COALESCE(('=' || left(end_to_end_id, 64)), '') COLLATE "C", account, mode, key, ordinal);
CREATE INDEX bank_lines_uetr ON bank_lines ((identifiers ->> 'uetr'), account, mode)
  WHERE (identifiers ->> 'uetr') IS NOT NULL;
CREATE INDEX bank_lines_transaction_id ON bank_lines ((identifiers ->> 'transactionId'), account, mode)
  WHERE (identifiers ->> 'transactionId') IS NOT NULL;
CREATE INDEX bank_lines_duplicate_of ON bank_lines (duplicate_of) WHERE duplicate_of IS NOT NULL;
CREATE INDEX bank_lines_requeued ON bank_lines (reason, mode, account)
  WHERE reason IN ('more_than_due', 'unknown_account', 'payout_elsewhere', 'total_or_payment', 'statements_differ',
    'unknown_money_back');
CREATE INDEX bank_lines_paid ON bank_lines (mode, account, direction, formats,
  coalesce(booked_on, valued_on, (created_at AT TIME ZONE 'UTC')::date))
  WHERE has_paid AND state <> 'superseded';
CREATE INDEX bank_lines_parent ON bank_lines (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX bank_lines_named_reference ON bank_lines (named_reference, account, mode, key, ordinal)
  WHERE named_reference IS NOT NULL;
CREATE INDEX bank_lines_naming_out ON bank_lines (mode, booked_on) WHERE direction = 'out'
  AND named_reference IS NOT NULL;
CREATE INDEX bank_lines_waiting_returns ON bank_lines (mode, account) WHERE direction = 'out'
  AND status = 'booked' AND state IN ('suggested', 'unmatched');

CREATE TABLE bank_line_places (
  statement_id uuid NOT NULL,
  entry integer NOT NULL,
  detail integer NOT NULL,
  line_id uuid NOT NULL,
  status text,
  CONSTRAINT bank_line_places_pk PRIMARY KEY (statement_id, entry, detail),
  CONSTRAINT bank_line_places_line_fk FOREIGN KEY (line_id) REFERENCES bank_lines(id),
  CONSTRAINT bank_line_places_statement_fk FOREIGN KEY (statement_id) REFERENCES bank_statements(id),
  CONSTRAINT bank_line_places_status_check CHECK (status IN ('booked', 'announced'))
);
CREATE INDEX bank_line_places_line ON bank_line_places (line_id);

CREATE TABLE bank_line_notes (
  id uuid NOT NULL,
  line_id uuid NOT NULL,
  user_id uuid NOT NULL,
  text text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT bank_line_notes_pk PRIMARY KEY (id),
  CONSTRAINT bank_line_notes_line_fk FOREIGN KEY (line_id) REFERENCES bank_lines(id),
  CONSTRAINT bank_line_notes_user_fk FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT bank_line_notes_text_check CHECK (char_length(text) BETWEEN 1 AND 1000)
);
CREATE INDEX bank_line_notes_line ON bank_line_notes (line_id, id);

CREATE TABLE bank_line_tries (
  line_id uuid NOT NULL,
  tries smallint NOT NULL,
  tried_at timestamptz(3) NOT NULL,
  CONSTRAINT bank_line_tries_pk PRIMARY KEY (line_id),
  CONSTRAINT bank_line_tries_tries_check CHECK (tries > 0)
);

CREATE TABLE bank_line_hands (
  line_id uuid NOT NULL,
  user_id uuid NOT NULL,
  act text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT bank_line_hands_pk PRIMARY KEY (line_id, user_id, act, created_at),
  CONSTRAINT bank_line_hands_line_fk FOREIGN KEY (line_id) REFERENCES bank_lines(id),
  CONSTRAINT bank_line_hands_user_fk FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT bank_line_hands_act_check
    CHECK (act IN ('match_undone', 'payer_added', 'same_booking', 'same_booking_undone', 'marked_distinct_undone'))
);

CREATE TABLE bank_line_distinctions (
  line_id uuid NOT NULL,
  other_id uuid NOT NULL,
  user_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT bank_line_distinctions_pk PRIMARY KEY (line_id, other_id),
  CONSTRAINT bank_line_distinctions_line_fk FOREIGN KEY (line_id) REFERENCES bank_lines(id),
  CONSTRAINT bank_line_distinctions_other_fk FOREIGN KEY (other_id) REFERENCES bank_lines(id),
  CONSTRAINT bank_line_distinctions_user_fk FOREIGN KEY (user_id) REFERENCES users(id)
);

CREATE TABLE bank_line_merges (
  line_id uuid NOT NULL,
  other_id uuid NOT NULL,
  places json NOT NULL,
  text text,
  payer_references json NOT NULL,
  end_to_end_id text,
  named_reference text,
  counterparty_name text,
  counterparty_account text,
  counterparty_account_type text,
  counterparty_bic text,
  unproven text,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT bank_line_merges_pk PRIMARY KEY (line_id),
  CONSTRAINT bank_line_merges_line_fk FOREIGN KEY (line_id) REFERENCES bank_lines(id),
  CONSTRAINT bank_line_merges_other_fk FOREIGN KEY (other_id) REFERENCES bank_lines(id)
);
CREATE INDEX bank_line_merges_other ON bank_line_merges (other_id);

CREATE TABLE bank_allocations (
  merchant_id uuid NOT NULL,
  payment_id uuid NOT NULL,
  txid uuid NOT NULL,
  line_id uuid NOT NULL,
  amount bigint NOT NULL,
  evidence json NOT NULL,
  matched_by uuid,
  payer_account text,
  created_at timestamptz(3) NOT NULL,
  undone_at timestamptz(3),
  undone_by_line_id uuid,
  CONSTRAINT bank_allocations_pk PRIMARY KEY (merchant_id, payment_id),
  CONSTRAINT bank_allocations_line_fk FOREIGN KEY (line_id) REFERENCES bank_lines(id),
  CONSTRAINT bank_allocations_matched_by_fk FOREIGN KEY (matched_by) REFERENCES users(id),
  CONSTRAINT bank_allocations_payment_fk FOREIGN KEY (merchant_id, payment_id)
    REFERENCES payments(merchant_id,id),
  CONSTRAINT bank_allocations_amount_check CHECK (amount > 0)
);
CREATE INDEX bank_allocations_line ON bank_allocations (line_id);

CREATE TABLE bank_returns (
  line_id uuid NOT NULL,
  merchant_id uuid NOT NULL,
  payment_id uuid NOT NULL,
  amount bigint NOT NULL,
  said_by uuid,
  created_at timestamptz(3) NOT NULL,
  undone_at timestamptz(3),
  undone_by uuid,
  CONSTRAINT bank_returns_pk PRIMARY KEY (line_id, merchant_id, payment_id, created_at),
  CONSTRAINT bank_returns_line_fk FOREIGN KEY (line_id) REFERENCES bank_lines(id),
  CONSTRAINT bank_returns_said_by_fk FOREIGN KEY (said_by) REFERENCES users(id),
  CONSTRAINT bank_returns_undone_by_fk FOREIGN KEY (undone_by) REFERENCES users(id),
  CONSTRAINT bank_returns_allocation_fk FOREIGN KEY (merchant_id, payment_id)
    REFERENCES bank_allocations(merchant_id,payment_id),
  CONSTRAINT bank_returns_amount_check CHECK (amount > 0),
  CONSTRAINT bank_returns_undone_check CHECK ((undone_at IS NULL) = (undone_by IS NULL))
);
CREATE INDEX bank_returns_payment ON bank_returns (merchant_id, payment_id);

CREATE TABLE bank_payout_lines (
  merchant_id uuid NOT NULL,
  payout_id uuid NOT NULL,
  direction text NOT NULL,
  line_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT bank_payout_lines_pk PRIMARY KEY (merchant_id, payout_id, direction),
  CONSTRAINT bank_payout_lines_line_fk FOREIGN KEY (line_id) REFERENCES bank_lines(id),
  CONSTRAINT bank_payout_lines_payout_fk FOREIGN KEY (merchant_id, payout_id) REFERENCES payouts(merchant_id,id),
  CONSTRAINT bank_payout_lines_direction_check CHECK (direction IN ('in', 'out'))
);
CREATE INDEX bank_payout_lines_line ON bank_payout_lines (line_id);

CREATE TABLE outgoing_hands (
  mode text NOT NULL,
  account text NOT NULL,
  user_id uuid NOT NULL,
  act text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  booked_on date NOT NULL,
  CONSTRAINT outgoing_hands_pk PRIMARY KEY (mode, account, user_id, act, created_at, booked_on),
  CONSTRAINT outgoing_hands_user_fk FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT outgoing_hands_act_check CHECK (act IN ('outgoing_brought', 'outgoing_decided'))
);
