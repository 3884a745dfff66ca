-- Triggers `begin_account_day` after each mail.
CREATE FUNCTION note_account_notice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE bank_accounts SET noticed_at = noticed_at
    WHERE merchant_id = NEW.merchant_id AND id = NEW.bank_account_id;
  RETURN NULL;
END $$;
CREATE TRIGGER bank_account_notices_noticed AFTER INSERT OR UPDATE OF sent_at, next_attempt_at
  ON bank_account_notices
  FOR EACH ROW WHEN (NEW.next_attempt_at IS NULL) EXECUTE FUNCTION note_account_notice();

-- Whether the bank named the account from which it received the payment, when the payment was booked.
CREATE FUNCTION bank_names_payer(merchant uuid, payment uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM bank_allocations a
    WHERE a.merchant_id = $1 AND a.payment_id = $2 AND a.undone_at IS NULL AND a.payer_account IS NOT NULL)
$$;

-- When a refund can be sent to the account that its payer entered; null until an owner has confirmed it, and while mails
-- to the owners are pending.
CREATE FUNCTION payee_usable_from(merchant uuid, refund uuid) RETURNS timestamp with time zone LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN r.mode = 'test' THEN e.entered_at
    WHEN count(n.next_attempt_at) = 0 AND e.confirmed_at IS NOT NULL
      THEN greatest(e.confirmed_at, max(n.sent_at)) + interval '24 hours' END
  FROM refund_payees e JOIN refunds r ON r.merchant_id = e.merchant_id AND r.id = e.refund_id
  LEFT JOIN user_notices n ON n.merchant_id = e.merchant_id AND n.kind = 'refund-account'
    AND n.data ->> 'refund' = e.refund_id::text
  WHERE e.merchant_id = $1 AND e.refund_id = $2 GROUP BY r.mode, e.entered_at, e.confirmed_at
$$;

-- Whether a refund by bank sends its amount to the account from which the bank received the payment or, if the bank named
-- none, to the account that the payer entered.
CREATE FUNCTION goes_back_to_payer(merchant uuid, payout uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM payouts p
    JOIN refunds r ON r.merchant_id = p.merchant_id AND r.id = p.refund_id AND r.method = 'bank'
      AND (r.mode, r.currency, r.amount) = (p.mode, p.currency, p.amount) AND r.status IN ('requested', 'approved')
    JOIN bank_allocations a ON a.merchant_id = r.merchant_id AND a.payment_id = r.payment_id AND a.undone_at IS NULL
    JOIN bank_lines l ON l.id = a.line_id AND l.direction = 'in' AND l.counterparty_account_type = 'iban'
      AND a.payer_account = p.iban
    WHERE p.merchant_id = $1 AND p.id = $2)
  OR EXISTS (SELECT FROM payouts p
    JOIN refunds r ON r.merchant_id = p.merchant_id AND r.id = p.refund_id AND r.method = 'bank'
      AND (r.mode, r.currency, r.amount) = (p.mode, p.currency, p.amount)
      AND r.from_unallocated = 0 AND r.status IN ('requested', 'approved')
    JOIN refund_payees e ON e.merchant_id = r.merchant_id AND e.refund_id = r.id
      AND (e.iban, e.holder) = (p.iban, p.holder)
    WHERE p.merchant_id = $1 AND p.id = $2 AND NOT bank_names_payer(r.merchant_id, r.payment_id)
      AND EXISTS (SELECT FROM bank_allocations a WHERE a.merchant_id = r.merchant_id
      AND a.payment_id = r.payment_id AND a.undone_at IS NULL))
$$;

-- Payouts go only to a bank account that is confirmed, notified by mail and 24 hours old, refunds only to the payer's: as
-- the bank named it or, 24 hours after the mails about it and an owner's confirmation, as the payer entered it.
CREATE FUNCTION refuse_unusable_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.refund_id IS NOT NULL AND goes_back_to_payer(NEW.merchant_id, NEW.id)
    AND (NEW.status IN ('draft', 'pending_approval')
      OR NOT EXISTS (SELECT FROM refund_payees WHERE merchant_id = NEW.merchant_id AND refund_id = NEW.id)
      OR payee_usable_from(NEW.merchant_id, NEW.id) <= least(NEW.updated_at, now())) THEN
    RETURN NULL;
  END IF;
  IF NOT EXISTS (SELECT FROM bank_accounts WHERE merchant_id = NEW.merchant_id
      AND id = NEW.bank_account_id AND mode = NEW.mode AND iban = NEW.iban AND holder = NEW.holder
      AND confirmed_at IS NOT NULL AND noticed_at IS NOT NULL
      AND retired_at IS NULL AND usable_from <= least(NEW.updated_at, now())) THEN
    RAISE EXCEPTION 'bank account % of payout % cannot be paid to', NEW.bank_account_id, NEW.id
      USING ERRCODE = 'check_violation', TABLE = 'payouts', CONSTRAINT = 'payouts_account_usable';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER payouts_account_usable_at_first AFTER INSERT ON payouts
  FOR EACH ROW WHEN (NEW.status IN ('draft', 'pending_approval', 'approved', 'exported'))
    EXECUTE FUNCTION refuse_unusable_account();
CREATE TRIGGER payouts_account_usable AFTER UPDATE OF status, bank_account_id, iban, holder ON payouts
  FOR EACH ROW WHEN (NEW.status IN ('draft', 'pending_approval', 'approved', 'exported')
    AND (OLD.status <> 'exported'
      OR (NEW.bank_account_id, NEW.iban, NEW.holder) IS DISTINCT FROM (OLD.bank_account_id, OLD.iban, OLD.holder)))
    EXECUTE FUNCTION refuse_unusable_account();

