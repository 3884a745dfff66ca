-- Tables of src/database/people/. The entities document the columns.

CREATE TABLE users (
  id uuid NOT NULL,
  email text NOT NULL,
  name text NOT NULL,
  password_hash text NOT NULL,
  platform_role text,
  totp_secret text,
  totp_confirmed_at timestamptz(3),
  totp_last_step bigint,
  wrong_codes integer NOT NULL DEFAULT 0,
  codes_from timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  disabled_at timestamptz(3),
  CONSTRAINT users_pk PRIMARY KEY (id),
  CONSTRAINT users_email_check CHECK (email = lower(email)),
  CONSTRAINT users_name_check CHECK (char_length(name) BETWEEN 1 AND 140),
  CONSTRAINT users_platform_role_check CHECK (platform_role IN ('support', 'operator')),
  CONSTRAINT users_totp_check CHECK (totp_confirmed_at IS NULL OR totp_secret IS NOT NULL)
);
CREATE UNIQUE INDEX users_email ON users (email);
ALTER TABLE merchants
  ADD CONSTRAINT merchants_transfers_allowed_by_fk FOREIGN KEY (transfers_allowed_by) REFERENCES users(id);

CREATE TABLE user_sessions (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  token_hash bytea NOT NULL,
  address text NOT NULL,
  agent text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  seen_at timestamptz(3) NOT NULL,
  second_factor_at timestamptz(3),
  wrong_guesses integer NOT NULL DEFAULT 0,
  ended_at timestamptz(3),
  CONSTRAINT user_sessions_pk PRIMARY KEY (id),
  CONSTRAINT user_sessions_user_fk FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT user_sessions_hash_check CHECK (octet_length(token_hash) = 32)
);
CREATE UNIQUE INDEX user_sessions_token ON user_sessions (token_hash);
CREATE INDEX user_sessions_user ON user_sessions (user_id) WHERE ended_at IS NULL;

CREATE TABLE user_links (
  id uuid NOT NULL,
  kind text NOT NULL,
  token text,
  token_hash bytea NOT NULL,
  email text NOT NULL,
  merchant_id uuid,
  role text,
  created_by uuid,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  attempts smallint NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3),
  sent_at timestamptz(3),
  CONSTRAINT user_links_pk PRIMARY KEY (id),
  CONSTRAINT user_links_created_by_fk FOREIGN KEY (created_by) REFERENCES users(id),
  CONSTRAINT user_links_merchant_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT user_links_kind_check CHECK (kind IN ('invitation', 'reset')),
  CONSTRAINT user_links_role_check CHECK ((kind = 'invitation') = (role IS NOT NULL)),
  CONSTRAINT user_links_unsent_check CHECK ((token IS NULL) = (next_attempt_at IS NULL))
);
CREATE UNIQUE INDEX user_links_token ON user_links (token_hash);
CREATE INDEX user_links_merchant ON user_links (merchant_id) WHERE used_at IS NULL;
CREATE INDEX user_links_unsent ON user_links (next_attempt_at) WHERE token IS NOT NULL;
CREATE UNIQUE INDEX user_links_open ON user_links (merchant_id, email) WHERE kind = 'invitation'
  AND used_at IS NULL;

CREATE TABLE user_recovery_codes (
  user_id uuid NOT NULL,
  code_hash bytea NOT NULL,
  used_at timestamptz(3),
  CONSTRAINT user_recovery_codes_pk PRIMARY KEY (user_id, code_hash),
  CONSTRAINT user_recovery_codes_user_fk FOREIGN KEY (user_id) REFERENCES users(id)
);

CREATE TABLE user_notices (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  kind text NOT NULL,
  merchant_id uuid,
  data jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  attempts smallint NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3),
  sent_at timestamptz(3),
  CONSTRAINT user_notices_pk PRIMARY KEY (id),
  CONSTRAINT user_notices_merchant_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT user_notices_user_fk FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT user_notices_kind_check
    CHECK (kind IN ('codes-guessed', 'owners-changed', 'endpoint-by-key', 'account-changed', 'signed-in',
    'statements-missing', 'collection-account', 'payout-waits', 'operator-closed', 'operator-access', 'refund-account')),
  CONSTRAINT user_notices_sent_check CHECK (sent_at IS NULL OR next_attempt_at IS NULL)
);
CREATE INDEX user_notices_unsent ON user_notices (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX user_notices_user ON user_notices (user_id, created_at);
CREATE INDEX user_notices_merchant ON user_notices (merchant_id, created_at);

CREATE TABLE sign_in_refusals (
  whose uuid NOT NULL,
  hour timestamptz(3) NOT NULL,
  tries bigint NOT NULL,
  CONSTRAINT sign_in_refusals_pk PRIMARY KEY (whose, hour),
  CONSTRAINT sign_in_refusals_tries_check CHECK (tries > 0)
);
CREATE INDEX sign_in_refusals_age ON sign_in_refusals (hour);

CREATE TABLE memberships (
  merchant_id uuid NOT NULL,
  user_id uuid NOT NULL,
  role text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  owner_since timestamptz(3),
  CONSTRAINT memberships_pk PRIMARY KEY (merchant_id, user_id),
  CONSTRAINT memberships_merchant_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT memberships_user_fk FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT memberships_role_check CHECK (role IN ('owner', 'developer', 'finance', 'viewer'))
);
CREATE INDEX memberships_user ON memberships (user_id);

CREATE TABLE merchant_people (
  merchant_id uuid NOT NULL,
  user_id uuid NOT NULL,
  CONSTRAINT merchant_people_pk PRIMARY KEY (merchant_id, user_id),
  CONSTRAINT merchant_people_merchant_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT merchant_people_user_fk FOREIGN KEY (user_id) REFERENCES users(id)
);

CREATE TABLE former_owners (
  merchant_id uuid NOT NULL,
  user_id uuid NOT NULL,
  until timestamptz(3) NOT NULL,
  since timestamptz(3),
  CONSTRAINT former_owners_pk PRIMARY KEY (merchant_id, user_id),
  CONSTRAINT former_owners_merchant_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT former_owners_user_fk FOREIGN KEY (user_id) REFERENCES users(id)
);

CREATE TABLE audit_entries (
  id uuid NOT NULL,
  merchant_id uuid,
  user_id uuid,
  session_id uuid,
  action text NOT NULL,
  subject text,
  data jsonb NOT NULL,
  address text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT audit_entries_pk PRIMARY KEY (id),
  CONSTRAINT audit_entries_merchant_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT audit_entries_user_fk FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX audit_entries_merchant ON audit_entries (merchant_id, id);
CREATE INDEX audit_entries_subject ON audit_entries (merchant_id, subject, id) WHERE subject IS NOT NULL;

CREATE TABLE operating_rules (
  id smallint NOT NULL,
  single_operator boolean NOT NULL,
  waiting_hours integer NOT NULL,
  changed_at timestamptz(3) NOT NULL,
  CONSTRAINT operating_rules_pk PRIMARY KEY (id),
  CONSTRAINT operating_rules_id_check CHECK (id = 1),
  CONSTRAINT operating_rules_waiting_hours_check CHECK (waiting_hours BETWEEN 1 AND 720)
);
INSERT INTO operating_rules VALUES (1, false, 24, 'epoch');
