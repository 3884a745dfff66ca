import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PLATFORM_ROLES, type PlatformRole } from '../src/database/people/user.entity.js';
import { may, type Permission, type Role } from '../src/people/roles.js';
import { csrfOf } from '../src/people/sessions/session-token.js';
import { SessionsService } from '../src/people/sessions/sessions.service.js';
import { UsersService } from '../src/people/users.service.js';
import type { Need } from '../src/portal/portal.guard.js';
import { TestApp } from './support/app.js';
import { select } from './support/facts.js';
import { type Person, person, withTotp } from './support/people.js';

/** `open`: nobody is asked who he is, such as for the sheet. */
type Rule = Need | 'open';

/** What each route of the portal needs. */
const NEEDS: Readonly<Record<string, Rule>> = {
  'GET /portal/assets/portal.css': 'open',
  'GET /portal/assets/portal.js': 'open',
  'GET /portal': 'self',
  'GET /portal/all/:mode/exports': 'platform.orders',
  'POST /portal/all/:mode/exports': 'platform.orders',
  'GET /portal/all/:mode/exports/:id/:part': 'platform.orders',
  'POST /portal/all/:mode/exports/:id/cancel': 'platform.orders',
  'GET /portal/all/:mode/orders': 'platform.orders',
  'GET /portal/all/:mode/orders/download': 'platform.orders',
  'GET /portal/all/:mode/orders/download.csv': 'platform.orders',
  'GET /portal/invitation/:token': 'public',
  'POST /portal/invitation/:token/accept': 'public',
  'POST /portal/invitation/:token/register': 'public',
  'GET /portal/m/:merchantId/:mode': 'orders.read',
  'GET /portal/m/:merchantId/:mode/audit': 'audit.read',
  'GET /portal/m/:merchantId/:mode/bank-accounts': 'payouts.manage',
  'GET /portal/m/:merchantId/:mode/bank-accounts/:id/confirm': 'bank-accounts.confirm',
  'POST /portal/m/:merchantId/:mode/bank-accounts/:id/confirm': 'bank-accounts.confirm',
  'GET /portal/m/:merchantId/:mode/bank-accounts/:id/remove': 'bank-accounts.confirm',
  'POST /portal/m/:merchantId/:mode/bank-accounts/:id/remove': 'bank-accounts.confirm',
  'GET /portal/m/:merchantId/:mode/bank-accounts/new': 'payouts.manage',
  'POST /portal/m/:merchantId/:mode/bank-accounts/new': 'payouts.manage',
  'GET /portal/m/:merchantId/:mode/business': 'business.manage',
  'POST /portal/m/:merchantId/:mode/business': 'business.manage',
  'GET /portal/m/:merchantId/:mode/business/preview': 'business.manage',
  'GET /portal/m/:merchantId/:mode/exports': 'orders.export',
  'POST /portal/m/:merchantId/:mode/exports': 'orders.export',
  'GET /portal/m/:merchantId/:mode/exports/:id/:part': 'orders.export',
  'POST /portal/m/:merchantId/:mode/exports/:id/cancel': 'orders.export',
  'GET /portal/m/:merchantId/:mode/keys': 'keys.manage',
  'GET /portal/m/:merchantId/:mode/keys/:id/revoke': 'keys.manage',
  'POST /portal/m/:merchantId/:mode/keys/:id/revoke': 'keys.manage',
  'GET /portal/m/:merchantId/:mode/keys/:id/roll': 'keys.manage',
  'POST /portal/m/:merchantId/:mode/keys/:id/roll': 'keys.manage',
  'GET /portal/m/:merchantId/:mode/keys/new': 'keys.manage',
  'POST /portal/m/:merchantId/:mode/keys/new': 'keys.manage',
  'GET /portal/m/:merchantId/:mode/orders': 'orders.read',
  'GET /portal/m/:merchantId/:mode/orders/:txid': 'orders.read',
  'GET /portal/m/:merchantId/:mode/orders/:txid/cancel': 'orders.cancel',
  'POST /portal/m/:merchantId/:mode/orders/:txid/cancel': 'orders.cancel',
  'GET /portal/m/:merchantId/:mode/orders/:txid/refund': 'refunds.manage',
  'POST /portal/m/:merchantId/:mode/orders/:txid/refund': 'refunds.manage',
  'POST /portal/m/:merchantId/:mode/orders/:txid/refunds/:refundId/approve': 'refunds.manage',
  'POST /portal/m/:merchantId/:mode/orders/:txid/refunds/:refundId/cancel': 'refunds.manage',
  'POST /portal/m/:merchantId/:mode/orders/:txid/refunds/:refundId/confirm-account':
    'bank-accounts.confirm',
  'POST /portal/m/:merchantId/:mode/orders/:txid/refunds/:refundId/reject': 'refunds.manage',
  'POST /portal/m/:merchantId/:mode/orders/:txid/deliveries/:deliveryId/resend':
    'deliveries.resend',
  'POST /portal/m/:merchantId/:mode/orders/:txid/notes': 'orders.note',
  'GET /portal/m/:merchantId/:mode/orders/:txid/payer': 'orders.read',
  'POST /portal/m/:merchantId/:mode/orders/:txid/payer': 'payer.reveal',
  'GET /portal/m/:merchantId/:mode/orders/:txid/versions': 'orders.read',
  'GET /portal/m/:merchantId/:mode/orders/download': 'orders.export',
  'GET /portal/m/:merchantId/:mode/orders/download.csv': 'orders.export',
  'POST /portal/m/:merchantId/:mode/orders/views': 'orders.read',
  'POST /portal/m/:merchantId/:mode/orders/views/delete': 'orders.read',
  'GET /portal/m/:merchantId/:mode/payout-schedule': 'payouts.manage',
  'POST /portal/m/:merchantId/:mode/payout-schedule': 'payouts.manage',
  'POST /portal/m/:merchantId/:mode/payout-schedule/off': 'payouts.manage',
  'GET /portal/m/:merchantId/:mode/payouts': 'payouts.read',
  'GET /portal/m/:merchantId/:mode/payouts/:id': 'payouts.read',
  'GET /portal/m/:merchantId/:mode/payouts/:id/cancel': 'payouts.manage',
  'POST /portal/m/:merchantId/:mode/payouts/:id/cancel': 'payouts.manage',
  'GET /portal/m/:merchantId/:mode/payouts/:id/edit': 'payouts.manage',
  'POST /portal/m/:merchantId/:mode/payouts/:id/edit': 'payouts.manage',
  'GET /portal/m/:merchantId/:mode/payouts/:id/lines.csv': 'orders.export',
  'GET /portal/m/:merchantId/:mode/payouts/:id/submit': 'payouts.read',
  'POST /portal/m/:merchantId/:mode/payouts/:id/submit': 'payouts.manage',
  'GET /portal/m/:merchantId/:mode/payouts/download.csv': 'orders.export',
  'GET /portal/m/:merchantId/:mode/payouts/new': 'payouts.manage',
  'POST /portal/m/:merchantId/:mode/payouts/new': 'payouts.manage',
  'GET /portal/m/:merchantId/:mode/recipients': 'recipients.manage',
  'GET /portal/m/:merchantId/:mode/recipients/:id': 'recipients.manage',
  'POST /portal/m/:merchantId/:mode/recipients/:id': 'recipients.manage',
  'GET /portal/m/:merchantId/:mode/recipients/:id/delete': 'recipients.manage',
  'POST /portal/m/:merchantId/:mode/recipients/:id/delete': 'recipients.manage',
  'POST /portal/m/:merchantId/:mode/recipients/:id/test': 'recipients.manage',
  'GET /portal/m/:merchantId/:mode/recipients/new': 'recipients.manage',
  'POST /portal/m/:merchantId/:mode/recipients/new': 'recipients.manage',
  'GET /portal/m/:merchantId/:mode/refunds': 'orders.read',
  'GET /portal/m/:merchantId/:mode/refunds/download.csv': 'orders.export',
  'GET /portal/m/:merchantId/:mode/team': 'team.manage',
  'POST /portal/m/:merchantId/:mode/team/invitations': 'team.manage',
  'POST /portal/m/:merchantId/:mode/team/invitations/:id/again': 'team.manage',
  'POST /portal/m/:merchantId/:mode/team/invitations/:id/revoke': 'team.manage',
  'POST /portal/m/:merchantId/:mode/team/members/:userId/remove': 'team.manage',
  'POST /portal/m/:merchantId/:mode/team/members/:userId/role': 'team.manage',
  'GET /portal/m/:merchantId/:mode/webhooks': 'deliveries.read',
  'GET /portal/m/:merchantId/:mode/webhooks/:id': 'deliveries.read',
  'GET /portal/m/:merchantId/:mode/webhooks/:id/delete': 'webhooks.manage',
  'POST /portal/m/:merchantId/:mode/webhooks/:id/delete': 'webhooks.manage',
  'GET /portal/m/:merchantId/:mode/webhooks/:id/deliveries/:deliveryId': 'deliveries.read',
  'POST /portal/m/:merchantId/:mode/webhooks/:id/deliveries/:deliveryId/resend':
    'deliveries.resend',
  'POST /portal/m/:merchantId/:mode/webhooks/:id/disable': 'webhooks.manage',
  'GET /portal/m/:merchantId/:mode/webhooks/:id/edit': 'webhooks.manage',
  'POST /portal/m/:merchantId/:mode/webhooks/:id/edit': 'webhooks.manage',
  'POST /portal/m/:merchantId/:mode/webhooks/:id/enable': 'webhooks.manage',
  'GET /portal/m/:merchantId/:mode/webhooks/:id/resend': 'deliveries.resend',
  'POST /portal/m/:merchantId/:mode/webhooks/:id/resend': 'deliveries.resend',
  'GET /portal/m/:merchantId/:mode/webhooks/:id/secret': 'webhooks.manage',
  'POST /portal/m/:merchantId/:mode/webhooks/:id/secret': 'webhooks.manage',
  'POST /portal/m/:merchantId/:mode/webhooks/:id/test': 'webhooks.manage',
  'GET /portal/m/:merchantId/:mode/webhooks/new': 'webhooks.manage',
  'POST /portal/m/:merchantId/:mode/webhooks/new': 'webhooks.manage',
  'GET /portal/platform': 'platform.read',
  'GET /portal/platform/audit': 'platform.manage',
  'GET /portal/platform/bank': 'platform.read',
  'GET /portal/platform/bank/:mode': 'platform.read',
  'GET /portal/platform/bank/:mode/lines/:id': 'platform.read',
  'POST /portal/platform/bank/:mode/lines/:id/another': 'platform.payouts',
  'POST /portal/platform/bank/:mode/lines/:id/another/undo': 'platform.payouts',
  'POST /portal/platform/bank/:mode/lines/:id/ignore': 'platform.payouts',
  'POST /portal/platform/bank/:mode/lines/:id/match': 'platform.payouts',
  'POST /portal/platform/bank/:mode/lines/:id/notes': 'platform.payouts',
  'GET /portal/platform/bank/:mode/lines/:id/payments/:paymentId/payer': 'platform.payouts',
  'POST /portal/platform/bank/:mode/lines/:id/payments/:paymentId/payer': 'platform.payouts',
  'GET /portal/platform/bank/:mode/lines/:id/payments/:paymentId/undo': 'platform.payouts',
  'POST /portal/platform/bank/:mode/lines/:id/payments/:paymentId/undo': 'platform.payouts',
  'POST /portal/platform/bank/:mode/lines/:id/reopen': 'platform.payouts',
  'POST /portal/platform/bank/:mode/lines/:id/return': 'platform.payouts',
  'POST /portal/platform/bank/:mode/lines/:id/returns/:paymentId/undo': 'platform.payouts',
  'POST /portal/platform/bank/:mode/lines/:id/same': 'platform.payouts',
  'POST /portal/platform/bank/:mode/lines/:id/same/undo': 'platform.payouts',
  'GET /portal/platform/bank/:mode/uploads': 'platform.payouts',
  'POST /portal/platform/bank/:mode/uploads': 'platform.payouts',
  'GET /portal/platform/bank/:mode/uploads/:id': 'platform.payouts',
  'POST /portal/platform/bank/:mode/uploads/:id/discard': 'platform.payouts',
  'POST /portal/platform/bank/:mode/uploads/:id/import': 'platform.payouts',
  'GET /portal/platform/bank/profiles': 'platform.read',
  'GET /portal/platform/bank/profiles/:id/remove': 'platform.payouts',
  'POST /portal/platform/bank/profiles/:id/remove': 'platform.payouts',
  'GET /portal/platform/bank/profiles/new': 'platform.payouts',
  'POST /portal/platform/bank/profiles/new': 'platform.payouts',
  'GET /portal/platform/collection-accounts/:mode': 'platform.read',
  'GET /portal/platform/collection-accounts/:mode/:id/disable': 'platform.payouts',
  'POST /portal/platform/collection-accounts/:mode/:id/disable': 'platform.payouts',
  'POST /portal/platform/collection-accounts/:mode/:id/prefer': 'platform.payouts',
  'GET /portal/platform/collection-accounts/live/changes/:id/confirm': 'platform.payouts',
  'POST /portal/platform/collection-accounts/live/changes/:id/confirm': 'platform.payouts',
  'GET /portal/platform/collection-accounts/live/changes/:id/withdraw': 'platform.payouts',
  'POST /portal/platform/collection-accounts/live/changes/:id/withdraw': 'platform.payouts',
  'GET /portal/platform/collection-accounts/:mode/new': 'platform.payouts',
  'POST /portal/platform/collection-accounts/:mode/new': 'platform.payouts',
  'GET /portal/platform/health': 'platform.manage',
  'GET /portal/platform/merchants/:merchantId': 'platform.payouts',
  'POST /portal/platform/merchants/:merchantId': 'platform.payouts',
  'POST /portal/platform/merchants/:merchantId/transfers': 'platform.payouts',
  'GET /portal/platform/merchants/new': 'platform.manage',
  'POST /portal/platform/merchants/new': 'platform.manage',
  'GET /portal/platform/people': 'platform.manage',
  'POST /portal/platform/people/:id/disable': 'platform.manage',
  'POST /portal/platform/people/:id/enable': 'platform.manage',
  'GET /portal/platform/bank/:mode/balance': 'platform.read',
  'GET /portal/platform/bank/balance': 'platform.read',
  'GET /portal/platform/payouts/:mode': 'platform.payouts',
  'GET /portal/platform/payouts/:mode/:merchantId/:id': 'platform.payouts',
  'GET /portal/platform/payouts/:mode/:merchantId/:id/:outcome': 'platform.payouts',
  'POST /portal/platform/payouts/:mode/:merchantId/:id/:outcome': 'platform.payouts',
  'POST /portal/platform/payouts/:mode/:merchantId/:id/approve': 'platform.payouts',
  'POST /portal/platform/payouts/:mode/:merchantId/:id/reject': 'platform.payouts',
  'GET /portal/platform/payouts/:mode/files': 'platform.payouts',
  'GET /portal/platform/payouts/:mode/files/:id': 'platform.payouts',
  'POST /portal/platform/payouts/:mode/files/:id/download': 'platform.payouts',
  'GET /portal/platform/payouts/:mode/files/:id/not-sent': 'platform.payouts',
  'POST /portal/platform/payouts/:mode/files/:id/not-sent': 'platform.payouts',
  'POST /portal/platform/payouts/:mode/files/:id/paid': 'platform.payouts',
  'POST /portal/platform/payouts/:mode/files/:id/submitted': 'platform.payouts',
  'GET /portal/platform/payouts/:mode/files/new': 'platform.payouts',
  'POST /portal/platform/payouts/:mode/files/new': 'platform.payouts',
  'GET /portal/platform/unallocated/:mode': 'platform.read',
  'GET /portal/platform/unallocated/:mode/:merchantId/:id': 'platform.payouts',
  'POST /portal/platform/unallocated/:mode/:merchantId/:id': 'platform.payouts',
  'GET /portal/platform/unallocated/:mode/:merchantId/:id/refund': 'platform.payouts',
  'POST /portal/platform/unallocated/:mode/:merchantId/:id/refund': 'platform.payouts',
  'POST /portal/platform/unallocated/:mode/:merchantId/:id/handled': 'platform.payouts',
  'GET /portal/reset': 'public',
  'POST /portal/reset': 'public',
  'GET /portal/reset/:token': 'public',
  'POST /portal/reset/:token': 'public',
  'GET /portal/reset/asked': 'public',
  'GET /portal/reset/done': 'public',
  'GET /portal/security': 'self',
  'POST /portal/security/password': 'self',
  'POST /portal/security/recovery-codes': 'self',
  'GET /portal/security/second-factor': 'self',
  'POST /portal/security/second-factor': 'self',
  'POST /portal/security/sessions/:id/end': 'self',
  'POST /portal/security/sessions/end-others': 'self',
  'GET /portal/sign-in': 'public',
  'POST /portal/sign-in': 'public',
  'GET /portal/sign-in/code': 'code',
  'POST /portal/sign-in/code': 'code',
  'POST /portal/sign-out': 'public',
};

