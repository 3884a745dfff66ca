import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '../src/database/database.js';
import { UserLinkRepository } from '../src/database/people/user-link.repository.js';
import { AccountsService } from '../src/people/accounts.service.js';
import { linkPath, newLink } from '../src/people/mails/link-token.js';
import { TestApp } from './support/app.js';
import type { FormBrowser } from './support/browser-form.js';
import { connect, onPostgres } from './support/database.js';
import { count, select, untilBlocked } from './support/facts.js';
import {
  codeOf,
  PASSWORD,
  person,
  type Person,
  membershipsOf,
  signedIn,
  withTotp,
} from './support/people.js';
import { tally, together } from './support/race.js';

const OPEN = `email = $1 AND used_at IS NULL`;

describe('an open invitation', () => {
  let app: TestApp;
  let merchantId: string;
  let owner: Person & { totp: string };
  let browser: FormBrowser;
  let team: string;

  beforeAll(async () => {
    app = await TestApp.start();
    ({ merchantId } = await app.merchant());
    owner = await withTotp(app, await person(app, 'owner', merchantId));
    browser = await signedIn(app, owner);
    team = `/portal/m/${merchantId}/test/team`;
  });
  afterAll(() => app.stop());

  /** One that is on its way to somebody, whatever he is by now. */
  async function sentTo(email: string): Promise<string> {
    const fields = { kind: 'invitation', email, merchantId, role: 'finance' } as const;
    const link = newLink({ ...fields, createdBy: owner.id }, app.clock.now());
    const links = app.get(UserLinkRepository);
    await app.get(Database).transaction((tx) => links.insert(tx, link));
    return linkPath('invitation', link.token!);
  }

  async function send(path: string, fields: Record<string, string> = {}) {
    app.clock.advance(30_000);
    return browser.fill(team, { ...fields, code: await codeOf(app, owner.totp) }, path);
  }

  it('is the only one of its address, also of forms that are sent at once', async () => {
    const email = 'impatient@else.example';
    await browser.get(team);
    const replies = await together(
      () => browser.post(`${team}/invitations`, { email, role: 'viewer' }),
      6,
    );
    expect(tally(replies.map(({ status }) => status))).toEqual({ 303: 1, 422: 5 });
    expect(await count(app, 'user_links', OPEN, [email])).toBe(1);
    const again = await send(`${team}/invitations`, { email, role: 'viewer' });
    expect([again.status, again.html]).toEqual([422, expect.stringContaining('invited already')]);
  });

  it.each<[what: string, form: string, fields: Record<string, string>]>([
    ['is removed', 'remove', {}],
    ['has another role', 'role', { role: 'viewer' }],
  ])('ends when whoever has it %s', async (_, form, fields) => {
    const member = await person(app, 'finance', merchantId);
    const link = await sentTo(member.email);
    expect((await send(`${team}/members/${member.id}/${form}`, fields)).status).toBe(303);
    const theirs = await signedIn(app, member);
    expect((await theirs.fill('/portal/security', {}, `${link}/accept`)).status).toBe(404);
    const [place] = await membershipsOf(app, member);
    expect(place?.role).toBe(fields['role']);
    const withdrawn = `action = 'invitation.withdrawn' AND data ->> 'email' = $1`;
    expect(await count(app, 'audit_entries', withdrawn, [member.email])).toBe(1);
  });

  it.each<[what: string, work: (member: Person) => Promise<unknown>]>([
    ['closed', ({ email }) => app.get(AccountsService).close(email)],
    [
      'closed behind the service’s back',
      ({ id }) => select(app, 'UPDATE users SET disabled_at = now() WHERE id = $1', [id]),
    ],
    [
      'removed behind its back',
      ({ id }) => select(app, 'DELETE FROM memberships WHERE user_id = $1', [id]),
    ],
  ])('ends when the account is %s', async (_, work) => {
    const member = await person(app, 'finance', merchantId);
    await sentTo(member.email);
    await work(member);
    expect(await count(app, 'user_links', OPEN, [member.email])).toBe(0);
  });

  it('ends when whoever has it joins in another way', async () => {
    const email = 'joined@people.example';
    await sentTo(email);
    const joining = { email, name: 'Joined', password: PASSWORD };
    await app.get(AccountsService).open(joining, { merchantId, role: 'finance' });
    expect(await count(app, 'memberships', 'merchant_id = $1', [merchantId])).toBeGreaterThan(1);
    expect(await count(app, 'user_links', OPEN, [email])).toBe(0);
  });

  onPostgres(it, 'the embedded database has one session')(
    'is not sent by an owner who is removed at the same time',
    async () => {
      const email = 'late@else.example';
      const leaver = await withTotp(app, await person(app, 'owner', merchantId));
      const theirs = await signedIn(app, leaver);
      await theirs.get(team);
      const somebody = await connect(app.database.url);
      await somebody.query('BEGIN');
      await somebody.query('DELETE FROM memberships WHERE user_id = $1', [leaver.id]);
      app.clock.advance(30_000);
      const code = await codeOf(app, leaver.totp);
      const reply = theirs.post(`${team}/invitations`, { email, role: 'owner', code });
      await untilBlocked(app, 1);
      await somebody.query('COMMIT');
      await somebody.end();
      expect((await reply).status).toBe(409);
      expect(await count(app, 'user_links', OPEN, [email])).toBe(0);
    },
  );
});
