-- A key has no scope that its creator lacks. Locks the membership until the transaction ends.
CREATE FUNCTION refuse_scope_not_held() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  held text;
BEGIN
  SELECT role INTO held FROM memberships
    WHERE merchant_id = NEW.merchant_id AND user_id = NEW.created_by FOR SHARE;
  IF held = 'owner' OR (held = 'developer' AND NOT NEW.scopes && '{payouts:read, refunds:write}') THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'user % may not make a key with these scopes', NEW.created_by
    USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'api_keys_scopes_held';
END $$;
CREATE TRIGGER api_keys_scopes_held BEFORE INSERT OR UPDATE OF scopes, created_by ON api_keys
  FOR EACH ROW WHEN (NEW.created_by IS NOT NULL) EXECUTE FUNCTION refuse_scope_not_held();
