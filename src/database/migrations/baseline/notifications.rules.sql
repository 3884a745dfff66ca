-- An endpoint receives payout events only if its creator may read payouts.
CREATE FUNCTION refuse_payouts_not_seen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM api_keys WHERE merchant_id = NEW.merchant_id AND id = NEW.made_by_key
      AND 'payouts:read' = ANY (scopes))
    OR EXISTS (SELECT FROM memberships WHERE merchant_id = NEW.merchant_id
      AND user_id = NEW.made_by AND role IN ('owner', 'finance', 'viewer')) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'endpoint % was created without access to payouts', NEW.id
    USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'webhook_endpoints_payouts_held';
END $$;
CREATE TRIGGER webhook_endpoints_payouts_held BEFORE INSERT OR UPDATE OF sees_payouts, made_by, made_by_key
  ON webhook_endpoints
  FOR EACH ROW WHEN (NEW.sees_payouts AND (coalesce(NEW.made_by, NEW.made_by_key) IS NOT NULL))
    EXECUTE FUNCTION refuse_payouts_not_seen();

-- No delivery is created for a payout event that the endpoint may not receive.
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

-- An endpoint is created only by a key or a user with access to events.
CREATE FUNCTION refuse_events_not_seen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM api_keys WHERE merchant_id = NEW.merchant_id AND id = NEW.made_by_key
      AND 'events:read' = ANY (scopes))
    OR EXISTS (SELECT FROM memberships WHERE merchant_id = NEW.merchant_id
      AND user_id = NEW.made_by AND role IN ('owner', 'developer')) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'endpoint % was created without access to events', NEW.id
    USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'webhook_endpoints_reads_events';
END $$;
CREATE TRIGGER webhook_endpoints_reads_events BEFORE INSERT OR UPDATE OF made_by, made_by_key
  ON webhook_endpoints
  FOR EACH ROW WHEN ((NEW.made_by IS NULL) <> (NEW.made_by_key IS NULL)) EXECUTE FUNCTION refuse_events_not_seen();

-- Immutable rows, and columns that are set once.
CREATE TRIGGER events_no_truncate BEFORE TRUNCATE ON events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER events_append_only BEFORE DELETE
  OR UPDATE OF merchant_id, id, txid, mode, sequence, type, data, created_at ON events
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER events_published_once BEFORE UPDATE OF position ON events
  FOR EACH ROW WHEN (OLD.position IS NOT NULL) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER events_payout_append_only BEFORE UPDATE OF payout_id ON events
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