-- Records who requested the payout, and who added and confirmed its bank account.
CREATE FUNCTION note_payout_hands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO payout_hands
  SELECT NEW.merchant_id, NEW.id, h.user_id, h.act
  FROM (SELECT) n LEFT JOIN bank_accounts a ON a.merchant_id = NEW.merchant_id AND a.id = NEW.bank_account_id
  CROSS JOIN LATERAL (VALUES (NEW.requested_by, 'requested'),
    (a.created_by, 'account_added'), (a.confirmed_by, 'account_confirmed')) h (user_id, act)
  WHERE h.user_id IS NOT NULL ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER payouts_hands AFTER INSERT OR UPDATE OF requested_by, bank_account_id ON payouts
  FOR EACH ROW EXECUTE FUNCTION note_payout_hands();

-- Money of the payout's balance that is in no other approved payout: received (`order`) and returned (`correction`).
-- Fees have no kind.
CREATE FUNCTION undecided_money(merchant uuid, payout uuid) RETURNS TABLE(txid uuid, kind text) LANGUAGE sql STABLE AS $$
  WITH p AS (SELECT merchant_id, mode, currency FROM payouts WHERE merchant_id = $1 AND id = $2)
  SELECT l.txid, l.kind FROM p JOIN payouts q USING (merchant_id, mode, currency)
    JOIN payout_lines l ON l.merchant_id = q.merchant_id AND l.payout_id = q.id
    WHERE q.status = 'pending_approval' AND q.id <> $2
  UNION ALL
  SELECT t.txid, CASE WHEN t.credit = 'available' THEN 'order'
      WHEN t.kind IN ('reversal', 'charge_back', 'deallocation', 'refund_reserved') THEN 'correction' END
    FROM p JOIN transfers t USING (merchant_id, mode, currency)
    WHERE NOT t.covered AND t.payment_id IS NOT NULL AND (t.debit = 'available' OR t.credit = 'available')
$$;

-- Orders whose money the payout may pay: those of its lines, or the order of the refund. When returned money of the balance is not yet deducted
-- from an approved payout, money of other orders replaces it, so all orders with money that is not paid out are
-- included.
CREATE FUNCTION payout_orders(merchant uuid, payout uuid) RETURNS TABLE(txid uuid) LANGUAGE sql STABLE AS $$
  WITH undecided AS MATERIALIZED (SELECT * FROM undecided_money($1, $2))
  SELECT l.txid FROM payout_lines l WHERE l.merchant_id = $1 AND l.payout_id = $2
  UNION
  SELECT r.txid FROM refunds r WHERE r.merchant_id = $1 AND r.id = $2
  UNION
  -- Money that replaces the refund in a payout that has not left: the payout may still be cancelled.
  SELECT l.txid FROM transfers t JOIN payout_lines own ON own.merchant_id = t.merchant_id AND own.transfer_id = t.id
    JOIN payouts q ON q.merchant_id = own.merchant_id AND q.id = own.payout_id
      AND q.status IN ('pending_approval', 'approved', 'exported')
    JOIN payout_lines l ON l.merchant_id = q.merchant_id AND l.payout_id = q.id AND l.kind = 'order'
    WHERE t.merchant_id = $1 AND t.refund_id = $2 AND t.kind = 'refund_reserved'
  UNION
  SELECT u.txid FROM undecided u WHERE u.kind = 'order' AND EXISTS (SELECT FROM undecided WHERE kind = 'correction')
$$;

-- Users who may have spared the merchant a debt within the last 60 days, which its later payouts would pay: they decided that a
-- return of its money is something else, added the unallocated money that paid a return, reported that a refund by bank
-- was not sent, failed or came back, or had its file before. Not longer, because otherwise a few
-- operators would soon be barred from all payouts.
CREATE FUNCTION hands_in_balance(merchant uuid, payout uuid)
  RETURNS TABLE(user_id uuid, act text, created_at timestamp with time zone) LANGUAGE sql STABLE AS $$
  WITH p AS (SELECT mode, created_at - interval '60 days' AS since FROM payouts WHERE merchant_id = $1 AND id = $2)
  SELECT h.user_id, h.act, h.created_at FROM p JOIN money_hands h ON h.merchant_id = $1 AND h.created_at >= p.since
    JOIN orders o ON o.merchant_id = $1 AND o.txid = h.txid AND o.mode = p.mode
    WHERE h.act = 'return_spared'
  UNION ALL
  SELECT h.user_id, h.act, h.created_at FROM p
    JOIN transfers t ON t.merchant_id = $1 AND t.mode = p.mode AND t.kind = 'unallocated_back' AND t.created_at >= p.since
    JOIN orders o ON o.merchant_id = $1 AND o.txid = t.txid AND o.status = 'paid'
    JOIN money_hands h ON h.merchant_id = $1 AND h.txid = t.txid AND h.act IN ('matched', 'marked_distinct', 'payer_added')
  UNION ALL
  SELECT h.user_id, 'earlier', e.updated_at FROM p
    JOIN payouts e ON e.merchant_id = $1 AND e.refund_id IS NOT NULL AND e.updated_at >= p.since AND e.mode = p.mode
      AND e.id <> $2 AND e.status IN ('rejected', 'cancelled', 'failed', 'returned')
    JOIN payout_hands h ON h.merchant_id = $1 AND h.payout_id = e.id
      AND h.act IN ('file_made', 'file_downloaded', 'not_sent', 'failed', 'returned')
$$;

