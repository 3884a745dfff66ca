import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MatcherService } from '../src/bank/matching/matcher.service.js';
import { DatabaseModule } from '../src/database/database.module.js';
import { brokenIn, Doctor } from '../src/database/doctor/doctor.js';
import { Sweeper } from '../src/payments/sweeper.js';
import { TestApp } from './support/app.js';
import { connect, onPostgres } from './support/database.js';
import { DriverFaults, type Fault, FAULTS, type Use } from './support/driver-faults.js';
import { count } from './support/facts.js';
import { PAYS } from './support/payouts.js';
import { visitsOfApi } from './support/visits-of-api.js';
import { visitsOfBank } from './support/visits-of-bank.js';
import { type Jobs, jobsOf } from './support/visits-of-jobs.js';
import { visitsOfPortal } from './support/visits-of-portal.js';
import { type Asked, type Visits, World } from './support/visits.js';
import { UnavailableError } from '../src/overload/errors.js';

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly ms: number;
  /** The connection ended before the answer did. */
  readonly isCutOff: boolean;
}

/** Longest time to an answer, whatever fails; in milliseconds. */
const LIMIT_MS = 10_000;
/** Longest time of a job, which may find the work of many orders; in milliseconds. */
const JOB_LIMIT_MS = 60_000;
/** No code of an authenticator app lasts so long, in milliseconds. */
const BETWEEN_MS = 31_000;
/** What is remembered of an API key is forgotten by then, in milliseconds. */
const CACHED_MS = 6_000;
/** Faults of each method; with as many as there are, each method fails in every way. */
const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 1);
/** Tries until what a visit needs is there. */
const PREPARED_IN_MAX = 5;
/** Between these tries the pool hears which of its connections have ended, in milliseconds. */
const BETWEEN_TRIES_MS = 100;
/** What a request leaves to be done is done by then, in milliseconds. */
const AFTERWARDS_MS = 1_500;

const FRAMEWORK = 'called by the framework at the start and the end';
const FAILURE = 'called after something has failed, and so in the trials themselves';
const TIME = 'called for what is long under way';
const CROWD = 'called for accounts with thousands of statements in a few days';

/** What no visit and no job of the tour calls, and why. */
const NOT_CALLED: Readonly<Record<string, string>> = {
  'Database.batcher': 'called when the repositories are made',
  'DatabaseCopy.beforeApplicationShutdown': FRAMEWORK,
  'DatabaseCopy.onApplicationShutdown': FRAMEWORK,
  'DatabaseCopy.closeAll': FRAMEWORK,
  'JobScheduler.register': FRAMEWORK,
  'JobScheduler.onApplicationBootstrap': FRAMEWORK,
  'JobScheduler.beforeApplicationShutdown': FRAMEWORK,
  'JobScheduler.onDue': FRAMEWORK,
  'JobScheduler.poll': FRAMEWORK,
  'JobScheduler.runAll': FRAMEWORK,
  'JobRepository.due': FRAMEWORK,
  'JobScheduler.start': FRAMEWORK,
  'JobScheduler.run': FRAMEWORK,
  'JobRepository.insert': FRAMEWORK,
  'JobRepository.claim': FRAMEWORK,
  'TableStatistics.onModuleInit': FRAMEWORK,
  'WorkerEligibility.onApplicationBootstrap': FRAMEWORK,
  'WorkerEligibility.beforeApplicationShutdown': FRAMEWORK,
  'WorkerEligibility.rest': FRAMEWORK,
  'Database.dropIdle': FAILURE,
  'DoctorReportRepository.release': FAILURE,
  'ExportRepository.release': FAILURE,
  'ExportRepository.progress': TIME,
  'PossibleDuplicateRepository.crowded': CROWD,
};

/** Methods of which the doors consist. */
const INSIDES = new Set(['Database.retried', 'Database.connected']);

const faultsOf = (visit: string, use: Use): Fault[] =>
  FAULTS.filter((fault) => {
    if (fault === 'pool') return use.connects;
    return fault !== 'commit' || (use.commits && !FILE.test(routeOf(visit)));
  });

interface Trial {
  readonly visit: string;
  readonly method: string;
  readonly fault: Fault;
}

/** A file is read in a transaction that ends behind the answer, and that changes nothing. */
const FILE = /\.csv$/;

/** Its message is kept when it is answered, and applied afterwards. */
const CALLBACK = 'POST /provider-callback/:provider/:account';
const KEPT_BY = 'ProviderEventRepository.store';

/** Some others the visits break themselves. */
const BANK_FACTS = /^(?:bank-line|bank-statement|transfer-|order-charged-back|payout-bank-line)/;

