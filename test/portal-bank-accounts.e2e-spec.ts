import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { printedIban } from '../src/common/money/iban.js';
import { BANK_ACCOUNTS_MAX } from '../src/database/payouts/bank-accounts/bank-account.repository.js';
import {
  BankAccountNoticeRepository,
  type DueNotice,
} from '../src/database/payouts/bank-accounts/bank-account-notice.repository.js';
import {
  ADDED_MAX,
  BankAccountsService,
  isUsableAccount,
  WAIT_MS,
} from '../src/payouts/bank-accounts.service.js';
import { PayoutsService } from '../src/payouts/payouts.service.js';
import { AccountNotices } from '../src/portal/bank-accounts/account-notices.js';
import type { FormBrowser, PageReply } from './support/browser-form.js';
import { count, select } from './support/facts.js';
import { MailServer } from './support/mail-server.js';
import { textOf } from './support/markup.js';
import { Cashier, IBANS, paidOrder } from './support/payouts.js';
import { codeOf, openedAgain, person, type Person, signedIn, withTotp } from './support/people.js';
import { together } from './support/race.js';
import { openShop } from './support/shop.js';

const IBAN = 'DE89370400440532013000';
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const HOSTILE = '"><script>alert(1)</script>&\u2067Eve';

const server = await MailServer.start();
afterAll(() => server.stop());
const { app } = await openShop({ env: { SMTP_URL: server.url } });
const accounts = app.get(BankAccountsService);
const notices = app.get(AccountNotices);

interface Shop {
  readonly id: string;
  readonly scope: { readonly merchantId: string; readonly mode: 'test' };
  readonly owner: Person;
  readonly browser: FormBrowser;
  /** Path of the page. */
  readonly page: string;
}

async function shopWithOwner(name = 'Nordlicht'): Promise<Shop> {
  const { merchantId: id } = await app.merchant({ name });
  const owner = await person(app, 'owner', id);
  const page = `/portal/m/${id}/test/bank-accounts`;
  const scope = { merchantId: id, mode: 'test' } as const;
  return { id, scope, owner, browser: await signedIn(app, owner), page };
}

const add = ({ browser, page }: Shop, iban: string = IBAN, holder = 'Nordlicht GmbH') =>
  browser.fill(`${page}/new`, { holder, iban });

/** The id of the account that was added last. */
async function added(shop: Shop, iban?: string, holder?: string): Promise<string> {
  const reply = await add(shop, iban, holder);
  expect([reply.status, reply.location]).toEqual([303, `${shop.page}?done=added`]);
  return (await accounts.list(shop.scope))[0]!.id;
}

const seen = async ({ browser, page }: Shop): Promise<string> =>
  textOf((await browser.get(page)).html);

const audits = (id: string) =>
  select<{ action: string; data: object; userId: string }>(
    app,
    'SELECT action, data, user_id AS "userId" FROM audit_entries WHERE subject = $1 ORDER BY id',
    [id],
  );

const isConfirmed = async (id: string): Promise<boolean> =>
  (await count(app, 'bank_accounts', 'id = $1 AND confirmed_at IS NOT NULL', [id])) === 1;

