import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = `
CREATE TABLE saved_views (
  merchant_id uuid NOT NULL CONSTRAINT saved_views_merchant_fk REFERENCES merchants (id),
  user_id uuid NOT NULL CONSTRAINT saved_views_user_fk REFERENCES users (id),
  name text NOT NULL
    CONSTRAINT saved_views_name_check CHECK (char_length(name) BETWEEN 1 AND 60),
  query text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT saved_views_pk PRIMARY KEY (merchant_id, user_id, name)
);
`;

const down = 'DROP TABLE saved_views;';

/** Filters of the transaction history that somebody keeps under a name. */
export class SavedViews1764662400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
