import type { MigrationInterface, QueryRunner } from 'typeorm';

const REPORT_FACTS = 'merchant_id, id, provider, provider_event_id, payment_id, received_at';
const NOTE_FACTS = 'merchant_id, id, txid, user_id, created_at';

const up = `
CREATE TABLE retention_marks (
  merchant_id uuid NOT NULL CONSTRAINT retention_marks_merchant_fk REFERENCES merchants (id),
  rule text NOT NULL
    CONSTRAINT retention_marks_rule_check CHECK (rule IN ('unpaid', 'payers', 'reports')),
  last_id uuid NOT NULL,
  CONSTRAINT retention_marks_pk PRIMARY KEY (merchant_id, rule)
);

CREATE FUNCTION without_payer(report jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN report #> '{outcome,payer}' IS NOT NULL
    THEN jsonb_set(report, '{outcome,payer}', '{"accountNumber": null, "accountName": null}')
    ELSE report END
$$;

DROP TRIGGER provider_events_append_only ON provider_events;
CREATE TRIGGER provider_events_append_only BEFORE DELETE OR UPDATE OF ${REPORT_FACTS}
  ON provider_events FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER provider_events_only_erased BEFORE UPDATE OF report, body ON provider_events
  FOR EACH ROW WHEN (NEW.body <> '' OR NEW.report <> without_payer(OLD.report))
  EXECUTE FUNCTION refuse_change();

DROP TRIGGER order_notes_append_only ON order_notes;
CREATE TRIGGER order_notes_append_only BEFORE DELETE OR UPDATE OF ${NOTE_FACTS} ON order_notes
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER order_notes_only_erased BEFORE UPDATE OF text ON order_notes
  FOR EACH ROW WHEN (NEW.text <> '[erased]') EXECUTE FUNCTION refuse_change();
`;

const down = `
DROP TRIGGER order_notes_only_erased ON order_notes;
DROP TRIGGER order_notes_append_only ON order_notes;
CREATE TRIGGER order_notes_append_only BEFORE UPDATE OR DELETE ON order_notes
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
DROP TRIGGER provider_events_only_erased ON provider_events;
DROP TRIGGER provider_events_append_only ON provider_events;
CREATE TRIGGER provider_events_append_only BEFORE DELETE OR UPDATE OF
  merchant_id, id, provider, provider_event_id, payment_id, report, body, received_at
  ON provider_events FOR EACH ROW EXECUTE FUNCTION refuse_change();
DROP FUNCTION without_payer;
DROP TABLE retention_marks;
`;

/** Payers are forgotten after a time; of what is append-only, they alone may be taken out. */
export class Retention1765353601000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
