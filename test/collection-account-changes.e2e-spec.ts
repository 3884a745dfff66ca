import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  CollectionAccountChangesService,
  PROPOSED_MAX,
} from '../src/collection-accounts/collection-account-changes.service.js';
import { CollectionAccountsService } from '../src/collection-accounts/collection-accounts.service.js';
import { Database } from '../src/database/database.js';
import { brokenIn, Doctor } from '../src/database/doctor/doctor.js';
import { violatedCheck } from '../src/database/faults.js';
import { UserNotices } from '../src/people/mails/user-notices.js';
import { TestApp } from './support/app.js';
import type { FormBrowser } from './support/browser-form.js';
import type { Client, OrderJson } from './support/client.js';
import { select } from './support/facts.js';
import { allowTransfers, proposer, proposing } from './support/live-accounts.js';
import { MailServer } from './support/mail-server.js';
import { startWithRules } from './support/operating-rules.js';
import { openedAgain, type Person, person, signedIn, withTotp } from './support/people.js';
import { rounds, together } from './support/race.js';
import { awaitingTransfer, TRANSFER_ACCOUNT } from './support/transfers.js';

const PAGE = '/portal/platform/collection-accounts/live';
const OURS = 'DE89370400440532013000';
const NEXT = 'NL91ABNA0417164300';
const THIEFS = 'DE02120300000000202051';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Row {
  readonly id: string;
  readonly accountId: string;
}

/** Of accounts at German banks; each is another one. */
let drawn = 0;
function newIban(): string {
  const account = String(++drawn).padStart(10, '0');
  const check = 98 - Number(BigInt(`12030000${account}131400`) % 97n);
  return `DE${String(check).padStart(2, '0')}12030000${account}`;
}

