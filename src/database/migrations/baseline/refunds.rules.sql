-- A refund begins as requested, and changes only along its allowed transitions.
CREATE FUNCTION refuse_refund_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.status = 'requested' THEN RETURN NEW; END IF;
  ELSIF (OLD.status, NEW.status) IN (('requested', 'approved'), ('requested', 'cancelled'), ('requested', 'rejected'),
      ('approved', 'submitted'), ('submitted', 'succeeded'), ('submitted', 'failed'), ('succeeded', 'failed'))
    -- The provider may have received a refund that was attempted.
    OR (OLD.status, NEW.status) = ('approved', 'cancelled') AND OLD.attempts = 0 THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'refund % cannot become %', NEW.id, NEW.status
    USING ERRCODE = 'check_violation', TABLE = 'refunds', CONSTRAINT = 'refunds_moves';
END $$;
CREATE TRIGGER refunds_begin BEFORE INSERT ON refunds FOR EACH ROW EXECUTE FUNCTION refuse_refund_move();
CREATE TRIGGER refunds_moves BEFORE UPDATE OF status ON refunds
  FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION refuse_refund_move();

-- Refunds of a payment never exceed what it brought in, and its order is paid. Locks the order.
CREATE FUNCTION refuse_more_than_payment() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  left_over bigint;
BEGIN
  PERFORM FROM orders WHERE merchant_id = NEW.merchant_id AND txid = NEW.txid FOR NO KEY UPDATE;
  SELECT p.amount_received - (
      SELECT sum(r.amount) FROM refunds r WHERE r.merchant_id = NEW.merchant_id AND r.txid = NEW.txid
        AND r.payment_id = NEW.payment_id AND r.status IN ('requested', 'approved', 'submitted', 'succeeded'))
    INTO left_over
    FROM payments p JOIN orders o ON o.merchant_id = p.merchant_id AND o.txid = p.txid
    WHERE p.merchant_id = NEW.merchant_id AND p.id = NEW.payment_id AND p.txid = NEW.txid
      AND p.received_currency = NEW.currency AND o.currency = NEW.currency AND o.mode = NEW.mode
      AND o.status = 'paid';
  IF left_over IS NULL OR left_over < 0 THEN
    RAISE EXCEPTION 'the payment brought in less than its refunds'
      USING ERRCODE = 'check_violation', TABLE = 'refunds', CONSTRAINT = 'refunds_payment_left';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER refunds_payment_left AFTER INSERT ON refunds
  FOR EACH ROW EXECUTE FUNCTION refuse_more_than_payment();

-- A member of the merchant approves refunds of live money: an owner, or one of finance.
CREATE FUNCTION refuse_refund_approver() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM memberships WHERE merchant_id = NEW.merchant_id AND user_id = NEW.approved_by
    AND role IN ('owner', 'finance') FOR SHARE;
  IF FOUND THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'user % may not approve refunds', NEW.approved_by
    USING ERRCODE = 'check_violation', TABLE = 'refunds', CONSTRAINT = 'refunds_approver';
END $$;
CREATE TRIGGER refunds_approver AFTER UPDATE OF approved_by ON refunds
  FOR EACH ROW WHEN (NEW.approved_by IS DISTINCT FROM OLD.approved_by) EXECUTE FUNCTION refuse_refund_approver();

-- Immutable columns.
CREATE TRIGGER refunds_immutable BEFORE DELETE
  OR UPDATE OF merchant_id, id, mode, txid, payment_id, refund_merchant_id, content_hash, amount, from_unallocated,
  currency, method, origin, requested_by, created_at ON refunds
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
-- Erasure removes the reason.
CREATE TRIGGER refunds_reason_immutable BEFORE UPDATE OF reason ON refunds
  FOR EACH ROW WHEN (NEW.reason IS NOT NULL) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER refunds_no_truncate BEFORE TRUNCATE ON refunds
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
