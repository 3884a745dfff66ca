import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '../src/common/ids.js';
import { AccountsService } from '../src/people/accounts.service.js';
import { AUDIT_PAGE } from '../src/people/audit.service.js';
import { MAILS_MAX } from '../src/people/mails/owner-notifier.js';
import { UserNotices } from '../src/people/mails/user-notices.js';
import { TEAM_MAX } from '../src/people/team.service.js';
import { TestApp } from './support/app.js';
import { browserOf, type FormBrowser } from './support/browser-form.js';
import { count, select } from './support/facts.js';
import { linkTo, sendLinks } from './support/links.js';
import { MailServer } from './support/mail-server.js';
import {
  codeOf,
  PASSWORD,
  person,
  type Person,
  membershipsOf,
  signedIn,
  withTotp,
} from './support/people.js';
import { ROUNDS, rounds, tally, together } from './support/race.js';
import { openShop } from './support/shop.js';

const FRESH = 'nine quiet tin drums';
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const HOSTILE = '"><script>alert(1)</script>\u202e\u2066Eve';

const server = await MailServer.start();
afterAll(() => server.stop());
const { app } = await openShop({ env: { SMTP_URL: server.url } });

beforeEach(() => server.forget());

interface Shop {
  readonly id: string;
  readonly owner: Person;
  readonly browser: FormBrowser;
  /** Path of the team's page. */
  readonly team: string;
}

async function shopWithOwner(name = 'Test Shop'): Promise<Shop> {
  const { merchantId: id } = await app.merchant({ name });
  const owner = await withTotp(app, await person(app, 'owner', id));
  return { id, owner, browser: await signedIn(app, owner), team: `/portal/m/${id}/test/team` };
}

let strangers = 0;
const stranger = (): string => `stranger-${++strangers}@else.example`;

const invite = ({ browser, team }: Shop, email: string, role = 'finance', more = {}) =>
  browser.fill(team, { email, role, ...more }, `${team}/invitations`);

const register = (link: string, fields: Record<string, string> = {}, browser = browserOf(app)) =>
  browser.fill(
    link,
    { name: 'Mara Vogt', fresh: FRESH, again: FRESH, ...fields },
    `${link}/register`,
  );

const accept = (link: string, browser: FormBrowser) =>
  browser.fill('/portal/security', {}, `${link}/accept`);

async function invited(shop: Shop, email: string, role = 'finance'): Promise<string> {
  const reply = await invite(shop, email, role);
  if (reply.status !== 303) throw new Error(`not invited: ${reply.status}`);
  return linkTo(app, server, email);
}

const rolesAt = async ({ id }: Shop): Promise<Record<string, unknown>> => {
  const sql = `SELECT u.email, m.role FROM memberships m JOIN users u ON u.id = m.user_id
    WHERE m.merchant_id = $1`;
  const rows = await select<{ email: string; role: string }>(app, sql, [id]);
  return Object.fromEntries(rows.map(({ email, role }) => [email, role]));
};