describe('a bank account', () => {
  it('is added, confirmed, used from the next day on, and removed', async () => {
    const shop = await shopWithOwner();
    const zone = 'UPDATE merchants SET time_zone = $2 WHERE id = $1';
    await select(app, zone, [shop.id, 'Asia/Tokyo']);
    expect(await seen(shop)).toContain('No bank accounts yet');
    const id = await added(shop, ' de89 3704 0044 0532 0130 00 ');
    const waits = await seen(shop);
    expect(waits).toContain('Nordlicht GmbH DE89 3704 0044 0532 0130 00 Germany');
    expect(waits).toContain('Awaiting owner confirmation Can be used one day after that');

    const page = await shop.browser.get(`${shop.page}/${id}/confirm`);
    expect(textOf(page.html)).toContain('IBAN DE89 3704 0044 0532 0130 00 Country Germany');
    expect(page.html).not.toContain('name="code"');
    const confirmed = await shop.browser.post(`${shop.page}/${id}/confirm`);
    expect(confirmed.location).toBe(`${shop.page}?done=confirmed`);
    expect(await seen(shop)).toContain('Germany In notification period');
    await notices.run();
    const usableFrom = (await accounts.find(shop.scope, id)).usableFrom;
    const hour = new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Tokyo', timeStyle: 'short' });
    expect(await seen(shop)).toMatch(
      new RegExp(`Can be used from \\d+ Jan 2026, ${hour.format(usableFrom)}`),
    );
    const again = await shop.browser.post(`${shop.page}/${id}/confirm`);
    expect([again.status, again.location]).toEqual([303, shop.page]);

    app.clock.set(usableFrom);
    const fresh = { ...shop, browser: await signedIn(app, shop.owner) };
    expect(await seen(fresh)).toContain('Germany In use');
    await fresh.browser.get(`${shop.page}/${id}/remove`);
    const removed = await fresh.browser.post(`${shop.page}/${id}/remove`);
    expect(removed.location).toBe(`${shop.page}?done=removed`);
    expect(await seen(fresh)).toContain('No bank accounts yet');
    expect((await fresh.browser.get(`${shop.page}/${id}/confirm`)).status).toBe(404);

    const entries = await audits(id);
    expect(entries.map(({ action }) => action)).toEqual([
      'bank-account.added',
      'bank-account.confirmed',
      'bank-account.removed',
    ]);
    expect(entries[0]).toMatchObject({
      userId: shop.owner.id,
      data: { mode: 'test', holder: 'Nordlicht GmbH', iban: IBAN },
    });
  });

  it('is added once in each mode, and may come back after it was removed', async () => {
    const shop = await shopWithOwner();
    const id = await added(shop);
    const again = await add(shop, IBAN.toLowerCase());
    expect([again.status, again.html]).toEqual([
      422,
      expect.stringContaining('This account was already added.'),
    ]);
    const live = { ...shop.scope, mode: 'live' } as const;
    const account = { holder: 'Nordlicht', iban: IBAN };
    expect(await accounts.add(live, account, shop.owner.id)).not.toBeNull();
    await accounts.retire(shop.scope, id);
    await added(shop);
  });

  it('is one of twenty at most', async () => {
    const shop = await shopWithOwner();
    const sql = `INSERT INTO bank_accounts
      SELECT merchant_id, gen_random_uuid(), mode, holder, 'DE' || (10000000000000000000 + n), created_by,
        created_at, usable_from FROM bank_accounts, generate_series(2, $2::integer) n WHERE id = $1`;
    await select(app, sql, [await added(shop), BANK_ACCOUNTS_MAX]);
    const reply = await add(shop, IBANS[0]);
    expect([reply.status, reply.html]).toEqual([422, expect.stringContaining('Remove one first.')]);
  });

  it('is one of ten within a day at most, also when others were removed or come at once', async () => {
    const shop = await shopWithOwner();
    const one = (n: number, { scope, owner } = shop) =>
      accounts.add(
        scope,
        { holder: 'Nordlicht', iban: `DE${String(n).padStart(20, '1')}` },
        owner.id,
      );
    for (let n = 1; n < ADDED_MAX; n++) await accounts.retire(shop.scope, (await one(n))!.id);
    const tries = await Promise.allSettled([10, 11, 12, 13].map((n) => one(n)));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = await add(shop);
    const words = 'At most 10 accounts can be added within 24 hours.';
    expect([refused.status, textOf(refused.html)]).toEqual([422, expect.stringContaining(words)]);
    expect(
      await one(14, { ...shop, scope: { ...shop.scope, mode: 'live' } as never }),
    ).toBeTruthy();
    app.clock.advance(WAIT_MS);
    expect(await one(15)).toBeTruthy();
  });

  it('is added by finance, and confirmed and removed by owners alone', async () => {
    const shop = await shopWithOwner();
    const finance = await signedIn(app, await person(app, 'finance', shop.id));
    const id = await added({ ...shop, browser: finance });
    const page = await finance.get(shop.page);
    expect(page.html).not.toContain(`${id}/`);
    for (const path of [`${shop.page}/${id}/confirm`, `${shop.page}/${id}/remove`]) {
      expect((await finance.post(path)).status).toBe(403);
    }
    expect(await isConfirmed(id)).toBe(false);
  });

  it('is confirmed by nobody but its owners in the database, either', async () => {
    const [shop, other] = [await shopWithOwner(), await shopWithOwner()];
    const id = await added(shop);
    const left = await person(app, 'owner', shop.id);
    await select(app, 'UPDATE users SET disabled_at = now() WHERE id = $1', [left.id]);
    const people = [
      other.owner,
      await person(app, 'finance', shop.id),
      await person(app, 'operator'),
      left,
    ];
    for (const { id: userId } of people)
      await expect(accounts.confirm(shop.scope, id, userId)).rejects.toThrow('only an owner');
    expect(await isConfirmed(id)).toBe(false);
    await accounts.confirm(shop.scope, id, shop.owner.id);
    expect(await isConfirmed(id)).toBe(true);
  });

  it('is nothing for other merchants', async () => {
    const [shop, other] = [await shopWithOwner(), await shopWithOwner()];
    const id = await added(shop);
    for (const path of ['confirm', 'remove']) {
      await other.browser.get(other.page);
      expect((await other.browser.get(`${other.page}/${id}/${path}`)).status).toBe(404);
      expect((await other.browser.post(`${other.page}/${id}/${path}`)).status).toBe(404);
    }
    expect(await isConfirmed(id)).toBe(false);
  });

  it('is confirmed with a code of the last five minutes by whoever has a second factor', async () => {
    const shop = await shopWithOwner();
    const owner = await withTotp(app, shop.owner);
    const browser = await signedIn(app, owner);
    const id = await added({ ...shop, browser });
    const path = `${shop.page}/${id}/confirm`;
    expect((await browser.get(path)).html).not.toContain('name="code"');
    app.clock.advance(6 * MINUTE_MS);
    expect((await browser.get(path)).html).toContain('name="code"');
    for (const fields of [{}, { code: '000000' }] as Record<string, string>[]) {
      const refused = await browser.post(path, fields);
      expect([refused.status, refused.html]).toEqual([
        422,
        expect.stringContaining('Nothing was confirmed'),
      ]);
    }
    expect(await isConfirmed(id)).toBe(false);
    const reply = await browser.post(path, { code: await codeOf(app, owner.totp) });
    expect(reply.location).toBe(`${shop.page}?done=confirmed`);
    expect(await isConfirmed(id)).toBe(true);
  });

  it('stays while a payout to it is under way, and the page says so', async () => {
    const cashier = await Cashier.of(app, await app.merchant());
    await paidOrder(cashier.shop, 1000);
    const payout = await cashier.request(500);
    const browser = await signedIn(app, cashier.owner);
    const base = `/portal/m/${cashier.scope.merchantId}/test`;
    const path = `${base}/bank-accounts/${cashier.account.id}/remove`;
    const reply = await browser.fill(path, {});
    expect(reply.status).toBe(409);
    expect(textOf(reply.html)).toContain(
      'cannot be removed while a payout to it waits for approval or is on its way.',
    );
    expect(reply.html).toContain(`href="${base}/payouts"`);
    await app.get(PayoutsService).cancel(cashier.scope, payout.id);
    expect((await browser.post(path)).status).toBe(303);
  });

  it('shows hostile names as text', async () => {
    const shop = await shopWithOwner(HOSTILE);
    const id = await added(shop, IBAN, HOSTILE.replace('\u2067', ''));
    const pages: PageReply[] = [];
    for (const path of ['', '/new', `/${id}/confirm`, `/${id}/remove`]) {
      pages.push(await shop.browser.get(shop.page + path));
    }
    for (const { status, html } of pages) {
      expect(status).toBe(200);
      expect(html).not.toContain('<script>alert');
    }
  });
});