-- Users involved in a payout, in the result of an earlier payout of its money, or in its money. `created_at` is null
-- for acts that start no waiting period.
CREATE FUNCTION hands_in_payout(merchant uuid, payout uuid)
  RETURNS TABLE(user_id uuid, act text, created_at timestamp with time zone) LANGUAGE sql STABLE AS $$
  SELECT h.user_id, h.act, NULL::timestamptz FROM payout_hands h
    WHERE h.merchant_id = $1 AND h.payout_id = $2
  UNION ALL
  SELECT h.user_id, 'earlier', NULL FROM payout_orders($1, $2) o
    JOIN payout_lines l ON l.merchant_id = $1 AND l.txid = o.txid AND l.kind = 'order' AND l.payout_id <> $2
    JOIN payouts p ON p.merchant_id = $1 AND p.id = l.payout_id AND p.status IN ('rejected', 'cancelled', 'failed', 'returned')
    JOIN payout_hands h ON h.merchant_id = $1 AND h.payout_id = l.payout_id
      AND h.act IN ('file_made', 'file_downloaded', 'not_sent', 'failed', 'returned', 'earlier')
  UNION ALL
  SELECT h.user_id, h.act, h.created_at FROM payout_orders($1, $2) o
    JOIN money_hands h ON h.merchant_id = $1 AND h.txid = o.txid
  UNION ALL
  SELECT h.user_id, h.act, h.created_at FROM outgoing_hands_of($1, $2) h
  UNION ALL
  SELECT h.user_id, h.act, h.created_at FROM hands_in_balance($1, $2) h
$$;

-- Advisory lock of a mode: approvals take it exclusively, involvements in outgoing money share it.
CREATE FUNCTION approvals_lock(mode text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT hashtextextended('approvals ' || $1, 0)
$$;

-- A payout cannot be approved by an involved user, or a current or former member of its merchant. A single operator may
-- approve after the waiting period, unless a member.
CREATE FUNCTION refuse_involved_approver() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  rules operating_rules;
  since timestamptz;
BEGIN
  -- Until the approval is committed no hand is: neither in money of the payout's orders (`lock_payouts_of_involved`) nor in money
  -- that left an account (`await_approvals`). Each statement below sees the hands that were committed before.
  PERFORM FROM payouts WHERE merchant_id = NEW.merchant_id AND id = NEW.id FOR UPDATE;
  PERFORM pg_advisory_xact_lock(approvals_lock(NEW.mode));
  IF EXISTS (SELECT FROM merchant_people WHERE merchant_id = NEW.merchant_id
      AND user_id = NEW.approved_by) THEN
    RAISE EXCEPTION 'a user who is involved in a payout, or belongs to its merchant, does not approve it'
      USING ERRCODE = 'check_violation', TABLE = 'payouts', CONSTRAINT = 'payouts_second_person';
  END IF;
  IF NOT EXISTS (SELECT FROM hands_in_payout(NEW.merchant_id, NEW.id) h WHERE h.user_id = NEW.approved_by) THEN
    RETURN NULL;
  END IF;
  SELECT * INTO rules FROM operating_rules;
  IF NOT rules.single_operator OR TG_OP = 'INSERT' THEN
    RAISE EXCEPTION 'a user who is involved in a payout, or belongs to its merchant, does not approve it'
      USING ERRCODE = 'check_violation', TABLE = 'payouts', CONSTRAINT = 'payouts_second_person';
  END IF;
  since := CASE NEW.mode WHEN 'test' THEN NEW.created_at - rules.waiting_hours * interval '1 hour'
    ELSE payout_waits_since(NEW.merchant_id, NEW.id, OLD.updated_at) END;
  IF since IS NULL
    OR since + rules.waiting_hours * interval '1 hour' > least(NEW.approved_at, now()) THEN
    RAISE EXCEPTION 'a user who is involved in a payout, or belongs to its merchant, does not approve it'
      USING ERRCODE = 'check_violation', TABLE = 'payouts', CONSTRAINT = 'payouts_second_person';
  END IF;
  INSERT INTO single_operator_approvals
    VALUES (NEW.merchant_id, NEW.id, NEW.approved_by, NEW.approved_at, since, rules.waiting_hours);
  RETURN NULL;
END $$;
CREATE TRIGGER payouts_second_person AFTER INSERT OR UPDATE OF approved_by ON payouts
  FOR EACH ROW WHEN (NEW.approved_by IS NOT NULL) EXECUTE FUNCTION refuse_involved_approver();

-- Only an operator approves a payout. The lock serializes with closing this operator's account.
CREATE FUNCTION refuse_other_approver() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM users WHERE id = NEW.approved_by AND platform_role = 'operator' AND disabled_at IS NULL FOR SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'only an operator approves a payout'
      USING ERRCODE = 'check_violation', TABLE = 'payouts', CONSTRAINT = 'payouts_second_person';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER payouts_second_person_role AFTER INSERT OR UPDATE OF approved_by ON payouts
  FOR EACH ROW WHEN (NEW.approved_by IS NOT NULL) EXECUTE FUNCTION refuse_other_approver();

-- A payout begins as a draft that nobody approved and no file has, and changes only along its allowed transitions.
CREATE FUNCTION refuse_payout_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.status = 'draft' AND num_nonnulls(NEW.approved_by, NEW.file_id, NEW.paid_at) = 0 THEN RETURN NEW; END IF;
  ELSIF (OLD.status, NEW.status) IN (('draft', 'pending_approval'), ('draft', 'cancelled'),
      ('pending_approval', 'approved'), ('pending_approval', 'rejected'), ('pending_approval', 'cancelled'),
      ('approved', 'exported'), ('approved', 'rejected'), ('approved', 'cancelled'), ('exported', 'submitted'),
      ('exported', 'approved'), ('exported', 'pending_approval'), ('submitted', 'paid'), ('submitted', 'failed'),
      ('submitted', 'returned'), ('paid', 'returned')) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'payout % cannot become %', NEW.id, NEW.status
    USING ERRCODE = 'check_violation', TABLE = 'payouts', CONSTRAINT = 'payouts_moves';
END $$;
CREATE TRIGGER payouts_begin AFTER INSERT ON payouts FOR EACH ROW EXECUTE FUNCTION refuse_payout_move();
CREATE TRIGGER payouts_moves BEFORE UPDATE OF status ON payouts
  FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION refuse_payout_move();

-- A payout is marked as failed, returned or not sent only by a user or a bank statement.
CREATE FUNCTION refuse_end_without_word() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM payout_hands WHERE merchant_id = NEW.merchant_id AND payout_id = NEW.id
      AND act = CASE NEW.status WHEN 'pending_approval' THEN 'not_sent' ELSE NEW.status END)
    AND NOT (NEW.status = 'returned' AND EXISTS (SELECT FROM bank_payout_lines
      WHERE merchant_id = NEW.merchant_id AND payout_id = NEW.id AND direction = 'in')) THEN
    RAISE EXCEPTION 'the payout was not marked as not sent, failed or returned'
      USING ERRCODE = 'check_violation', TABLE = 'payouts', CONSTRAINT = 'payouts_said';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER payouts_said AFTER UPDATE OF status ON payouts
  FOR EACH ROW WHEN (OLD.status <> NEW.status AND (NEW.status IN ('failed', 'returned')
    OR (OLD.status = 'exported' AND NEW.status = 'pending_approval')))
    EXECUTE FUNCTION refuse_end_without_word();

