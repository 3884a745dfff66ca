import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AccountsService } from '../src/people/accounts.service.js';
import { A_DAY_MAX } from '../src/people/mails/account-notifier.js';
import { UserNotices } from '../src/people/mails/user-notices.js';
import { TotpService } from '../src/people/second-factor/totp.service.js';
import { TestApp } from './support/app.js';
import { browserOf } from './support/browser-form.js';
import { count } from './support/facts.js';
import { linkTo } from './support/links.js';
import { MailServer, type ReceivedMail } from './support/mail-server.js';
import { codeOf, PASSWORD, type Person, person, signedIn, withTotp } from './support/people.js';

const FRESH = 'nine dry brown ducks';
const HOUR_MS = 3_600_000;

describe('the owner of an account', () => {
  let app: TestApp;
  let server: MailServer;
  let user: Person;

  beforeAll(async () => {
    server = await MailServer.start();
    app = await TestApp.start({ env: { SMTP_URL: server.url } });
  });
  afterAll(async () => {
    await app.stop();
    await server.stop();
  });
  beforeEach(async () => {
    const { merchantId } = await app.merchant();
    user = await person(app, 'viewer', merchantId);
  });

  /** Mails to the user since the last look. */
  async function newMails(): Promise<ReceivedMail[]> {
    await app.get(UserNotices).run();
    const mails = server.to(user.email);
    server.mails.splice(0);
    return mails;
  }
  const subjects = async () => (await newMails()).map(({ subject }) => subject);

  const NEW_BROWSER = 'A new browser signed in to your account';
  const CHANGED = 'Your account was changed';

  it('is told of a browser that the account does not know, and of no other', async () => {
    const browser = await signedIn(app, user);
    const [mail, ...more] = await newMails();
    expect([mail?.subject, more]).toEqual([NEW_BROWSER, []]);
    expect(mail!.text).toContain('From: 127.0.0.1');
    expect(mail!.text).toContain('Browser: Another program');
    expect(mail!.text).toContain(`${app.url}/portal/reset`);
    await browser.post('/portal/sign-out');
    await browser.signIn(user.email, PASSWORD);
    expect(await subjects()).toEqual([]);
    await browserOf(app).signIn(user.email, 'wrong');
    expect(await subjects()).toEqual([]);
    await signedIn(app, user);
    expect(await subjects()).toEqual([NEW_BROWSER]);
  });

  it('is told of it once the code was right', async () => {
    const ada = await withTotp(app, user);
    const browser = browserOf(app);
    await browser.signIn(ada.email, PASSWORD);
    expect(await subjects()).toEqual([]);
    app.clock.advance(30_000);
    await browser.fill('/portal/sign-in/code', { code: await codeOf(app, ada.totp) });
    expect(await subjects()).toEqual([NEW_BROWSER]);
  });

  it('is told of another password, however it came', async () => {
    const browser = await signedIn(app, user);
    await newMails();
    const typed = { old: PASSWORD, fresh: FRESH, again: FRESH };
    await browser.fill('/portal/security', { ...typed, old: 'x' }, '/portal/security/password');
    expect(await subjects()).toEqual([]);
    await browser.fill('/portal/security', typed, '/portal/security/password');
    const [mail, ...more] = await newMails();
    expect([mail?.subject, more]).toEqual([CHANGED, []]);
    expect(mail!.text).toContain('The password of your account was changed');

    await browserOf(app).fill('/portal/reset', { email: user.email });
    const link = await linkTo(app, server, user.email);
    server.mails.splice(0);
    const chosen = { fresh: PASSWORD, again: PASSWORD };
    expect((await browserOf(app).fill(link, chosen)).status).toBe(303);
    expect((await newMails()).map(({ text }) => text)).toEqual([
      expect.stringContaining('chosen by a link in a mail'),
    ]);
  });

  it('is told of another second step, of new recovery codes, and when an operator took it', async () => {
    const browser = await signedIn(app, user);
    await newMails();
    const totp = app.get(TotpService);
    const setUp = async (proof: string): Promise<string> => {
      const { secret } = totp.propose(user.email);
      app.clock.advance(30_000);
      const fields = { secret, proof, code: await codeOf(app, secret) };
      const path = '/portal/security/second-factor';
      expect((await browser.fill(path, fields)).status).toBe(200);
      return secret;
    };
    const text = async (): Promise<string> => {
      const mails = await newMails();
      expect(mails.map(({ subject }) => subject)).toEqual([CHANGED]);
      return mails[0]!.text!;
    };
    const first = await setUp(PASSWORD);
    expect(await text()).toContain('uses two-factor authentication from now on');
    app.clock.advance(30_000);
    const second = await setUp(await codeOf(app, first));
    expect(await text()).toContain('uses another authenticator app');
    app.clock.advance(30_000);
    const code = await codeOf(app, second);
    const path = '/portal/security/recovery-codes';
    expect((await browser.fill('/portal/security', { code }, path)).status).toBe(200);
    expect(await text()).toContain('new recovery codes');
    await app.get(AccountsService).forgetSecondStep(user.email);
    expect(await text()).toContain('An operator turned off two-factor authentication');
  });

  it('is spared more than ten mails of a kind a day', async () => {
    const signIn = async () => void (await signedIn(app, user));
    for (let n = 0; n < A_DAY_MAX + 2; n++) await signIn();
    expect(await subjects()).toHaveLength(A_DAY_MAX);
    app.clock.advance(25 * HOUR_MS);
    await signIn();
    expect(await subjects()).toEqual([NEW_BROWSER]);
  });

  it('is told in the transaction of the change', async () => {
    const accounts = app.get(AccountsService);
    const ada = await withTotp(app, user);
    const notices = app.get(UserNotices);
    const notify = notices.notify.bind(notices);
    notices.notify = () => Promise.reject(new Error('no mail can be queued'));
    await expect(accounts.forgetSecondStep(ada.email)).rejects.toThrow('no mail');
    notices.notify = notify;
    expect(await count(app, 'users', 'id = $1 AND totp_confirmed_at IS NULL', [ada.id])).toBe(0);
  });
});
