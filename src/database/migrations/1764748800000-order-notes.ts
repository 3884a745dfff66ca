import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = `
CREATE TABLE order_notes (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  txid uuid NOT NULL,
  user_id uuid NOT NULL CONSTRAINT order_notes_user_fk REFERENCES users (id),
  text text NOT NULL
    CONSTRAINT order_notes_text_check CHECK (char_length(text) BETWEEN 1 AND 1000),
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT order_notes_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT order_notes_order_fk FOREIGN KEY (merchant_id, txid)
    REFERENCES orders (merchant_id, txid)
);
CREATE INDEX order_notes_order ON order_notes (merchant_id, txid, id);

CREATE TRIGGER order_notes_append_only BEFORE UPDATE OR DELETE ON order_notes
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER order_notes_no_truncate BEFORE TRUNCATE ON order_notes
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
`;

const down = 'DROP TABLE order_notes;';

/** What people write about an order for each other. */
export class OrderNotes1764748800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
