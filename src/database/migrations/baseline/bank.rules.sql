-- Booked data of a line is immutable. A booking may turn out to be a return, but a return to be nothing else.
CREATE FUNCTION refuse_other_booking() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'what a bank has booked does not change' USING ERRCODE = 'check_violation',
    CONSTRAINT = 'bank_lines_facts', TABLE = 'bank_lines';
END $$;
CREATE TRIGGER bank_lines_facts BEFORE UPDATE ON bank_lines
  FOR EACH ROW WHEN (OLD.mode IS DISTINCT FROM NEW.mode OR OLD.account IS DISTINCT FROM NEW.account
    OR OLD.amount IS DISTINCT FROM NEW.amount OR OLD.amount_text IS DISTINCT FROM NEW.amount_text
    OR OLD.currency IS DISTINCT FROM NEW.currency OR OLD.direction IS DISTINCT FROM NEW.direction
    OR OLD.created_at IS DISTINCT FROM NEW.created_at OR (OLD.has_paid AND NOT NEW.has_paid)
    OR (OLD.status = 'booked' AND (NEW.status <> 'booked' OR (OLD.booked_on IS NOT NULL
    AND NEW.booked_on IS DISTINCT FROM OLD.booked_on) OR (OLD.kind <> 'payment' AND NEW.kind <> OLD.kind
    AND NEW.kind NOT IN ('return', 'reversal')))))
    EXECUTE FUNCTION refuse_other_booking();

-- `camt.053` for `camt.053.001.08`. Each way to read CSV files is a format.
CREATE FUNCTION format_family(statement uuid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE s.format WHEN 'csv' THEN 'csv ' || f.reading ELSE left(s.format, 8) END
  FROM bank_statements s JOIN bank_files f ON f.id = s.file_id WHERE s.id = statement
$$;

-- The formats that have booked a line, or the batch total of which it is a part.
CREATE FUNCTION formats_of_line(line uuid, total uuid) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT coalesce(array_agg(DISTINCT format ORDER BY format), '{}') FROM (
    SELECT format_family(statement_id) AS format FROM bank_line_places
    WHERE line_id IN (line, total) AND status IS DISTINCT FROM 'announced') p
$$;

-- Adds the format of a statement to `bank_lines.formats` of its lines, and of the parts of its totals.
CREATE FUNCTION note_formats() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH statements AS MATERIALIZED (
    SELECT id, format_family(id) AS format FROM (SELECT DISTINCT statement_id AS id FROM added) s
  ), booked AS (
    SELECT a.line_id, s.format FROM added a JOIN statements s ON s.id = a.statement_id
    WHERE a.status IS DISTINCT FROM 'announced'
  )
  UPDATE bank_lines l SET formats = formats_of_line(l.id, l.parent_id) FROM (
    SELECT line_id AS id, format FROM booked
    UNION SELECT p.id, b.format FROM booked b JOIN bank_lines p ON p.parent_id = b.line_id) f
  WHERE l.id = f.id AND NOT l.formats @> ARRAY[f.format];
  RETURN NULL;
END $$;
CREATE TRIGGER bank_line_places_formats AFTER INSERT ON bank_line_places REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION note_formats();

-- The same for lines that an operator merges, or splits again.
CREATE FUNCTION note_formats_of_merge() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE bank_lines SET formats = formats_of_line(id, parent_id)
    WHERE id IN (OLD.line_id, NEW.line_id) OR parent_id IN (OLD.line_id, NEW.line_id);
  RETURN NULL;
END $$;
CREATE TRIGGER bank_line_places_moved_formats AFTER UPDATE OF line_id ON bank_line_places
  FOR EACH ROW EXECUTE FUNCTION note_formats_of_merge();

-- The same for lines that become parts of a total.
CREATE FUNCTION note_formats_of_part() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.formats := formats_of_line(NEW.id, NEW.parent_id);
  RETURN NEW;
END $$;
CREATE TRIGGER bank_lines_part_formats BEFORE UPDATE OF parent_id ON bank_lines
  FOR EACH ROW WHEN (OLD.parent_id IS DISTINCT FROM NEW.parent_id) EXECUTE FUNCTION note_formats_of_part();

-- Remembers that a line has moved money of orders, whatever an operator decides about it later.
CREATE FUNCTION note_paid() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.has_paid := true;
  RETURN NEW;
END $$;
CREATE TRIGGER bank_lines_paid_once BEFORE INSERT OR UPDATE ON bank_lines
  FOR EACH ROW WHEN (NEW.state = 'matched' OR NEW.reason IN ('partly_matched', 'charged_back'))
  EXECUTE FUNCTION note_paid();

-- Limits the allocations of a line to its amount. Locks the line.
CREATE FUNCTION refuse_overspent_line() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE most bigint;
BEGIN
  SELECT amount INTO most FROM bank_lines
    WHERE id = NEW.line_id AND direction = 'in' AND status = 'booked' FOR NO KEY UPDATE;
  IF most IS NULL OR most < (SELECT sum(amount) FROM bank_allocations
      WHERE line_id = NEW.line_id AND (undone_at IS NULL OR undone_by_line_id IS NOT NULL))
    OR TG_OP = 'INSERT' AND EXISTS (SELECT FROM bank_allocations
      WHERE line_id = NEW.line_id AND undone_by_line_id IS NOT NULL)
    OR TG_OP = 'UPDATE' AND OLD.undone_at IS NOT NULL AND (OLD.undone_by_line_id IS NULL
      OR NEW.undone_by_line_id IS NOT NULL OR NEW.amount <= (SELECT coalesce(sum(amount), 0) FROM bank_returns
        WHERE merchant_id = NEW.merchant_id AND payment_id = NEW.payment_id AND undone_at IS NULL)) THEN
    RAISE EXCEPTION 'a line pays for no more than it brought' USING ERRCODE = 'check_violation',
      CONSTRAINT = 'bank_allocations_within_line', TABLE = 'bank_allocations';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER bank_allocations_within_line AFTER INSERT OR UPDATE ON bank_allocations
  FOR EACH ROW WHEN (NEW.undone_at IS NULL) EXECUTE FUNCTION refuse_overspent_line();

-- A possible duplicate pays no order, and an unproven line is not matched automatically.
CREATE FUNCTION refuse_unproven_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM bank_lines WHERE id = NEW.line_id AND (
      duplicate_of IS NOT NULL AND marked_distinct_by IS NULL OR unproven IS NOT NULL AND NEW.matched_by IS NULL)) THEN
    RAISE EXCEPTION 'a line that may be another booking, or that its statement does not prove, pays for nothing by itself'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'bank_allocations_proven', TABLE = 'bank_allocations';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER bank_allocations_proven AFTER INSERT ON bank_allocations
  FOR EACH ROW EXECUTE FUNCTION refuse_unproven_line();