-- A payout whose file was downloaded needs a new approval, by a user who did not have the file.
CREATE FUNCTION refuse_old_approval() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.approved_by IS NOT NULL AND EXISTS (SELECT FROM audit_entries
  WHERE merchant_id IS NULL AND subject = OLD.file_id::text AND action = 'payout-file.downloaded') THEN
    RAISE EXCEPTION 'the file of the payout was downloaded: it needs a new approval'
      USING ERRCODE = 'check_violation', TABLE = 'payouts', CONSTRAINT = 'payouts_new_approval';
  END IF;
  INSERT INTO payout_hands
    SELECT NEW.merchant_id, NEW.id, user_id, act FROM (
      SELECT created_by, 'file_made' FROM payout_files WHERE id = OLD.file_id
      UNION SELECT user_id, 'file_downloaded' FROM audit_entries
  WHERE merchant_id IS NULL AND subject = OLD.file_id::text AND action = 'payout-file.downloaded' AND user_id IS NOT NULL
    ) h (user_id, act)
    WHERE NEW.approved_by IS NULL ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER payouts_new_approval AFTER UPDATE OF status ON payouts
  FOR EACH ROW WHEN (OLD.status = 'exported' AND NEW.status IN ('approved', 'pending_approval'))
    EXECUTE FUNCTION refuse_old_approval();

-- Records users involved in the result of an earlier payout of the same money.
CREATE FUNCTION note_earlier_hands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO payout_hands
    SELECT DISTINCT n.merchant_id, n.payout_id, h.user_id, 'earlier'
    FROM added n JOIN payout_lines l ON l.merchant_id = n.merchant_id
      AND l.transfer_id = n.transfer_id AND l.payout_id <> n.payout_id
    JOIN payouts p ON p.merchant_id = l.merchant_id AND p.id = l.payout_id
    JOIN payout_hands h ON h.merchant_id = l.merchant_id AND h.payout_id = l.payout_id
    WHERE p.status IN ('rejected', 'cancelled', 'failed', 'returned')
  AND h.act IN ('file_made', 'file_downloaded', 'not_sent', 'failed', 'returned', 'earlier')
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER payout_lines_earlier_hands AFTER INSERT ON payout_lines REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION note_earlier_hands();

-- An approved payout keeps its lines, also after a file with it was marked as not sent.
CREATE FUNCTION refuse_lines_of_approved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM (SELECT DISTINCT merchant_id, payout_id FROM changed) l
      JOIN payouts p ON p.merchant_id = l.merchant_id AND p.id = l.payout_id
      WHERE p.approved_by IS NOT NULL OR EXISTS (SELECT FROM payout_hands h
        WHERE h.merchant_id = p.merchant_id AND h.payout_id = p.id AND h.act = 'not_sent')) THEN
    RAISE EXCEPTION 'the payout was approved: its lines cannot change'
      USING ERRCODE = 'check_violation', TABLE = 'payout_lines', CONSTRAINT = 'payout_lines_of_approved';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER payout_lines_of_approved AFTER DELETE ON payout_lines REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_lines_of_approved();
CREATE TRIGGER payout_lines_added_to_approved AFTER INSERT ON payout_lines REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_lines_of_approved();

-- The 24 hours start when the mails to the owners are sent; mails to owners who neither added nor confirmed the account
-- take precedence.
CREATE FUNCTION begin_account_day() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT CASE WHEN count(next_attempt_at) = 0 THEN max(sent_at) END INTO NEW.noticed_at FROM (
    SELECT next_attempt_at, sent_at,
      rank() OVER (ORDER BY user_id IN (NEW.created_by, coalesce(NEW.confirmed_by, NEW.created_by)), NOT is_seasoned)
    FROM bank_account_notices WHERE merchant_id = NEW.merchant_id AND bank_account_id = NEW.id
  ) n WHERE rank = 1;
  NEW.usable_from := greatest(NEW.created_at, NEW.noticed_at, NEW.confirmed_at) + interval '24 hours';
  RETURN NEW;
END $$;
CREATE TRIGGER bank_accounts_day BEFORE UPDATE OF noticed_at, confirmed_at ON bank_accounts
  FOR EACH ROW EXECUTE FUNCTION begin_account_day();

-- Only an owner of the merchant confirms its bank account, or the account that a payer entered. The lock serializes with removing this owner.
CREATE FUNCTION refuse_other_confirmer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM memberships m JOIN users u ON u.id = m.user_id
    WHERE m.merchant_id = NEW.merchant_id AND m.user_id = NEW.confirmed_by AND m.role = 'owner'
      AND u.disabled_at IS NULL FOR SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'only an owner of the merchant confirms an account'
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_TABLE_NAME || '_confirmer';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER bank_accounts_confirmer_at_first AFTER INSERT ON bank_accounts
  FOR EACH ROW WHEN (NEW.confirmed_by IS NOT NULL) EXECUTE FUNCTION refuse_other_confirmer();
