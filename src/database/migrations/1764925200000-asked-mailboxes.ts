import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = `
CREATE TABLE asked_mailboxes (
  merchant_id uuid NOT NULL
    CONSTRAINT asked_mailboxes_merchant_fk REFERENCES merchants (id),
  address_hash bytea NOT NULL
    CONSTRAINT asked_mailboxes_hash_check CHECK (octet_length(address_hash) = 32),
  mode text NOT NULL CONSTRAINT asked_mailboxes_mode_check CHECK (mode IN ('test', 'live')),
  asked_at timestamptz(3) NOT NULL,
  questions integer NOT NULL CONSTRAINT asked_mailboxes_questions_check CHECK (questions > 0),
  refused_at timestamptz(3),
  CONSTRAINT asked_mailboxes_pk PRIMARY KEY (merchant_id, address_hash, mode)
);
CREATE INDEX asked_mailboxes_lately ON asked_mailboxes (merchant_id, asked_at);

INSERT INTO asked_mailboxes (merchant_id, address_hash, mode, asked_at, questions, refused_at)
SELECT merchant_id, sha256(convert_to(merchant_id::text || ' ' || email, 'UTF8')), mode,
  created_at, 1, unsubscribed_at
FROM notification_recipients WHERE email IS NOT NULL AND unsubscribed_at IS NOT NULL;
`;

const down = 'DROP TABLE asked_mailboxes;';

/** Which mailboxes a merchant has asked, and which refused, remembered apart from the recipients. */
export class AskedMailboxes1764925200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
