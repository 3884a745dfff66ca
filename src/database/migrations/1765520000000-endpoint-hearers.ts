import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = `
CREATE FUNCTION refuse_events_not_seen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM api_keys WHERE merchant_id = NEW.merchant_id AND id = NEW.made_by_key
      AND 'events:read' = ANY (scopes))
    OR EXISTS (SELECT FROM memberships WHERE merchant_id = NEW.merchant_id
      AND user_id = NEW.made_by AND role IN ('owner', 'developer')) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'endpoint % was made by somebody who reads no events', NEW.id
    USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'webhook_endpoints_reads_events';
END $$;
CREATE TRIGGER webhook_endpoints_reads_events
  BEFORE INSERT OR UPDATE OF made_by, made_by_key ON webhook_endpoints
  FOR EACH ROW WHEN ((NEW.made_by IS NULL) <> (NEW.made_by_key IS NULL))
  EXECUTE FUNCTION refuse_events_not_seen();
`;

const down = `
DROP TRIGGER webhook_endpoints_reads_events ON webhook_endpoints;
DROP FUNCTION refuse_events_not_seen;
`;

/** Whoever makes a webhook endpoint or points it elsewhere may read what it hears; older ones go on. */
export class EndpointHearers1765520000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