CREATE TRIGGER bank_accounts_confirmer AFTER UPDATE OF confirmed_by ON bank_accounts
  FOR EACH ROW WHEN (NEW.confirmed_by IS DISTINCT FROM OLD.confirmed_by AND NEW.confirmed_by IS NOT NULL)
  EXECUTE FUNCTION refuse_other_confirmer();

-- Whether the recipient had been an owner for 7 days when the account was added.
CREATE FUNCTION note_seasoned_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.is_seasoned := coalesce((SELECT is_seasoned_owner(merchant_id, NEW.user_id, created_at)
    FROM bank_accounts WHERE merchant_id = NEW.merchant_id AND id = NEW.bank_account_id), false);
  RETURN NEW;
END $$;
CREATE TRIGGER bank_account_notices_seasoned BEFORE INSERT ON bank_account_notices
  FOR EACH ROW EXECUTE FUNCTION note_seasoned_owner();

-- Serializes recording an involvement with the approval of the payout: either the approver is rejected, or the payout
-- was approved before. A change of the payout, which may take long, takes a weaker row lock and blocks no involvement.
-- Who explains a return has a hand in outgoing money, too, which `await_approvals` serializes.
CREATE FUNCTION lock_payouts_of_involved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM payouts p WHERE p.status = 'pending_approval' AND (p.merchant_id, p.id) IN (
    SELECT l.merchant_id, l.payout_id FROM added a JOIN payout_lines l
      ON l.merchant_id = a.merchant_id AND l.txid = a.txid AND l.kind = 'order' WHERE a.act <> 'return_spared'
    UNION ALL
    SELECT r.merchant_id, r.id FROM added a JOIN refunds r ON r.merchant_id = a.merchant_id AND r.txid = a.txid
      WHERE r.method = 'bank' AND a.act <> 'return_spared')
    ORDER BY p.id FOR KEY SHARE OF p;
  RETURN NULL;
END $$;
CREATE TRIGGER money_hands_payouts AFTER INSERT ON money_hands REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION lock_payouts_of_involved();

-- Start of the waiting period of a single operator; null while mails about the payout are pending, and unless an owner
-- got one who can still sign in and cancel the payout. The operator's own mail is no notice to anybody else.
CREATE FUNCTION payout_waits_since(merchant uuid, payout uuid, asked timestamp with time zone)
  RETURNS timestamp with time zone LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN count(n.sent_at) > 0 AND count(n.next_attempt_at) = 0
      AND (count(*) FILTER (WHERE u.platform_role IS NULL) = 0
        OR count(n.sent_at) FILTER (WHERE u.disabled_at IS NULL AND EXISTS (SELECT FROM memberships m
          WHERE m.merchant_id = $1 AND m.user_id = u.id AND m.role = 'owner')) > 0)
    THEN greatest($3, max(n.sent_at), lone_operator_since(),
      (SELECT max(h.created_at) FROM hands_in_payout($1, $2) h)) END
  FROM user_notices n JOIN users u ON u.id = n.user_id WHERE n.merchant_id = $1 AND n.kind = 'payout-waits'
    AND n.data ->> 'payout' = $2::text AND n.created_at >= $3
$$;

-- `SINGLE_OPERATOR` has no effect once a second operator can sign in.
CREATE FUNCTION refuse_one_of_several_operators() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF lone_operator_since() IS NULL THEN
    RAISE EXCEPTION 'an involved operator does not approve a payout while another operator can'
      USING ERRCODE = 'check_violation', TABLE = 'payouts', CONSTRAINT = 'payouts_second_person';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER single_operator_approvals_alone AFTER INSERT ON single_operator_approvals
  FOR EACH ROW EXECUTE FUNCTION refuse_one_of_several_operators();