-- The payer's account, as the bank had named it when the line paid: a later file, which anybody may bring, names no payer
-- of a refund. Null, too, if the line named another account, or none, when it paid before.
CREATE FUNCTION note_payer_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.payer_account := (SELECT l.counterparty_account FROM bank_lines l WHERE l.id = NEW.line_id
    AND NOT EXISTS (SELECT FROM bank_allocations a
      WHERE a.line_id = l.id AND a.payer_account IS DISTINCT FROM l.counterparty_account));
  RETURN NEW;
END $$;
CREATE TRIGGER bank_allocations_payer_account BEFORE INSERT ON bank_allocations
  FOR EACH ROW EXECUTE FUNCTION note_payer_account();

-- A line that moved money keeps the account that the bank named. The words of a waiting line that nothing proves may change.
CREATE FUNCTION refuse_other_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF has_moved_money(OLD.id) THEN
    RAISE EXCEPTION 'what a bank has booked does not change' USING ERRCODE = 'check_violation',
      CONSTRAINT = 'bank_lines_facts', TABLE = 'bank_lines';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER bank_lines_account_kept BEFORE UPDATE OF counterparty_account, counterparty_account_type ON bank_lines
  FOR EACH ROW WHEN (OLD.counterparty_account IS NOT NULL
    AND (OLD.counterparty_account, OLD.counterparty_account_type)
      IS DISTINCT FROM (NEW.counterparty_account, NEW.counterparty_account_type)
    AND (OLD.unproven IS NULL OR OLD.state NOT IN ('suggested', 'unmatched', 'not_a_payment')))
  EXECUTE FUNCTION refuse_other_account();