describe('an invitation', () => {
  it('brings a new person into the team, with the role that was chosen', async () => {
    const shop = await shopWithOwner('Lampen <Shop>');
    const email = stranger();
    expect((await invite(shop, email.toUpperCase())).status).toBe(303);
    const link = await linkTo(app, server, email);
    const [mail] = server.to(email);
    expect(mail!.subject).toBe('You are invited to Lampen <Shop>');
    expect(mail!.text).toContain('Finance');
    expect(await count(app, 'user_links', 'token IS NOT NULL')).toBe(0);
    const browser = browserOf(app);
    const reply = await register(link, {}, browser);
    expect([reply.status, reply.location]).toEqual([303, `/portal/m/${shop.id}/test`]);
    expect(await rolesAt(shop)).toEqual({ [shop.owner.email]: 'owner', [email]: 'finance' });
    expect((await browser.get('/portal/security')).html).toContain('Mara Vogt');
    expect((await browserOf(app).signIn(email, FRESH)).status).toBe(303);
    expect((await shop.browser.get(shop.team)).html).not.toContain('id="invitations"');
  });

  it('takes neither address nor role from the form', async () => {
    const shop = await shopWithOwner();
    const email = stranger();
    const link = await invited(shop, email, 'viewer');
    const extra = {
      email: 'eve@evil.example',
      role: 'owner',
      platformRole: 'operator',
      merchantId: uuidv7(1),
    };
    expect((await register(link, extra)).status).toBe(303);
    expect((await rolesAt(shop))[email]).toBe('viewer');
    const sql = 'SELECT platform_role FROM users WHERE email = $1';
    expect(await select(app, sql, [email])).toEqual([{ platform_role: null }]);
    expect(await count(app, 'users', `email = 'eve@evil.example'`)).toBe(0);
  });

  it.each([
    [{ name: '' }, 'Enter your name.'],
    [{ name: 'x'.repeat(141) }, 'Enter your name.'],
    [{ fresh: 'short', again: 'short' }, 'at least 12'],
    [{ name: 'Drums Nine' }, 'Leave your name'],
    [{ again: 'something else here' }, 'differ'],
  ])('is not taken with %j', async (fields, words) => {
    const email = stranger();
    const link = await invited(await shopWithOwner(), email);
    const reply = await register(link, fields);
    expect([reply.status, reply.html]).toEqual([422, expect.stringContaining(words)]);
    expect((await register(link)).status).toBe(303);
  });

  it('is taken once, also by two at once', async () => {
    const link = await invited(await shopWithOwner(), stranger());
    const replies = await together(() => register(link), 2);
    const statuses = tally(replies.map(({ status }) => status));
    expect([statuses[303], statuses[404] ?? statuses[403]]).toEqual([1, 1]);
    expect((await browserOf(app).get(link)).status).toBe(404);
  });

  it('works for seven days', async () => {
    const link = await invited(await shopWithOwner(), stranger());
    app.clock.advance(7 * DAY_MS - 1);
    expect((await browserOf(app).get(link)).status).toBe(200);
    app.clock.advance(1);
    const reply = await browserOf(app).get(link);
    expect([reply.status, reply.html]).toEqual([404, expect.stringContaining('no longer works')]);
  });

  it('is accepted by somebody who has an account, after the sign-in', async () => {
    const shop = await shopWithOwner();
    const { merchantId } = await app.merchant();
    const { email } = await person(app, 'owner', merchantId);
    const link = await invited(shop, email, 'developer');
    const guest = browserOf(app);
    const page = await guest.get(link);
    expect(page.html).toContain(`/portal/sign-in?next=${encodeURIComponent(link)}`);
    expect(page.html).not.toContain('name="fresh"');
    const early = await guest.fill('/portal/sign-in', {}, `${link}/accept`);
    expect(early.location).toMatch(/^\/portal\/sign-in\?next=/);
    expect((await guest.fill('/portal/sign-in', {}, `${link}/register`)).status).toBe(403);
    const next = { email, password: PASSWORD, next: link };
    expect((await guest.fill('/portal/sign-in', next)).location).toBe(link);
    expect((await accept(link, guest)).location).toBe(`/portal/m/${shop.id}/test`);
    expect((await rolesAt(shop))[email]).toBe('developer');
    expect((await accept(link, guest)).status).toBe(404);
  });

  it('is for nobody else', async () => {
    const [shop, other] = [await shopWithOwner(), await shopWithOwner()];
    const email = stranger();
    const link = await invited(shop, email);
    expect((await other.browser.get(link)).html).toContain('You are signed in as');
    expect((await accept(link, other.browser)).status).toBe(403);
    const fields = { name: 'Mara Vogt', fresh: FRESH, again: FRESH };
    const forced = await other.browser.fill('/portal/security', fields, `${link}/register`);
    expect(forced.status).toBe(403);
    expect(Object.keys(await rolesAt(shop))).toEqual([shop.owner.email]);
    expect((await register(link)).status).toBe(303);
  });

  it('is not for an account that was closed', async () => {
    const shop = await shopWithOwner();
    const gone = await person(app, 'viewer', (await shopWithOwner()).id);
    const link = await invited(shop, gone.email);
    await app.get(AccountsService).close(gone.email);
    expect((await browserOf(app).get(link)).status).toBe(404);
  });

  it('lowers nobody who is in the team already', async () => {
    const shop = await shopWithOwner();
    const late = await person(app, 'viewer', (await shopWithOwner()).id);
    const link = await invited(shop, late.email, 'viewer');
    const sql = `INSERT INTO memberships VALUES ($1, $2, 'owner', now())`;
    await select(app, sql, [shop.id, late.id]);
    expect((await accept(link, await signedIn(app, late))).status).toBe(404);
    expect((await rolesAt(shop))[late.email]).toBe('owner');
  });

  it('can be revoked, and sent again with a new link', async () => {
    const shop = await shopWithOwner();
    const email = stranger();
    const first = await invited(shop, email);
    const idIn = async () =>
      /invitations\/([0-9a-f-]{36})\//.exec((await shop.browser.get(shop.team)).html)![1]!;
    const id = await idIn();
    expect((await shop.browser.post(`${shop.team}/invitations/${id}/again`)).status).toBe(409);
    app.clock.advance(5 * MINUTE_MS);
    expect((await shop.browser.post(`${shop.team}/invitations/${id}/again`)).status).toBe(303);
    const second = await linkTo(app, server, email);
    expect(second).not.toBe(first);
    expect((await browserOf(app).get(first)).status).toBe(404);
    expect((await browserOf(app).get(second)).status).toBe(200);
    await shop.browser.get(shop.team);
    expect((await shop.browser.post(`${shop.team}/invitations/${id}/revoke`)).status).toBe(303);
    expect((await browserOf(app).get(second)).status).toBe(404);
    await shop.browser.get(shop.team);
    expect((await shop.browser.post(`${shop.team}/invitations/${id}/revoke`)).status).toBe(404);
  });

  it('can be named in capitals, like a member', async () => {
    const shop = await shopWithOwner();
    const member = await person(app, 'finance', shop.id);
    await invited(shop, stranger());
    const { html } = await shop.browser.get(shop.team);
    const id = /invitations\/([0-9a-f-]{36})\//.exec(html)![1]!;
    const act = async (path: string, form = {}) =>
      (await shop.browser.post(`${shop.team}/${path}`, form)).status;
    expect(await act(`members/${member.id.toUpperCase()}/role`, { role: 'viewer' })).toBe(303);
    expect((await rolesAt(shop))[member.email]).toBe('viewer');
    expect(await act(`invitations/${id.toUpperCase()}/revoke`)).toBe(303);
    const told = `SELECT subject FROM audit_entries WHERE merchant_id = $1 AND action = ANY($2)`;
    const entries = ['member.role-changed', 'invitation.revoked'];
    const subjects = await select(app, told, [shop.id, entries]);
    expect(subjects.map(({ subject }) => subject).toSorted()).toEqual([member.id, id].toSorted());
  });

  it('of an owner is sent again only with a fresh code, and all owners are told', async () => {
    const shop = await shopWithOwner();
    const email = stranger();
    await invited(shop, email, 'owner');
    app.clock.advance(8 * DAY_MS);
    const browser = await signedIn(app, shop.owner);
    const { html } = await browser.get(shop.team);
    const path = `${shop.team}/invitations/${/invitations\/([0-9a-f-]{36})\//.exec(html)![1]!}/again`;
    app.clock.advance(6 * MINUTE_MS);
    await app.get(UserNotices).run();
    server.forget();
    expect((await browser.post(path)).status).toBe(422);
    const code = await codeOf(app, shop.owner.totp!);
    expect((await browser.post(path, { code })).status).toBe(303);
    await app.get(UserNotices).run();
    expect(server.to(shop.owner.email).map(({ subject }) => subject)).toEqual(['The team changes']);
  });

  it.each(['removed', 'lowered', 'disabled', 'gone without a trace'] as const)(
    'ends with its sender, when that one is %s',
    async (how) => {
      const shop = await shopWithOwner();
      const sender = await withTotp(app, await person(app, 'owner', shop.id));
      const email = stranger();
      const link = await invited(
        { ...shop, browser: await signedIn(app, sender) },
        email,
        'viewer',
      );
      const member = `${shop.team}/members/${sender.id}`;
      if (how === 'removed') await shop.browser.fill(shop.team, {}, `${member}/remove`);
      if (how === 'lowered') {
        await shop.browser.fill(shop.team, { role: 'viewer' }, `${member}/role`);
      }
      if (how === 'disabled') await app.get(AccountsService).close(sender.email);
      if (how === 'gone without a trace') {
        await select(app, 'DELETE FROM memberships WHERE user_id = $1', [sender.id]);
      }
      expect((await browserOf(app).get(link)).status).toBe(404);
      expect((await rolesAt(shop))[email]).toBeUndefined();
      if (how === 'gone without a trace') return;
      expect((await shop.browser.get(shop.team)).html).not.toContain(email);
      const { html } = await shop.browser.get(shop.team.replace('/team', '/audit'));
      expect(html).toContain(`Withdrew the invitation of ${email}`);
    },
  );

  it('is nothing for somebody who works for the platform', async () => {
    const shop = await shopWithOwner();
    const support = await person(app, 'support');
    const link = await invited(shop, support.email, 'viewer');
    const reply = await accept(link, await signedIn(app, support));
    expect([reply.status, reply.html]).toEqual([409, expect.stringContaining('another address')]);
    expect((await rolesAt(shop))[support.email]).toBeUndefined();
  });

  it('of another merchant cannot be touched', async () => {
    const [shop, other] = [await shopWithOwner(), await shopWithOwner()];
    const link = await invited(other, stranger());
    const [row] = await select(app, 'SELECT id FROM user_links WHERE merchant_id = $1', [other.id]);
    app.clock.advance(5 * MINUTE_MS);
    for (const entry of ['again', 'revoke']) {
      await shop.browser.get(shop.team);
      const reply = await shop.browser.post(
        `${shop.team}/invitations/${String(row!['id'])}/${entry}`,
      );
      expect([404, 409]).toContain(reply.status);
    }
    expect((await browserOf(app).get(link)).status).toBe(200);
  });

  it.each([
    ['no address', 'finance', 'This is not an e-mail address.'],
    ['eve@evil.example\r\nBcc: all@evil.example', 'finance', 'This is not an e-mail address.'],
    ['eve@evil.example', 'operator', 'Choose a role.'],
    ['eve@evil.example', '', 'Choose a role.'],
  ])('is not sent to %j as %j', async (email, role, words) => {
    const reply = await invite(await shopWithOwner(), email, role);
    expect([reply.status, reply.html]).toEqual([422, expect.stringContaining(words)]);
    await sendLinks(app);
    expect(server.mails).toEqual([]);
  });

  it('is not sent for a team that is as large as one page shows', async () => {
    const shop = await shopWithOwner();
    const sql = `INSERT INTO user_links SELECT (jsonb_populate_record(l, jsonb_build_object(
        'id', gen_random_uuid(), 'token_hash', '\\x' || encode(sha256((l.id || n::text)::bytea), 'hex'),
        'email', n || l.email))).*
      FROM user_links l, generate_series(1, $2) n WHERE l.merchant_id = $1`;
    await invited(shop, stranger());
    await select(app, sql, [shop.id, TEAM_MAX - 3]);
    await invited(shop, stranger());
    expect((await invite(shop, stranger())).html).toContain('A team has at most 200 people');
  });

  it('is not sent twice, nor to a member', async () => {
    const shop = await shopWithOwner();
    const email = stranger();
    await invited(shop, email);
    expect((await invite(shop, email)).html).toContain('is invited already');
    expect((await invite(shop, shop.owner.email)).html).toContain('is in the team');
  });

  it('says when its mail was refused', async () => {
    const shop = await shopWithOwner();
    server.answers({ code: 550, at: 'recipient' });
    await invite(shop, stranger());
    expect((await shop.browser.get(shop.team)).html).toContain('Sending');
    await sendLinks(app);
    expect((await shop.browser.get(shop.team)).html).toContain('Email not delivered');
  });
});

