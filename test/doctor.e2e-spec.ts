import { beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource, type EntityManager } from 'typeorm';
import { DoctorReportRepository } from '../src/database/doctor/doctor-report.repository.js';
import { brokenIn, Doctor } from '../src/database/doctor/doctor.js';
import { questionOf, TOLD_MAX, type Violation } from '../src/database/doctor/fact.js';
import { FACTS } from '../src/database/doctor/facts.js';
import { WEBHOOK_ATTEMPTS } from '../src/database/doctor/notifications.facts.js';
import { ORDER_MOVES } from '../src/database/doctor/orders.facts.js';
import { WEBHOOK_RETRIES } from '../src/notifications/retry-schedule.js';
import { DoctorJob, EVERY_MS } from '../src/operations/doctor-job.js';
import { TRANSITIONS, UNDO_OF_PAID } from '../src/status/transitions.js';
import type { FormBrowser } from './support/browser-form.js';
import { select, withoutTriggers } from './support/facts.js';
import { PAYS } from './support/payouts.js';
import { person, signedIn, withTotp } from './support/people.js';
import { type Planting, PLANTINGS } from './support/plantings.js';
import { together } from './support/race.js';
import { liveRichly } from './support/rich-life.js';
import { openShop } from './support/shop.js';

type Row = Violation & { readonly total: number };

const { app } = await openShop({ env: PAYS });

const examine = () => app.get(Doctor).examine({ overdue: true });

/** Names of the facts that do not hold, and how often. */
const broken = async () =>
  Object.fromEntries(brokenIn(await examine()).map(({ fact, total }) => [fact.name, total]));

describe('the facts', () => {
  beforeAll(() => liveRichly(app));

  it('hold, whatever happens to orders and payouts', async () => {
    const ends = (table: string) =>
      select<{ status: string }>(app, `SELECT DISTINCT status FROM ${table} ORDER BY 1`);
    expect(await ends('orders')).toHaveLength(6);
    expect(await ends('payouts')).toHaveLength(10);
    expect(await select(app, 'SELECT DISTINCT kind FROM transfers')).toHaveLength(16);
    expect(
      brokenIn(await examine()).flatMap(({ fact, violations }) =>
        violations.map(({ subject, detail }) => `${fact.name}: ${subject}: ${detail}`),
      ),
    ).toEqual([]);
  });

  it('are told apart by their names, each in a sentence, and each can be broken', () => {
    const names = FACTS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, description } of FACTS) {
      expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(description).toMatch(/^[A-Z].*[^.]\.$/);
    }
    expect([...new Set(PLANTINGS.map(({ fact }) => fact))].toSorted()).toEqual(names.toSorted());
  });

  it('know the rules of the code that they watch', () => {
    const moves = Object.entries(TRANSITIONS).flatMap(([from, to]) =>
      Object.keys(to).map((status) => [from, status]),
    );
    const undone = Object.keys(UNDO_OF_PAID).map((status) => ['paid', status]);
    expect(ORDER_MOVES.toSorted()).toEqual([...moves, ...undone].toSorted());
    expect(WEBHOOK_ATTEMPTS).toBe(WEBHOOK_RETRIES.delays.length + 1);
  });

  /** Does it behind the back of every trigger and rule, and takes it back afterwards. */
  async function planted<T>({ sql, without }: Planting, look: (tx: EntityManager) => Promise<T>) {
    const runner = app.get(DataSource).createQueryRunner();
    await runner.startTransaction();
    try {
      await runner.query(`SET LOCAL session_replication_role = 'replica'`);
      for (const rule of without) await drop(runner.manager, rule);
      for (const statement of sql.split(';')) await runner.query(statement);
      return await look(runner.manager);
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
    }
  }

  async function drop(tx: EntityManager, rule: string): Promise<void> {
    const sql = 'SELECT conrelid::regclass AS "table" FROM pg_constraint WHERE conname = $1';
    const [constraint] = await tx.query<{ table: string }[]>(sql, [rule]);
    await tx.query(
      constraint
        ? `ALTER TABLE ${constraint.table} DROP CONSTRAINT ${rule} CASCADE`
        : `DROP INDEX ${rule}`,
    );
  }

  it.each(PLANTINGS)('see it when $fact is broken by $sql', async (planting) => {
    const fact = FACTS.find(({ name }) => name === planting.fact)!;
    const rows = await planted(planting, (tx) =>
      tx.query<Row[]>(questionOf(fact), [app.clock.now()]),
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.length).toBeLessThanOrEqual(TOLD_MAX);
    for (const row of rows) {
      const { merchantId, subject, detail, total } = row;
      expect([typeof subject, typeof detail]).toEqual(['string', 'string']);
      if (merchantId !== null) expect(merchantId).toMatch(/^[\da-f-]{36}$/);
      expect(total).toBeGreaterThanOrEqual(rows.length);
    }
  });

  it('hold again once all that was taken back', async () => {
    expect(await broken()).toEqual({});
  });
});

