import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestApp } from './support/app.js';
import { select } from './support/facts.js';
import { startWithRules } from './support/operating-rules.js';
import { person } from './support/people.js';

interface Entry {
  readonly userId: string | null;
  readonly address: string;
  readonly data: Record<string, unknown>;
}

const OFF = { singleOperator: false, waitingHours: 24 };
const ON = { singleOperator: true, waitingHours: 12 };

const rulesIn = (app: TestApp) =>
  select(
    app,
    `SELECT single_operator AS "singleOperator", waiting_hours AS "waitingHours" FROM operating_rules`,
  );

const entriesIn = (app: TestApp) =>
  select<Entry>(
    app,
    `SELECT user_id AS "userId", address, data FROM audit_entries
     WHERE action = 'operating-rules.changed' ORDER BY id`,
  );

const readyOf = async ({ url }: TestApp) => (await fetch(`${url}/health/ready`)).json();

describe('the rules about the second person', () => {
  let app: TestApp;
  let single: TestApp;
  beforeAll(async () => {
    app = await TestApp.start();
    const env = { SINGLE_OPERATOR: '1', SECOND_PERSON_WAIT_HOURS: '12' };
    single = await TestApp.start({ env });
  });
  afterAll(() => Promise.all([app.stop(), single.stop()]));

  it('ask for one unless a setting says otherwise, which is not worth an audit entry', async () => {
    expect(await rulesIn(app)).toEqual([OFF]);
    expect(await entriesIn(app)).toEqual([]);
    expect(await readyOf(app)).toEqual({ status: 'ready' });
  });

  it('follow the settings of the start, and the audit log and the health answer say so', async () => {
    const changed = { userId: null, address: 'server start', data: { ...ON, before: OFF } };
    expect(await rulesIn(single)).toEqual([ON]);
    expect(await entriesIn(single)).toEqual([changed]);
    expect(await readyOf(single)).toEqual({ status: 'ready', singleOperator: true });

    await person(single, 'operator');
    await person(single, 'operator');
    expect(await readyOf(single)).toEqual({ status: 'ready' });

    const off = { singleOperator: false, secondPersonWaitHours: 24 };
    await Promise.all([startWithRules(single, off), startWithRules(single, off)]);
    await startWithRules(single, off);
    expect(await rulesIn(single)).toEqual([OFF]);
    const back = { ...changed, data: { ...OFF, before: ON } };
    expect(await entriesIn(single)).toEqual([changed, back]);
  });

  it.each(['DELETE FROM operating_rules', 'TRUNCATE operating_rules'])('refuse %s', async (sql) => {
    await expect(select(app, sql)).rejects.toThrow();
  });
});