describe('the form of a bank account', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await shopWithOwner();
  });

  const SHORT = IBAN.slice(0, -1);
  it.each([
    ['0532013000', 'This is not an IBAN.'],
    ['-', 'This is not an IBAN.'],
    ['DE88 3704 0044 0532 0130 00', 'The check digits do not match'],
    ['US64123456789012345678', 'not the code of a country with IBANs'],
    [SHORT, 'different length'],
  ])('refuses the IBAN %j and keeps all that was typed', async (iban, words) => {
    const reply = await add(shop, iban, 'Söhne & Töchter');
    expect(reply.status).toBe(422);
    expect(textOf(reply.html)).toContain(words);
    expect(reply.html).toContain('value="Söhne &amp; Töchter"');
    expect(reply.html).toContain(`value="${iban}"`);
    expect(reply.html).toContain('aria-describedby="iban-hint iban-problem"');
    expect(await accounts.list(shop.scope)).toEqual([]);
  });

  it.each([
    ['', 'Enter the name'],
    ['x'.repeat(71), 'at most 70 characters'],
    ['—', 'Banks cannot process this name'],
    ['Eve \u202etludA', 'without invisible characters'],
  ])('refuses the holder %j', async (holder, words) => {
    const reply = await add(shop, IBAN, holder);
    expect([reply.status, textOf(reply.html)]).toEqual([422, expect.stringContaining(words)]);
  });
});

