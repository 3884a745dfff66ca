-- For immutable rows, and columns that are set once.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP
    USING ERRCODE = 'integrity_constraint_violation';
END $$;

-- A user either works for the platform or is a member of merchants. Locks the user until the transaction ends. The role
-- of a user never changes (`users_kept`).
CREATE FUNCTION refuse_staff_as_member() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  role text;
BEGIN
  SELECT platform_role INTO role FROM users WHERE id = NEW.user_id FOR SHARE;
  IF role IS NOT NULL THEN
    RAISE EXCEPTION 'user % works for the platform and belongs to no merchant', NEW.user_id
      USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'memberships_no_staff';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER memberships_no_staff BEFORE INSERT OR UPDATE OF user_id ON memberships
  FOR EACH ROW EXECUTE FUNCTION refuse_staff_as_member();

-- A time that starts a waiting period is not earlier than what the audit log has recorded. The column is the argument.
-- The clocks of processes differ by less than 5 minutes. A clock that was ahead once does not matter later.
CREATE FUNCTION refuse_earlier_time() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (to_jsonb(NEW) ->> TG_ARGV[0])::timestamptz
    < (SELECT max(least(created_at, now())) FROM audit_entries) - interval '5 minutes' THEN
    RAISE EXCEPTION '% of % starts a waiting period, and cannot be in the past', TG_ARGV[0], TG_TABLE_NAME
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_NAME;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER operating_rules_time AFTER UPDATE ON operating_rules
  FOR EACH ROW EXECUTE FUNCTION refuse_earlier_time('changed_at');
CREATE TRIGGER users_disabled_time AFTER UPDATE OF disabled_at ON users
  FOR EACH ROW WHEN (NEW.disabled_at IS NOT NULL) EXECUTE FUNCTION refuse_earlier_time('disabled_at');

-- Former owners still get mails about the money of their merchant for 7 days.
CREATE FUNCTION remember_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO former_owners (merchant_id, user_id, until, since)
  VALUES (OLD.merchant_id, OLD.user_id, now(), OLD.owner_since)
  ON CONFLICT ON CONSTRAINT former_owners_pk DO UPDATE SET until = excluded.until,
    since = CASE WHEN former_owners.until > now() - interval '7 days'
      THEN least(former_owners.since, excluded.since) ELSE excluded.since END;
  RETURN NULL;
END $$;
CREATE TRIGGER memberships_owner_removed AFTER DELETE ON memberships
  FOR EACH ROW WHEN (OLD.role = 'owner') EXECUTE FUNCTION remember_owner();
CREATE TRIGGER memberships_owner_lowered AFTER UPDATE OF role ON memberships
  FOR EACH ROW WHEN (OLD.role = 'owner' AND NEW.role <> 'owner') EXECUTE FUNCTION remember_owner();

-- Current and former members of a merchant: they never approve its payouts.
CREATE FUNCTION note_merchant_person() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO merchant_people VALUES (NEW.merchant_id, NEW.user_id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER memberships_people AFTER INSERT OR UPDATE OF merchant_id, user_id ON memberships
  FOR EACH ROW EXECUTE FUNCTION note_merchant_person();

-- Rejects actions in an ended session.
CREATE FUNCTION refuse_ended_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The lock makes an action and the end of its session wait for each other.
  PERFORM FROM user_sessions
    WHERE id = NEW.session_id AND user_id = NEW.user_id AND ended_at IS NULL FOR SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'session % of user % has ended', NEW.session_id, NEW.user_id
      USING ERRCODE = 'check_violation', TABLE = 'audit_entries', CONSTRAINT = 'audit_entries_session';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER audit_entries_session BEFORE INSERT ON audit_entries
  FOR EACH ROW WHEN (NEW.session_id IS NOT NULL) EXECUTE FUNCTION refuse_ended_session();

-- A new user, start time or second factor of a session requires a new token.
CREATE FUNCTION refuse_gain_of_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'session % gains something only with another token', NEW.id
    USING ERRCODE = 'check_violation', TABLE = 'user_sessions', CONSTRAINT = 'user_sessions_gain';
END $$;
CREATE TRIGGER user_sessions_gain BEFORE UPDATE ON user_sessions
  FOR EACH ROW WHEN (NEW.user_id <> OLD.user_id OR NEW.created_at > OLD.created_at
    OR (NEW.token_hash = OLD.token_hash
    AND coalesce(NEW.second_factor_at > OLD.second_factor_at, NEW.second_factor_at IS NOT NULL)))
    EXECUTE FUNCTION refuse_gain_of_session();

-- An invitation ends when the invited user's role changes.
CREATE FUNCTION end_invitations_of_member() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM user_links l USING users u
    WHERE l.kind = 'invitation' AND used_at IS NULL AND l.merchant_id = coalesce(NEW.merchant_id, OLD.merchant_id)
      AND u.id = coalesce(NEW.user_id, OLD.user_id) AND l.email = u.email;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER memberships_invitations AFTER INSERT OR DELETE OR UPDATE OF role
  ON memberships DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION end_invitations_of_member();

-- An invitation ends when the invited user is disabled.
CREATE FUNCTION end_invitations_of_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM user_links l WHERE l.kind = 'invitation' AND used_at IS NULL AND l.email = NEW.email;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER users_invitations AFTER UPDATE OF disabled_at ON users DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.disabled_at IS NOT NULL) EXECUTE FUNCTION end_invitations_of_user();

