import type { TestApp } from './app.js';
import { select } from './facts.js';
import { person, signedIn, withTotp } from './people.js';
import { FOREIGN, HASH, NEW, PAST, violation } from './violation.js';

type Change = Readonly<Record<string, unknown>>;

const user = (rule: string, why: string, change: Change) =>
  violation(rule, 'users', 'true', why, { id: NEW.id, email: 'new@people.example', ...change });

const session = (rule: string, why: string, change: Change) =>
  violation(rule, 'user_sessions', 'true', why, { id: NEW.id, token_hash: HASH, ...change });

const link = (rule: string, why: string, change: Change) =>
  violation(rule, 'user_links', 'true', why, {
    id: NEW.id,
    token_hash: HASH,
    email: 'other@people.example',
    ...change,
  });

const queued = (rule: string, why: string, change: Change) =>
  violation(rule, 'exports', `status = 'queued'`, why, { id: NEW.id, ...change });

const view = (rule: string, why: string, change: Change) =>
  violation(rule, 'saved_views', 'true', why, { name: 'Another', ...change });

const noticeViolation = (rule: string, why: string, change: Change) =>
  violation(rule, 'user_notices', 'true', why, { id: NEW.id, ...change });

const note = (rule: string, why: string, change: Change) =>
  violation(rule, 'order_notes', 'true', why, { id: NEW.id, ...change });

/** The rules about people, what they did, and their files. */
export const PORTAL_VIOLATIONS = [
  user('users_pk', 'a user again', { id: undefined }),
  user('users_email', 'an address again', { email: undefined }),
  user('users_email_check', 'an address in capitals', { email: 'NEW@people.example' }),
  user('users_name_check', 'no name', { name: '' }),
  user('users_platform_role_check', 'a role at merchants', { platform_role: 'owner' }),
  user('users_totp_check', 'confirmed, but no secret', {
    totp_confirmed_at: PAST,
    totp_secret: null,
  }),

  violation('memberships_pk', 'memberships', 'true', 'a place again', {}),
  violation('memberships_role_check', 'memberships', 'true', 'a role that is none', {
    role: 'support',
  }),
  violation('memberships_merchant_fk', 'memberships', 'true', 'at no merchant', {
    merchant_id: FOREIGN,
  }),
  violation('memberships_user_fk', 'memberships', 'true', 'of nobody', { user_id: FOREIGN }),

  violation('merchant_people_pk', 'merchant_people', 'true', 'a person again', {}),
  violation('merchant_people_merchant_fk', 'merchant_people', 'true', 'of no merchant', {
    merchant_id: FOREIGN,
  }),
  violation('merchant_people_user_fk', 'merchant_people', 'true', 'nobody', { user_id: FOREIGN }),
  violation('former_owners_pk', 'former_owners', 'true', 'a former owner again', {}),
  violation('former_owners_merchant_fk', 'former_owners', 'true', 'of no merchant', {
    merchant_id: FOREIGN,
  }),
  violation('former_owners_user_fk', 'former_owners', 'true', 'nobody', { user_id: FOREIGN }),

  session('user_sessions_pk', 'a session again', { id: undefined }),
  session('user_sessions_token', 'a token again', { token_hash: undefined }),
  session('user_sessions_hash_check', 'a hash that is none', { token_hash: '\\xab' }),
  session('user_sessions_user_fk', 'of nobody', { user_id: FOREIGN }),

  violation('user_recovery_codes_pk', 'user_recovery_codes', 'true', 'a code again', {}),
  violation('user_recovery_codes_user_fk', 'user_recovery_codes', 'true', 'of nobody', {
    user_id: FOREIGN,
  }),

  link('user_links_pk', 'a link again', { id: undefined }),
  link('user_links_token', 'a token again', { token_hash: undefined }),
  link('user_links_open', 'invited twice', { email: undefined }),
  link('user_links_kind_check', 'a kind that is none', { kind: 'visit', role: null }),
  link('user_links_role_check', 'an invitation to no role', { role: null }),
  link('user_links_unsent_check', 'to be sent, but never', { token: 't', next_attempt_at: null }),
  link('user_links_merchant_fk', 'to no merchant', { merchant_id: FOREIGN }),
  link('user_links_created_by_fk', 'by nobody', { created_by: FOREIGN }),

  violation('audit_entries_pk', 'audit_entries', 'true', 'an entry again', {}),
  violation('audit_entries_merchant_fk', 'audit_entries', 'true', 'at no merchant', {
    id: NEW.id,
    merchant_id: FOREIGN,
  }),
  violation('audit_entries_user_fk', 'audit_entries', 'true', 'by nobody', {
    id: NEW.id,
    user_id: FOREIGN,
  }),

  violation('sign_in_refusals_pk', 'sign_in_refusals', 'true', 'an hour again', {}),
  violation('sign_in_refusals_tries_check', 'sign_in_refusals', 'true', 'refused never', {
    whose: NEW.id,
    tries: 0,
  }),

  noticeViolation('user_notices_pk', 'a mail again', { id: undefined }),
  noticeViolation('user_notices_kind_check', 'about something else', { kind: 'advertisement' }),
  noticeViolation('user_notices_sent_check', 'sent, and due', {
    sent_at: PAST,
    next_attempt_at: PAST,
  }),
  noticeViolation('user_notices_user_fk', 'to nobody', { user_id: FOREIGN }),
  noticeViolation('user_notices_merchant_fk', 'about no merchant', { merchant_id: FOREIGN }),

  view('saved_views_pk', 'a name again', { name: undefined }),
  view('saved_views_name_check', 'no name', { name: '' }),
  view('saved_views_merchant_fk', 'at no merchant', { merchant_id: FOREIGN }),
  view('saved_views_user_fk', 'of nobody', { user_id: FOREIGN }),

  note('order_notes_pk', 'a note again', { id: undefined }),
  note('order_notes_text_check', 'nothing', { text: '' }),
  note('order_notes_text_check', 'too much', { text: 'x'.repeat(1_001) }),
  note('order_notes_order_fk', 'about no order', { txid: NEW.txid }),
  note('order_notes_user_fk', 'of nobody', { user_id: FOREIGN }),

  violation('page_openings_pk', 'page_openings', 'true', 'opened first again', {}),
  violation('page_openings_order_fk', 'page_openings', 'true', 'of no order', { txid: NEW.txid }),

  violation('order_fields_pk', 'order_fields', 'true', 'a pair again', {}),

  queued('exports_pk', 'an export again', { id: undefined }),
  queued('exports_mode_check', 'a third mode', { mode: 'demo' }),
  queued('exports_status_check', 'a status that is none', {
    status: 'lost',
    finished_at: PAST,
    expires_at: PAST,
  }),
  queued('exports_place_check', 'in a place before its time', { place: 1 }),
  queued('exports_lease_check', 'taken, but not running', { lease_until: PAST }),
  queued('exports_manifest_check', 'a manifest of nothing', { manifest: {} }),
  queued('exports_finished_check', 'finished, but queued', { finished_at: PAST }),
  queued('exports_merchant_fk', 'at no merchant', { merchant_id: FOREIGN }),
  violation(
    'exports_merchant_place',
    'exports',
    `status = 'running' AND merchant_id IS NOT NULL`,
    'a place at a merchant that is taken',
    { id: NEW.id },
  ),
  violation(
    'exports_platform_place',
    'exports',
    `status = 'running' AND merchant_id IS NULL`,
    'a place at the platform that is taken',
    { id: NEW.id },
  ),
  violation('export_chunks_pk', 'export_chunks', 'true', 'a part again', {}),
  violation('export_chunks_export_fk', 'export_chunks', 'true', 'of no export', {
    export_id: FOREIGN,
  }),
];

