-- Tables of src/database/merchants/ and providers/. The entities document the columns.

CREATE TABLE merchants (
  id uuid NOT NULL,
  name text NOT NULL,
  colour text NOT NULL DEFAULT '0b4f9e',
  logo_url text,
  contact_url text,
  time_zone text NOT NULL DEFAULT 'UTC',
  transfer_days integer NOT NULL DEFAULT 14,
  takes_transfers boolean NOT NULL DEFAULT false,
  transfers_allowed_by uuid,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT merchants_pk PRIMARY KEY (id),
  CONSTRAINT merchants_colour_check CHECK (colour ~ '^[0-9a-f]{6}$'),
  CONSTRAINT merchants_name_check CHECK (char_length(name) BETWEEN 1 AND 140),
  CONSTRAINT merchants_transfer_days_check CHECK (transfer_days BETWEEN 2 AND 60)
);

CREATE TABLE api_keys (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  mode text NOT NULL,
  key_hash bytea NOT NULL,
  hint text NOT NULL,
  scopes text array NOT NULL,
  api_version text NOT NULL,
  allowed_ips text array NOT NULL,
  created_by uuid,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  CONSTRAINT api_keys_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT api_keys_merchant_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT api_keys_hash_check CHECK (octet_length(key_hash) = 32),
  CONSTRAINT api_keys_mode_check CHECK (mode IN ('test', 'live'))
);
CREATE INDEX api_keys_hash ON api_keys (key_hash);

CREATE TABLE deprecated_calls (
  merchant_id uuid NOT NULL,
  api_key_id uuid NOT NULL,
  operation text NOT NULL,
  day date NOT NULL,
  calls bigint NOT NULL,
  CONSTRAINT deprecated_calls_pk PRIMARY KEY (merchant_id, api_key_id, operation, day),
  CONSTRAINT deprecated_calls_api_key_fk FOREIGN KEY (merchant_id, api_key_id)
    REFERENCES api_keys(merchant_id,id)
);

CREATE TABLE provider_accounts (
  merchant_id uuid NOT NULL,
  mode text NOT NULL,
  provider text NOT NULL,
  id uuid NOT NULL,
  callback_secret text NOT NULL,
  enabled boolean NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT provider_accounts_pk PRIMARY KEY (merchant_id, mode, provider),
  CONSTRAINT provider_accounts_merchant_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT provider_accounts_mode_check CHECK (mode IN ('test', 'live'))
);
CREATE INDEX provider_accounts_id ON provider_accounts (id);
