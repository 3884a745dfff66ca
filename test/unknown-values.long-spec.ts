import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UserNotices } from '../src/people/mails/user-notices.js';
import { TestApp } from './support/app.js';
import { PAYS } from './support/payouts.js';
import { visitsOfApi } from './support/visits-of-api.js';
import { visitsOfPortal } from './support/visits-of-portal.js';
import { type Asked, World } from './support/visits.js';

/** What a later version may write beside this one, which is still reading: another word in each row. */
const LATER = `'later_' || left(md5(ctid::text), 8)`;
/** What is remembered of an API key is forgotten by then, in milliseconds. */
const CACHED_MS = 6_000;

/** Words that rows are written with, `kind` of `user_notices` and the like. */
const COLUMNS = [
  ['orders', 'status'],
  ['orders', 'exception'],
  ['orders', 'status_reason'],
  ['orders', 'locale'],
  ['payments', 'status'],
  ['payments', 'payer_account_type'],
  ['payments', 'error_code'],
  ['events', 'type'],
  ['deliveries', 'status'],
  ['deliveries', 'type'],
  ['webhook_endpoints', 'disabled_reason'],
  ['webhook_endpoints', 'api_version'],
  ['api_keys', 'api_version'],
  ['transfers', 'kind'],
  ['payouts', 'status'],
  ['payout_lines', 'kind'],
  ['payout_schedules', 'frequency'],
  ['payout_files', 'format'],
  ['payout_hands', 'act'],
  ['money_hands', 'act'],
  ['bank_line_hands', 'act'],
  ['outgoing_hands', 'act'],
  ['bank_file_hands', 'act'],
  ['refunds', 'status'],
  ['refunds', 'origin'],
  ['refunds', 'method'],
  ['exports', 'status'],
  ['provider_events', 'result'],
  ['memberships', 'role'],
  ['users', 'platform_role'],
  ['user_links', 'kind'],
  ['user_links', 'role'],
  ['user_notices', 'kind'],
  ['audit_entries', 'action'],
  ['sandbox_transactions', 'outcome'],
] as const;

let app: TestApp;
let world: World;
const looks = new Map<string, Asked>();

beforeAll(async () => {
  app = await TestApp.start({ env: PAYS });
  world = await World.create(app);
  const visits = { ...visitsOfApi(world), ...visitsOfPortal(world) };
  for (const [name, visit] of Object.entries(visits)) {
    if (!name.startsWith('GET ')) continue;
    const asked = await visit();
    if (!asked.isStream) looks.set(name, asked);
  }
  const checks = await world.select<{ table: string; name: string }>(
    `SELECT conrelid::regclass AS table, conname AS name FROM pg_constraint
     WHERE contype = 'c' AND connamespace = 'public'::regnamespace`,
  );
  for (const { table, name } of checks) {
    await world.select(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  }
});
afterAll(async () => {
  world.close();
  await app.stop();
});

async function answers(): Promise<[name: string, status: number][]> {
  await stay();
  const seen: [string, number][] = [];
  for (const [name, { path, headers = {} }] of looks) {
    const reply = await fetch(app.url + path, { headers, redirect: 'manual' });
    await reply.text();
    seen.push([name, reply.status]);
  }
  return seen;
}

/** All rows with the word, without what watches over changes. */
async function write(table: string, changes: string): Promise<void> {
  await world.select(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  await world.select(changes);
  await world.select(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
}

/** Whoever looked before has not gone meanwhile. */
const stay = () => {
  const now = `'${app.clock.now().toISOString()}'`;
  const changes = `created_at = ${now}, seen_at = ${now}, ended_at = NULL`;
  return write('user_sessions', `UPDATE user_sessions SET ${changes}`);
};

describe('a word that this version does not know', () => {
  it('is looked for in all that can be read', async () => {
    const seen = await answers();
    expect(seen.filter(([, status]) => status >= 500)).toEqual([]);
    expect(seen.filter(([, status]) => status === 200).length).toBeGreaterThan(80);
  });

  it.each(COLUMNS)('is no fault of the service: %s.%s', async (table, column) => {
    await write(table, `ALTER TABLE ${table} ADD COLUMN was text`);
    await write(
      table,
      `UPDATE ${table} SET was = ${column}, ${column} = ${LATER} WHERE ${column} IS NOT NULL`,
    );
    if (table === 'api_keys') await sleep(CACHED_MS);
    const seen = await answers();
    await write(table, `UPDATE ${table} SET ${column} = was WHERE was IS NOT NULL`);
    await write(table, `ALTER TABLE ${table} DROP COLUMN was`);
    if (table === 'api_keys') await sleep(CACHED_MS);
    expect(seen.filter(([, status]) => status >= 500)).toEqual([]);
  });

  it('is left to the version that wrote it: a mail', async () => {
    const due = app.clock.now();
    const sql = `INSERT INTO user_notices (id, user_id, kind, data, created_at, next_attempt_at)
      VALUES (gen_random_uuid(), $1, 'later', '{}', $2, $2) RETURNING id`;
    const [{ id }] = (await world.select<{ id: string }>(sql, [world.owner.id, due])) as [
      { id: string },
    ];
    app.clock.advance(1_000);
    await app.get(UserNotices).run();
    const left = 'SELECT attempts, next_attempt_at AS due FROM user_notices WHERE id = $1';
    expect(await world.select(left, [id])).toEqual([{ attempts: 0, due }]);
  });
});