const MEMBERS = ['owner', 'developer', 'finance', 'viewer'] as const;
const ROLES: readonly Role[] = [...MEMBERS, 'support', 'operator'];
const SOMETHING = '019aa2f0-7c00-7000-8000-0123456789ab';
/** Platform’s forms that ask for the code themselves. */
const HAVE_A_FIELD = new Set([
  'POST /portal/platform/payouts/:mode/:merchantId/:id/approve',
  'POST /portal/platform/unallocated/:mode/:merchantId/:id',
  'POST /portal/platform/unallocated/:mode/:merchantId/:id/refund',
]);

/** Brings a file, of which nothing counts before another form. */
const ONLY_LOOKS = 'POST /portal/platform/bank/:mode/uploads';

const IDLE = `UPDATE user_sessions SET seen_at = seen_at - interval '31 minutes' WHERE user_id = $1`;

/** How a request ended, as far as the guard decides it. `in` is all that a handler may say. */
type Outcome =
  'in' | 'start' | 'refused' | 'nothing' | 'sign-in' | 'code' | 'factor' | 'owed' | 'broken';

interface Asked {
  readonly mode?: 'test' | 'live';
  readonly merchantId?: string;
  readonly withoutCsrf?: boolean;
}

/** What a merchant has once. */
const OF_BOTH_MODES: ReadonlySet<Rule> = new Set(['team.manage', 'business.manage', 'audit.read']);

