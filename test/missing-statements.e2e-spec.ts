import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { MissingStatements } from '../src/bank/import/missing-statements.js';
import { Database } from '../src/database/database.js';
import { UserNotices } from '../src/people/mails/user-notices.js';
import { TestApp } from './support/app.js';
import type { FormBrowser } from './support/browser-form.js';
import { count, select } from './support/facts.js';
import { MailServer, type ReceivedMail } from './support/mail-server.js';
import { person, signedIn, withTotp } from './support/people.js';
import { together } from './support/race.js';
import { offerTransfers } from './support/transfers.js';

const IBAN = 'DE89370400440532013000';
const DAY_MS = 86_400_000;
/** What the database counts is as old as this at most. */
const COUNTED_FOR_MS = 1_001;

describe('statements that stop coming', () => {
  let app: TestApp;
  let server: MailServer;
  let operators: string[];
  let operator: FormBrowser;

  beforeAll(async () => {
    server = await MailServer.start();
    app = await TestApp.start({ env: { SMTP_URL: server.url } });
    // A Monday.
    app.clock.set(new Date('2026-11-16T10:00:00Z'));
    operators = [(await person(app, 'operator')).email, (await person(app, 'operator')).email];
    await person(app, 'support');
    for (const mode of ['live', 'test'] as const) await offerTransfers(app, { mode });
  });
  afterAll(async () => {
    await app.stop();
    await server.stop();
  });

  /** @param until the last day of which it tells; null for one that only announces */
  const statement = (until: string | null, mode = 'live') =>
    select(
      app,
      `WITH file AS (
         INSERT INTO bank_files (id, mode, sha256, name, size, format, source, warnings, created_at)
         VALUES ($1, $5, $2, 'a', 1, 'camt', 'cli', '[]', $3) RETURNING id
       ) INSERT INTO bank_statements (id, mode, file_id, number, format, account, covers_until, created_at)
       SELECT $1, $5, id, 0, 'camt', '${IBAN}', $4, $3 FROM file`,
      [randomUUID(), randomBytes(32), app.clock.now(), until, mode],
    );

  /** What the first page of the platform says. */
  const home = async () => (await operator.get('/portal/platform')).html;

  const balances = (from: string, opening: number, until: string, closing: number) =>
    select(
      app,
      `WITH file AS (
         INSERT INTO bank_files (id, mode, sha256, name, size, format, source, warnings, created_at)
         VALUES ($1, 'live', $2, 'a', 1, 'camt', 'cli', '[]', $3) RETURNING id
       ) INSERT INTO bank_statements (id, mode, file_id, number, format, account, currency, covers_from,
         opening_balance, covers_until, closing_balance, created_at)
       SELECT $1, 'live', id, 0, 'camt', '${IBAN}', 'EUR', $4, $5, $6, $7, $3 FROM file`,
      [randomUUID(), randomBytes(32), app.clock.now(), from, opening, until, closing],
    );

  /** What operators were sent since the last look. */
  async function mails(): Promise<ReceivedMail[]> {
    await app.get(MissingStatements).run();
    await app.get(UserNotices).run();
    const sent = operators.flatMap((email) => server.to(email));
    server.mails.splice(0);
    return sent;
  }

  const at = (day: string) => app.clock.set(new Date(`${day}T06:00:00Z`));
  const metric = async (mode: string) =>
    (await (await fetch(`${app.url}/metrics`)).text()).match(
      new RegExp(
        `^payment_orders_bank_statement_age_days{account="[^"]{36}",mode="${mode}",currency="EUR"} (.+)$`,
        'm',
      ),
    )?.[1];

  it('are no news while a bank day may still bring them', async () => {
    at('2026-11-18');
    expect(await mails()).toEqual([]);
    expect(await metric('live')).toBe('2');
  });

  it('are told to each operator once after two bank days', async () => {
    at('2026-11-19');
    // A bank's mistake.
    await statement('2100-01-01');
    const sent = await mails();
    expect(sent).toHaveLength(2);
    expect(sent[0]!.subject).toBe('No statement of a bank account');
    expect(sent[0]!.text).toContain(`Account: ${IBAN}`);
    expect(sent[0]!.text).toContain('Last day with a statement: 2026-11-16');
    expect(await mails()).toEqual([]);
    app.clock.advance(DAY_MS);
    expect(await mails()).toEqual([]);
  });

  it('are told again when they came and stop once more, weekends apart', async () => {
    await statement('2026-11-19');
    await statement(null);
    await statement('2026-11-24', 'test');
    at('2026-11-23');
    expect(await mails()).toEqual([]);
    at('2026-11-24');
    const before = await count(app, 'user_notices', `kind = 'statements-missing'`);
    await together(() => app.get(MissingStatements).run());
    expect(await count(app, 'user_notices', `kind = 'statements-missing'`)).toBe(before + 2);
    expect((await mails())[0]!.text).toContain('Last day with a statement: 2026-11-19');
  });

  it('are not missed at an account that is disabled', async () => {
    await app.get(Database).transaction(async (tx) => {
      await tx.query(`SET LOCAL session_replication_role = 'replica'`);
      await tx.query('UPDATE collection_accounts SET disabled_at = $1', [app.clock.now()]);
    });
    at('2026-12-24');
    expect(await mails()).toEqual([]);
    await sleep(COUNTED_FOR_MS);
    expect(await metric('live')).toBeUndefined();
  });

  it('leave the lines that wait for a person among the metrics', async () => {
    const lines = async () =>
      (await (await fetch(`${app.url}/metrics`)).text())
        .split('\n')
        .filter((line) => line.startsWith('payment_orders_bank_lines_waiting'));
    const none = (mode: string) =>
      ['suggested', 'unknown_money_out', 'unmatched'].map(
        (state) => `payment_orders_bank_lines_waiting{mode="${mode}",state="${state}"} 0`,
      );
    expect((await lines()).toSorted()).toEqual([...none('live'), ...none('test')]);
    await select(
      app,
      `INSERT INTO bank_lines (id, mode, account, key, ordinal, amount, currency, direction, status,
         kind, reversal, returned, payer_references, identifiers, state, reason, created_at)
       SELECT gen_random_uuid(), 'live', '${IBAN}', n, 0, 100, 'EUR', 'in', 'booked', 'payment', false, false,
         '[]', '{}', CASE WHEN n < 3 THEN 'unmatched' WHEN n < 5 THEN 'matched' ELSE 'not_a_payment' END,
         CASE n WHEN 5 THEN 'batch_total' WHEN 6 THEN 'unknown_money_out' END, $1
       FROM generate_series(1, 6) n`,
      [new Date(app.clock.now().getTime() - 90_000)],
    );
    await sleep(COUNTED_FOR_MS);
    expect(await lines()).toEqual(
      expect.arrayContaining([
        'payment_orders_bank_lines_waiting{mode="live",state="unmatched"} 2',
        'payment_orders_bank_lines_waiting_oldest_age_seconds{mode="live",state="unmatched"} 90',
        'payment_orders_bank_lines_waiting{mode="live",state="suggested"} 0',
        'payment_orders_bank_lines_waiting{mode="live",state="unknown_money_out"} 1',
        'payment_orders_bank_lines_waiting_oldest_age_seconds{mode="live",state="unknown_money_out"} 90',
      ]),
    );
  });

  it('and lines that wait stand on the first page of the platform, with gaps between statements', async () => {
    operator = await signedIn(app, await withTotp(app, await person(app, 'operator')));
    expect(await home()).toContain('2 unmatched transfers in live mode');
    expect(await home()).toContain('1 unexplained debit in live mode');
    expect(await home()).not.toContain('A statement is missing');
    await balances('2026-12-11', 0, '2026-12-11', 100);
    // As MT940 dates it: the opening balance has the day of the last closing.
    await balances('2026-12-11', 100, '2026-12-14', 150);
    expect(await home()).not.toContain('A statement is missing');
    await balances('2026-12-16', 170, '2026-12-16', 180);
    expect(await home()).toContain('A statement is missing between 2026-12-14 and 2026-12-16');
    await balances('2026-12-15', 160, '2026-12-15', 170);
    expect(await home()).toContain('A statement is missing between 2026-12-14 and 2026-12-15');
    await balances('2026-12-15', 150, '2026-12-15', 160);
    expect(await home()).not.toContain('A statement is missing');
    expect((await operator.get('/portal/platform?q=x')).html).not.toContain('Needs attention');
  });
});
