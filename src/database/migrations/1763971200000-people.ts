import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = `
ALTER TABLE merchants ADD COLUMN time_zone text NOT NULL DEFAULT 'UTC';

CREATE TABLE users (
  id uuid CONSTRAINT users_pk PRIMARY KEY,
  email text NOT NULL CONSTRAINT users_email_check CHECK (email = lower(email)),
  name text NOT NULL CONSTRAINT users_name_check CHECK (char_length(name) BETWEEN 1 AND 140),
  password_hash text NOT NULL,
  platform_role text
    CONSTRAINT users_platform_role_check CHECK (platform_role IN ('support', 'operator')),
  totp_secret text,
  totp_confirmed_at timestamptz(3),
  totp_last_step bigint,
  created_at timestamptz(3) NOT NULL,
  disabled_at timestamptz(3),
  CONSTRAINT users_totp_check CHECK (totp_confirmed_at IS NULL OR totp_secret IS NOT NULL)
);
CREATE UNIQUE INDEX users_email ON users (email);

CREATE TABLE memberships (
  merchant_id uuid NOT NULL CONSTRAINT memberships_merchant_fk REFERENCES merchants (id),
  user_id uuid NOT NULL CONSTRAINT memberships_user_fk REFERENCES users (id),
  role text NOT NULL
    CONSTRAINT memberships_role_check CHECK (role IN ('owner', 'developer', 'finance', 'viewer')),
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT memberships_pk PRIMARY KEY (merchant_id, user_id)
);
CREATE INDEX memberships_user ON memberships (user_id);

CREATE TABLE user_sessions (
  id uuid CONSTRAINT user_sessions_pk PRIMARY KEY,
  user_id uuid NOT NULL CONSTRAINT user_sessions_user_fk REFERENCES users (id),
  token_hash bytea NOT NULL
    CONSTRAINT user_sessions_hash_check CHECK (octet_length(token_hash) = 32),
  address text NOT NULL,
  agent text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  seen_at timestamptz(3) NOT NULL,
  second_factor_at timestamptz(3),
  ended_at timestamptz(3)
);
CREATE UNIQUE INDEX user_sessions_token ON user_sessions (token_hash);
CREATE INDEX user_sessions_user ON user_sessions (user_id) WHERE ended_at IS NULL;

CREATE TABLE user_recovery_codes (
  user_id uuid NOT NULL CONSTRAINT user_recovery_codes_user_fk REFERENCES users (id),
  code_hash bytea NOT NULL,
  used_at timestamptz(3),
  CONSTRAINT user_recovery_codes_pk PRIMARY KEY (user_id, code_hash)
);

CREATE TABLE user_links (
  id uuid CONSTRAINT user_links_pk PRIMARY KEY,
  kind text NOT NULL CONSTRAINT user_links_kind_check CHECK (kind IN ('invitation', 'reset')),
  token text,
  token_hash bytea NOT NULL,
  email text NOT NULL,
  merchant_id uuid CONSTRAINT user_links_merchant_fk REFERENCES merchants (id),
  role text,
  created_by uuid CONSTRAINT user_links_created_by_fk REFERENCES users (id),
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  CONSTRAINT user_links_role_check CHECK ((kind = 'invitation') = (role IS NOT NULL))
);
CREATE UNIQUE INDEX user_links_token ON user_links (token_hash);
CREATE INDEX user_links_unsent ON user_links (created_at) WHERE token IS NOT NULL;
CREATE INDEX user_links_merchant ON user_links (merchant_id) WHERE used_at IS NULL;

CREATE TABLE audit_entries (
  id uuid CONSTRAINT audit_entries_pk PRIMARY KEY,
  merchant_id uuid CONSTRAINT audit_entries_merchant_fk REFERENCES merchants (id),
  user_id uuid CONSTRAINT audit_entries_user_fk REFERENCES users (id),
  action text NOT NULL,
  subject text,
  data jsonb NOT NULL,
  address text NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX audit_entries_merchant ON audit_entries (merchant_id, id);

CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE ON audit_entries
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_entries_no_truncate BEFORE TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
`;

const down = `
DROP TABLE audit_entries, user_links, user_recovery_codes, user_sessions, memberships, users;
ALTER TABLE merchants DROP COLUMN time_zone;
`;

/** Who may sign in to the portal, where they may go, and what they did there. */
export class People1763971200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