describe('the team', () => {
  const role = ({ browser, team }: Shop, { id }: Person, to: string) =>
    browser.fill(team, { role: to }, `${team}/members/${id}/role`);
  const remove = ({ browser, team }: Shop, { id }: Person) =>
    browser.fill(team, {}, `${team}/members/${id}/remove`);

  it('shows hostile names as text', async () => {
    const shop = await shopWithOwner();
    const member = await person(app, 'viewer', shop.id);
    await select(app, 'UPDATE users SET name = $2 WHERE id = $1', [member.id, HOSTILE]);
    const { html } = await shop.browser.get(shop.team);
    expect(html).not.toContain('<script>alert');
    expect(html).not.toContain('\u2066');
    expect(html).toContain('<bdi>&quot;>&lt;script');
  });

  it.each(['developer', 'finance', 'viewer'] as const)('is closed to %s', async (each) => {
    const shop = await shopWithOwner();
    const browser = await signedIn(app, await person(app, each, shop.id));
    const reply = await browser.get(shop.team);
    expect([reply.status, reply.html]).toEqual([403, expect.stringContaining('role owner')]);
    const forged = await browser.fill(
      '/portal/security',
      { email: stranger(), role: 'owner' },
      `${shop.team}/invitations`,
    );
    expect(forged.status).toBe(403);
  });

  it('changes roles and removes people, from the next request on', async () => {
    const shop = await shopWithOwner();
    const member = await withTotp(app, await person(app, 'owner', shop.id));
    const theirs = await signedIn(app, member);
    expect((await theirs.get(shop.team)).status).toBe(200);
    expect((await role(shop, member, 'viewer')).status).toBe(303);
    expect((await theirs.get(shop.team)).status).toBe(403);
    expect((await remove(shop, member)).status).toBe(303);
    expect((await theirs.get(shop.team)).status).toBe(404);
    expect(await membershipsOf(app, member)).toEqual([]);
  });

  it('refuses what is no role and who is no member', async () => {
    const [shop, other] = [await shopWithOwner(), await shopWithOwner()];
    const member = await person(app, 'viewer', shop.id);
    for (const to of ['operator', 'support', 'constructor', '']) {
      expect((await role(shop, member, to)).status).toBe(422);
    }
    expect((await role(shop, other.owner, 'viewer')).status).toBe(404);
    expect((await remove(shop, other.owner)).status).toBe(404);
    expect((await remove(shop, { ...member, id: 'x' })).status).toBe(404);
    expect(await rolesAt(other)).toEqual({ [other.owner.email]: 'owner' });
  });

  it('changes owners only with a fresh code, and tells them all', async () => {
    const shop = await shopWithOwner('Nordlicht');
    const { team, owner: first } = shop;
    const plain = await person(app, 'owner', shop.id);
    const gone = await person(app, 'owner', shop.id);
    app.clock.advance(6 * MINUTE_MS);
    server.forget();
    const tried = [
      await invite(shop, stranger(), 'owner'),
      await role(shop, gone, 'viewer'),
      await remove(shop, gone),
    ];
    expect(tried.map(({ status }) => status)).toEqual([422, 422, 422]);
    expect(tried[0]!.html).toContain('Confirm your identity');
    expect(tried[0]!.html).toContain('name="role" value="owner"');
    expect((await rolesAt(shop))[gone.email]).toBe('owner');
    const wrong = await shop.browser.post(`${team}/members/${gone.id}/remove`, { code: '000000' });
    expect([wrong.status, wrong.html]).toEqual([
      422,
      expect.stringContaining('invalid or expired'),
    ]);
    const code = await codeOf(app, first.totp!);
    expect((await shop.browser.post(`${team}/members/${gone.id}/remove`, { code })).status).toBe(
      303,
    );
    await app.get(UserNotices).run();
    for (const { email } of [plain, first, gone]) {
      const mail = server.to(email).find(({ subject }) => subject === 'The team changes');
      expect(mail?.text).toContain('An owner removed an owner from the team');
    }
  });

  it('tells its owners of everybody who can see payers or make keys, by whomever', async () => {
    const shop = await shopWithOwner('Nordlicht');
    const member = await person(app, 'viewer', shop.id);
    const [finance, viewer] = [stranger(), stranger()];
    await invite(shop, finance, 'finance');
    await invite(shop, viewer, 'viewer');
    for (const to of ['developer', 'viewer'] as const) await role(shop, member, to);
    const newcomer = { email: stranger(), name: 'New', password: PASSWORD };
    await app.get(AccountsService).open(newcomer, { merchantId: shop.id, role: 'finance' });
    // A reopened account has no second factor.
    await app.get(AccountsService).forgetSecondStep(shop.owner.email);
    for (const change of ['close', 'reopen'] as const) {
      await app.get(AccountsService)[change](member.email);
      await app.get(AccountsService)[change](shop.owner.email);
    }
    await app.get(UserNotices).run();
    const { email } = shop.owner;
    const mails = server.to(email).filter(({ subject }) => subject?.startsWith('The team'));
    const told = mails.map(({ text }) => text!.replaceAll(/\s+/g, ' '));
    const sentences = [
      'An owner invited a person with the role finance.',
      'An owner gave a person the role developer.',
      'An operator gave a person the role finance.',
      'An operator closed the account of an owner.',
      'An operator reopened the account of an owner.',
      'An operator turned off two-factor authentication for an owner.',
    ];
    for (const text of told) expect(text).not.toMatch(/Nordlicht|stranger/);
    const found = sentences.filter((sentence) => told.some((text) => text.includes(sentence)));
    expect(found).toEqual(sentences);
    expect(told).toHaveLength(sentences.length);
  });

  it('gives no more roles in a day than owners can read of, and takes as many as it likes', async () => {
    const shop = await shopWithOwner('Nordlicht');
    const thief = await person(app, 'owner', shop.id);
    const lowered = await person(app, 'owner', shop.id);
    const member = await person(app, 'viewer', shop.id);
    const owners = 3;
    expect((await role(shop, member, 'finance')).status).toBe(303);
    await select(
      app,
      `INSERT INTO user_notices SELECT (jsonb_populate_record(n, jsonb_build_object(
         'id', gen_random_uuid(), 'next_attempt_at', null))).*
       FROM user_notices n, generate_series(1, $2) WHERE n.ctid =
         (SELECT min(ctid) FROM user_notices WHERE merchant_id = $1)`,
      [shop.id, MAILS_MAX - 2 * owners + 1],
    );
    const tooMany = [
      await role(shop, member, 'developer'),
      await role(shop, member, 'owner'),
      await invite(shop, stranger(), 'developer'),
    ];
    expect(tooMany.map(({ status }) => status)).toEqual([429, 429, 429]);
    expect(tooMany[0]!.html).toContain('The team changes too often');
    expect((await rolesAt(shop))[member.email]).toBe('finance');
    expect((await invite(shop, stranger(), 'viewer')).status).toBe(303);
    expect((await role(shop, member, 'viewer')).status).toBe(303);
    expect((await role(shop, lowered, 'viewer')).status).toBe(303);
    expect((await remove(shop, thief)).status).toBe(303);
    await app.get(UserNotices).run();
    const told = server.mails.flatMap(({ envelope, text }) =>
      /removed|took/.test(text!) ? envelope.to : [],
    );
    expect(told.sort()).toEqual([thief.email, lowered.email]);
    app.clock.advance(DAY_MS);
    const browser = await signedIn(app, shop.owner);
    expect((await role({ ...shop, browser }, member, 'developer')).status).toBe(303);
  });

  it('keeps its last owner who can sign in', async () => {
    const shop = await shopWithOwner();
    const second = await person(app, 'owner', shop.id);
    await app.get(AccountsService).close(second.email);
    expect((await remove(shop, shop.owner)).status).toBe(409);
    expect((await role(shop, shop.owner, 'viewer')).status).toBe(409);
    expect((await remove(shop, second)).status).toBe(303);
    expect(await rolesAt(shop)).toEqual({ [shop.owner.email]: 'owner' });
  });

  it(`keeps one of two owners who remove or lower each other at once, ${ROUNDS} times`, async () => {
    const shop = await shopWithOwner();
    const owner = await withTotp(app, await person(app, 'owner', shop.id));
    const second = { ...shop, owner };
    const pair = [shop, { ...second, browser: await signedIn(app, second.owner) }] as const;
    await rounds(async (round) => {
      await select(
        app,
        `INSERT INTO memberships SELECT $1, id, 'owner', now() FROM users WHERE id IN ($2, $3)
         ON CONFLICT (merchant_id, user_id) DO UPDATE SET role = 'owner'`,
        [shop.id, pair[0].owner.id, pair[1].owner.id],
      );
      for (const { browser, team } of pair) await browser.get(team);
      const replies = await together((n) => {
        const { browser, team } = pair[n]!;
        const target = pair[1 - n]!.owner.id;
        return round % 2 === 0
          ? browser.post(`${team}/members/${target}/remove`)
          : browser.post(`${team}/members/${target}/role`, { role: 'viewer' });
      }, 2);
      const owners = Object.values(await rolesAt(shop)).filter((each) => each === 'owner');
      expect(owners).toHaveLength(1);
      expect(replies.filter(({ status }) => status === 303)).toHaveLength(1);
    });
  });
});