-- The payout whose return a credit is, according to the operator who marked it as not a payment: the first id in the
-- reason.
CREATE FUNCTION payout_in_reason(reason text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT substring(lower(reason) FROM '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}')
$$;

-- Whether a bank line shows that an earlier payout of the same money, or this payout in an earlier file, was debited: an
-- unresolved line, or one that nobody explained, or only the user who reported that payout as failed, returned or not
-- sent. A payer may have written a payout's id into a payment from another account. Or a user reported an earlier payout
-- as returned that the bank executed, no line brought it back, and no other user explained a credit, of at most the
-- amount, with the payout's id as its return. Usually there is no such line; then the lines of the payouts, of which a
-- merchant may have many, are not read.
CREATE FUNCTION left_before(merchant uuid, payout uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN EXISTS (SELECT FROM payouts p JOIN bank_lines l ON l.mode = p.mode
      WHERE p.merchant_id = $1 AND p.id = $2 AND l.direction = 'out' AND l.status = 'booked'
        AND l.state IN ('suggested', 'unmatched'))
    OR EXISTS (SELECT FROM payout_hands WHERE merchant_id = $1 AND act IN ('failed', 'returned', 'not_sent'))
  THEN EXISTS (
    WITH p AS MATERIALIZED (
      SELECT p.mode, f.id AS file_id, f.created_at AS exported_at
      FROM payouts p LEFT JOIN payout_files f ON f.id = p.file_id WHERE p.merchant_id = $1 AND p.id = $2
    ), earlier AS MATERIALIZED (
      SELECT DISTINCT o.payout_id, replace(o.payout_id::text, '-', '') AS id, e.amount, e.iban
      FROM payout_lines n JOIN payout_lines o USING (merchant_id, transfer_id)
      JOIN payouts e ON e.merchant_id = o.merchant_id AND e.id = o.payout_id CROSS JOIN p
      WHERE n.merchant_id = $1 AND n.payout_id = $2
        AND (e.id = $2 OR e.status IN ('rejected', 'cancelled', 'failed', 'returned')
          AND (p.file_id IS NULL OR e.file_id IS DISTINCT FROM p.file_id))
      UNION
      -- A refund takes money of the whole balance, and gives it back to all of it.
      SELECT e.id, replace(e.id::text, '-', ''), e.amount, e.iban FROM p JOIN payouts e ON e.merchant_id = $1
        AND e.mode = p.mode WHERE e.refund_id IS NOT NULL
        AND (e.id = $2 OR e.status IN ('rejected', 'cancelled', 'failed', 'returned')
          AND (p.file_id IS NULL OR e.file_id IS DISTINCT FROM p.file_id)
          AND EXISTS (SELECT FROM payout_hands h WHERE h.merchant_id = $1 AND h.payout_id = e.id
            AND h.act IN ('failed', 'returned', 'not_sent')))
    ), reported AS MATERIALIZED (
      SELECT h.payout_id, h.user_id, lone_operator_since() IS NOT NULL AS is_lone
      FROM payout_hands h JOIN earlier USING (payout_id)
      WHERE h.merchant_id = $1 AND h.act IN ('failed', 'returned', 'not_sent')
    ), debited AS MATERIALIZED (
      SELECT l.id, NULL::uuid AS payout_id FROM p JOIN bank_lines l USING (mode)
      WHERE l.direction = 'out' AND l.status = 'booked' AND l.state IN ('suggested', 'unmatched')
      UNION ALL
      SELECT l.id, r.payout_id FROM p JOIN bank_lines l USING (mode)
      JOIN reported r ON NOT r.is_lone AND (r.user_id = (
        SELECT a.user_id FROM audit_entries a WHERE a.merchant_id IS NULL AND a.subject = l.id::text
          AND a.action IN ('bank-line.ignored', 'bank-line.same-booking') ORDER BY a.id DESC LIMIT 1)
        OR EXISTS (SELECT FROM bank_returns b WHERE b.line_id = l.id AND b.said_by = r.user_id AND b.undone_at IS NULL)
        OR l.reason = 'unknown_money_out')
      WHERE l.direction = 'out' AND l.status = 'booked' AND l.state IN ('ignored', 'not_a_payment', 'superseded') AND EXISTS (SELECT FROM reported)
    )
    SELECT FROM debited d JOIN bank_lines l USING (id) CROSS JOIN p
    JOIN earlier o ON d.payout_id IS NULL OR d.payout_id = o.payout_id
    WHERE (o.payout_id <> $2 OR p.file_id IS NULL OR l.created_at < p.exported_at)
      AND (position(o.id IN lower(concat_ws(' ', l.end_to_end_id, l.identifiers ->> 'instructionId', left(l.text, 5000)))) > 0
          AND (l.counterparty_account_type IS DISTINCT FROM 'iban' OR l.counterparty_account = o.iban OR l.amount = o.amount)
        OR EXISTS (SELECT FROM payout_files n WHERE n.id IS DISTINCT FROM p.file_id
          AND position(o.id IN n.content) > 0 AND n.message_id IN
          (l.end_to_end_id, l.identifiers ->> 'messageId', l.identifiers ->> 'paymentInformationId')))
    UNION ALL
    SELECT FROM reported r JOIN earlier o USING (payout_id)
    JOIN bank_payout_lines b ON b.merchant_id = $1 AND b.payout_id = r.payout_id AND b.direction = 'out'
    JOIN bank_lines d ON d.id = b.line_id
    WHERE r.payout_id <> $2
      AND NOT EXISTS (SELECT FROM bank_payout_lines WHERE merchant_id = $1 AND payout_id = r.payout_id AND direction = 'in')
      AND NOT EXISTS (SELECT FROM bank_lines c WHERE c.mode = d.mode AND c.account = d.account AND c.state = 'ignored'
        AND c.direction = 'in' AND c.status = 'booked' AND c.currency = d.currency AND c.amount <= o.amount
        AND (coalesce(c.booked_on, c.valued_on) < coalesce(d.booked_on, d.valued_on)) IS NOT TRUE
        AND payout_in_reason(c.reason) = o.payout_id::text
        AND (r.is_lone OR r.user_id <> (SELECT a.user_id FROM audit_entries a WHERE a.merchant_id IS NULL
          AND a.subject = c.id::text AND a.action = 'bank-line.ignored' ORDER BY a.id DESC LIMIT 1))))
    ELSE false END
$$;

-- A credit that stands for the return of a payout pays nothing else once another payout of that money is approved. The
-- lock serializes with approvals, which read its state.
CREATE FUNCTION refuse_reopened_return() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(approvals_lock(NEW.mode));
  IF EXISTS (SELECT FROM payouts e JOIN payout_lines o ON o.merchant_id = e.merchant_id AND o.payout_id = e.id
      JOIN payout_lines n ON n.merchant_id = o.merchant_id AND n.transfer_id = o.transfer_id AND n.payout_id <> e.id
      JOIN payouts p ON p.merchant_id = n.merchant_id AND p.id = n.payout_id
      WHERE e.id = payout_in_reason(OLD.reason)::uuid AND e.status = 'returned'
        AND p.status IN ('approved', 'exported', 'submitted', 'paid'))
    -- A refund takes money of the whole balance, and gives it back to all of it.
    OR EXISTS (SELECT FROM payouts e JOIN payouts p ON p.merchant_id = e.merchant_id AND p.id <> e.id
        AND (p.mode, p.currency) = (e.mode, e.currency) AND p.approved_at >= e.updated_at
      WHERE e.id = payout_in_reason(OLD.reason)::uuid AND e.status = 'returned' AND e.refund_id IS NOT NULL)
    OR EXISTS (SELECT FROM payouts e JOIN refunds r ON r.merchant_id = e.merchant_id
        AND (r.mode, r.currency) = (e.mode, e.currency) AND r.method = 'provider' AND r.updated_at >= e.updated_at
        AND r.status IN ('approved', 'submitted', 'succeeded')
      WHERE e.id = payout_in_reason(OLD.reason)::uuid AND e.status = 'returned' AND e.refund_id IS NOT NULL) THEN
    RAISE EXCEPTION 'a payout was approved because this credit is the return of an earlier one'
      USING ERRCODE = 'check_violation', TABLE = 'bank_lines', CONSTRAINT = 'bank_lines_stands_for_return';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER bank_lines_stands_for_return AFTER UPDATE OF state ON bank_lines
  FOR EACH ROW WHEN (OLD.state = 'ignored' AND NEW.state IN ('suggested', 'unmatched') AND NEW.direction = 'in'
    AND OLD.reason ~ '-')
  EXECUTE FUNCTION refuse_reopened_return();

-- Whether the payment of a refund brought in less than went back, or is about to: a bank has taken back a part since.
CREATE FUNCTION refund_exceeds_payment(merchant uuid, refund uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM refunds r JOIN payments p ON p.merchant_id = r.merchant_id AND p.id = r.payment_id
    WHERE r.merchant_id = $1 AND r.id = $2
      AND coalesce(p.amount_received, 0) < given_back(p.merchant_id, p.id, p.txid))
$$;

-- Whether an unresolved return waits on an account on which money of these orders arrived, or unresolved outgoing money on
-- any account with an identifier of that money, whatever its amount, or of its amount to its payer's account since. The
-- orders: all whose money the payout may pay, or only the refunded one. Reports of one booking may be 10 days apart
-- (`WINDOW_DAYS` of src/bank/recognition/line-key.ts). Announced money counts, too, until a statement covers a later day.
CREATE FUNCTION return_waits(merchant uuid, payout uuid, refunded_only boolean) RETURNS boolean LANGUAGE sql STABLE AS $$
  WITH p AS (SELECT * FROM payouts WHERE merchant_id = $1 AND id = $2),
  involved AS (
    SELECT o.txid FROM payout_orders($1, $2) o WHERE NOT $3
    UNION ALL SELECT r.txid FROM refunds r WHERE $3 AND r.merchant_id = $1 AND r.id = $2
  ),
  waiting AS MATERIALIZED (
    SELECT l.id, l.account, l.status, l.kind, l.booked_on, l.valued_on FROM bank_lines l JOIN p ON p.mode = l.mode
    WHERE l.direction = 'out' AND l.status = 'booked'
      AND (l.state IN ('suggested', 'unmatched') OR l.state = 'not_a_payment' AND l.reason = 'unknown_money_out')
    UNION ALL
    SELECT l.id, l.account, l.status, l.kind, l.booked_on, l.valued_on FROM bank_lines l JOIN p ON p.mode = l.mode
    WHERE l.direction = 'out' AND l.state = 'announced' AND NOT EXISTS (SELECT FROM bank_statements s
      WHERE s.mode = l.mode AND s.account = l.account
        -- A file cannot cover a day that has not come.
        AND least(greatest(s.covers_until, s.booked_until), s.created_at::date) > coalesce(greatest(l.booked_on, l.valued_on), l.created_at::date))
  ), came AS (
    SELECT b.account, names_of_line(b) || r.reference || account_and_amount(b) AS names,
      least(a.created_at, b.booked_on::timestamptz, b.valued_on::timestamptz) - interval '10 days' AS since
    FROM involved o
    JOIN payments y ON y.merchant_id = $1 AND y.txid = o.txid
    JOIN bank_allocations a ON a.merchant_id = y.merchant_id AND a.payment_id = y.id
    JOIN bank_lines b ON b.id = a.line_id
    LEFT JOIN transfer_references r ON r.merchant_id = $1 AND r.txid = o.txid
    WHERE EXISTS (SELECT FROM waiting)
  )
  SELECT EXISTS (
      SELECT FROM waiting w JOIN (SELECT account, min(since) AS since FROM came GROUP BY account) c USING (account)
      WHERE w.status = 'booked' AND w.kind IN ('return', 'reversal')
        AND coalesce(greatest(w.booked_on, w.valued_on), 'infinity') >= c.since
    ) OR EXISTS (
      SELECT FROM (SELECT coalesce(greatest(booked_on, valued_on), 'infinity') AS day,
          unnest(names_of_line(l) || references_in_line(l) || account_and_amount(l)) AS name FROM bank_lines l
        WHERE id IN (SELECT id FROM waiting)) w
      JOIN (SELECT since, unnest(names) AS name FROM came) c USING (name)
      WHERE w.day >= c.since OR NOT starts_with(name, 'account ')
    ) OR $3 AND refund_exceeds_payment($1, $2)
$$;

-- Why a payout cannot be approved now; null when it can. `return_waits`: its money may have been taken back.
-- `left_before`: the money may be paid twice.
-- `report_waits`: an operator has not handled what a provider reported about a payment of an order in the payout.
-- `money_went_back`: money of an order in the payout was returned after the request.
-- `balance_negative`: returns of the merchant exceed the balance left beside the payout.
CREATE FUNCTION why_payout_waits(merchant uuid, payout uuid) RETURNS text LANGUAGE sql STABLE AS $$
  WITH p AS (SELECT * FROM payouts WHERE merchant_id = $1 AND id = $2)
  SELECT CASE WHEN return_waits($1, $2, false) THEN 'return_waits'
    WHEN left_before($1, $2) THEN 'left_before'
    WHEN EXISTS (SELECT y.txid FROM provider_events e
        JOIN payments y ON y.merchant_id = e.merchant_id AND y.id = e.payment_id
        WHERE e.merchant_id = $1 AND e.handled_at IS NULL AND (e.applied_at IS NULL OR e.result = 'mismatch')
      INTERSECT SELECT o.txid FROM payout_orders($1, $2) o) THEN 'report_waits'
    -- INTERSECT takes linear time; a join would be planned as a nested loop over all lines.
    -- A refund has no lines, and is itself a correction.
    WHEN EXISTS (SELECT u.txid FROM undecided_money($1, $2) u WHERE u.kind = 'correction' AND u.txid IS NOT NULL
      INTERSECT SELECT l.txid FROM payout_lines l WHERE l.merchant_id = $1 AND l.payout_id = $2)
      OR refund_exceeds_payment($1, $2) THEN 'money_went_back'
    WHEN coalesce((SELECT b.amount FROM balances b JOIN p USING (merchant_id, mode, currency)
        WHERE b.account = 'available'), 0)
      + coalesce((SELECT sum(CASE WHEN t.credit = 'available' THEN t.amount ELSE -t.amount END)
        FROM transfers t JOIN p USING (merchant_id, mode, currency)
        WHERE NOT t.checkpointed AND 'available' IN (t.debit, t.credit)), 0) < 0
      THEN 'balance_negative' END
$$;

-- A payout cannot be approved while its money may have been returned.
CREATE FUNCTION refuse_money_that_goes_back() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF why_payout_waits(NEW.merchant_id, NEW.id) IS NOT NULL THEN
    RAISE EXCEPTION 'a payout waits while its money may have gone back' USING ERRCODE = 'check_violation',
      TABLE = 'payouts', CONSTRAINT = 'payouts_still_funded';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER payouts_still_funded AFTER UPDATE OF approved_by ON payouts
  FOR EACH ROW WHEN (NEW.approved_by IS NOT NULL AND NEW.approved_by IS DISTINCT FROM OLD.approved_by)
    EXECUTE FUNCTION refuse_money_that_goes_back();

-- An approved payout is excluded from files while a bank line shows that its money already left, or that the payer's bank
-- may have taken back the payment of a refund.
CREATE FUNCTION refuse_second_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF left_before(NEW.merchant_id, NEW.id)
    OR NEW.refund_id IS NOT NULL AND return_waits(NEW.merchant_id, NEW.id, true) THEN
    RAISE EXCEPTION 'according to a bank line, the money of payout % already left', NEW.id USING ERRCODE = 'check_violation',
      TABLE = 'payouts', CONSTRAINT = 'payouts_paid_once';
  END IF;
  RETURN NEW;
END $$;
-- Before the update, so that `left_before` sees the payout without its new file.
CREATE TRIGGER payouts_paid_once BEFORE UPDATE OF status ON payouts
  FOR EACH ROW WHEN (NEW.status = 'exported' AND OLD.status <> 'exported')
  EXECUTE FUNCTION refuse_second_payment();

-- A confirmation counts from when it was made.
CREATE TRIGGER bank_accounts_confirmed_time AFTER UPDATE OF confirmed_at ON bank_accounts
  FOR EACH ROW WHEN (NEW.confirmed_at IS NOT NULL) EXECUTE FUNCTION refuse_earlier_time('confirmed_at');

-- Immutable rows, and columns that are set once.
CREATE TRIGGER bank_accounts_kept BEFORE DELETE
  OR UPDATE OF merchant_id, id, mode, holder, iban, created_by, created_at ON bank_accounts
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER bank_accounts_confirmed_once BEFORE UPDATE OF confirmed_by, confirmed_at ON bank_accounts
  FOR EACH ROW WHEN (OLD.confirmed_at IS NOT NULL) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER bank_accounts_retired_once BEFORE UPDATE OF retired_at ON bank_accounts
  FOR EACH ROW WHEN (OLD.retired_at IS NOT NULL) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payouts_kept BEFORE DELETE OR UPDATE OF merchant_id, id, mode, currency, created_at ON payouts
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payouts_approved_kept
  BEFORE UPDATE OF amount, bank_account_id, holder, iban, content_hash, approved_hash ON payouts
  FOR EACH ROW WHEN (OLD.approved_by IS NOT NULL AND NEW.approved_by IS NOT NULL
    AND (OLD.amount, OLD.bank_account_id, OLD.holder, OLD.iban, OLD.content_hash, OLD.approved_hash)
      IS DISTINCT FROM (NEW.amount, NEW.bank_account_id, NEW.holder, NEW.iban, NEW.content_hash, NEW.approved_hash))
    EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payouts_refund_kept
  BEFORE UPDATE OF amount, bank_account_id, refund_id, holder, iban, remittance, requested_by ON payouts
  FOR EACH ROW WHEN ((OLD.refund_id IS NOT NULL OR NEW.refund_id IS NOT NULL)
    AND (OLD.amount, OLD.bank_account_id, OLD.refund_id, OLD.holder, OLD.iban, OLD.remittance, OLD.requested_by)
      IS DISTINCT FROM (NEW.amount, NEW.bank_account_id, NEW.refund_id, NEW.holder, NEW.iban, NEW.remittance, NEW.requested_by))
    EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_lines_kept BEFORE UPDATE ON payout_lines
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_lines_no_truncate BEFORE TRUNCATE ON payout_lines
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_files_immutable BEFORE DELETE
  OR UPDATE OF id, mode, currency, format, message_id, content, sha256, payouts, amount, created_by, created_at
  ON payout_files
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_files_not_sent_once BEFORE UPDATE OF not_sent_at ON payout_files
  FOR EACH ROW WHEN (OLD.not_sent_at IS NOT NULL) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_files_no_truncate BEFORE TRUNCATE ON payout_files
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_hands_append_only BEFORE DELETE OR UPDATE ON payout_hands
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_hands_no_truncate BEFORE TRUNCATE ON payout_hands
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER money_hands_append_only BEFORE DELETE OR UPDATE ON money_hands
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER money_hands_no_truncate BEFORE TRUNCATE ON money_hands
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER single_operator_approvals_append_only BEFORE DELETE OR UPDATE ON single_operator_approvals
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER single_operator_approvals_no_truncate BEFORE TRUNCATE ON single_operator_approvals
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
