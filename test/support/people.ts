import { generate } from 'otplib';
import { Database } from '../../src/database/database.js';
import type { MerchantRole } from '../../src/database/people/membership.entity.js';
import { PLATFORM_ROLES, type PlatformRole } from '../../src/database/people/user.entity.js';
import { placesOf, type UserMembership } from '../../src/database/people/user-membership.js';
import { TotpService } from '../../src/people/second-factor/totp.service.js';
import { UsersService } from '../../src/people/users.service.js';
import type { TestApp } from './app.js';
import { browserOf, type FormBrowser } from './browser-form.js';
import { select } from './facts.js';

export const PASSWORD = 'six wet grey herons';

export interface Person {
  readonly id: string;
  readonly email: string;
  /** Base32, where the person has a second factor. */
  readonly totp: string | null;
}

let count = 0;

/** Somebody with a role: at the merchant, or at the platform. */
export async function person(
  app: TestApp,
  role: MerchantRole | PlatformRole,
  merchantId?: string,
): Promise<Person> {
  const platformRole = PLATFORM_ROLES.find((known) => known === role);
  const email = `person-${++count}@people.example`;
  const input = { email, name: `Person ${count}`, password: PASSWORD };
  const users = app.get(UsersService);
  const user = await users.create({ ...input, ...(platformRole ? { platformRole } : {}) });
  if (!platformRole && merchantId) await joined(app, user!.id, merchantId, role as MerchantRole);
  return { id: user!.id, email, totp: null };
}

/** Makes a user a member of a merchant. */
export const joined = (app: TestApp, id: string, merchantId: string, role: MerchantRole) =>
  app.get(Database).transaction((tx) => app.get(UsersService).join(tx, id, merchantId, role));

/** The code of an authenticator app at the test's time. */
export const codeOf = (app: TestApp, secret: string): Promise<string> =>
  generate({ secret, epoch: Math.floor(app.clock.now().getTime() / 1_000) });

/** Gives somebody a second factor. The test's clock moves on, because no code works twice. */
export async function withTotp(
  app: TestApp,
  somebody: Person,
): Promise<Person & { totp: string; recoveryCodes: string[] }> {
  const totp = app.get(TotpService);
  const { secret } = totp.propose(somebody.email);
  const step = await totp.stepOf(secret, await codeOf(app, secret));
  const recoveryCodes = await app
    .get(Database)
    .transaction((tx) => totp.confirm(tx, somebody.id, secret, step!));
  app.clock.advance(30_000);
  return { ...somebody, totp: secret, recoveryCodes };
}

/** Somebody has just typed a code, wherever he is signed in. */
export async function confirmed(app: TestApp, { id }: Person): Promise<void> {
  const sql = 'UPDATE user_sessions SET second_factor_at = $2 WHERE user_id = $1';
  await app.get(Database).transaction(async (tx) => {
    // The service gives the session another token, which a browser would have to be told.
    await tx.query(`SET LOCAL session_replication_role = 'replica'`);
    await tx.query(sql, [id, app.clock.now()]);
  });
}

/** Lets closed accounts sign in as before, which the database refuses to the service. */
export async function openedAgain(
  app: TestApp,
  condition = 'true',
  values: string[] = [],
): Promise<void> {
  await app.get(Database).transaction(async (tx) => {
    await tx.query(`SET LOCAL session_replication_role = 'replica'`);
    await tx.query(`UPDATE users SET disabled_at = NULL WHERE ${condition}`, values);
  });
}

/** A browser in which somebody has signed in, with a code where one is asked for. */
export async function signedIn(app: TestApp, { email, totp }: Person): Promise<FormBrowser> {
  const browser = browserOf(app);
  const reply = await browser.signIn(email, PASSWORD);
  if (reply.status !== 303) throw new Error(`no sign-in: ${reply.status} ${reply.html}`);
  if (totp) {
    app.clock.advance(30_000);
    await browser.fill('/portal/sign-in/code', { code: await codeOf(app, totp) });
  }
  return browser;
}

/** The memberships of a user, as the portal finds them. */
export async function membershipsOf(app: TestApp, { id }: Person): Promise<UserMembership[]> {
  const sql = `SELECT ${placesOf('u')} AS places FROM users u WHERE u.id = $1`;
  return (await select<{ places: UserMembership[] }>(app, sql, [id]))[0]!.places;
}
