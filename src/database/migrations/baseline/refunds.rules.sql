-- A refund begins as requested, without approval or call, and changes only along its allowed transitions.
CREATE FUNCTION refuse_refund_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.status = 'requested' AND NEW.approved_by IS NULL AND NEW.attempts = 0 THEN RETURN NEW; END IF;
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

-- Minor units of a payment that are refunded or about to be, by this service or on record, or that banks took back.
CREATE FUNCTION given_back(merchant uuid, payment uuid, order_id uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT (coalesce((SELECT sum(r.amount) FROM refunds r WHERE r.merchant_id = $1 AND r.txid = $3 AND r.payment_id = $2
      AND r.status IN ('requested', 'approved', 'submitted', 'succeeded')), 0)
    + coalesce((SELECT sum(t.amount) FROM transfers t WHERE t.merchant_id = $1 AND t.payment_id = $2 AND t.kind = 'refund'
      AND NOT EXISTS (SELECT FROM transfers b WHERE b.merchant_id = $1 AND b.reverses_id = t.id)), 0)
    + coalesce((SELECT sum(b.amount) FROM bank_returns b WHERE b.merchant_id = $1 AND b.payment_id = $2
      AND b.undone_at IS NULL), 0))::bigint
$$;

-- Refunds of a payment never exceed what it brought in and banks did not take back, and its order is paid. Locks the order.
CREATE FUNCTION refuse_more_than_payment() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  left_over bigint;
BEGIN
  PERFORM FROM orders WHERE merchant_id = NEW.merchant_id AND txid = NEW.txid FOR NO KEY UPDATE;
  -- More would make the page of the order, and each further refund, slow.
  IF (SELECT count(*) FROM refunds WHERE merchant_id = NEW.merchant_id AND txid = NEW.txid) > 100 THEN
    RAISE EXCEPTION 'the order has 100 refunds'
      USING ERRCODE = 'check_violation', TABLE = 'refunds', CONSTRAINT = 'refunds_of_order';
  END IF;
  SELECT p.amount_received - given_back(p.merchant_id, p.id, p.txid) INTO left_over
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

-- The payer enters an account only if the bank named none, once, and while the refund waits for it. Money beyond the
-- merchant's share belongs to the payer: it leaves only to an account that the bank named.
CREATE FUNCTION refuse_needless_payee() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM refunds r WHERE r.merchant_id = NEW.merchant_id AND r.id = NEW.refund_id AND r.method = 'bank'
    AND r.status = 'requested' AND r.from_unallocated = 0 AND NOT bank_names_payer(r.merchant_id, r.payment_id)
    AND EXISTS (SELECT FROM bank_allocations a WHERE a.merchant_id = r.merchant_id
      AND a.payment_id = r.payment_id AND a.undone_at IS NULL)
    AND NOT EXISTS (SELECT FROM payouts p WHERE p.merchant_id = r.merchant_id AND p.refund_id = r.id) FOR UPDATE;
  IF FOUND AND NEW.confirmed_at IS NULL AND (TG_OP = 'UPDATE' OR NEW.entered_at IS NULL) THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'refund % waits for no account of its payer', NEW.refund_id
    USING ERRCODE = 'check_violation', TABLE = 'refund_payees', CONSTRAINT = 'refund_payees_awaited';
END $$;
CREATE TRIGGER refund_payees_begin BEFORE INSERT ON refund_payees FOR EACH ROW EXECUTE FUNCTION refuse_needless_payee();
CREATE TRIGGER refund_payees_awaited BEFORE UPDATE OF entered_at ON refund_payees
  FOR EACH ROW EXECUTE FUNCTION refuse_needless_payee();
CREATE TRIGGER refund_payees_once BEFORE UPDATE OF holder, iban, entered_at ON refund_payees
  FOR EACH ROW WHEN (OLD.entered_at IS NOT NULL) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER refund_payees_confirmer AFTER UPDATE OF confirmed_by ON refund_payees
  FOR EACH ROW WHEN (NEW.confirmed_by IS NOT NULL) EXECUTE FUNCTION refuse_other_confirmer();
CREATE TRIGGER refund_payees_confirmed_time AFTER UPDATE OF confirmed_at ON refund_payees
  FOR EACH ROW WHEN (NEW.confirmed_at IS NOT NULL) EXECUTE FUNCTION refuse_earlier_time('confirmed_at');
CREATE TRIGGER refund_payees_confirmed_once BEFORE UPDATE OF confirmed_by, confirmed_at ON refund_payees
  FOR EACH ROW WHEN (OLD.confirmed_at IS NOT NULL) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER refund_payees_immutable BEFORE DELETE OR UPDATE OF merchant_id, refund_id, token, expires_at
  ON refund_payees FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER refund_payees_no_truncate BEFORE TRUNCATE ON refund_payees
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A refund by bank follows the payout that sends it, which an operator approves. While its payer has entered no account,
-- it has no payout, and can only be cancelled.
CREATE FUNCTION refuse_refund_without_payout() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM refund_payees WHERE merchant_id = NEW.merchant_id AND refund_id = NEW.id AND entered_at IS NULL;
  IF FOUND AND NEW.status = 'cancelled' THEN RETURN NULL; END IF;
  PERFORM FROM payouts WHERE merchant_id = NEW.merchant_id AND refund_id = NEW.id AND status = ANY (
    CASE NEW.status WHEN 'approved' THEN ARRAY['approved'] WHEN 'succeeded' THEN ARRAY['paid']
      WHEN 'submitted' THEN ARRAY['submitted', 'paid', 'failed', 'returned']
      WHEN 'failed' THEN ARRAY['failed', 'returned'] WHEN 'rejected' THEN ARRAY['rejected']
      ELSE ARRAY['cancelled', 'rejected'] END);
  IF FOUND THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'the payout of refund % does not say that it is %', NEW.id, NEW.status
    USING ERRCODE = 'check_violation', TABLE = 'refunds', CONSTRAINT = 'refunds_follow_payout';
END $$;
CREATE TRIGGER refunds_follow_payout AFTER UPDATE OF status ON refunds
  FOR EACH ROW WHEN (NEW.method = 'bank' AND OLD.status <> NEW.status)
  EXECUTE FUNCTION refuse_refund_without_payout();

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

-- The payment of a refund stays what it was when the refund was decided.
CREATE FUNCTION refuse_change_of_refunded() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM refunds WHERE merchant_id = OLD.merchant_id AND txid = OLD.txid AND payment_id = OLD.id) THEN
    RAISE EXCEPTION 'a payment with refunds keeps its provider and its money'
      USING ERRCODE = 'check_violation', TABLE = 'payments', CONSTRAINT = 'payments_refunded_kept';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payments_refunded_kept BEFORE UPDATE OF amount_received, received_currency, provider, provider_reference ON payments
  FOR EACH ROW WHEN (OLD.amount_received IS NOT NULL
    AND (OLD.amount_received, OLD.received_currency, OLD.provider, OLD.provider_reference)
      IS DISTINCT FROM (NEW.amount_received, NEW.received_currency, NEW.provider, NEW.provider_reference))
  EXECUTE FUNCTION refuse_change_of_refunded();