/** The file and its lines are stored, and its lines look for their orders, again when that fails. */
const IMPORT = 'POST /portal/platform/bank/:mode/uploads/:id/import';
const AGAIN =
  /^(?:(?:BankFile|BankFileTry|BankLineTry|LineStore|Matching|PaidLine|PossibleDuplicate)Repository)\./;

/** Looks for the orders of lines when it is stored what they are; a job goes on with it. */
const TOLD_APART = /^POST \/portal\/platform\/bank\/:mode\/lines\/:id\/(?:another|same\/undo)$/;
const MATCHED_LATER = /^(?:BankLineTry|Matching|PaidLine)Repository\./;

const OTHER_COMPANY = 'the sandbox bank is another company: its silence leaves the outcome unknown';
const NUMBERS = 'the metrics lack the number, and tell the others';
const LATER = 'no request waits for it';
const MINUTE_LATER = 'the job runs a minute later';

/** What may fail while its caller gets what he came for, and why. */
const WAITED_FOR_BY_NOBODY: Readonly<Record<string, string>> = {
  'ApiKeyRepository.touch': LATER,
  'ApiKeyRepository.countCalls': LATER,
  'PageOpeningRepository.insert': LATER,
  'SandboxRefundRepository.find': OTHER_COMPANY,
  'SandboxRefundRepository.open': OTHER_COMPANY,
  'SandboxRepository.find': OTHER_COMPANY,
  'SandboxRepository.open': OTHER_COMPANY,
  'SandboxRepository.void': OTHER_COMPANY,
  'DeliveryRepository.backlog': NUMBERS,
  'DoctorReportRepository.last': NUMBERS,
  'JobScheduler.overdue': NUMBERS,
  'JobScheduler.wake': MINUTE_LATER,
  'JobRepository.wake': MINUTE_LATER,
  'WebhookEndpointRepository.failing': NUMBERS,
};

/** What a visit does only now and then, and when. */
const SELDOM: Readonly<Record<string, string>> = {
  'ApiKeyRepository.touch': 'once a minute',
  'ApiKeyRepository.countCalls': 'some seconds after the call',
  'MerchantRepository.findAccount': 'when nobody remembers the account',
  'ProviderEventRepository.isAfterMoney': 'when both came in the same moment',
  'LedgerRepository.cover': 'while something is not covered yet',
};

interface Type {
  readonly name: string;
  readonly prototype: object;
}

/** Not the tables that some of them work on. */
const TYPES = (Reflect.getMetadata('providers', DatabaseModule) as readonly unknown[]).filter(
  (provider): provider is Type => typeof provider === 'function',
);

const methodsOf = (type: Type): string[] =>
  Object.entries(Object.getOwnPropertyDescriptors(type.prototype))
    .filter(([name, { value }]) => name !== 'constructor' && typeof value === 'function')
    .map(([name]) => `${type.name}.${name}`);

/** Answers without the numbers that the database does not give, whichever statement it is. */
const METRICS = 'GET /metrics';

/** Visits whose answer is a refusal. */
const REFUSED = / # .*(a conflict|wrong)/;

const routeOf = (visit: string): string => visit.split(' # ')[0]!;