describe('the audit log', () => {
  it('tells the team what its people did, in plain words and their zone', async () => {
    const shop = await shopWithOwner();
    await select(app, `UPDATE merchants SET time_zone = 'Asia/Tokyo' WHERE id = $1`, [shop.id]);
    const email = stranger();
    const link = await invited(shop, email, 'viewer');
    expect((await register(link, { name: HOSTILE })).html).toContain('no invisible characters');
    await register(link, { name: HOSTILE.replace('\u202e\u2066', '') });
    const { html } = await shop.browser.get(`/portal/m/${shop.id}/test/audit`);
    expect(html).toContain(`Invited ${email} as viewer.`);
    expect(html).toContain('Joined the team as viewer.');
    expect(html).toContain('127.0.0.1');
    expect(html).toContain('Times in Asia/Tokyo');
    expect(html).not.toContain('<script>alert');
    const [time] = /<time datetime="[^"]+" title="[^"]+">([^<]+)</i.exec(html)!.slice(1);
    const tokyo = new Date(app.clock.now().getTime() + 9 * 60 * MINUTE_MS);
    expect(time).toContain(tokyo.toISOString().slice(11, 16));
  });

  it('has pages of fifty that neither repeat nor leave out an entry', async () => {
    const shop = await shopWithOwner();
    const total = 2 * AUDIT_PAGE + 1;
    const now = app.clock.now();
    for (let n = 0; n < total; n++) {
      const sql = `INSERT INTO audit_entries (id, merchant_id, user_id, action, subject, data, address, created_at)
        VALUES ($1, $2, $3, 'order.viewed', $4, '{}', '::1', $5)`;
      await select(app, sql, [uuidv7(now.getTime()), shop.id, shop.owner.id, `subject-${n}-`, now]);
    }
    const seen: string[] = [];
    let path: string | undefined = `/portal/m/${shop.id}/test/audit`;
    for (let pages = 0; path && pages < 4; pages++) {
      const { html } = await shop.browser.get(path);
      seen.push(...(html.match(/subject-\d+-/g) ?? []));
      path = /href="([^"]+before=[^"]+)"/.exec(html)?.[1];
    }
    expect(seen).toEqual(Array.from({ length: total }, (_, n) => `subject-${total - 1 - n}-`));
    const odd = await shop.browser.get(`/portal/m/${shop.id}/test/audit?before=%27x`);
    expect(odd.status).toBe(200);
  });

  it('shows nothing of another merchant, and opens for owners alone', async () => {
    const [shop, other] = [await shopWithOwner(), await shopWithOwner()];
    const email = stranger();
    await invited(other, email);
    expect((await shop.browser.get(`/portal/m/${shop.id}/test/audit`)).html).not.toContain(email);
    expect((await shop.browser.get(`/portal/m/${other.id}/test/audit`)).status).toBe(404);
    const viewer = await signedIn(app, await person(app, 'viewer', other.id));
    expect((await viewer.get(`/portal/m/${other.id}/test/audit`)).status).toBe(403);
  });
});