describe('the mail about a new bank account', () => {
  let shop: Shop;
  let second: Person;
  let finance: Person;
  let owners: string[];

  /** Two owners, and others. */
  beforeAll(async () => {
    shop = await shopWithOwner();
    second = await person(app, 'owner', shop.id);
    finance = await person(app, 'finance', shop.id);
    await person(app, 'developer', shop.id);
    owners = [shop.owner.email, second.email].toSorted();
  });
  beforeEach(async () => {
    await notices.run();
    server.forget();
  });
  afterEach(async () => {
    for (const { id } of await accounts.list(shop.scope)) await accounts.retire(shop.scope, id);
  });

  const receivers = (): string[] => server.mails.flatMap(({ envelope }) => envelope.to).toSorted();

  const addOne = ({ scope, owner } = shop, holder = 'Nordlicht GmbH') =>
    accounts.add(scope, { holder, iban: IBAN }, owner.id);

  it('goes to every owner, and says what to do', async () => {
    const browser = await signedIn(app, finance);
    const id = await added({ ...shop, browser });
    const { usableFrom } = await accounts.find(shop.scope, id);
    await notices.run();
    expect(receivers()).toEqual(owners);
    const mail = server.to(shop.owner.email)[0]!;
    expect(mail.subject).toBe('[TEST] New bank account for payouts');
    const from = new RegExp(`January ${usableFrom.getUTCDate()}, 2026 at [\\d:]+ UTC`);
    for (const text of [mail.text!, textOf(mail.html!)]) {
      expect(text).toContain('DE•••• 3000');
      expect(text).toContain(`A bank account was added to the merchant ${shop.id}`);
      expect(text).toMatch(from);
      expect(text).toContain('If you did not expect this, remove the account before that time');
    }
    expect(mail.raw).not.toContain(IBAN);
    expect(mail.raw).not.toContain(printedIban(IBAN));
    expect(mail.html).toContain(`${app.url}${shop.page}`);
    await notices.run();
    expect(server.mails).toHaveLength(2);
  });

  it('goes out once to each owner, whoever sends it', async () => {
    await addOne();
    await together(() => notices.run(), 5);
    expect(receivers()).toEqual(owners);
  });

  it('is tried again for those alone whose mailbox was busy', async () => {
    await addOne();
    server.answers({ code: 451, at: 'recipient' });
    await notices.run();
    const [first] = receivers();
    expect(server.mails).toHaveLength(1);
    app.clock.advance(MINUTE_MS - 1);
    await notices.run();
    expect(receivers()).toEqual([first]);
    app.clock.advance(1);
    await notices.run();
    expect(receivers()).toEqual(owners);
    expect(new Set(server.mails.map(({ messageId }) => messageId)).size).toBe(2);
  });

  it('leaves in turns with those of others, live ones first', async () => {
    const many = await shopWithOwner('Many');
    for (const iban of IBANS) {
      await accounts.add(many.scope, { holder: 'Many', iban }, many.owner.id);
    }
    await addOne();
    const live = { ...many.scope, mode: 'live' } as const;
    await accounts.add(live, { holder: 'Many', iban: IBAN }, many.owner.id);
    const now = app.clock.now();
    const lease = new Date(now.getTime() + MINUTE_MS);
    const table = app.get(BankAccountNoticeRepository);
    const claim = async (limit: number) =>
      (await table.claim(now, lease, limit)).map(
        (due) => `${due.merchantId === many.id ? 'Many' : 'Nordlicht'} ${due.mode}`,
      );
    expect(await claim(1)).toEqual(['Many live']);
    expect((await claim(2)).toSorted()).toEqual(['Many test', 'Nordlicht test']);
    app.clock.advance(MINUTE_MS);
    await notices.run();
  });

  it('is given up when the server will never take it', async () => {
    await addOne();
    server.answers({ code: 550, at: 'recipient' }, { code: 550, at: 'recipient' });
    await notices.run();
    app.clock.advance(48 * HOUR_MS);
    await notices.run();
    expect([server.offered, server.mails.length]).toEqual([2, 0]);
  });

  it('is sent by another worker when one dies', async () => {
    await addOne();
    const now = app.clock.now();
    const lease = new Date(now.getTime() + MINUTE_MS);
    expect(await app.get(BankAccountNoticeRepository).claim(now, lease, 5)).toHaveLength(2);
    await notices.run();
    expect(receivers()).toEqual([]);
    app.clock.advance(MINUTE_MS);
    await notices.run();
    expect(receivers()).toEqual(owners);
  });

  it('goes to those who were owners in the last seven days, too', async () => {
    const change = 'UPDATE memberships SET role = $2 WHERE user_id = $1';
    await select(app, change, [second.id, 'viewer']);
    await addOne();
    await notices.run();
    expect(receivers()).toEqual(owners);
    for (const { id } of await accounts.list(shop.scope)) await accounts.retire(shop.scope, id);
    server.forget();
    const until = 'UPDATE former_owners SET until = $2 WHERE user_id = $1';
    await select(app, until, [second.id, new Date(app.clock.now().getTime() - 168 * HOUR_MS)]);
    await addOne();
    await notices.run();
    expect(receivers()).toEqual([shop.owner.email]);
    await select(app, change, [second.id, 'owner']);
  });

  it('goes to owners whose account is closed, too', async () => {
    await select(app, 'UPDATE users SET disabled_at = $2 WHERE id = $1', [
      second.id,
      app.clock.now(),
    ]);
    await addOne();
    await notices.run();
    await openedAgain(app, 'id = $1', [second.id]);
    expect(receivers()).toEqual(owners);
    expect(await count(app, 'bank_account_notices', 'next_attempt_at IS NOT NULL')).toBe(0);
  });

  it('has no word that anybody of the merchant chose', async () => {
    const hostile = await shopWithOwner(HOSTILE);
    const sql = 'UPDATE users SET name = $2 WHERE id = $1';
    await select(app, sql, [hostile.owner.id, HOSTILE]);
    server.refuses = /script|Eve/;
    await addOne(hostile, HOSTILE);
    await notices.run();
    server.refuses = null;
    expect(receivers()).toEqual([hostile.owner.email]);
  });
});

