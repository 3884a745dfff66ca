-- A provider report without the payer.
CREATE FUNCTION without_payer(report jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN report #> '{outcome,payer}' IS NOT NULL
    THEN jsonb_set(report, '{outcome,payer}', '{"accountNumber": null, "accountName": null}')
    ELSE report END
$$;

-- A later provider message does not restore the payer of an erased order.
CREATE FUNCTION forget_payer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM orders WHERE merchant_id = NEW.merchant_id AND txid = NEW.txid
    AND erased_at IS NOT NULL AND NOT erased_as_unpaid) THEN
    NEW.payer_account_number := NULL;
    NEW.payer_account_type := NULL;
    NEW.payer_account_name := NULL;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payments_forget_payer BEFORE UPDATE OF payer_account_number, payer_account_name ON payments
  FOR EACH ROW WHEN (NEW.payer_account_number IS NOT NULL OR NEW.payer_account_name IS NOT NULL)
    EXECUTE FUNCTION forget_payer();

-- The same for a report that is applied after the order was erased.
CREATE FUNCTION forget_payer_of_report() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM payments WHERE merchant_id = NEW.merchant_id AND id = NEW.payment_id
      AND is_erased_for_good(merchant_id, txid)) THEN
    NEW.body := '';
    NEW.report := without_payer(NEW.report);
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER provider_events_forget_payer BEFORE UPDATE OF applied_at ON provider_events
  FOR EACH ROW WHEN (OLD.applied_at IS NULL AND NEW.applied_at IS NOT NULL)
    EXECUTE FUNCTION forget_payer_of_report();

-- The same for the sandbox bank.
CREATE FUNCTION forget_sandbox_payer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM payments WHERE merchant_id = NEW.merchant_id AND id = NEW.payment_id
      AND is_erased(merchant_id, txid)) THEN
    NEW.payer_account_number := NULL;
    NEW.payer_account_name := NULL;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER sandbox_transactions_forget_payer BEFORE UPDATE OF payer_account_number, payer_account_name
  ON sandbox_transactions
  FOR EACH ROW WHEN (NEW.payer_account_number IS NOT NULL OR NEW.payer_account_name IS NOT NULL)
    EXECUTE FUNCTION forget_sandbox_payer();

-- A payer whose money was returned is not stored as the payer.
CREATE FUNCTION refuse_payer_of_undone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM bank_allocations
      WHERE merchant_id = NEW.merchant_id AND payment_id = NEW.id AND undone_at IS NOT NULL) THEN
    RAISE EXCEPTION 'who sent money that was taken back is no payer of the order'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'payments_payer_stands', TABLE = 'payments';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payments_payer_stands BEFORE UPDATE OF payer_account_number, payer_account_name ON payments
  FOR EACH ROW WHEN (OLD.provider = 'bank_transfer' AND OLD.amount_received IS NOT NULL
    AND ((NEW.payer_account_number IS NOT NULL
    AND NEW.payer_account_number IS DISTINCT FROM OLD.payer_account_number)
    OR (NEW.payer_account_name IS NOT NULL
    AND NEW.payer_account_name IS DISTINCT FROM OLD.payer_account_name)))
    EXECUTE FUNCTION refuse_payer_of_undone();

-- Immutable rows, and columns that are set once.
CREATE TRIGGER provider_events_no_truncate BEFORE TRUNCATE ON provider_events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER provider_events_account_append_only BEFORE UPDATE OF account_id, mode ON provider_events
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER provider_events_append_only BEFORE DELETE
  OR UPDATE OF merchant_id, id, provider, provider_event_id, payment_id, received_at ON provider_events
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER provider_events_only_erased BEFORE UPDATE OF report, body ON provider_events
  FOR EACH ROW WHEN (NEW.body <> '' OR (NEW.report <> without_payer(OLD.report)))
    EXECUTE FUNCTION refuse_change();