describe('a database that fails', () => {
  const faults = new DriverFaults(TYPES);
  const mails = mkdtempSync(path.join(os.tmpdir(), 'orders-test-'));
  const statements = mkdtempSync(path.join(os.tmpdir(), 'orders-test-'));
  let app: TestApp;
  let world: World;
  let visits: Visits;
  let jobs: Jobs;
  /** What each visit uses when nothing fails, and the status of its answer. */
  const normal = new Map<string, ReadonlyMap<string, Use>>();
  const statuses = new Map<string, number>();

  beforeAll(async () => {
    app = await TestApp.start({
      env: {
        ...PAYS,
        WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
        MAIL_FOLDER: mails,
        STATEMENT_FOLDER: statements,
        STATEMENT_FOLDER_MODE: 'test',
        LOG_LEVEL: 'fatal',
      },
    });
    faults.followRequests(app.nest.getHttpServer());
    world = await World.create(app);
    visits = { ...visitsOfApi(world), ...visitsOfPortal(world), ...visitsOfBank(world) };
    jobs = jobsOf(world, visits);
  });
  afterAll(async () => {
    world?.close();
    await app?.stop();
    faults.restore();
    for (const folder of [mails, statements]) rmSync(folder, { recursive: true, force: true });
  });

  async function send(visit: string, asked: Asked): Promise<Answer> {
    const start = performance.now();
    const end = new AbortController();
    const limit = setTimeout(() => end.abort(), LIMIT_MS);
    const { method, path: where, body } = asked;
    const headers = { ...asked.headers, 'x-visit': encodeURIComponent(visit) };
    const init = { method, headers, redirect: 'manual', signal: end.signal } as const;
    const response = await fetch(app.url + where, { ...init, ...(body ? { body } : {}) });
    const reading = asked.isStream ? firstOf(response) : response.text();
    const text = await reading.catch(() => null);
    if (asked.isStream) end.abort();
    clearTimeout(limit);
    return {
      status: response.status,
      headers: response.headers,
      text: text ?? '',
      ms: performance.now() - start,
      isCutOff: text === null,
    };
  }

  async function firstOf(response: Response): Promise<string> {
    const { value } = await response.body!.getReader().read();
    return new TextDecoder().decode(value);
  }

  it('answers every route while nothing fails', async () => {
    const problems: string[] = [];
    for (const [visit, make] of Object.entries(visits)) {
      app.clock.advance(BETWEEN_MS);
      try {
        const { status, text } = await send(visit, await make());
        statuses.set(visit, status);
        const isRefused = status >= 400 && status < 500;
        const isExpected = REFUSED.test(visit) ? isRefused : status < 400;
        if (!isExpected) problems.push(`${visit}: ${status} ${text.slice(-700)}`);
      } catch (error) {
        problems.push(`${visit}: ${(error as Error).stack}`);
      }
    }
    const routes = app.routes.list().filter((route) => !route.includes(' /api/v1/'));
    const visited = new Set(Object.keys(visits).map(routeOf));
    expect(problems).toEqual([]);
    expect(routes.filter((route) => !visited.has(route))).toEqual([]);
    expect([...visited].filter((route) => !routes.includes(route))).toEqual([]);
  }, 300_000);

  it('does every job while nothing fails', async () => {
    const problems: string[] = [];
    for (const [name, { prepare, run }] of Object.entries(jobs)) {
      try {
        await prepare();
        await faults.within(name, run);
      } catch (error) {
        problems.push(`${name}: ${(error as Error).stack}`);
      }
    }
    await sleep(AFTERWARDS_MS);
    for (const [visit, uses] of faults.uses) normal.set(visit, structuredClone(uses));
    expect(problems).toEqual([]);
    const methods = TYPES.flatMap(methodsOf);
    const used = new Set([...faults.uses.values()].flatMap((uses) => [...uses.keys()]));
    const unused = methods.filter((method) => !used.has(method) && !(method in NOT_CALLED));
    expect(unused).toEqual([]);
    expect(Object.keys(NOT_CALLED).filter((method) => used.has(method))).toEqual([]);
  }, 300_000);

  /** What is to be tried: every method, under its visits and with the faults in turn. */
  function trials(names: readonly string[]): Trial[] {
    const users = new Map<string, { visit: string; use: Use }[]>();
    for (const visit of names) {
      for (const [method, use] of normal.get(visit) ?? []) {
        const isTried = use.statements > 0 && !INSIDES.has(method);
        if (isTried) users.set(method, [...(users.get(method) ?? []), { visit, use }]);
      }
    }
    return [...users].flatMap(([method, usedBy], at) => {
      // From the first visit that uses it to the last, and each time another fault.
      const step = Math.max(1, usedBy.length / ROUNDS);
      return Array.from({ length: ROUNDS }, (_, n) => {
        const { visit, use } = usedBy[Math.floor(n * step) % usedBy.length]!;
        const possible = faultsOf(visit, use);
        return { visit, method, fault: possible[(at + n) % possible.length]! };
      });
    });
  }

  /** Null when it went as it should. */
  async function tried(trial: Trial): Promise<string | null> {
    const { visit, method, fault } = trial;
    app.clock.advance(BETWEEN_MS);
    // What the last trial kept from being applied is not left until people have to look at it.
    await prepared(() => app.get(Sweeper).run());
    const asked = await prepared(visits[visit]!);
    app.clock.advance(CACHED_MS);
    faults.arm(trial);
    const answer = await send(visit, asked).catch((error: unknown) => String(error));
    const firedBefore = faults.hasFired;
    const hasFired = firedBefore || (await firesLater());
    faults.disarm();
    const name = `${visit} | ${method} | ${fault}`;
    if (typeof answer === 'string') return `${name}: ${answer}`;
    if (!hasFired && method in SELDOM) return null;
    if (!hasFired) return `${name}: did not happen, ${answer.status}`;
    const wrong = firedBefore ? wrongIn(trial, answer) : wrongAfterwards(visit, answer);
    return wrong === null ? null : `${name}: ${wrong} ${answer.text.slice(0, 300)}`;
  }

  /** What earlier trials have broken may be found out only now, one connection after the other. */
  async function prepared<T>(prepare: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await prepare();
      } catch (error) {
        if (attempt === PREPARED_IN_MAX) throw error;
        await sleep(BETWEEN_TRIES_MS);
      }
    }
  }

  async function firesLater(): Promise<boolean> {
    for (let ms = 0; ms < AFTERWARDS_MS && !faults.hasFired; ms += 50) await sleep(50);
    return faults.hasFired;
  }

  function wrongIn({ visit, method, fault }: Trial, answer: Answer): string | null {
    if (answer.ms > LIMIT_MS) return 'too late';
    if (answer.isCutOff) return 'cut off';
    const isNormal = answer.status === statuses.get(visit);
    if (isNormal && fault === 'fatal') return null;
    if (isNormal && routeOf(visit) === CALLBACK && method !== KEPT_BY) return null;
    if (isNormal && routeOf(visit) === IMPORT && AGAIN.test(method)) return null;
    if (isNormal && TOLD_APART.test(routeOf(visit)) && MATCHED_LATER.test(method)) return null;
    if (answer.status < 500 && method in WAITED_FOR_BY_NOBODY) return null;
    if (isNormal && routeOf(visit) === METRICS) return null;
    if (answer.status !== 503) return `${answer.status}`;
    if (!(Number(answer.headers.get('retry-after')) > 0)) return 'no Retry-After';
    const type = answer.headers.get('content-type') ?? '';
    if (type.startsWith('text/html')) return null;
    if (!type.startsWith('application/problem+json')) return type;
    return JSON.parse(answer.text).code === 'unavailable' ? null : 'another code';
  }

  const wrongAfterwards = (visit: string, { status }: Answer): string | null =>
    status === statuses.get(visit) ? null : `${status} before anything failed`;

  it('answers 503 in time, whatever fails under whatever route', async () => {
    const wrong: string[] = [];
    const all = trials(Object.keys(visits));
    for (const trial of all) {
      // What the first try used up may have kept the fault from happening.
      const first = await tried(trial);
      const flaw = first?.includes('did not happen') ? await tried(trial) : first;
      if (flaw !== null) wrong.push(flaw);
    }
    expect(wrong).toEqual([]);
  }, 900_000);

  it('leaves a service that works', async () => {
    const wrong: string[] = [];
    for (const [visit, make] of Object.entries(visits)) {
      app.clock.advance(BETWEEN_MS);
      const { status } = await send(visit, await make());
      if (status !== statuses.get(visit)) wrong.push(`${visit}: ${status}`);
    }
    expect(wrong).toEqual([]);
  }, 300_000);

  it('ends no job otherwise than as unavailable', async () => {
    const wrong: string[] = [];
    for (const trial of trials(Object.keys(jobs))) {
      const { visit, method, fault } = trial;
      const { prepare, run } = jobs[visit]!;
      app.clock.advance(BETWEEN_MS);
      try {
        await prepared(prepare);
        faults.arm(trial);
        await Promise.race([
          faults.within(visit, run),
          sleep(JOB_LIMIT_MS).then(() => {
            throw new Error('too late');
          }),
        ]);
      } catch (error) {
        const isKnown = error instanceof UnavailableError;
        if (!isKnown) wrong.push(`${visit} | ${method} | ${fault}: ${(error as Error).stack}`);
      }
      await firesLater();
      faults.disarm();
    }
    expect(wrong).toEqual([]);
  }, 900_000);

  it('has lost no line of a bank, and counted none twice', async () => {
    await app.get(MatcherService).matchNew();
    expect(await count(app, 'bank_lines', 'looked_at IS NULL')).toBe(0);
    const broken = brokenIn(await app.get(Doctor).examine({ overdue: false }));
    const ofBank = broken.filter(({ fact }) => BANK_FACTS.test(fact.name));
    expect(ofBank.map(({ fact, violations }) => [fact.name, violations])).toEqual([]);
  });
});

const suite = onPostgres(describe, 'the embedded database has one session');

suite('a conflict while another session holds the key', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.start({ env: { LOG_LEVEL: 'fatal' } });
  });
  afterAll(() => app.stop());

  it('is answered with 503 when it cannot be remembered, and as a conflict afterwards', async () => {
    const shop = await app.merchant();
    const order = await shop.order();
    const other = { orderMerchantId: order.orderMerchantId, amount: 1, currency: 'EUR' };
    const key = { 'idempotency-key': 'held' };
    const holder = await connect(app.database.url);
    await holder.query('BEGIN');
    await holder.query(
      `INSERT INTO idempotency_records (merchant_id, mode, route, key, content_hash, txid, created_at)
         VALUES ($1, 'test', 'POST /api/order', 'held', '', $2, now())`,
      [shop.merchantId, order.txid],
    );
    const refused = await shop.create(other, key);
    expect([refused.status, refused.headers.has('retry-after')]).toEqual([503, true]);
    await holder.end();
    expect((await shop.create(other, key)).status).toBe(409);
    expect((await shop.create(other, key)).headers.get('idempotent-replayed')).toBe('true');
  });
});