describe('the day in which owners can object to a bank account', () => {
  const NOTIFIED = 'noticed_at IS NOT NULL AND id = $1';

  /** A merchant with several owners, and an account that the first of them added. */
  async function shopOf(owners: number) {
    const shop = await shopWithOwner();
    const people = [shop.owner];
    while (people.length < owners) people.push(await person(app, 'owner', shop.id));
    const account = await accounts.add(shop.scope, { holder: 'N', iban: IBAN }, shop.owner.id);
    const bankAccountId = account!.id;
    return {
      people,
      confirm: (who: Person) => accounts.confirm(shop.scope, bankAccountId, who.id),
      /** Null for a mail that is given up. */
      mail: ({ id: userId }: Person, sentAt: Date | null = app.clock.now()) =>
        app
          .get(BankAccountNoticeRepository)
          .done({ merchantId: shop.id, bankAccountId, userId } as DueNotice, sentAt),
      isTold: async () => (await count(app, 'bank_accounts', NOTIFIED, [bankAccountId])) === 1,
      isUsable: async () =>
        isUsableAccount(await accounts.find(shop.scope, bankAccountId), app.clock.now()),
    };
  }

  it.each(['mail', 'confirm'] as const)(
    'begins with the %s, however late that is',
    async (late) => {
      const { people, isUsable: usable, ...acts } = await shopOf(1);
      await acts[late === 'mail' ? 'confirm' : 'mail'](people[0]!);
      app.clock.advance(72 * HOUR_MS);
      await acts[late](people[0]!);
      app.clock.advance(24 * HOUR_MS - 1);
      expect(await usable()).toBe(false);
      app.clock.advance(1);
      expect(await usable()).toBe(true);
    },
  );

  it('begins with the last mail to owners who neither added nor confirmed the account', async () => {
    const { people, confirm, mail, isTold } = await shopOf(4);
    const [thief, accomplice, owner, away] = people;
    await confirm(accomplice!);
    await mail(thief!);
    await mail(accomplice!);
    await mail(away!, null);
    expect(await isTold()).toBe(false);
    await mail(owner!);
    expect(await isTold()).toBe(true);
  });

  it('never begins when no mail reached another owner', async () => {
    const { people, confirm, mail, isTold } = await shopOf(3);
    const [thief, accomplice, away] = people;
    await mail(thief!);
    await mail(away!, null);
    await mail(accomplice!);
    expect(await isTold()).toBe(true);
    await confirm(accomplice!);
    expect(await isTold()).toBe(false);
  });

  it('begins with an owner of seven days, and not with those who were made since', async () => {
    const shop = await shopWithOwner();
    const honest = await person(app, 'owner', shop.id);
    app.clock.advance(7 * 24 * HOUR_MS);
    const puppets = [await person(app, 'owner', shop.id), await person(app, 'owner', shop.id)];
    const addAndConfirm = async () => {
      const account = await accounts.add(shop.scope, { holder: 'N', iban: IBAN }, shop.owner.id);
      await accounts.confirm(shop.scope, account!.id, puppets[0]!.id);
      await notices.run();
      return account!.id;
    };
    server.refusesTo(honest.email);
    const first = await addAndConfirm();
    expect(server.to(puppets[1]!.email)).toHaveLength(1);
    expect(await count(app, 'bank_accounts', NOTIFIED, [first])).toBe(0);
    const { html } = await (await signedIn(app, shop.owner)).get(shop.page);
    expect(textOf(html)).toContain('an email about it reached an owner of at least seven days');
    server.refusesTo(null);
    await accounts.retire(shop.scope, first);
    await select(app, 'DELETE FROM memberships WHERE user_id = $1', [honest.id]);
    const second = await addAndConfirm();
    expect(server.to(honest.email)).toHaveLength(1);
    expect(await count(app, 'bank_accounts', NOTIFIED, [second])).toBe(1);
  });

  it('does not begin with new owners once the old one is thrown out', async () => {
    const shop = await shopWithOwner();
    const honest = await person(app, 'owner', shop.id);
    app.clock.advance(7 * 24 * HOUR_MS);
    await person(app, 'owner', shop.id);
    await select(app, 'DELETE FROM memberships WHERE user_id = $1', [honest.id]);
    server.refusesTo(honest.email);
    const account = await accounts.add(shop.scope, { holder: 'N', iban: IBAN }, shop.owner.id);
    await notices.run();
    server.refusesTo(null);
    expect(await count(app, 'bank_accounts', NOTIFIED, [account!.id])).toBe(0);
  });

  it('begins once when the last mails end at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const { people, mail, isTold } = await shopOf(5);
      await together((n) => mail(people[n]!), 5);
      expect(await isTold()).toBe(true);
    }
  });
});
