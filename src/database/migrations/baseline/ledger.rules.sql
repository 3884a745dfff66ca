-- Limits transfers of unallocated funds to those of the order. Locks the order.
CREATE FUNCTION refuse_more_than_unallocated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM orders WHERE merchant_id = NEW.merchant_id AND txid = NEW.txid FOR NO KEY UPDATE;
  IF (SELECT sum(CASE WHEN t.credit = 'unallocated' THEN t.amount ELSE -t.amount END)
      FROM transfers t
      WHERE t.merchant_id = NEW.merchant_id AND t.mode = NEW.mode AND t.txid = NEW.txid
        AND t.currency = NEW.currency
        AND (t.debit = 'unallocated' OR t.credit = 'unallocated')) < 0 THEN
    RAISE EXCEPTION 'the order has less unallocated money than that'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'transfers_unallocated_left';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER transfers_unallocated_left AFTER INSERT ON transfers
  FOR EACH ROW WHEN (NEW.debit = 'unallocated') EXECUTE FUNCTION refuse_more_than_unallocated();

-- Limits refunds, and money that banks or undone matches take back from a merchant, to the merchant's share of the order: more was
-- refunded, returned or reversed before. The caller locks the order.
CREATE FUNCTION refuse_more_than_share() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT sum(CASE WHEN t.credit = 'available' THEN t.amount ELSE -t.amount END)
      FROM transfers t
      WHERE t.merchant_id = NEW.merchant_id AND t.mode = NEW.mode AND t.txid = NEW.txid
        AND t.currency = NEW.currency AND (t.kind IN ('payment', 'allocation', 'charge_back', 'deallocation')
          OR (t.refund_id IS NOT NULL AND 'available' IN (t.debit, t.credit))
          OR EXISTS (SELECT FROM transfers r WHERE r.merchant_id = t.merchant_id AND r.id = t.reverses_id
            AND r.kind IN ('payment', 'allocation')))) < 0 THEN
    RAISE EXCEPTION 'the merchant has less of the order than that'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'transfers_share_left';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER transfers_share_left AFTER INSERT ON transfers
  FOR EACH ROW WHEN (NEW.debit = 'available' AND NEW.kind IN ('charge_back', 'deallocation', 'refund_reserved'))
  EXECUTE FUNCTION refuse_more_than_share();

-- Adds transfers to the balances when they are checkpointed: nothing else changes the amount of a balance.
CREATE FUNCTION add_to_balances() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO balances AS b (merchant_id, mode, currency, account, amount)
    SELECT n.merchant_id, n.mode, n.currency, s.account, sum(s.amount)
    FROM after n JOIN before o ON o.merchant_id = n.merchant_id AND o.id = n.id AND NOT o.checkpointed
    CROSS JOIN LATERAL (VALUES (n.debit, -n.amount), (n.credit, n.amount)) s (account, amount)
    WHERE n.checkpointed GROUP BY n.merchant_id, n.mode, n.currency, s.account
    ON CONFLICT (merchant_id, mode, currency, account) DO UPDATE SET amount = b.amount + excluded.amount;
  RETURN NULL;
END $$;
CREATE TRIGGER transfers_to_balances AFTER UPDATE ON transfers REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION add_to_balances();
CREATE TRIGGER balances_begin AFTER INSERT ON balances
  FOR EACH ROW WHEN (NEW.amount <> 0 AND pg_trigger_depth() = 0) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER balances_of_transfers BEFORE UPDATE OF amount ON balances
  FOR EACH ROW WHEN (NEW.amount <> OLD.amount AND pg_trigger_depth() = 0) EXECUTE FUNCTION refuse_change();

-- Immutable rows, and columns that are set once.
CREATE TRIGGER balances_kept BEFORE DELETE OR UPDATE OF merchant_id, mode, currency, account ON balances
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER balances_no_truncate BEFORE TRUNCATE ON balances
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER transfers_append_only BEFORE DELETE
  OR UPDATE OF merchant_id, id, mode, currency, kind, debit, credit, amount, txid, payment_id, payout_id,
  payout_version, refund_id, reverses_id, note, created_at ON transfers
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER transfers_checkpointed_once BEFORE UPDATE OF checkpointed ON transfers
  FOR EACH ROW WHEN (OLD.checkpointed) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER transfers_no_truncate BEFORE TRUNCATE ON transfers
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER transfers_occurrence_append_only BEFORE UPDATE OF occurrence ON transfers
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