-- Locks the operator until the transaction ends.
CREATE FUNCTION demand_operator(who uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- The lock serializes with disabling this operator.
  PERFORM FROM users WHERE id = who AND platform_role = 'operator' AND disabled_at IS NULL FOR SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'only an operator decides where payers send money'
      USING ERRCODE = 'check_violation', TABLE = 'collection_account_changes', CONSTRAINT = 'collection_account_changes_operator';
  END IF;
END $$;

-- A change of a live collection account starts as the proposal of an operator.
CREATE FUNCTION check_collection_account_proposal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF num_nonnulls(NEW.confirmed_at, NEW.withdrawn_at, NEW.applied_at) > 0 THEN
    RAISE EXCEPTION 'a change is proposed first'
      USING ERRCODE = 'check_violation', TABLE = 'collection_account_changes', CONSTRAINT = 'collection_account_changes_proposed';
  END IF;
  IF NEW.proposed_by IS NOT NULL THEN PERFORM demand_operator(NEW.proposed_by); END IF;
  IF (NEW.kind <> 'add') <> EXISTS (SELECT FROM collection_accounts a
      WHERE a.id = NEW.account_id AND a.mode = 'live' AND a.disabled_at IS NULL
        AND (a.currency, a.holder, a.account, a.bic, a.bank_name) IS NOT DISTINCT FROM
          (NEW.currency, NEW.holder, NEW.account, NEW.bic, NEW.bank_name))
    OR NEW.kind = 'add' AND EXISTS (SELECT FROM collection_accounts WHERE id = NEW.account_id) THEN
    RAISE EXCEPTION 'the account is not as the change says'
      USING ERRCODE = 'check_violation', TABLE = 'collection_account_changes', CONSTRAINT = 'collection_account_changes_of_account';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER collection_account_changes_proposed AFTER INSERT ON collection_account_changes
  FOR EACH ROW EXECUTE FUNCTION check_collection_account_proposal();

-- Whether a change has a waiting period. The first account of a currency, before any live order, has none.
CREATE FUNCTION collection_account_change_waits(change collection_account_changes)
  RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT CASE change.kind
    WHEN 'add' THEN EXISTS (SELECT FROM collection_accounts
        WHERE mode = 'live' AND currency = change.currency)
      OR EXISTS (SELECT FROM merchants m
        WHERE EXISTS (SELECT FROM orders o WHERE o.merchant_id = m.id AND o.mode = 'live'
          AND o.amount > 0))
    WHEN 'disable' THEN change.account_id = (SELECT id FROM collection_accounts
      WHERE mode = 'live' AND currency = change.currency AND disabled_at IS NULL
      ORDER BY position, id LIMIT 1)
      AND EXISTS (SELECT FROM collection_accounts WHERE mode = 'live' AND disabled_at IS NULL
        AND currency = change.currency AND id <> change.account_id)
    ELSE true END
$$;

-- A second operator confirms. Sets the rule that applied and when the change takes effect.
CREATE FUNCTION confirm_collection_account_change(INOUT change collection_account_changes) LANGUAGE plpgsql AS $$
DECLARE
  rules operating_rules;
  is_alone boolean := change.confirmed_by IS NOT DISTINCT FROM change.proposed_by;
BEGIN
  SELECT * INTO rules FROM operating_rules;
  PERFORM demand_operator(change.confirmed_by);
  IF change.proposed_by IS NOT NULL THEN PERFORM demand_operator(change.proposed_by); END IF;
  IF change.confirmed_at < change.proposed_at THEN
    RAISE EXCEPTION 'a change is confirmed after it was proposed'
      USING ERRCODE = 'check_violation', TABLE = 'collection_account_changes', CONSTRAINT = 'collection_account_changes_order';
  END IF;
  IF is_alone AND rules.single_operator IS NOT TRUE THEN
    RAISE EXCEPTION 'the proposer of a change does not confirm it'
      USING ERRCODE = 'check_violation', TABLE = 'collection_account_changes', CONSTRAINT = 'collection_account_changes_second_person';
  END IF;
  change.rule := CASE WHEN change.proposed_by IS NULL THEN 'command_line'
    WHEN is_alone THEN 'single_operator' ELSE 'two_people' END;
  change.effective_at := CASE WHEN collection_account_change_waits(change)
    THEN change.confirmed_at + rules.waiting_hours * interval '1 hour'
    ELSE least(change.confirmed_at, now()) END;
END $$;

-- A confirmed change takes effect after its waiting period.
CREATE FUNCTION apply_collection_account_change(INOUT change collection_account_changes) LANGUAGE plpgsql AS $$
BEGIN
  IF change.confirmed_at IS NULL OR change.effective_at > least(change.applied_at, now()) THEN
    RAISE EXCEPTION 'the waiting time of the change is not over'
      USING ERRCODE = 'check_violation', TABLE = 'collection_account_changes', CONSTRAINT = 'collection_account_changes_waiting';
  END IF;
  PERFORM demand_operator(change.confirmed_by);
  IF change.proposed_by IS NOT NULL THEN PERFORM demand_operator(change.proposed_by); END IF;
  SELECT CASE change.kind WHEN 'add' THEN coalesce(max(position) + 1, 0)
      WHEN 'prefer' THEN min(position) - 1 END INTO change.position
    FROM collection_accounts WHERE mode = 'live' AND currency = change.currency;
END $$;

-- A change is confirmed, withdrawn or applied once.
CREATE FUNCTION guard_collection_account_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.withdrawn_at IS NOT NULL OR OLD.applied_at IS NOT NULL
    OR (NEW.id, NEW.kind, NEW.account_id, NEW.currency, NEW.holder, NEW.account, NEW.bic,
        NEW.bank_name, NEW.proposed_by, NEW.proposed_from, NEW.proposed_at)
      IS DISTINCT FROM (OLD.id, OLD.kind, OLD.account_id, OLD.currency, OLD.holder, OLD.account,
        OLD.bic, OLD.bank_name, OLD.proposed_by, OLD.proposed_from, OLD.proposed_at)
    OR num_nonnulls(NEW.withdrawn_at, NEW.applied_at, CASE WHEN OLD.confirmed_at IS NULL
        THEN NEW.confirmed_at END) <> 1
    OR OLD.confirmed_at IS NOT NULL
      AND (NEW.confirmed_by, NEW.confirmed_at, NEW.rule, NEW.effective_at)
        IS DISTINCT FROM (OLD.confirmed_by, OLD.confirmed_at, OLD.rule, OLD.effective_at) THEN
    RAISE EXCEPTION 'a change is confirmed, withdrawn or applied once, and else stays as it was proposed'
      USING ERRCODE = 'check_violation', TABLE = 'collection_account_changes', CONSTRAINT = 'collection_account_changes_append_only';
  END IF;
  IF NEW.withdrawn_at IS NOT NULL THEN PERFORM demand_operator(NEW.withdrawn_by);
  ELSIF NEW.applied_at IS NOT NULL THEN NEW := apply_collection_account_change(NEW);
  ELSE NEW := confirm_collection_account_change(NEW); END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER collection_account_changes_guard BEFORE UPDATE ON collection_account_changes
  FOR EACH ROW EXECUTE FUNCTION guard_collection_account_change();
CREATE TRIGGER collection_account_changes_time AFTER UPDATE ON collection_account_changes
  FOR EACH ROW WHEN (OLD.confirmed_at IS NULL AND NEW.confirmed_at IS NOT NULL)
  EXECUTE FUNCTION refuse_earlier_time('confirmed_at');

-- Applies a change: the only way to change a live collection account.
CREATE FUNCTION change_collection_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  CASE NEW.kind
    WHEN 'add' THEN
      INSERT INTO collection_accounts (id, mode, currency, holder, account, bic, bank_name, position,
          created_at)
        VALUES (NEW.account_id, 'live', NEW.currency, NEW.holder, NEW.account, NEW.bic,
          NEW.bank_name, NEW.position, NEW.applied_at);
    WHEN 'prefer' THEN
      UPDATE collection_accounts SET position = NEW.position
        WHERE id = NEW.account_id AND disabled_at IS NULL;
    ELSE
      UPDATE collection_accounts SET disabled_at = NEW.applied_at
        WHERE id = NEW.account_id AND disabled_at IS NULL;
  END CASE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the account is not in use any more'
      USING ERRCODE = 'check_violation', TABLE = 'collection_account_changes', CONSTRAINT = 'collection_account_changes_of_account';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER collection_account_changes_applied AFTER UPDATE ON collection_account_changes
  FOR EACH ROW WHEN (NEW.applied_at IS NOT NULL) EXECUTE FUNCTION change_collection_account();

-- Rejects any other change.
CREATE FUNCTION refuse_unconfirmed_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.mode <> 'live' AND NEW.mode <> 'live'
    OR TG_OP = 'INSERT' AND NEW.mode <> 'live' OR TG_OP = 'DELETE' AND OLD.mode <> 'live' THEN
    RETURN NULL;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.mode = 'live' AND EXISTS (
    SELECT FROM collection_account_changes c WHERE c.account_id = NEW.id AND c.applied_at IS NOT NULL
    HAVING bool_and((c.currency, c.holder, c.account, c.bic, c.bank_name) IS NOT DISTINCT FROM
        (NEW.currency, NEW.holder, NEW.account, NEW.bic, NEW.bank_name))
      AND min(c.position) = NEW.position
      AND min(c.applied_at) FILTER (WHERE c.kind = 'add') = NEW.created_at
      AND min(c.applied_at) FILTER (WHERE c.kind = 'disable') IS NOT DISTINCT FROM NEW.disabled_at
  ) THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'a live collection account changes only by a change that was confirmed'
    USING ERRCODE = 'check_violation', TABLE = 'collection_accounts',
      CONSTRAINT = 'collection_accounts_confirmed';
END $$;
CREATE TRIGGER collection_accounts_confirmed AFTER INSERT OR DELETE
  OR UPDATE OF id, mode, currency, holder, account, bic, bank_name, position, created_at, disabled_at
  ON collection_accounts
  FOR EACH ROW EXECUTE FUNCTION refuse_unconfirmed_account();

-- Limits returns of a payment to its amount, by lines of the same mode and currency. Locks the allocation and the line.
CREATE FUNCTION refuse_returned_twice() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE came bigint; went bigint;
BEGIN
  SELECT amount INTO came FROM bank_allocations WHERE merchant_id = NEW.merchant_id
    AND payment_id = NEW.payment_id AND undone_at IS NULL FOR NO KEY UPDATE;
  SELECT amount INTO went FROM bank_lines
    WHERE id = NEW.line_id AND direction = 'out' AND status = 'booked'
      AND (mode, currency) = (SELECT l.mode, l.currency FROM bank_allocations a
        JOIN bank_lines l ON l.id = a.line_id
        WHERE a.merchant_id = NEW.merchant_id AND a.payment_id = NEW.payment_id) FOR NO KEY UPDATE;
  IF came IS NULL OR went IS NULL
    OR came < (SELECT sum(amount) FROM bank_returns
      WHERE merchant_id = NEW.merchant_id AND payment_id = NEW.payment_id AND undone_at IS NULL)
    OR went < (SELECT sum(amount) FROM bank_returns WHERE line_id = NEW.line_id AND undone_at IS NULL) THEN
    RAISE EXCEPTION 'no more of a payment goes back than came' USING ERRCODE = 'check_violation',
      CONSTRAINT = 'bank_returns_within_payment', TABLE = 'bank_returns';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER bank_returns_within_payment AFTER INSERT ON bank_returns
  FOR EACH ROW EXECUTE FUNCTION refuse_returned_twice();

-- Users who influenced a line: by its file, CSV profile, decisions on duplicates, or collection account.
CREATE FUNCTION hands_of_line(line uuid)
  RETURNS TABLE(user_id uuid, act text, created_at timestamp with time zone) LANGUAGE sql STABLE AS $$
  SELECT h.user_id, h.act, h.created_at FROM bank_line_places p
    JOIN bank_statements s ON s.id = p.statement_id
    JOIN bank_file_hands h ON h.file_id = s.file_id WHERE p.line_id = $1
  UNION ALL SELECT h.user_id, h.act, h.created_at FROM bank_line_hands h WHERE h.line_id = $1
  UNION ALL SELECT d.user_id, 'marked_distinct', d.created_at FROM bank_line_distinctions d WHERE d.line_id = $1
  UNION ALL SELECT c.proposed_by, 'account_proposed', c.applied_at
    FROM bank_lines l JOIN collection_account_changes c ON c.account = l.account
    WHERE l.id = $1 AND l.mode = 'live' AND c.kind <> 'disable' AND c.applied_at IS NOT NULL
$$;

-- Records who uploaded a file.
CREATE FUNCTION note_bringer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO bank_file_hands VALUES (NEW.id, NEW.brought_by, 'file_brought', NEW.created_at);
  RETURN NULL;
END $$;
CREATE TRIGGER bank_files_hands AFTER INSERT ON bank_files
  FOR EACH ROW WHEN (NEW.brought_by IS NOT NULL) EXECUTE FUNCTION note_bringer();

-- Records users who influenced a line's money when it is allocated to an order.
CREATE FUNCTION note_hands_of_allocations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN

INSERT INTO money_hands (merchant_id, txid, user_id, act, created_at)
  SELECT a.merchant_id, a.txid, h.user_id, h.act, a.created_at
  FROM added a JOIN bank_lines l ON l.id = a.line_id
  JOIN merchants m ON m.id = a.merchant_id
  CROSS JOIN LATERAL (
    SELECT a.matched_by AS user_id, 'matched' AS act
    UNION ALL SELECT m.transfers_allowed_by, 'transfers_allowed' WHERE l.mode = 'live'
    UNION ALL SELECT o.user_id, o.act FROM hands_of_line(a.line_id) o
  ) h WHERE h.user_id IS NOT NULL
  ON CONFLICT DO NOTHING;

  RETURN NULL;
END $$;
CREATE TRIGGER bank_allocations_hands AFTER INSERT ON bank_allocations REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION note_hands_of_allocations();

-- The same for a later influence on an allocated line.
CREATE FUNCTION note_hand_in_paid_orders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO money_hands (merchant_id, txid, user_id, act, created_at)
    SELECT a.merchant_id, a.txid, NEW.user_id, NEW.act, NEW.created_at
    FROM bank_allocations a WHERE a.line_id = NEW.line_id ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER bank_line_hands_orders AFTER INSERT ON bank_line_hands
  FOR EACH ROW EXECUTE FUNCTION note_hand_in_paid_orders();

-- Orders whose money an outgoing line may have returned, one of each merchant, except merchants to which it is booked: orders
-- paid by the account to which the money went, or, where a return names no account, by about its amount.
CREATE FUNCTION maybe_returned(line uuid) RETURNS TABLE(merchant_id uuid, txid uuid) LANGUAGE sql STABLE AS $$
  WITH returned AS MATERIALIZED (SELECT * FROM bank_lines WHERE id = line AND direction = 'out'),
  paying AS MATERIALIZED (
    (SELECT b.id FROM returned r JOIN bank_lines b ON b.mode = r.mode AND b.state = 'matched' AND b.direction = 'in'
      AND left(b.counterparty_account, 64) = left(r.counterparty_account, 64) LIMIT 5000)
    UNION ALL
    (SELECT b.id FROM returned r JOIN bank_lines b ON b.mode = r.mode AND b.account = r.account AND b.direction = 'in'
      AND b.state = 'matched' AND b.amount BETWEEN r.amount - greatest(r.amount / 10, 1000) AND r.amount
      WHERE r.kind = 'return' AND r.counterparty_account IS NULL LIMIT 5000)
  )
  SELECT DISTINCT ON (p.merchant_id) p.merchant_id, p.txid FROM paying b
    JOIN bank_allocations a ON a.line_id = b.id
    JOIN payments p ON p.merchant_id = a.merchant_id AND p.id = a.payment_id
  WHERE NOT EXISTS (SELECT FROM bank_returns n WHERE n.line_id = line AND n.merchant_id = a.merchant_id AND n.undone_at IS NULL)
  ORDER BY p.merchant_id, p.txid
$$;

-- Users who influenced outgoing money since the money of the payout arrived, on any account. A line may have a future
-- date, and reports of one booking may be 10 days apart (`WINDOW_DAYS` of src/bank/recognition/line-key.ts). A CSV profile can
-- reverse the direction of money, or hide it, in any file that is read by it: its authors are included, too.
CREATE FUNCTION outgoing_hands_of(merchant uuid, payout uuid)
  RETURNS TABLE(user_id uuid, act text, created_at timestamp with time zone) LANGUAGE sql STABLE AS $$
  WITH came AS (
    SELECT min(least(a.created_at, b.booked_on::timestamptz, b.valued_on::timestamptz)) AS by_transfer,
      min(p.created_at) FILTER (WHERE a.line_id IS NULL AND p.amount_received > 0) AS otherwise
    FROM payout_orders($1, $2) o
    JOIN payments p ON p.merchant_id = $1 AND p.txid = o.txid
    LEFT JOIN bank_allocations a ON a.merchant_id = p.merchant_id AND a.payment_id = p.id
    LEFT JOIN bank_lines b ON b.id = a.line_id
  )
  SELECT h.user_id, h.act, h.created_at FROM payouts p CROSS JOIN came c JOIN outgoing_hands h ON h.mode = p.mode
    AND greatest(h.created_at, h.booked_on + interval '10 days') >= least(c.by_transfer, c.otherwise)
  WHERE p.merchant_id = $1 AND p.id = $2
  UNION ALL
  SELECT h.user_id, 'profile_changed', h.at FROM csv_profiles f
    CROSS JOIN LATERAL (VALUES (f.created_by, f.created_at), (f.removed_by, f.removed_at)) h (user_id, at)
  WHERE h.user_id IS NOT NULL
    AND coalesce(f.removed_at, 'infinity') >= (SELECT by_transfer FROM came)
$$;

-- Records who uploaded a file with outgoing money.
CREATE FUNCTION note_bringer_of_outgoing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO outgoing_hands (mode, account, user_id, act, created_at, booked_on)
    SELECT b.mode, b.account, h.user_id, 'outgoing_brought', s.created_at,
      max(coalesce(greatest(b.booked_on, b.valued_on),
        CASE b.status WHEN 'booked' THEN 'infinity' ELSE s.created_at::date END))
    FROM added p JOIN bank_statements s ON s.id = p.statement_id
    JOIN bank_file_hands h ON h.file_id = s.file_id
    JOIN bank_lines b ON b.id = p.line_id AND b.direction = 'out'
    GROUP BY b.mode, b.account, h.user_id, s.created_at
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER bank_line_places_outgoing_hands AFTER INSERT ON bank_line_places REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION note_bringer_of_outgoing();

-- A file can omit money, or reverse its direction: its uploader influences all earlier money of the mode.
CREATE FUNCTION note_bringer_of_statement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO outgoing_hands (mode, account, user_id, act, created_at, booked_on)
    SELECT NEW.mode, NEW.account, h.user_id, 'outgoing_brought', NEW.created_at,
      coalesce(greatest(NEW.covers_until, NEW.booked_until), NEW.created_at::date)
    FROM bank_file_hands h WHERE h.file_id = NEW.file_id
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER bank_statements_outgoing_hands AFTER INSERT ON bank_statements
  FOR EACH ROW EXECUTE FUNCTION note_bringer_of_statement();

-- Records who booked a return, and who uploaded its line.
CREATE FUNCTION note_hand_in_return() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO money_hands (merchant_id, txid, user_id, act, created_at)
    SELECT p.merchant_id, p.txid, NEW.said_by, 'return_booked', NEW.created_at
    FROM payments p WHERE p.merchant_id = NEW.merchant_id AND p.id = NEW.payment_id
      AND NEW.said_by IS NOT NULL
    ON CONFLICT DO NOTHING;
  INSERT INTO outgoing_hands (mode, account, user_id, act, created_at, booked_on)
    SELECT b.mode, b.account, h.user_id, 'outgoing_brought', NEW.created_at,
      coalesce(greatest(b.booked_on, b.valued_on), 'infinity')
    FROM bank_lines b CROSS JOIN LATERAL hands_of_line(b.id) h
    WHERE b.id = NEW.line_id AND h.user_id IS NOT NULL
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER bank_returns_hands AFTER INSERT ON bank_returns
  FOR EACH ROW EXECUTE FUNCTION note_hand_in_return();

-- Serializes the recording of an involvement in outgoing money with approvals of the mode. The lock is taken at commit,
-- so that an approval waits no longer than a commit takes.
CREATE FUNCTION await_approvals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(approvals_lock(NEW.mode));
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER outgoing_hands_approvals AFTER INSERT ON outgoing_hands DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION await_approvals();

-- The same for profiles for CSV, which read files of both modes.
CREATE FUNCTION await_all_approvals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(approvals_lock('live'));
  PERFORM pg_advisory_xact_lock_shared(approvals_lock('test'));
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER csv_profiles_approvals AFTER INSERT OR UPDATE ON csv_profiles DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION await_all_approvals();

-- Records who undid a return.
CREATE FUNCTION note_hand_in_undone_return() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO money_hands (merchant_id, txid, user_id, act, created_at)
    SELECT p.merchant_id, p.txid, NEW.undone_by, 'return_undone', NEW.undone_at
    FROM payments p WHERE p.merchant_id = NEW.merchant_id AND p.id = NEW.payment_id
    ON CONFLICT DO NOTHING;
  INSERT INTO outgoing_hands (mode, account, user_id, act, created_at, booked_on)
    SELECT mode, account, NEW.undone_by, 'outgoing_decided', NEW.undone_at,
      coalesce(greatest(booked_on, valued_on), 'infinity')
    FROM bank_lines WHERE id = NEW.line_id
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER bank_returns_undone_hands AFTER UPDATE ON bank_returns
  FOR EACH ROW EXECUTE FUNCTION note_hand_in_undone_return();

-- Whether a line has an active allocation, return or payout. Same condition as `hasMoved` of the statements.
CREATE FUNCTION has_moved_money(line uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM bank_allocations
      WHERE line_id = line AND (undone_at IS NULL OR undone_by_line_id IS NOT NULL))
    OR EXISTS (SELECT FROM bank_returns WHERE line_id = line AND undone_at IS NULL)
    OR EXISTS (SELECT FROM bank_payout_lines WHERE line_id = line)
$$;

-- The line that has the money of a line: the line itself, or the one into which it was merged.
CREATE FUNCTION line_with_money_of(line uuid) RETURNS uuid LANGUAGE sql STABLE AS $$
  WITH RECURSIVE merged (id) AS (
    SELECT line UNION SELECT m.other_id FROM merged JOIN bank_line_merges m ON m.line_id = merged.id)
  SELECT id FROM merged WHERE NOT EXISTS (SELECT FROM bank_line_merges m WHERE m.line_id = merged.id)
$$;

-- The line and all lines merged into it.
CREATE FUNCTION lines_merged_into(line uuid) RETURNS SETOF uuid LANGUAGE sql STABLE AS $$
  WITH RECURSIVE merged (id) AS (
    SELECT line UNION SELECT m.line_id FROM merged JOIN bank_line_merges m ON m.other_id = merged.id)
  SELECT id FROM merged
$$;

-- A merge cannot be undone once the other line has moved money that only the merged line proved.
CREATE FUNCTION refuse_used_merge() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.unproven IS NOT NULL AND has_moved_money(OLD.other_id) THEN
    RAISE EXCEPTION 'a line has moved money that nothing else proves' USING ERRCODE = 'check_violation',
      CONSTRAINT = 'bank_line_merges_unused', TABLE = 'bank_line_merges';
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER bank_line_merges_unused BEFORE DELETE ON bank_line_merges
  FOR EACH ROW EXECUTE FUNCTION refuse_used_merge();

-- Identifiers of a booking by payer, banks and this service.
CREATE FUNCTION names_of_line(line bank_lines) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT array_remove(ARRAY[line.end_to_end_id, line.named_reference, line.identifiers ->> 'entryBankReference',
    line.identifiers ->> 'transactionBankReference', line.identifiers ->> 'transactionId', line.identifiers ->> 'uetr',
    line.identifiers ->> 'instructionId'], NULL)
$$;

-- The other party's account with the amount: a payment may have no other name.
CREATE FUNCTION account_and_amount(line bank_lines) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT 'account ' || line.counterparty_account || ' ' || line.amount
$$;

-- The letters A to Z and the digits of a text, as `upperText` of src/common/normalized-text.ts finds them. Normalisation
-- sorts a run of combining marks in quadratic time, and no letter has 30. Regular expressions know no class of marks, so
-- the rest is cut of each run outside the blocks that have forms of A to Z and of digits: no mark is in these.
CREATE FUNCTION letters_and_digits(words text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT upper(regexp_replace(replace(translate(normalize(regexp_replace(words, replace('(other{30})other+', 'other',
      '[^\u0001-\u02ff\u1d00-\u1dbf\u1e00-\u20cf\u2100-\u2cee\u3200-\u33ff\ua700-\ua7ff\ufb00-\ufb06\uff10-\uff5a'
      '\U00010780-\U000107bf\U0001cc00-\U0001ccff\U0001d400-\U0001d7ff\U0001f100-\U0001fbff]'), '\1', 'g'), NFKC),
    'ıǰẖẗẘẙ', 'IJHTWY'), 'ß', 'SS'), '[^A-Za-z0-9]', '', 'g'))
$$;

-- What may be our references in a line's texts, in any spelling that pays an order: without `RF`, and with letters that
-- look like digits. Check digits are not verified, so only compare them with references that exist.
CREATE FUNCTION references_in_line(line bank_lines) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(array_agg('RF' || substr(m[1], at, 18)), '{}') FROM regexp_matches(translate(letters_and_digits(
    concat_ws('|', left(line.text, 5000), line.end_to_end_id, line.payer_references::text)),
    'OILSB', '01158'), '[0-9]{18,}', 'g') m, generate_series(1, length(m[1]) - 17) at
$$;

-- Whether the line is on a collection account of its mode and currency.
CREATE FUNCTION came_on_collection_account(line uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM bank_lines l JOIN collection_accounts c
    ON c.mode = l.mode AND c.account = l.account AND c.currency = l.currency WHERE l.id = $1)
$$;

-- Only money on a collection account pays an order.
CREATE FUNCTION refuse_money_from_elsewhere() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT came_on_collection_account(NEW.line_id) THEN
    RAISE EXCEPTION 'only money on a collection account of the mode and currency pays an order'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'bank_allocations_own_account',
        TABLE = 'bank_allocations';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER bank_allocations_own_account AFTER INSERT ON bank_allocations
  FOR EACH ROW EXECUTE FUNCTION refuse_money_from_elsewhere();

-- Only a statement of an account of the platform completes a payout.
CREATE FUNCTION reject_foreign_statement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM (SELECT DISTINCT a.line_id, p.file_id FROM added a
      JOIN payouts p ON p.merchant_id = a.merchant_id AND p.id = a.payout_id) t
    JOIN bank_lines l ON l.id = t.line_id
    WHERE NOT came_on_collection_account(t.line_id) AND l.account IS DISTINCT FROM (
      SELECT substring(left(f.content, 2000) FROM '<DbtrAcct><Id><IBAN>([^<]*)<')
      FROM payout_files f WHERE f.id = t.file_id)) THEN
    RAISE EXCEPTION 'only a bank line of an account of the platform completes a payout'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'bank_payout_lines_own_account',
        TABLE = 'bank_payout_lines';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER bank_payout_lines_own_account AFTER INSERT ON bank_payout_lines REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION reject_foreign_statement();

-- A change by a single operator is rejected while there is a second one.
CREATE FUNCTION refuse_change_by_one_person() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF lone_operator_since() IS NULL THEN
    RAISE EXCEPTION 'a change that one person proposed is confirmed by another one'
      USING ERRCODE = 'check_violation', TABLE = 'collection_account_changes',
        CONSTRAINT = 'collection_account_changes_second_person';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER collection_account_changes_alone AFTER UPDATE ON collection_account_changes
  FOR EACH ROW WHEN (OLD.rule IS NULL AND NEW.rule IN ('single_operator', 'command_line'))
    EXECUTE FUNCTION refuse_change_by_one_person();

-- The command line cannot propose changes of live collection accounts.
CREATE FUNCTION reject_unattended_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'only an operator who is signed in proposes where payers send money'
    USING ERRCODE = 'check_violation', TABLE = 'collection_account_changes',
      CONSTRAINT = 'collection_account_changes_operator';
END $$;
CREATE TRIGGER collection_account_changes_by_operator AFTER INSERT ON collection_account_changes
  FOR EACH ROW WHEN (NEW.proposed_by IS NULL) EXECUTE FUNCTION reject_unattended_change();

-- Either a batch total or its payments move the money, also where one of them was merged into another line. Locks the
-- total.
CREATE FUNCTION demand_total_or_payments(line uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  lines uuid[] := ARRAY(SELECT lines_merged_into(line));
  totals uuid[] := ARRAY(SELECT line_with_money_of(parent_id) FROM bank_lines
    WHERE id = ANY (lines) AND parent_id IS NOT NULL);
BEGIN
  PERFORM FROM bank_lines WHERE id = ANY (totals) ORDER BY id FOR SHARE;
  IF EXISTS (
    SELECT FROM (
      SELECT unnest(totals)
      UNION SELECT line_with_money_of(id) FROM bank_lines WHERE parent_id = ANY (lines)
    ) AS other (id) WHERE id <> line AND has_moved_money(id)) THEN
    RAISE EXCEPTION 'a total or its payments move the money' USING ERRCODE = 'check_violation',
      CONSTRAINT = 'bank_lines_total_or_payments', TABLE = 'bank_lines';
  END IF;
END $$;

-- A line moves its money once, and not after it was superseded. Locks the line.
CREATE FUNCTION refuse_money_of_replaced_line() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE is_replaced boolean;
BEGIN
  SELECT state = 'superseded' INTO is_replaced FROM bank_lines WHERE id = NEW.line_id FOR NO KEY UPDATE;
  IF is_replaced OR EXISTS (SELECT FROM bank_payout_lines WHERE line_id = NEW.line_id) AND (
      EXISTS (SELECT FROM bank_returns WHERE line_id = NEW.line_id AND undone_at IS NULL)
      OR EXISTS (SELECT FROM bank_allocations WHERE line_id = NEW.line_id
        AND (undone_at IS NULL OR undone_by_line_id IS NOT NULL))) THEN
    RAISE EXCEPTION 'a line moves its money once' USING ERRCODE = 'check_violation',
      CONSTRAINT = 'bank_lines_move_once', TABLE = TG_TABLE_NAME;
  END IF;
  PERFORM demand_total_or_payments(NEW.line_id);
  RETURN NULL;
END $$;
CREATE TRIGGER bank_allocations_move_once AFTER INSERT ON bank_allocations
  FOR EACH ROW EXECUTE FUNCTION refuse_money_of_replaced_line();
CREATE TRIGGER bank_returns_move_once AFTER INSERT ON bank_returns
  FOR EACH ROW EXECUTE FUNCTION refuse_money_of_replaced_line();
CREATE TRIGGER bank_payout_lines_move_once AFTER INSERT ON bank_payout_lines
  FOR EACH ROW EXECUTE FUNCTION refuse_money_of_replaced_line();

-- A line that has moved money cannot be superseded.
CREATE FUNCTION refuse_replaced_mover() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF has_moved_money(NEW.id) THEN
    RAISE EXCEPTION 'a line that has moved money counts' USING ERRCODE = 'check_violation',
      CONSTRAINT = 'bank_lines_movers_count', TABLE = 'bank_lines';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER bank_lines_movers_count AFTER UPDATE OF state ON bank_lines
  FOR EACH ROW WHEN (NEW.state = 'superseded' AND OLD.state <> 'superseded')
    EXECUTE FUNCTION refuse_replaced_mover();

-- The same for reverting "separate booking" of such a line.
CREATE TRIGGER bank_lines_marked_distinct_movers AFTER UPDATE OF marked_distinct_by ON bank_lines
  FOR EACH ROW WHEN (OLD.marked_distinct_by IS NOT NULL AND NEW.marked_distinct_by IS NULL)
    EXECUTE FUNCTION refuse_replaced_mover();

-- Immutable rows, and columns that are set once.
CREATE TRIGGER csv_profiles_kept BEFORE DELETE OR UPDATE OF id, name, profile, created_by, created_at
  ON csv_profiles
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER csv_profiles_removed_once BEFORE UPDATE OF removed_by, removed_at ON csv_profiles
  FOR EACH ROW WHEN (OLD.removed_at IS NOT NULL) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER csv_profiles_no_truncate BEFORE TRUNCATE ON csv_profiles
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER bank_statements_kept BEFORE DELETE
  OR UPDATE OF id, mode, file_id, format, statement_id, sequence, account, currency, opening_balance, closing_balance,
  balanced, booked_from, booked_until, created_at ON bank_statements
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER bank_line_places_kept BEFORE DELETE OR UPDATE OF statement_id, entry, detail, status ON bank_line_places
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER bank_line_places_no_truncate BEFORE TRUNCATE ON bank_line_places
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER transfer_references_kept BEFORE DELETE
  OR UPDATE OF merchant_id, txid, mode, reference, created_at ON transfer_references
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
-- Otherwise a merchant could raise the amount to that of a transfer that waits because it is too large.
CREATE FUNCTION refuse_change_of_issued_amount() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM transfer_references WHERE merchant_id = NEW.merchant_id AND txid = NEW.txid) THEN
    RAISE EXCEPTION 'the payer of order % has transfer details with its amount', NEW.txid
      USING ERRCODE = 'check_violation', CONSTRAINT = 'orders_amount_issued', TABLE = 'orders';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER orders_amount_issued AFTER UPDATE OF amount ON orders
  FOR EACH ROW WHEN (OLD.amount <> NEW.amount) EXECUTE FUNCTION refuse_change_of_issued_amount();
CREATE TRIGGER bank_allocations_kept BEFORE DELETE
  OR UPDATE OF merchant_id, payment_id, txid, line_id, amount, evidence, matched_by, payer_account, created_at
  ON bank_allocations
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
-- A return undoes an allocation, and the undo of that return restores it.
CREATE TRIGGER bank_allocations_undone_once BEFORE UPDATE OF undone_at, undone_by_line_id ON bank_allocations
  FOR EACH ROW WHEN ((OLD.undone_at IS NULL) = (NEW.undone_at IS NULL)) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER bank_payout_lines_append_only BEFORE DELETE OR UPDATE ON bank_payout_lines
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER bank_payout_lines_no_truncate BEFORE TRUNCATE ON bank_payout_lines
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER bank_line_notes_append_only BEFORE DELETE OR UPDATE ON bank_line_notes
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER bank_line_notes_no_truncate BEFORE TRUNCATE ON bank_line_notes
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER collection_account_changes_no_delete BEFORE DELETE ON collection_account_changes
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER collection_account_changes_no_truncate BEFORE TRUNCATE ON collection_account_changes
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER bank_returns_no_truncate BEFORE TRUNCATE ON bank_returns
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER bank_file_hands_append_only BEFORE DELETE OR UPDATE ON bank_file_hands
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER bank_file_hands_no_truncate BEFORE TRUNCATE ON bank_file_hands
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER bank_line_hands_append_only BEFORE DELETE OR UPDATE ON bank_line_hands
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER bank_line_hands_no_truncate BEFORE TRUNCATE ON bank_line_hands
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER outgoing_hands_append_only BEFORE DELETE OR UPDATE ON outgoing_hands
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER outgoing_hands_no_truncate BEFORE TRUNCATE ON outgoing_hands
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER bank_returns_append_only BEFORE DELETE ON bank_returns
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER bank_returns_undone_once BEFORE UPDATE ON bank_returns
  FOR EACH ROW WHEN (OLD.undone_at IS NOT NULL OR NEW.undone_at IS NULL
    OR (OLD.line_id IS DISTINCT FROM NEW.line_id OR OLD.merchant_id IS DISTINCT FROM NEW.merchant_id
    OR OLD.payment_id IS DISTINCT FROM NEW.payment_id OR OLD.amount IS DISTINCT FROM NEW.amount
    OR OLD.said_by IS DISTINCT FROM NEW.said_by OR OLD.created_at IS DISTINCT FROM NEW.created_at))
    EXECUTE FUNCTION refuse_change();
CREATE TRIGGER bank_line_merges_unchanged BEFORE UPDATE ON bank_line_merges
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