-- An account is enabled only with new secrets. Only a command, which has no user, enables platform staff: an operator
-- who knows the secrets of such an account could otherwise confirm their own acts with it.
CREATE FUNCTION refuse_old_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.password_hash = OLD.password_hash OR NEW.totp_secret IS NOT NULL THEN
    RAISE EXCEPTION 'user % is reopened only with another password and without a second factor', NEW.id
      USING ERRCODE = 'check_violation', TABLE = 'users', CONSTRAINT = 'users_reopened';
  END IF;
  IF NEW.platform_role IS NOT NULL AND NOT EXISTS (SELECT FROM audit_entries
      WHERE merchant_id IS NULL AND subject = NEW.id::text AND action = 'user.enabled' AND user_id IS NULL
        AND created_at >= OLD.disabled_at) THEN
    RAISE EXCEPTION 'user % works for the platform and is reopened only on the command line', NEW.id
      USING ERRCODE = 'check_violation', TABLE = 'users', CONSTRAINT = 'users_reopened';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER users_reopened AFTER UPDATE OF disabled_at ON users DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.disabled_at IS NOT NULL AND NEW.disabled_at IS NULL) EXECUTE FUNCTION refuse_old_account();

-- Start of the current ownership.
CREATE FUNCTION keep_owner_since() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.owner_since := CASE
    WHEN NEW.role <> 'owner' THEN NULL
    WHEN TG_OP = 'INSERT' THEN NEW.created_at
    WHEN OLD.role = 'owner' THEN OLD.owner_since
    ELSE now() END;
  RETURN NEW;
END $$;
CREATE TRIGGER memberships_owner_since BEFORE INSERT OR UPDATE OF role, owner_since ON memberships
  FOR EACH ROW EXECUTE FUNCTION keep_owner_since();

-- Whether the user has been an owner for at least 7 days. A newer owner cannot cut off older ones from mails about
-- money.
CREATE FUNCTION is_seasoned_owner(of_merchant uuid, who uuid, at timestamp with time zone)
  RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM memberships WHERE merchant_id = of_merchant AND user_id = who
      AND owner_since <= at - interval '7 days')
    OR EXISTS (SELECT FROM former_owners WHERE merchant_id = of_merchant AND user_id = who
      AND until > at - interval '7 days' AND coalesce(since, '-infinity') <= at - interval '7 days')
$$;

