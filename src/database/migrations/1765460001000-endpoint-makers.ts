import type { MigrationInterface, QueryRunner } from 'typeorm';

const kinds = (more: string) => `
ALTER TABLE user_notices
  DROP CONSTRAINT user_notices_kind_check,
  ADD CONSTRAINT user_notices_kind_check CHECK (kind IN ('codes-guessed', 'owners-changed'${more}));
`;

const up = `
ALTER TABLE webhook_endpoints
  ADD COLUMN made_by uuid,
  ADD COLUMN made_by_key uuid,
  ADD COLUMN sees_payouts boolean NOT NULL DEFAULT true,
  ADD CONSTRAINT webhook_endpoints_maker_check CHECK (made_by IS NULL OR made_by_key IS NULL),
  ADD CONSTRAINT webhook_endpoints_payouts_check
    CHECK (sees_payouts OR array_to_string(event_types, ' ') NOT LIKE '%payout.%');

CREATE FUNCTION refuse_payouts_not_seen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM api_keys WHERE merchant_id = NEW.merchant_id AND id = NEW.made_by_key
      AND 'payouts:read' = ANY (scopes))
    OR EXISTS (SELECT FROM memberships WHERE merchant_id = NEW.merchant_id
      AND user_id = NEW.made_by AND role IN ('owner', 'finance', 'viewer')) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'endpoint % was made by somebody who sees no payouts', NEW.id
    USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'webhook_endpoints_payouts_held';
END $$;
CREATE TRIGGER webhook_endpoints_payouts_held
  BEFORE INSERT OR UPDATE OF sees_payouts, made_by, made_by_key ON webhook_endpoints
  FOR EACH ROW WHEN (NEW.sees_payouts AND coalesce(NEW.made_by, NEW.made_by_key) IS NOT NULL)
  EXECUTE FUNCTION refuse_payouts_not_seen();

CREATE FUNCTION skip_payouts_not_seen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM webhook_endpoints WHERE merchant_id = NEW.merchant_id
      AND id = NEW.endpoint_id AND NOT sees_payouts) THEN
    RETURN NULL;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER deliveries_payouts_seen BEFORE INSERT ON deliveries
  FOR EACH ROW WHEN (NEW.endpoint_id IS NOT NULL AND NEW.type LIKE 'payout.%')
  EXECUTE FUNCTION skip_payouts_not_seen();
`;

const down = `
DROP TRIGGER deliveries_payouts_seen ON deliveries;
DROP FUNCTION skip_payouts_not_seen;
DROP TRIGGER webhook_endpoints_payouts_held ON webhook_endpoints;
DROP FUNCTION refuse_payouts_not_seen;
ALTER TABLE webhook_endpoints
  DROP CONSTRAINT webhook_endpoints_payouts_check,
  DROP CONSTRAINT webhook_endpoints_maker_check,
  DROP COLUMN sees_payouts,
  DROP COLUMN made_by_key,
  DROP COLUMN made_by;
DELETE FROM user_notices WHERE kind = 'endpoint-by-key';
`;

/** Who made a webhook endpoint, and whether it may hear of payouts; older ones go on as they were. */
export class EndpointMakers1765460001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up + kinds(`, 'endpoint-by-key'`));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down + kinds(''));
  }
}