const LINK = `INSERT INTO user_links (id, kind, token_hash, email, merchant_id, role, created_by,
    created_at, expires_at)
  VALUES (gen_random_uuid(), 'invitation', decode(repeat('cd', 32), 'hex'), 'guest@people.example',
    $1, 'viewer', $2, now(), now())`;

const EXPORT = `INSERT INTO exports (id, merchant_id, mode, requested_by, request, query, status,
    place, lease_until, created_at)
  VALUES (gen_random_uuid(), $1, 'test', $2, '{}', '', $3, $4, $5, now())`;

const VIEW = `INSERT INTO saved_views VALUES ($1, $2, 'Mine', 'status=paid', now())`;

const REFUSAL = `INSERT INTO sign_in_refusals VALUES ($1, now(), 3)`;

const NEW_NOTICE = `INSERT INTO user_notices (id, user_id, kind, merchant_id, data, created_at)
  VALUES (gen_random_uuid(), $2, 'owners-changed', $1, '{}', now())`;

const NOTE = `INSERT INTO order_notes SELECT merchant_id, gen_random_uuid(), txid, $2, 'Called', now()
  FROM orders WHERE merchant_id = $1 LIMIT 1`;

const OPENING = `INSERT INTO page_openings SELECT merchant_id, txid, now()
  FROM orders WHERE merchant_id = $1 LIMIT 1`;

const CHUNK = `INSERT INTO export_chunks SELECT id, 1, '\\x00' FROM exports LIMIT 1`;

/** A row at least in each table of the portal. */
export async function makePortalRows(app: TestApp, merchantId: string): Promise<void> {
  const owner = await person(app, 'owner', merchantId);
  await signedIn(app, owner);
  await withTotp(app, owner);
  await select(app, LINK, [merchantId, owner.id]);
  await select(app, EXPORT, [merchantId, owner.id, 'queued', null, null]);
  await select(app, EXPORT, [merchantId, owner.id, 'running', 1, PAST]);
  await select(app, EXPORT, [null, owner.id, 'running', 1, PAST]);
  await select(app, CHUNK, []);
  await select(app, VIEW, [merchantId, owner.id]);
  await select(app, 'INSERT INTO former_owners VALUES ($1, $2, now())', [merchantId, owner.id]);
  await select(app, REFUSAL, [owner.id]);
  await select(app, NEW_NOTICE, [merchantId, owner.id]);
  await select(app, NOTE, [merchantId, owner.id]);
  await select(app, OPENING, [merchantId]);
}