-- Maps an audit log action to an act on money; null for all others.
CREATE FUNCTION money_act_of(action text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE $1 WHEN 'order.money-accepted' THEN 'money_accepted'
    WHEN 'order.refunded' THEN 'refund_recorded' WHEN 'bank-line.undone' THEN 'match_undone'
    WHEN 'bank-line.payer-added' THEN 'payer_added' WHEN 'bank-line.same-booking' THEN 'same_booking'
    WHEN 'provider-report.handled' THEN 'report_handled' WHEN 'bank-line.same-booking-undone' THEN 'same_booking_undone'
    WHEN 'bank-line.another-booking-undone' THEN 'marked_distinct_undone' END
$$;

-- Records acts on money that only the audit log has: every act in the portal writes an entry in its own transaction.
CREATE FUNCTION note_audited_hand() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.action LIKE 'bank-line.%' THEN
    INSERT INTO bank_line_hands (line_id, user_id, act, created_at)
      SELECT h.id, NEW.user_id, money_act_of(NEW.action), NEW.created_at
      FROM bank_lines l CROSS JOIN LATERAL (
        SELECT l.id WHERE NEW.action <> 'bank-line.same-booking' OR l.duplicate_of IS NULL
        -- Payments of a batch total that are active since its match was undone, or the total was called the same booking.
        UNION SELECT p.id FROM bank_lines p
          WHERE NEW.action IN ('bank-line.undone', 'bank-line.same-booking', 'bank-line.same-booking-undone')
            AND p.parent_id IS NOT NULL AND p.mode = l.mode AND p.account = l.account
            AND p.batch_key = coalesce(l.batch_key, l.key) AND p.batch_id = l.batch_id
        UNION SELECT l.duplicate_of WHERE l.duplicate_of IS NOT NULL
          AND NEW.action IN ('bank-line.same-booking', 'bank-line.same-booking-undone')) h WHERE l.id = NEW.subject::uuid
      ON CONFLICT DO NOTHING;
  ELSIF NEW.action = 'provider-report.handled' THEN
    INSERT INTO money_hands (merchant_id, txid, user_id, act, created_at)
      SELECT p.merchant_id, p.txid, NEW.user_id, money_act_of(NEW.action), NEW.created_at
      FROM provider_events e JOIN payments p ON p.merchant_id = e.merchant_id AND p.id = e.payment_id
      WHERE e.merchant_id = NEW.merchant_id AND e.id = NEW.subject::uuid
      ON CONFLICT DO NOTHING;
  ELSE
    INSERT INTO money_hands (merchant_id, txid, user_id, act, created_at)
      VALUES (NEW.merchant_id, NEW.subject::uuid, NEW.user_id, money_act_of(NEW.action), NEW.created_at)
      ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER audit_entries_money_hands AFTER INSERT ON audit_entries
  FOR EACH ROW WHEN (NEW.user_id IS NOT NULL AND (money_act_of(NEW.action) IS NOT NULL))
    EXECUTE FUNCTION note_audited_hand();

-- A user who decides about outgoing money of an account influences all money on that account.
CREATE FUNCTION note_outgoing_hand() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO outgoing_hands (mode, account, user_id, act, created_at, booked_on)
    SELECT mode, account, NEW.user_id, 'outgoing_decided', NEW.created_at,
      coalesce(greatest(booked_on, valued_on), 'infinity')
    FROM bank_lines WHERE id = NEW.subject::uuid AND (direction = 'out' OR kind <> 'payment')
    ON CONFLICT DO NOTHING;
  INSERT INTO money_hands (merchant_id, txid, user_id, act, created_at)
    SELECT merchant_id, txid, NEW.user_id, 'return_spared', NEW.created_at FROM maybe_returned(NEW.subject::uuid)
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER audit_entries_outgoing_hands AFTER INSERT ON audit_entries
  FOR EACH ROW WHEN (NEW.user_id IS NOT NULL
    AND NEW.action IN ('bank-line.ignored', 'bank-line.reopened', 'bank-line.returned',
    'bank-line.same-booking', 'bank-line.another-booking', 'bank-line.same-booking-undone',
    'bank-line.another-booking-undone'))
    EXECUTE FUNCTION note_outgoing_hand();

-- Since when only one operator can sign in, while `SINGLE_OPERATOR` is on; otherwise null.
CREATE FUNCTION lone_operator_since() RETURNS timestamp with time zone LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN r.single_operator AND count(u.id) FILTER (WHERE u.disabled_at IS NULL) < 2
    THEN greatest(r.changed_at, max(u.disabled_at)) END
  FROM operating_rules r LEFT JOIN users u ON u.platform_role = 'operator'
  GROUP BY r.single_operator, r.changed_at
$$;

-- Immutable rows, and columns that are set once.
CREATE TRIGGER audit_entries_append_only BEFORE DELETE OR UPDATE ON audit_entries
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_entries_no_truncate BEFORE TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER merchant_people_append_only BEFORE DELETE OR UPDATE ON merchant_people
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER merchant_people_no_truncate BEFORE TRUNCATE ON merchant_people
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER users_kept BEFORE DELETE OR UPDATE OF id, email, platform_role, created_at ON users
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER operating_rules_one_row BEFORE DELETE ON operating_rules
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER operating_rules_no_truncate BEFORE TRUNCATE ON operating_rules
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