const isPermission = (rule: Rule): rule is Permission => rule.includes('.');

/** What somebody with a role is told at a merchant where he has it, in test mode. */
function expectedOf(route: string, rule: Rule, role: Role): Outcome {
  // Whoever owes no code has nothing to do there.
  if (rule === 'code') return 'start';
  if (!isPermission(rule)) return 'in';
  const isPlatform = rule.startsWith('platform.');
  if (!isPlatform && role === 'operator') return 'nothing';
  const isMember = MEMBERS.some((member) => member === role);
  return isPlatform && isMember ? 'refused' : may(role, rule) ? 'in' : 'refused';
}

describe('who may open which page', () => {
  let app: TestApp;
  let merchantId: string;
  let elsewhere: string;
  let people: Record<Role, Person>;
  let withFactor: Person;
  let withoutFactor: Record<PlatformRole | 'owner', Person>;

  beforeAll(async () => {
    app = await TestApp.start();
    ({ merchantId } = await app.merchant());
    elsewhere = (await app.merchant()).merchantId;
    const made = [];
    for (const role of ROLES) {
      const somebody = await person(app, role, merchantId);
      const needsOne = role === 'owner' || PLATFORM_ROLES.some((known) => known === role);
      made.push([role, needsOne ? await withTotp(app, somebody) : somebody] as const);
    }
    people = Object.fromEntries(made) as Record<Role, Person>;
    withFactor = await withTotp(app, await person(app, 'owner', merchantId));
    withoutFactor = {
      owner: await person(app, 'owner', merchantId),
      operator: await person(app, 'operator'),
      support: await person(app, 'support'),
    };
  });
  afterAll(() => app.stop());

  async function sessionOf({ id }: Person, shownAt: Date | null = null): Promise<string> {
    const user = (await app.get(UsersService).find(id))!;
    const browser = { address: '192.0.2.1', agent: 'matrix' };
    return (await app.get(SessionsService).begin(user, browser, shownAt))!;
  }

  /** A whole sign-in, with a code where the role has one. */
  const sessionAs = (role: Role): Promise<string> =>
    sessionOf(people[role], people[role].totp ? app.clock.now() : null);

  /** Each request has a session of its own: some of the forms end it. */
  async function ask(route: string, token: string | null, asked: Asked = {}): Promise<Outcome> {
    const [method, pattern] = route.split(' ') as [string, string];
    const { mode = 'test', merchantId: where = merchantId } = asked;
    const values: Readonly<Record<string, string>> = { mode, merchantId: where };
    const path = pattern.replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? SOMETHING);
    const cookie = token ?? 'a'.repeat(43);
    const csrf = asked.withoutCsrf ? '' : csrfOf(cookie);
    const response = await fetch(new URL(path, app.url), {
      method,
      headers: { cookie: `portal=${cookie}` },
      redirect: 'manual',
      ...(method === 'GET' ? {} : { body: new URLSearchParams({ csrf }) }),
    });
    const page = await response.text();
    return page.includes('Confirm your identity') ? 'owed' : outcomeOf(response);
  }

  /** Where somebody without a right session is led; open pages are there for him, too. */
  const away = (rule: Rule, outcome: Outcome): Outcome =>
    rule === 'public' || rule === 'open' ? 'in' : outcome;

  it('is decided for every route', () => {
    const routes = app.routes.list().filter((route) => / \/portal(\/|$)/.test(route));
    const unknown = routes.filter((route) => !Object.hasOwn(NEEDS, route));
    const gone = Object.keys(NEEDS).filter((route) => !routes.includes(route));
    const lines = unknown.map((route) => `  '${route}': '<what its @Portal must ask for>',`);
    if (lines.length > 0) {
      throw new Error(`Add to NEEDS in test/portal-matrix.long-spec.ts:\n${lines.join('\n')}`);
    }
    expect(gone).toEqual([]);
    expect(routes.length).toBeGreaterThan(50);
  });

  it('leaves an entry of everything that support may open, before it is opened', async () => {
    const sql = `SELECT merchant_id AS "merchantId", data FROM audit_entries
      WHERE action = 'page.opened' ORDER BY id DESC LIMIT 1`;
    for (const [route, rule] of Object.entries(NEEDS)) {
      const isOpen = isPermission(rule) && expectedOf(route, rule, 'support') === 'in';
      const before = await select(app, sql);
      await ask(route, await sessionAs('support'));
      const after = await select(app, sql);
      if (!isOpen) {
        expect(after).toEqual(before);
        continue;
      }
      const [method, page] = route.split(' ');
      const where = route.includes('/m/:merchantId') ? merchantId : null;
      expect(after).toMatchObject([{ merchantId: where, data: { method, page } }]);
    }
  });

  describe.each(Object.entries(NEEDS))('%s (%s)', (route, rule) => {
    const isPost = route.startsWith('POST ');
    const isAtMerchant = route.includes('/m/:merchantId');

    /** A handler may find nothing under the ids of this test; the guard has let it look. */
    const expectOutcome = (outcome: Outcome, expected: Outcome): void => {
      const isIn = expected === 'in';
      // Such a handler may itself lead there: after a sign-out, or to accept an invitation.
      const isOurs = rule === 'public' && (outcome === 'sign-in' || outcome === 'code');
      const mayBe = outcome === 'nothing' || outcome === 'start' || isOurs;
      expect(isIn && mayBe ? 'in' : outcome).toBe(expected);
    };

    it('leads those away who are not signed in, or no longer', async () => {
      expectOutcome(await ask(route, null), away(rule, 'sign-in'));
      const token = await sessionOf(people.viewer);
      await select(app, IDLE, [people.viewer.id]);
      expectOutcome(await ask(route, token), away(rule, 'sign-in'));
    });

    it('waits for the code of those who owe one', async () => {
      const expected = rule === 'code' ? 'in' : away(rule, 'code');
      expectOutcome(await ask(route, await sessionOf(withFactor)), expected);
    });

    it('is there for its roles alone', async () => {
      for (const role of ROLES) {
        expectOutcome(await ask(route, await sessionAs(role)), expectedOf(route, rule, role));
      }
    });

    if (isPost) {
      it('refuses a form that is not ours', async () => {
        const forged = await ask(route, await sessionOf(people.owner), { withoutCsrf: true });
        expect(forged).toBe('refused');
      });
    }

    if (isPermission(rule) && rule.startsWith('platform.')) {
      it('wants a second factor of the platform’s people', async () => {
        for (const role of PLATFORM_ROLES) {
          const outcome = await ask(route, await sessionOf(withoutFactor[role]));
          expect(outcome).toBe(may(role, rule) ? 'factor' : 'refused');
        }
      });
    }

    if (isPost && (rule === 'platform.payouts' || rule === 'platform.manage')) {
      it('takes a code of the last five minutes, whatever it is about', async () => {
        const shownAt = new Date(app.clock.now().getTime() - 6 * 60_000);
        const outcome = await ask(route, await sessionOf(people.operator, shownAt));
        // Those pages have a field for it, and find nothing here.
        const expected = HAVE_A_FIELD.has(route) ? 'nothing' : 'owed';
        expect(outcome).toBe(route === ONLY_LOOKS ? 'in' : expected);
      });
    }

    if (isAtMerchant) {
      it('is not there for other merchants', async () => {
        for (const role of [...MEMBERS, 'operator'] as const) {
          const asked = { merchantId: elsewhere };
          expect(await ask(route, await sessionAs(role), asked)).toBe('nothing');
        }
      });

      it('wants a second factor of owners where it acts on live mode', async () => {
        for (const mode of ['live', 'test'] as const) {
          const outcome = await ask(route, await sessionOf(withoutFactor.owner), { mode });
          const expected = expectedOf(route, rule, 'owner') === 'in' ? 'factor' : 'refused';
          if (mode === 'live' || OF_BOTH_MODES.has(rule)) expect(outcome).toBe(expected);
          else expect(outcome).not.toBe('factor');
        }
      });
    }
  });
});

function outcomeOf({ status, headers }: Response): Outcome {
  const location = headers.get('location') ?? '';
  if (status >= 500) return 'broken';
  if (status === 403) return 'refused';
  if (status === 404) return 'nothing';
  if (location === '/portal') return 'start';
  if (location.startsWith('/portal/sign-in/code')) return 'code';
  if (location.startsWith('/portal/sign-in')) return 'sign-in';
  return location.startsWith('/portal/security?needed') ? 'factor' : 'in';
}