-- Calls to the provider that were counted stay counted.
CREATE TRIGGER refunds_attempts_counted BEFORE UPDATE OF attempts ON refunds
  FOR EACH ROW WHEN (NEW.attempts < OLD.attempts) EXECUTE FUNCTION refuse_change();

-- Money of a balance, in minor units, about which only one operator may have decided: money of bank transfers, received
-- money of orders with a hand, and money of payouts that one reported as failed, returned or not sent. Money in a payout that has not left counts if its
-- cancellation would set it free, beyond the amount of the payout. The report about a refund, and the decision that a
-- debit returns no money of an order, or that other money replaces it, count for 60 days, whatever the money did since.
CREATE FUNCTION handled_money(merchant uuid, mode text, currency text) RETURNS bigint LANGUAGE sql STABLE AS $$
  WITH staying AS (
    SELECT t.txid, NULL::uuid AS payout_id, 0 AS leaving, t.refund_id, t.credit, t.amount, y.provider FROM transfers t
    JOIN payments y ON y.merchant_id = t.merchant_id AND y.id = t.payment_id
    WHERE t.merchant_id = $1 AND t.mode = $2 AND t.currency = $3 AND NOT t.covered AND t.payment_id IS NOT NULL
      AND 'available' IN (t.debit, t.credit)
    UNION ALL
    SELECT t.txid, q.id, q.amount, t.refund_id, t.credit, t.amount, y.provider
    FROM payouts q JOIN payout_lines l ON l.merchant_id = q.merchant_id AND l.payout_id = q.id
    JOIN transfers t ON t.merchant_id = l.merchant_id AND t.id = l.transfer_id
    JOIN payments y ON y.merchant_id = t.merchant_id AND y.id = t.payment_id
    WHERE q.merchant_id = $1 AND q.mode = $2 AND q.currency = $3
      AND q.status IN ('pending_approval', 'approved', 'exported') AND t.payment_id IS NOT NULL
  ), reported AS MATERIALIZED (
    SELECT e.id, e.refund_id, e.amount, e.updated_at FROM payouts e
    WHERE e.merchant_id = $1 AND e.mode = $2 AND e.currency = $3
      AND e.status IN ('rejected', 'cancelled', 'failed', 'returned')
      AND EXISTS (SELECT FROM payout_hands h WHERE h.merchant_id = $1 AND h.payout_id = e.id
        AND h.act IN ('failed', 'returned', 'not_sent'))
  ), freed AS MATERIALIZED (
    SELECT l.txid FROM reported r JOIN payout_lines l ON l.merchant_id = $1 AND l.payout_id = r.id
  ), of_orders AS (
    SELECT s.payout_id, s.leaving, greatest(0,
        CASE WHEN bool_or(s.provider = 'bank_transfer')
            OR EXISTS (SELECT FROM money_hands h WHERE h.merchant_id = $1 AND h.txid = s.txid) THEN
          sum(CASE WHEN s.credit = 'available' THEN s.amount ELSE -s.amount END) END,
        -- A payout that was executed after all has paid this money: a refund of the order would pay it again.
        CASE WHEN s.txid IN (SELECT txid FROM freed) THEN
          sum(CASE WHEN s.credit = 'available' THEN s.amount ELSE -s.amount END) FILTER (WHERE s.refund_id IS NULL) END) AS amount
    FROM staying s GROUP BY s.payout_id, s.leaving, s.txid
  )
  SELECT (coalesce((SELECT sum(greatest(0, p.amount - p.leaving)) FROM (
      SELECT leaving, sum(amount) AS amount FROM of_orders GROUP BY payout_id, leaving) p), 0)
    + coalesce((SELECT sum(amount) FROM (
      SELECT max(e.amount) AS amount FROM reported e JOIN refunds r ON r.merchant_id = $1 AND r.id = e.refund_id
      WHERE e.updated_at >= now() - interval '60 days' GROUP BY r.payment_id) p), 0)
    + coalesce((SELECT sum(o.amount_received) FROM orders o WHERE o.merchant_id = $1 AND o.mode = $2 AND o.currency = $3
      AND o.txid IN (SELECT h.txid FROM money_hands h WHERE h.merchant_id = $1
          AND h.act IN ('return_spared', 'return_undone') AND h.created_at >= now() - interval '60 days'
        UNION SELECT t.txid FROM transfers t JOIN money_hands h ON h.merchant_id = t.merchant_id AND h.txid = t.txid
          AND h.act IN ('matched', 'marked_distinct', 'payer_added')
        WHERE t.merchant_id = $1 AND t.kind = 'unallocated_back' AND t.created_at >= now() - interval '60 days')), 0))::bigint
