import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { uuidv7 } from '../src/common/ids.js';
import { hashPassword } from '../src/people/passwords/password.js';
import { TestApp } from './support/app.js';
import type { FormBrowser, PageReply } from './support/browser-form.js';
import { connect, createTables, onPostgres, type TestDatabase } from './support/database.js';
import { count, select, untilBlocked } from './support/facts.js';
import { codeOf, PASSWORD, person, signedIn, withTotp } from './support/people.js';

const FRESH = 'nine quiet tin drums';
const SECURITY = '/portal/security';
const MINUTE_MS = 60_000;

const suite = onPostgres(describe, 'the embedded database does one thing after the other');

suite('what is under way while', () => {
  let database: TestDatabase;
  let app: TestApp;
  let other: pg.Client;
  let merchantId: string;

  beforeAll(async () => {
    database = await createTables();
    app = await TestApp.start({ database });
    other = await connect(database.url);
    ({ merchantId } = await app.merchant());
  });
  afterAll(async () => {
    await other.end();
    await app.stop();
    await database.drop();
  });

  /** Sends the form so that its last step comes after what the other session has done. */
  async function during(
    change: readonly [sql: string, values: unknown[]][],
    send: () => Promise<PageReply>,
  ): Promise<PageReply> {
    await other.query('BEGIN');
    for (const [sql, values] of change) await other.query(sql, values);
    const answer = send();
    // Where nothing waits, the answer is there, and wrong.
    await Promise.race([untilBlocked(app, 1), answer]);
    await other.query('COMMIT');
    return answer;
  }

  const END = (id: string): [string, unknown[]] => [
    'UPDATE user_sessions SET ended_at = now() WHERE user_id = $1',
    [id],
  ];

  const change = (browser: FormBrowser): Promise<PageReply> =>
    browser.post(`${SECURITY}/password`, { old: PASSWORD, fresh: FRESH, again: FRESH });

  it('a new password is chosen by mail does not change that one', async () => {
    const { id, email } = await person(app, 'viewer', merchantId);
    const browser = await signedIn(app, { id, email, totp: null });
    await browser.get(SECURITY);
    const chosen = await hashPassword('ten loud brass horns');
    const reset: [string, unknown[]] = [
      'UPDATE users SET password_hash = $2 WHERE id = $1',
      [id, chosen],
    ];
    const reply = await during([reset, END(id)], () => change(browser));
    expect([reply.status, reply.html]).toEqual([
      409,
      expect.stringContaining('Your account has changed meanwhile'),
    ]);
    const sql = 'SELECT password_hash AS hash FROM users WHERE id = $1';
    expect(await select(app, sql, [id])).toEqual([{ hash: chosen }]);
  });

  it.each(['recovery-codes', 'second-factor'])(
    'the second step is replaced takes no code of the old one: %s',
    async (form) => {
      const user = await withTotp(app, await person(app, 'owner', merchantId));
      const browser = await signedIn(app, user);
      app.clock.advance(MINUTE_MS);
      const secret = await proposed(browser);
      const code = await codeOf(app, form === 'second-factor' ? secret : user.totp);
      const replace = `UPDATE users SET totp_secret = 'REPLACED' WHERE id = $1`;
      const proof = await codeOf(app, user.totp);
      const reply = await during([[replace, [user.id]]], () =>
        browser.post(`${SECURITY}/${form}`, { secret, proof, code }),
      );
      expect(reply.status).toBe(422);
      expect(await count(app, 'users', `id = $1 AND totp_secret = 'REPLACED'`, [user.id])).toBe(1);
    },
  );

  it.each<[action: string, path: string, fields: Record<string, string>]>([
    ['password.changed', `${SECURITY}/password`, { old: PASSWORD, fresh: FRESH, again: FRESH }],
    ['second-factor.replaced', `${SECURITY}/second-factor`, {}],
    ['recovery-codes.renewed', `${SECURITY}/recovery-codes`, {}],
    ['sessions.ended', `${SECURITY}/sessions/end-others`, {}],
    ['session.ended', `${SECURITY}/sessions/${uuidv7(0)}/end`, {}],
    ['invitation.sent', '/team/invitations', { email: 'guest@else.example', role: 'finance' }],
    ['business.changed', '/business', { name: 'Other', colour: '0b4f9e', timeZone: 'UTC' }],
    ['key.created', '/keys/new', { name: 'key', scopes: 'orders:read', apiVersion: '1.2.2' }],
    ['webhook.created', '/webhooks/new', { url: 'https://example.com/', apiVersion: '1.2.2' }],
    [
      'recipient.added',
      '/recipients/new',
      { email: 'guest@else.example', locale: 'en', timeZone: 'UTC', which: 'all' },
    ],
    [
      'bank-account.added',
      '/bank-accounts/new',
      { holder: 'Shop', iban: 'DE89370400440532013000' },
    ],
  ])('its session ends changes nothing: %s', async (action, path, fields) => {
    const user = await withTotp(app, await person(app, 'owner', merchantId));
    const browser = await signedIn(app, user);
    app.clock.advance(MINUTE_MS);
    const secret = await proposed(browser);
    const proof = await codeOf(app, user.totp);
    const code = await codeOf(app, action.startsWith('second') ? secret : user.totp);
    const url = path.startsWith('/portal') ? path : `/portal/m/${merchantId}/test${path}`;
    const reply = await during([END(user.id)], () =>
      browser.post(url, { secret, proof, code, ...fields }),
    );
    expect([reply.status, reply.location]).toEqual([303, '/portal/sign-in']);
    const done = 'user_id = $1 AND action = $2';
    expect(await count(app, 'audit_entries', done, [user.id, action])).toBe(0);
  });

  it.each([
    ['role', { role: 'viewer' }],
    ['remove', {}],
  ])('a member becomes an owner is not done to the owner: %s', async (form, fields) => {
    const browser = await signedIn(
      app,
      await withTotp(app, await person(app, 'owner', merchantId)),
    );
    const member = await person(app, 'developer', merchantId);
    const rise = `UPDATE memberships SET role = 'owner' WHERE user_id = $1`;
    await browser.get(`/portal/m/${merchantId}/test/team`);
    const reply = await during([[rise, [member.id]]], () =>
      browser.post(`/portal/m/${merchantId}/test/team/members/${member.id}/${form}`, fields),
    );
    expect(reply.status).toBe(409);
    expect(await count(app, 'memberships', `user_id = $1 AND role = 'owner'`, [member.id])).toBe(1);
  });

  it('nothing happens is written down with its session', async () => {
    const user = await person(app, 'viewer', merchantId);
    const browser = await signedIn(app, user);
    await browser.get(SECURITY);
    await change(browser);
    const sql = `SELECT a.session_id = s.id AS same FROM audit_entries a
      JOIN user_sessions s ON s.user_id = a.user_id WHERE a.user_id = $1 AND action = $2`;
    expect(await select(app, sql, [user.id, 'password.changed'])).toEqual([{ same: true }]);
    const forged = `INSERT INTO audit_entries (id, user_id, session_id, action, data, address, created_at)
      SELECT $1, $2, id, 'x', '{}', '::1', now() FROM user_sessions WHERE user_id <> $2 OR ended_at IS NOT NULL`;
    await expect(select(app, forged, [uuidv7(0), user.id])).rejects.toThrow(/has ended/);
  });
});

/** The key that the page for a second step proposes. */
const proposed = async (browser: FormBrowser): Promise<string> =>
  /name="secret" value="([^"]+)"/.exec((await browser.get(`${SECURITY}/second-factor`)).html)![1]!;