describe('the job that examines them', () => {
  const job = app.get(DoctorJob);
  const ERRORS = /"level":50/;
  let browser: FormBrowser;

  beforeAll(async () => {
    browser = await signedIn(app, await withTotp(app, await person(app, 'operator')));
    // Nothing comes due while the clock goes on.
    await select(app, `UPDATE payments SET next_poll_at = '2099-01-01' WHERE status = 'pending'`);
    await select(app, `UPDATE deliveries SET next_attempt_at = now() WHERE status = 'pending'`);
    await select(app, 'UPDATE user_notices SET next_attempt_at = NULL');
  });
  const health = async () => (await browser.get('/portal/platform/health')).html;
  const metrics = async () =>
    (await (await fetch(`${app.url}/metrics`)).text())
      .split('\n')
      .filter((line) => line.startsWith('payment_orders_doctor_'));
  const told = () => app.log.filter((line) => ERRORS.test(line));

  it('keeps what it found for everybody', async () => {
    expect(await health()).toContain('No check has run yet');
    expect(await metrics()).toEqual([]);
    await job.run();
    app.clock.advance(120_000);
    expect(await health()).toMatch(/All \d+ checks passed<.*Checked 2 minutes ago/s);
    expect(await metrics()).toEqual([
      // What is overdue is asked from the second time on.
      `payment_orders_doctor_checks ${FACTS.filter(({ isOverdue }) => !isOverdue).length}`,
      'payment_orders_doctor_checks_failed 0',
      'payment_orders_doctor_last_run_age_seconds 120',
    ]);
    expect(told()).toEqual([]);
  });

  it('looks again after five minutes, then for what is overdue too', async () => {
    app.clock.advance(EVERY_MS - 120_001);
    await job.run();
    expect(await metrics()).toContain('payment_orders_doctor_last_run_age_seconds 299.999');
    app.clock.advance(1);
    await job.run();
    expect(await metrics()).toEqual(
      expect.arrayContaining([
        `payment_orders_doctor_checks ${FACTS.length}`,
        'payment_orders_doctor_last_run_age_seconds 0',
      ]),
    );
  });

  it('is done by one process', async () => {
    const reports = app.get(DoctorReportRepository);
    app.clock.advance(EVERY_MS);
    const now = app.clock.now();
    const claims = await together(() => reports.claim(now, new Date(now.getTime() + 1)));
    expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1);
    app.clock.advance(1);
    await job.run();
    expect(await metrics()).toContain('payment_orders_doctor_last_run_age_seconds 0');
  });

  it('tells of what does not hold in the log, the metrics and on the page', async () => {
    await withoutTriggers(app, `UPDATE balances SET amount = amount + 7 WHERE account = 'fees'`);
    app.clock.advance(EVERY_MS);
    await job.run();
    const names = ['accounts-sum-to-zero', 'balance-checkpoints'];
    expect(told().map((line) => JSON.parse(line))).toMatchObject(
      names.map((fact) => ({ context: 'doctor', fact, violations: 1 })),
    );
    expect(await metrics()).toEqual([
      `payment_orders_doctor_checks ${FACTS.length}`,
      'payment_orders_doctor_checks_failed 2',
      ...names.map((fact) => `payment_orders_doctor_violations{check="${fact}"} 1`),
      'payment_orders_doctor_last_run_age_seconds 0',
    ]);
    const html = await health();
    expect(html).toContain(`2 of ${FACTS.length} checks failed`);
    for (const name of names) expect(html).toContain(name);
    await withoutTriggers(app, `UPDATE balances SET amount = amount - 7 WHERE account = 'fees'`);
  });

  it('ends at once with the service, and leaves the examination to the next', async () => {
    app.clock.advance(EVERY_MS);
    const running = job.run();
    await job.beforeApplicationShutdown();
    await running;
    expect(await metrics()).toContain('payment_orders_doctor_last_run_age_seconds 300');
    expect(told()).toHaveLength(2);
    const due = app.clock.now().getTime() + EVERY_MS;
    const reports = await select<{ due_at: Date }>(app, 'SELECT due_at FROM doctor_reports');
    expect(reports).toEqual([{ due_at: new Date(due) }]);
  });
});