$$;

-- No operator approves a refund by a provider. So it takes no money in which an operator had a hand: a second operator
-- decides about that money, by a payout. The reservation has reduced the balance already.
CREATE FUNCTION refuse_handled_money() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.from_unallocated > 0 AND EXISTS (SELECT FROM money_hands
      WHERE merchant_id = NEW.merchant_id AND txid = NEW.txid)
    OR EXISTS (SELECT FROM payments y JOIN provider_events e ON e.merchant_id = y.merchant_id AND e.payment_id = y.id
      WHERE y.merchant_id = NEW.merchant_id AND y.txid = NEW.txid AND e.handled_at IS NULL
        AND (e.applied_at IS NULL OR e.result = 'mismatch')) THEN
    RAISE EXCEPTION 'an operator has decided, or has to decide, about money of the order'
      USING ERRCODE = 'check_violation', TABLE = 'refunds', CONSTRAINT = 'refunds_money_handled';
  END IF;
  IF NEW.amount = NEW.from_unallocated THEN RETURN NULL; END IF;
  PERFORM FROM balances b WHERE b.merchant_id = NEW.merchant_id AND b.mode = NEW.mode AND b.currency = NEW.currency
    AND b.account = 'available' FOR NO KEY UPDATE;
  IF coalesce((SELECT b.amount FROM balances b WHERE b.merchant_id = NEW.merchant_id AND b.mode = NEW.mode
      AND b.currency = NEW.currency AND b.account = 'available'), 0)
    + coalesce((SELECT sum(CASE WHEN t.credit = 'available' THEN t.amount ELSE -t.amount END) FROM transfers t
      WHERE t.merchant_id = NEW.merchant_id AND t.mode = NEW.mode AND t.currency = NEW.currency
        AND NOT t.checkpointed AND 'available' IN (t.debit, t.credit)), 0)
    < handled_money(NEW.merchant_id, NEW.mode, NEW.currency) THEN
    RAISE EXCEPTION 'the refund would take money that an operator assigned to an order'
      USING ERRCODE = 'check_violation', TABLE = 'refunds', CONSTRAINT = 'refunds_money_handled';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER refunds_money_handled AFTER UPDATE OF approved_by ON refunds
  FOR EACH ROW WHEN (NEW.approved_by IS DISTINCT FROM OLD.approved_by)
  EXECUTE FUNCTION refuse_handled_money();

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
