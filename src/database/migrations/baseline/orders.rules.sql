-- Rewrites `order_fields` when an open order changes.
CREATE FUNCTION write_order_fields() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM order_fields g USING json_each_text(OLD.optional_fields) f
    WHERE g.merchant_id = OLD.merchant_id AND g.mode = OLD.mode AND g.name = f.key
      AND g.value = f.value AND g.created_at = OLD.created_at AND g.txid = OLD.txid;
  END IF;
  INSERT INTO order_fields (merchant_id, mode, name, value, created_at, txid)
  SELECT NEW.merchant_id, NEW.mode, f.key, f.value, NEW.created_at, NEW.txid
  FROM json_each_text(NEW.optional_fields) f;
  RETURN NULL;
END $$;
CREATE TRIGGER orders_rewrite_fields AFTER UPDATE OF optional_fields ON orders
  FOR EACH ROW EXECUTE FUNCTION write_order_fields();

-- Whether the order is erased.
CREATE FUNCTION is_erased(merchant uuid, id uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM orders WHERE merchant_id = merchant AND txid = id
    AND erased_at IS NOT NULL)
$$;

-- An order becomes paid only with its full amount, and only a bank return lowers the received amount.
CREATE FUNCTION refuse_paid_in_part() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' OR OLD.status <> 'paid' OR NEW.amount_received + NEW.amount_charged_back < NEW.amount
    AND OLD.amount_received + OLD.amount_charged_back >= OLD.amount THEN
    RAISE EXCEPTION 'an order is paid with no less than it asks for'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'orders_accepted_in_full';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER orders_accepted_in_full AFTER INSERT
  OR UPDATE OF status, amount, amount_received, amount_charged_back ON orders
  FOR EACH ROW WHEN (NEW.status = 'paid' AND NEW.amount_received < NEW.amount)
    EXECUTE FUNCTION refuse_paid_in_part();

-- Whether the order is erased for another reason than being unpaid.
CREATE FUNCTION is_erased_for_good(merchant uuid, id uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM orders WHERE merchant_id = merchant AND txid = id
    AND erased_at IS NOT NULL AND NOT erased_as_unpaid)
$$;

-- Money for an order erased as unpaid resets the erasure, so that the payer is stored for a refund.
CREATE FUNCTION restore_payer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.erased_at := NULL;
  NEW.erased_as_unpaid := false;
  RETURN NEW;
END $$;
CREATE TRIGGER orders_know_payer_again BEFORE UPDATE OF amount_received, exception ON orders
  FOR EACH ROW WHEN (OLD.erased_as_unpaid AND (NEW.amount_received > 0 OR NEW.exception <> 'none'))
    EXECUTE FUNCTION restore_payer();

-- Stores optional fields as rows, so that orders can be found by them.
CREATE FUNCTION write_new_order_fields() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO order_fields (merchant_id, mode, name, value, created_at, txid)
  SELECT o.merchant_id, o.mode, f.key, f.value, o.created_at, o.txid
  FROM made o, json_each_text(o.optional_fields) f;
  RETURN NULL;
END $$;
CREATE TRIGGER orders_write_fields AFTER INSERT ON orders REFERENCING NEW TABLE AS made
  FOR EACH STATEMENT EXECUTE FUNCTION write_new_order_fields();

-- Immutable rows, and columns that are set once.
CREATE TRIGGER orders_kept BEFORE UPDATE OF mode, currency, created_at ON orders
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
-- The merchant changes the amount until money has come.
CREATE TRIGGER orders_amount_kept BEFORE UPDATE OF amount ON orders
  FOR EACH ROW WHEN (OLD.amount <> NEW.amount
    AND (OLD.status <> 'open' OR OLD.amount_received > 0 OR OLD.exception <> 'none'))
    EXECUTE FUNCTION refuse_change();
CREATE TRIGGER order_notes_no_truncate BEFORE TRUNCATE ON order_notes
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER order_notes_append_only BEFORE DELETE OR UPDATE OF merchant_id, id, txid, user_id, created_at
  ON order_notes
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER order_notes_only_erased BEFORE UPDATE OF text ON order_notes
  FOR EACH ROW WHEN (NEW.text <> '[erased]') EXECUTE FUNCTION refuse_change();