describe('live collection accounts', () => {
  let app: TestApp;
  let server: MailServer;
  let shop: Client;
  let anna: Person;
  let ben: Person;
  let cleo: Person;

  beforeAll(async () => {
    server = await MailServer.start();
    app = await TestApp.start({ env: { SMTP_URL: server.url } });
    anna = await operator();
    ben = await operator();
    cleo = await operator();
    shop = await app.merchant({ mode: 'live' });
    await allowTransfers(app, shop.merchantId);
  });
  afterAll(async () => {
    await app.stop();
    await server.stop();
  });

  const operator = async () => withTotp(app, await person(app, 'operator'));
  const changes = () => app.get(CollectionAccountChangesService);
  const fields = (account: string) => ({ account, currency: 'EUR', holder: 'Us' });

  /** A sign-in of one's own: sessions do not outlive the waiting time. */
  const as = (somebody: Person): Promise<FormBrowser> => signedIn(app, somebody);

  async function propose(somebody: Person, account: string): Promise<Row> {
    const reply = await (await as(somebody)).fill(`${PAGE}/new`, fields(account));
    expect(reply.location).toContain('done=proposed');
    return newest();
  }

  const newest = async (): Promise<Row> =>
    (
      await select<{ id: string; accountId: string }>(
        app,
        `SELECT id, account_id AS "accountId" FROM collection_account_changes
         WHERE applied_at IS NULL AND withdrawn_at IS NULL ORDER BY id DESC LIMIT 1`,
      )
    )[0]!;

  const decide = async (somebody: Person, { id }: Row, what: 'confirm' | 'withdraw' = 'confirm') =>
    (await as(somebody)).fill(PAGE, {}, `${PAGE}/changes/${id}/${what}`);

  /** What payers are told of: null for none. */
  const shown = async () =>
    (await app.get(CollectionAccountsService).shownFor('live', 'EUR'))?.account ?? null;

  const accountsAt = async (account: string) =>
    (await app.get(CollectionAccountsService).list('live')).filter(
      (each) => each.account === account,
    );

  const idAt = async (account: string): Promise<string> => (await accountsAt(account))[0]!.id;

  /** What a payer of the order is shown by the page, its QR code and the API. */
  async function seenBy(order: OrderJson): Promise<Set<string>> {
    const { body } = await shop.read(order.txid);
    const transfer = (body['payment'] as { transfer: { iban: string; epc: string } }).transfer;
    const html = await (await fetch(order.paymentPageUrl)).text();
    const known = [OURS, NEXT, THIEFS].filter((iban) => html.replaceAll(/\s/g, '').includes(iban));
    const coded = [OURS, NEXT, THIEFS].filter((iban) => transfer.epc.includes(iban));
    return new Set([transfer.iban, ...known, ...coded]);
  }

  async function afterWaiting(ms = DAY_MS): Promise<void> {
    app.clock.advance(ms);
    await changes().run();
    app.get(CollectionAccountsService).clearShownCache();
  }

  /** Who was written to since the last look, and what the first mail says. */
  async function mails() {
    await app.get(UserNotices).run();
    const sent = server.mails.splice(0).filter(({ subject }) => subject?.includes('account for'));
    const to = sent.flatMap(({ envelope }) => envelope.to).toSorted();
    return { to, subject: sent[0]?.subject, text: sent[0]?.text ?? '' };
  }

  const everybody = () => [anna, ben, cleo].map(({ email }) => email).toSorted();

  /** The rule by which the database refused it. */
  const refused = (sql: string, values: readonly unknown[] = []): Promise<string | undefined> =>
    select(app, sql, values).then(
      () => 'nothing refused it',
      (error: unknown) => violatedCheck(error) ?? String(error),
    );

  it('the first needs a second operator, but no waiting time while there is no live order', async () => {
    const change = await propose(anna, OURS);
    expect(await shown()).toBeNull();
    const proposed = await mails();
    expect(proposed.to).toEqual(everybody());
    expect(proposed.subject).toBe('An account for payers is to change');
    expect(proposed.text).toContain('…3000');
    expect(proposed.text).toContain('It takes effect only after an operator confirms it.');
    expect(proposed.text).not.toContain(OURS);

    expect((await decide(anna, change)).status).toBe(403);
    expect(await shown()).toBeNull();
    expect((await decide(ben, change)).location).toContain('done=applied');
    expect(await shown()).toBe(OURS);
    const confirmed = await mails();
    expect(confirmed.to).toEqual(everybody());
    expect(confirmed.text).toContain('Takes effect: ');
    expect(confirmed.text).toMatch(/Proposed by: Person \d+\nConfirmed by: Person \d+/);
  });

  describe('with payers of live orders', () => {
    let order: OrderJson;
    beforeAll(async () => {
      order = await awaitingTransfer(shop);
    });

    it('one operator alone redirects nobody: not by forms, their replay, or a second session', async () => {
      const first = await as(anna);
      const second = await as(anna);
      const change = await propose(anna, THIEFS);
      const again = await first.fill(`${PAGE}/new`, fields(THIEFS));
      expect([again.status, again.html.includes('or proposed')]).toEqual([422, true]);
      for (const browser of [first, second]) {
        const { html } = await browser.get(PAGE);
        expect(html).toContain('Awaiting confirmation');
        expect(html).not.toContain('/confirm"');
        const reply = await browser.post(`${PAGE}/changes/${change.id}/confirm`);
        expect([reply.status, reply.html.includes('Another operator confirms this')]).toEqual([
          403,
          true,
        ]);
        expect((await browser.post(`${PAGE}/${change.accountId}/prefer`)).status).toBe(404);
      }
      await afterWaiting(30 * DAY_MS);
      expect(await seenBy(await awaitingTransfer(shop))).toEqual(new Set([OURS]));
      expect(await seenBy(order)).toEqual(new Set([OURS]));
      expect((await decide(cleo, change, 'withdraw')).location).toContain('done=withdrawn');
      expect((await decide(ben, change)).status).toBe(409);
      await afterWaiting();
      expect(await shown()).toBe(OURS);
    });

    it('a confirmed addition takes effect after the waiting time, and is only read', async () => {
      const change = await propose(anna, NEXT);
      expect((await decide(ben, change)).location).toContain('done=confirmed');
      await afterWaiting(DAY_MS - 1);
      const list = () => accountsAt(NEXT);
      expect(await list()).toEqual([]);
      await afterWaiting(1);
      expect(await list()).toMatchObject([{ id: change.accountId, position: 1 }]);
      expect(await shown()).toBe(OURS);
      expect((await decide(cleo, change)).status).toBe(409);
    });

    it('payers see another account only after two operators and the waiting time', async () => {
      const id = await idAt(NEXT);
      const prefer = (browser: FormBrowser) => browser.fill(PAGE, {}, `${PAGE}/${id}/prefer`);
      expect((await prefer(await as(anna))).location).toContain('done=proposed');
      expect((await prefer(await as(cleo))).status).toBe(409);
      const change = await newest();
      await afterWaiting();
      const { html } = await (await as(ben)).get(`${PAGE}/changes/${change.id}/confirm`);
      expect(html).toMatch(/Before:.*DE89 3704.*After:.*NL91 ABNA/s);
      expect(html).toContain('after 24 hours');
      await mails();
      await decide(ben, change);
      expect((await mails()).to).toEqual(everybody());
      await afterWaiting(DAY_MS - 1);
      expect(await seenBy(await awaitingTransfer(shop))).toEqual(new Set([OURS]));
      await afterWaiting(1);
      expect(await shown()).toBe(NEXT);
      expect(await seenBy(await awaitingTransfer(shop))).toEqual(new Set([NEXT]));
    });

    it('what a payer was told holds, whatever changes afterwards', async () => {
      const fresh = await awaitingTransfer(shop, { amount: 500 });
      expect(await seenBy(fresh)).toEqual(new Set([NEXT]));
      const id = await idAt(OURS);
      await changes().proposeFor(proposing(ben), 'prefer', id);
      await decide(anna, await newest());
      await afterWaiting();
      expect(await shown()).toBe(OURS);
      expect(await seenBy(fresh)).toEqual(new Set([NEXT]));
    });

    it('the audit log has each step, and who took it', async () => {
      const sql = `SELECT action, data ->> 'rule' AS rule, user_id IS NULL AS nobody, address
        FROM audit_entries WHERE action LIKE 'collection-account.%' ORDER BY id DESC LIMIT 3`;
      expect(await select(app, sql)).toEqual([
        {
          action: 'collection-account.preferred',
          rule: 'two_people',
          nobody: true,
          address: 'service',
        },
        {
          action: 'collection-account.confirmed',
          rule: 'two_people',
          nobody: false,
          address: expect.any(String),
        },
        { action: 'collection-account.proposed', rule: null, nobody: false, address: 'test' },
      ]);
    });
  });

  it('are proposed by nobody without a name, and what was so before needs two operators', async () => {
    const nobody = `INSERT INTO collection_account_changes (id, kind, account_id, currency, holder, account,
        proposed_from, proposed_at)
      VALUES ($1, 'add', $1, 'EUR', 'Platform', $2, 'command line on host', $3)`;
    const id = randomUUID();
    const values = [id, newIban(), app.clock.now()];
    expect(await refused(nobody, values)).toBe('collection_account_changes_operator');
    await app.get(Database).transaction(async (tx) => {
      await tx.query(`SET LOCAL session_replication_role = 'replica'`);
      await tx.query(nobody, values);
    });
    const browser = await as(anna);
    expect((await browser.get(PAGE)).html).toContain('Proposed on the command line.');
    const reply = await browser.post(`${PAGE}/changes/${id}/confirm`);
    expect([reply.status, reply.html.includes('Another operator')]).toEqual([403, true]);
    await decide(anna, { id, accountId: id }, 'withdraw');
  });

  it('an operator whose account was closed confirms nothing, nor does what he confirmed go on', async () => {
    const dora = await operator();
    const doras = await as(dora);
    const change = await propose(anna, newIban());
    const close = async () => {
      await (
        await as(cleo)
      ).fill('/portal/platform/people', {}, `/portal/platform/people/${dora.id}/disable`);
    };
    await close();
    const reply = await doras.post(`${PAGE}/changes/${change.id}/confirm`);
    expect([reply.status, reply.location]).toEqual([303, '/portal/sign-in']);
    const confirm = `UPDATE collection_account_changes SET confirmed_by = $2, confirmed_at = $3 WHERE id = $1`;
    expect(await refused(confirm, [change.id, dora.id, app.clock.now()])).toBe(
      'collection_account_changes_operator',
    );
    await mails();
    await openedAgain(app, 'id = $1', [dora.id]);
    await decide(dora, change);
    await close();
    await afterWaiting(2 * DAY_MS);
    const { html } = await (await as(ben)).get(PAGE);
    expect(html).toContain('The confirming operator is no longer an operator.');
    expect((await mails()).to).toContain(dora.email);
    expect(
      await select(app, 'SELECT FROM collection_accounts WHERE id = $1', [change.accountId]),
    ).toEqual([]);
    await decide(ben, change, 'withdraw');
  });

  it('support proposes, confirms and withdraws nothing', async () => {
    const support = await as(await withTotp(app, await person(app, 'support')));
    const change = await propose(anna, newIban());
    expect((await support.get(PAGE)).html).not.toContain('/withdraw');
    for (const what of ['confirm', 'withdraw'])
      expect((await support.post(`${PAGE}/changes/${change.id}/${what}`)).status).toBe(403);
    await decide(ben, change, 'withdraw');
  });

  describe('an account', () => {
    const disable = async (id: string) => {
      const reply = await (await as(anna)).fill(`${PAGE}/${id}/disable`, {});
      expect(reply.location).toContain('done=proposed');
      return decide(ben, await newest());
    };
    const usable = () =>
      select<{ id: string; account: string }>(
        app,
        `SELECT id, account FROM collection_accounts
         WHERE mode = 'live' AND currency = 'EUR' AND disabled_at IS NULL ORDER BY position`,
      );

    it('is disabled at once, unless payers are shown another one then', async () => {
      const [first, ...others] = await usable();
      expect((await disable(first!.id)).location).toContain('done=confirmed');
      expect(await shown()).toBe(first!.account);
      for (const { id } of others) expect((await disable(id)).location).toContain('done=applied');
      await decide(cleo, await open(first!.id), 'withdraw');
      expect((await disable(first!.id)).location).toContain('done=applied');
      expect(await shown()).toBeNull();
      expect(await usable()).toEqual([]);
    });

    const open = async (accountId: string): Promise<Row> =>
      (await changes().listOpen()).find((change) => change.accountId === accountId)!;

    it('is not the first of its currency when one was there before, or live orders are', async () => {
      for (const currency of ['EUR', 'CHF']) {
        const account = { ...fields(newIban()), currency };
        await (await as(anna)).fill(`${PAGE}/new`, account);
        expect((await decide(ben, await newest())).location).toContain('done=confirmed');
        await afterWaiting(DAY_MS - 1);
        expect(await app.get(CollectionAccountsService).shownFor('live', currency)).toBeNull();
        await afterWaiting(1);
        expect(await app.get(CollectionAccountsService).shownFor('live', currency)).toMatchObject({
          account: account.account,
        });
      }
    });
  });

  const leaveAlone = ({ id }: Person) =>
    select(app, `UPDATE users SET disabled_at = $2 WHERE id <> $1 AND platform_role = 'operator'`, [
      id,
      app.clock.now(),
    ]);

  it('with a single operator the waiting time and the mails stand', async () => {
    await startWithRules(app, { singleOperator: true, secondPersonWaitHours: 48 });
    try {
      const change = await propose(anna, newIban());
      await mails();
      // While another operator can sign in, nobody is alone, whatever the setting says.
      expect((await (await as(anna)).get(PAGE)).html).not.toContain(`${change.id}/confirm"`);
      expect((await decide(anna, change)).status).toBe(403);
      await leaveAlone(anna);
      expect((await (await as(anna)).get(PAGE)).html).toContain('/confirm"');
      expect((await decide(anna, change)).location).toContain('done=confirmed');
      expect((await mails()).to).toEqual(expect.arrayContaining(everybody()));
      const there = `SELECT rule FROM collection_account_changes WHERE id = $1 AND applied_at IS NOT NULL`;
      await afterWaiting(2 * DAY_MS - 1);
      expect(await select(app, there, [change.id])).toEqual([]);
      await afterWaiting(1);
      expect(await select(app, there, [change.id])).toEqual([{ rule: 'single_operator' }]);
    } finally {
      await openedAgain(app);
      await startWithRules(app, { singleOperator: false, secondPersonWaitHours: 24 });
    }
  });

  describe('the database refuses', () => {
    const NEW = `INSERT INTO collection_accounts (id, mode, currency, holder, account, position, created_at)
      VALUES (gen_random_uuid(), 'live', 'EUR', 'Thief', '${THIEFS}', -99, now())`;
    const CHANGE = 'UPDATE collection_account_changes SET';
    const LIVE = `WHERE mode = 'live'`;
    const PROPOSED = `INSERT INTO collection_account_changes (id, kind, account_id, currency, holder, account,
      proposed_by, proposed_from, proposed_at`;
    const VALUES = `SELECT gen_random_uuid(), 'add', gen_random_uuid(), 'EUR', 'Thief', '${THIEFS}', u.id,
      'SQL', $1::timestamptz`;
    const OPERATOR = `FROM users u WHERE u.platform_role = 'operator' AND u.disabled_at IS NULL LIMIT 1`;
    const ACCOUNT = 'collection_accounts_confirmed';
    const of = (rule: string) => `collection_account_changes_${rule}`;

    let waiting: Row;
    let ripe: Row;
    beforeAll(async () => {
      waiting = await propose(anna, newIban());
      ripe = await propose(anna, newIban());
      app.clock.advance(600_000);
      await decide(ben, ripe);
    });
    afterAll(async () => {
      for (const change of [waiting, ripe]) await decide(cleo, change, 'withdraw');
    });

    it.each([
      ['an account that nobody proposed', NEW, ACCOUNT],
      ['another place', `UPDATE collection_accounts SET position = -99 ${LIVE}`, ACCOUNT],
      ['another IBAN', `UPDATE collection_accounts SET account = 'X' || id ${LIVE}`, ACCOUNT],
      ['another holder', `UPDATE collection_accounts SET holder = 'Thief' ${LIVE}`, ACCOUNT],
      ['another bank', `UPDATE collection_accounts SET bic = 'THIEF' ${LIVE}`, ACCOUNT],
      ['another currency', `UPDATE collection_accounts SET currency = 'USD' ${LIVE}`, ACCOUNT],
      ['an end', `UPDATE collection_accounts SET disabled_at = now() ${LIVE}`, ACCOUNT],
      [
        'a return',
        `UPDATE collection_accounts SET disabled_at = NULL ${LIVE} AND disabled_at IS NOT NULL`,
        ACCOUNT,
      ],
      ['another mode', `UPDATE collection_accounts SET mode = 'test' ${LIVE}`, ACCOUNT],
      [
        'its removal',
        `DELETE FROM collection_accounts c ${LIVE} AND NOT EXISTS (
        SELECT FROM transfer_references r WHERE r.collection_account_id = c.id)`,
        ACCOUNT,
      ],
      [
        'a change of no operator',
        `${PROPOSED}) ${VALUES} FROM users u WHERE u.platform_role = 'support' LIMIT 1`,
        of('operator'),
      ],
      [
        'a change that was confirmed before',
        `${PROPOSED}, confirmed_by, confirmed_at, effective_at, rule)
        ${VALUES}, u.id, $1, $1, 'two_people' ${OPERATOR}`,
        of('proposed'),
      ],
      [
        'one from before the rule',
        `${PROPOSED}, confirmed_at, effective_at, applied_at, rule, position)
        ${VALUES}, $1, $1, $1, 'earlier', -99 ${OPERATOR}`,
        of('proposed'),
      ],
      [
        'another account in a change',
        `${CHANGE} account = '${THIEFS}' WHERE id = $2 AND $1::timestamptz IS NOT NULL`,
        of('append_only'),
      ],
      [
        'another proposer',
        `${CHANGE} proposed_by = NULL WHERE id = $2 AND $1::timestamptz IS NOT NULL`,
        of('append_only'),
      ],
      [
        'a confirmation by the proposer',
        `${CHANGE} confirmed_by = proposed_by, confirmed_at = $1 WHERE id = $2`,
        of('second_person'),
      ],
      ['a confirmation by nobody', `${CHANGE} confirmed_at = $1 WHERE id = $2`, of('operator')],
      [
        'a confirmation that was first',
        `${CHANGE} confirmed_by = '0', confirmed_at = proposed_at - interval '1 day'
        WHERE id = $2 AND $1::timestamptz IS NOT NULL`.replace(
          `'0'`,
          `(SELECT u.id ${OPERATOR.replace('LIMIT', `AND u.id <> proposed_by LIMIT`)})`,
        ),
        of('order'),
      ],
      [
        'a confirmation before what the audit log has recorded',
        `${CHANGE} confirmed_by = '0', confirmed_at = proposed_at
        WHERE id = $2 AND $1::timestamptz IS NOT NULL`.replace(
          `'0'`,
          `(SELECT u.id ${OPERATOR.replace('LIMIT', `AND u.id <> proposed_by LIMIT`)})`,
        ),
        of('time'),
      ],
      [
        'an effect without a confirmation',
        `${CHANGE} applied_at = $1 WHERE id = $2`,
        of('waiting'),
      ],
    ])('%s', async (_, sql, rule) => {
      const values = sql.includes('$2') ? [app.clock.now(), waiting.id] : [app.clock.now()];
      expect(await refused(sql, sql.includes('$1') ? values : [])).toBe(rule);
    });

    it.each([
      ['an effect before its time', `applied_at = $2`, of('waiting')],
      ['an earlier time', `effective_at = $2`, of('append_only')],
      ['another rule', `rule = 'earlier', withdrawn_at = $2`, of('append_only')],
    ])('%s of what was confirmed', async (_, set, rule) => {
      const values = [ripe.id, app.clock.now()];
      expect(await refused(`${CHANGE} ${set} WHERE id = $1`, values)).toBe(rule);
    });

    it.each(['DELETE FROM collection_account_changes', 'TRUNCATE collection_account_changes'])(
      '%s',
      async (sql) => await expect(select(app, sql)).rejects.toThrow(/append-only|never|change/i),
    );
  });

  describe('at the same moment', () => {
    it('one of several equal proposals counts, and one of several confirmations', async () => {
      await rounds(async () => {
        const by = await proposer(app);
        const account = { ...TRANSFER_ACCOUNT, mode: 'live' as const, account: newIban() };
        const made = await together(() => changes().proposeAdd(by, account), 8);
        expect(made.filter((change) => change !== null)).toHaveLength(1);
        const change = await newest();
        const browsers = [await as(anna), await as(ben), await as(cleo)];
        for (const browser of browsers) await browser.get(PAGE);
        const replies = await Promise.all(
          browsers.map((browser) => browser.post(`${PAGE}/changes/${change.id}/confirm`)),
        );
        expect(replies.map(({ status }) => status).toSorted()).toEqual([303, 409, 409]);
        await decide(anna, change, 'withdraw');
      });
    });

    it('a change is withdrawn or takes effect, never both', async () => {
      await rounds(async () => {
        const change = await propose(anna, newIban());
        await decide(ben, change);
        app.clock.advance(DAY_MS);
        const browser = await as(cleo);
        await browser.get(PAGE);
        const [reply] = await Promise.all([
          browser.post(`${PAGE}/changes/${change.id}/withdraw`),
          changes().run(),
          changes().run(),
        ]);
        const rows = await select(app, 'SELECT FROM collection_accounts WHERE id = $1', [
          change.accountId,
        ]);
        expect([reply.status, rows.length]).toEqual(reply.status === 303 ? [303, 0] : [409, 1]);
      });
    });

    it('an operator whose account is closed confirms first, or not at all', async () => {
      await rounds(async () => {
        const eve = await operator();
        const eves = await as(eve);
        const cleos = await as(cleo);
        const change = await propose(anna, newIban());
        await eves.get(PAGE);
        await cleos.get('/portal/platform/people');
        await Promise.all([
          eves.post(`${PAGE}/changes/${change.id}/confirm`),
          cleos.post(`/portal/platform/people/${eve.id}/disable`),
        ]);
        await afterWaiting(DAY_MS);
        expect(
          await select(app, 'SELECT FROM collection_accounts WHERE id = $1', [change.accountId]),
        ).toEqual([]);
        await decide(ben, change, 'withdraw');
      });
    });
  });

  it('of which too many are proposed in a day are refused to that operator alone', async () => {
    const fran = await operator();
    const browser = await as(fran);
    const proposed: string[] = [];
    for (let n = 0; n < PROPOSED_MAX; n++) {
      await browser.fill(`${PAGE}/new`, fields(newIban()));
      proposed.push((await newest()).id);
    }
    expect(new Set(proposed).size).toBe(PROPOSED_MAX);
    const more = await browser.fill(`${PAGE}/new`, fields(newIban()));
    expect([more.status, more.html.includes('at most 20 changes')]).toEqual([422, true]);
    const other = await propose(ben, newIban());
    const open = (await changes().listOpen()).length;
    const home = (await (await as(ben)).get('/portal/platform')).html;
    expect(home).toContain(`${open} changes to live collection accounts`);
    const metrics = await (await fetch(`${app.url}/metrics`)).text();
    expect(metrics).toContain(
      `payment_orders_collection_account_changes_waiting{state="proposed"} ${open}`,
    );
    const cleos = await as(cleo);
    await cleos.get(PAGE);
    for (const id of [...proposed, other.id]) await cleos.post(`${PAGE}/changes/${id}/withdraw`);
    expect(await changes().listOpen()).toEqual([]);
  });

  it('take no effect by a clock that is ahead of the database’s own', async () => {
    const late = new Date(Date.now() + 10 * DAY_MS);
    const before = app.clock.now();
    app.clock.set(late);
    const change = (await changes().proposeAdd(proposing(anna), {
      ...TRANSFER_ACCOUNT,
      mode: 'live',
      account: newIban(),
    }))!;
    // No sign-in of the others may be in the future.
    await decide(await operator(), change);
    app.clock.advance(2 * DAY_MS);
    await changes().run();
    expect(
      await select(app, 'SELECT FROM collection_accounts WHERE id = $1', [change.accountId]),
    ).toEqual([]);
    app.clock.set(before);
    await select(
      app,
      `UPDATE collection_account_changes SET withdrawn_at = $2, withdrawn_by = $3
      WHERE id = $1`,
      [change.id, before, ben.id],
    );
  });

  it('and the doctor finds nothing', async () => {
    expect(brokenIn(await app.get(Doctor).examine({ overdue: false }))).toEqual([]);
  });
});