describe('with limits', () => {
  let limited: TestApp;
  let owner: Person;
  let browser: FormBrowser;
  let team: string;

  beforeEach(async () => {
    limited = await TestApp.start({ env: { RATE_LIMITS: 'on' } });
    const { merchantId } = await limited.merchant();
    owner = await withTotp(limited, await person(limited, 'owner', merchantId));
    browser = await signedIn(limited, owner);
    team = `/portal/m/${merchantId}/test/team`;
    await browser.get(team);
  });
  afterEach(() => limited.stop());

  const ask = async (email: string): Promise<number> =>
    (await browser.post(`${team}/invitations`, { email, role: 'viewer' })).status;

  const urlIn = async (email: string): Promise<string> => {
    const [row] = await select<{ id: string }>(
      limited,
      'SELECT id FROM user_links WHERE email = $1',
      [email],
    );
    return `${team}/invitations/${row!.id}`;
  };

  it('lets a merchant send thirty invitations an hour', async () => {
    const statuses = [];
    for (let n = 0; n < 31; n++) statuses.push(await ask(stranger()));
    expect(tally(statuses)).toEqual({ 303: 30, 429: 1 });
  });

  it('lets a merchant send three of them to one address, revoked or not', async () => {
    const email = stranger();
    for (let n = 0; n < 2; n++) {
      expect(await ask(email)).toBe(303);
      expect((await browser.post(`${await urlIn(email)}/revoke`)).status).toBe(303);
    }
    expect(await ask(email.toUpperCase())).toBe(303);
    limited.clock.advance(5 * MINUTE_MS);
    const invitation = await urlIn(email);
    expect((await browser.post(`${invitation}/again`)).status).toBe(429);
    expect((await browser.post(`${invitation}/revoke`)).status).toBe(303);
    expect(await ask(email)).toBe(429);
    expect(await ask(stranger())).toBe(303);
    limited.clock.advance(20 * MINUTE_MS);
    browser = await signedIn(limited, owner);
    await browser.get(team);
    expect(await ask(email)).toBe(303);
  });
});
