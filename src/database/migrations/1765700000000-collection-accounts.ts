import type { MigrationInterface, QueryRunner } from 'typeorm';

const EXCEPTIONS = `'none', 'underpaid', 'overpaid', 'paid_late', 'duplicate_payment', 'wrong_currency'`;

const exceptions = (words: string): string => `
ALTER TABLE orders DROP CONSTRAINT orders_exception_check,
  ADD CONSTRAINT orders_exception_check CHECK (exception IN (${words}));
`;

const up = `
CREATE TABLE collection_accounts (
  id uuid CONSTRAINT collection_accounts_pk PRIMARY KEY,
  mode text NOT NULL CONSTRAINT collection_accounts_mode_check CHECK (mode IN ('test', 'live')),
  currency text NOT NULL CONSTRAINT collection_accounts_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
  holder text NOT NULL
    CONSTRAINT collection_accounts_holder_check CHECK (char_length(holder) BETWEEN 1 AND 70),
  account text NOT NULL
    CONSTRAINT collection_accounts_account_check CHECK (char_length(account) BETWEEN 1 AND 64),
  bic text,
  bank_name text,
  position integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  disabled_at timestamptz(3)
);
CREATE UNIQUE INDEX collection_accounts_once ON collection_accounts (mode, currency, account)
  WHERE disabled_at IS NULL;

CREATE TABLE transfer_references (
  merchant_id uuid NOT NULL,
  txid uuid NOT NULL,
  mode text NOT NULL CONSTRAINT transfer_references_mode_check CHECK (mode IN ('test', 'live')),
  reference text NOT NULL,
  collection_account_id uuid NOT NULL
    CONSTRAINT transfer_references_account_fk REFERENCES collection_accounts (id),
  waits_until date,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT transfer_references_pk PRIMARY KEY (merchant_id, txid),
  CONSTRAINT transfer_references_order_fk FOREIGN KEY (merchant_id, txid)
    REFERENCES orders (merchant_id, txid),
  CONSTRAINT transfer_references_reference_check
    CHECK (reference ~ '^RF[0-9]{18}$' AND (substr(reference, 5, 1) = '0') = (mode = 'test'))
);
CREATE UNIQUE INDEX transfer_references_once ON transfer_references (reference);
CREATE INDEX transfer_references_waiting ON transfer_references (merchant_id, mode, waits_until)
  WHERE waits_until IS NOT NULL;
CREATE INDEX transfer_references_newest ON transfer_references (mode, created_at)
  WHERE waits_until IS NOT NULL;

ALTER TABLE payments ADD COLUMN transfer json;
ALTER TABLE merchants
  ADD COLUMN transfer_days integer NOT NULL DEFAULT 14
    CONSTRAINT merchants_transfer_days_check CHECK (transfer_days BETWEEN 2 AND 60),
  ADD COLUMN takes_transfers boolean NOT NULL DEFAULT false;
${exceptions(`${EXCEPTIONS}, 'charged_back'`)}`;

const down = `
${exceptions(EXCEPTIONS)}
ALTER TABLE merchants DROP COLUMN takes_transfers, DROP COLUMN transfer_days;
ALTER TABLE payments DROP COLUMN transfer;
DROP TABLE transfer_references;
DROP TABLE collection_accounts;
`;

/** Payers may transfer money to accounts of the platform. */
export class CollectionAccounts1765700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
