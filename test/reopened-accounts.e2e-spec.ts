import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountsService } from '../src/people/accounts.service.js';
import { TestApp } from './support/app.js';
import { browserOf, type FormBrowser } from './support/browser-form.js';
import { count, select } from './support/facts.js';
import { person, signedIn, withTotp } from './support/people.js';

const PATH = '/portal/platform';

describe('closed accounts', () => {
  let app: TestApp;
  let operator: FormBrowser;
  let operatorId: string;

  beforeAll(async () => {
    app = await TestApp.start();
    const operating = await withTotp(app, await person(app, 'operator'));
    operatorId = operating.id;
    operator = await signedIn(app, operating);
  });
  afterAll(() => app.stop());

  it('of a merchant choose a new password by mail when they are enabled', async () => {
    const { merchantId } = await app.merchant();
    await person(app, 'owner', merchantId);
    const finance = await withTotp(app, await person(app, 'finance', merchantId));
    const links = `SELECT count(*)::integer AS count FROM user_links
      WHERE kind = 'reset' AND email = $1 AND used_at IS NULL`;
    await operator.get(`${PATH}/people`);
    await operator.post(`${PATH}/people/${finance.id}/disable`);
    await select(app, 'DELETE FROM user_notices');
    const enable = () => operator.post(`${PATH}/people/${finance.id}/enable`);
    expect((await enable()).location).toBe(`${PATH}/people?done=unlocked`);
    await expect(signedIn(app, finance)).rejects.toThrow('no sign-in');
    expect(await select(app, links, [finance.email])).toEqual([{ count: 1 }]);
    const secrets = `SELECT totp_secret, totp_confirmed_at FROM users WHERE id = $1`;
    expect(await select(app, secrets, [finance.id])).toEqual([
      { totp_secret: null, totp_confirmed_at: null },
    ]);
    expect(await count(app, 'user_recovery_codes', 'user_id = $1', [finance.id])).toBe(0);
    // The owners are notified of a person who gets a role.
    const notices = await select(
      app,
      `SELECT DISTINCT data ->> 'text' AS text FROM user_notices WHERE kind = 'owners-changed' AND merchant_id = $1`,
      [merchantId],
    );
    expect(notices).toEqual([{ text: 'An operator gave a person the role finance.' }]);
    // A second click takes away no password.
    const password = 'SELECT password_hash FROM users WHERE id = $1';
    const before = await select(app, password, [finance.id]);
    await enable();
    expect(await select(app, password, [finance.id])).toEqual(before);
    expect(await select(app, links, [finance.email])).toEqual([{ count: 1 }]);
  });

  it.each(['operator', 'support'] as const)(
    'of the platform are not enabled in the portal: %s',
    async (role) => {
      const { id } = await person(app, role);
      await operator.get(`${PATH}/people`);
      await operator.post(`${PATH}/people/${id}/disable`);
      const { html } = await operator.get(`${PATH}/people`);
      expect(html).not.toContain(`${PATH}/people/${id}/enable`);
      const reply = await operator.post(`${PATH}/people/${id}/enable`);
      expect(reply.status).toBe(409);
      expect(reply.html).toContain('This account is opened on the command line');
      expect(await count(app, 'users', 'id = $1 AND disabled_at IS NOT NULL', [id])).toBe(1);
    },
  );

  it('of the platform are opened by a command, with new secrets and mails to all operators', async () => {
    const other = await withTotp(app, await person(app, 'operator'));
    const accounts = app.get(AccountsService);
    const open = `UPDATE users SET disabled_at = NULL, totp_secret = NULL, totp_confirmed_at = NULL`;
    const notices = () =>
      select(
        app,
        `SELECT n.data ->> 'text' AS text, n.data ->> 'by' AS by FROM user_notices n
         WHERE n.kind = 'operator-access' AND n.user_id = $1 ORDER BY n.created_at, n.id`,
        [operatorId],
      );
    await accounts.close(other.email);
    await expect(
      select(app, `${open}, password_hash = 'other' WHERE id = $1`, [other.id]),
    ).rejects.toThrow('reopened only on the command line');
    await expect(
      select(app, 'UPDATE users SET disabled_at = NULL WHERE id = $1', [other.id]),
    ).rejects.toThrow('reopened only with another password');
    await select(app, 'DELETE FROM user_notices');
    app.clock.advance(1);
    const { password } = (await accounts.reopen(other.email))!;
    await expect(signedIn(app, other)).rejects.toThrow('no sign-in');
    expect((await browserOf(app).signIn(other.email, password)).location).toBe('/portal');
    await withTotp(app, other);
    await accounts.forgetSecondStep(other.email);
    app.clock.advance(1);
    const made = { email: 'made@people.example', name: 'Made', password };
    await accounts.open(made, { merchantId: null, role: 'operator' });
    expect(await notices()).toEqual([
      expect.objectContaining({
        text: expect.stringContaining('opened again'),
        by: 'The command line',
      }),
      expect.objectContaining({ text: 'Two-factor authentication of an operator was turned off.' }),
      expect.objectContaining({ text: 'There is a new operator.' }),
    ]);
    await accounts.close(other.email);
    await accounts.close(made.email);
  });
});
