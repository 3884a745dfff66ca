/**
 * `npm run test:attacks`: everything that strangers, and one merchant, can hold of what others need,
 * all at once against one service, while another merchant sells. Needs a PostgreSQL server
 * (`TEST_DATABASE_URL`), on which it makes a database of its own and drops it. Nothing leaves this
 * machine. `ATTACK_SECONDS` is how long it lasts (300 when left out), and `ATTACKS` names some of
 * them, separated by commas, to find out which one it is. Ends with 1 when a promise is
 * not kept.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { OrderMetrics, Target } from './attacks.js';
import { type Service, startService } from './service.js';
import { ask, closeAgents, FROM } from './wire.js';

const ATTACK_MS = Number(process.env['ATTACK_SECONDS'] ?? 300) * 1_000;
const QUIET_MS = 30_000;
/** All that was held must be given back by then. */
const RECOVERY_MS = 60_000;
const SALES_PER_SECOND = 5;
const SLOWER_MAX = 3;
/** Below it, three times as slow is nothing that anybody notices. */
const FLOOR_MS = 100;
const MEMORY_MAX_MB = 512;
const MEMORY_GROWTH_MAX = 1.1;

interface Sales {
  readonly p99: { readonly create: number; readonly read: number };
  /** Answers that were not a success, by status. */
  readonly faults: Readonly<Record<string, number>>;
  readonly count: number;
}

const percentile = (all: readonly number[], part: number): number =>
  all.toSorted((a, b) => a - b)[Math.floor((all.length - 1) * part)] ?? 0;

/** A merchant who creates an order and reads it, at a steady pace. */
async function sell(service: Service, key: string, ms: number): Promise<Sales> {
  const times = { create: [] as number[], read: [] as number[] };
  const faults: Record<string, number> = {};
  const timed = async (kind: 'create' | 'read', path: string, body?: string): Promise<string> => {
    const start = performance.now();
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const method = body ? 'POST' : 'GET';
    const reply = await ask(service.url + path, { from: FROM.merchant, method, headers, body });
    times[kind].push(performance.now() - start);
    const good = reply.status === 200 || reply.status === 201;
    const word = `${reply.status}${reply.status >= 500 && !reply.retryAfter ? ' bare' : ''}`;
    if (!good) faults[word] = (faults[word] ?? 0) + 1;
    return good ? (JSON.parse(reply.body) as { txid: string }).txid : '';
  };
  const one = async (): Promise<void> => {
    const txid = await timed('create', '/api/order', '{"amount":4200,"currency":"EUR"' + id());
    if (txid) await timed('read', `/api/order?txid=${txid}`);
  };
  const running: Promise<void>[] = [];
  for (const end = performance.now() + ms; performance.now() < end;) {
    running.push(one());
    await sleep(1_000 / SALES_PER_SECOND);
  }
  await Promise.all(running);
  const p99 = { create: percentile(times.create, 0.99), read: percentile(times.read, 0.99) };
  return { p99, faults, count: times.create.length + times.read.length };
}

let lastId = 0;
const id = (): string => `,"orderMerchantId":"B-${++lastId}"}`;

/** The most memory that the service has until the signal. */
async function watchMemory(service: Service, end: AbortSignal): Promise<number> {
  let most = 0;
  while (!end.aborted) {
    most = Math.max(most, service.memory());
    await sleep(500);
  }
  return most;
}

/** In a thread of their own, so that what is measured is the service and not who attacks it. */
async function attack(service: Service, target: Target) {
  const key = service.demo.merchants[1]!.apiKey;
  const attackers = new Worker(new URL('./attackers.js', import.meta.url), {
    workerData: { target, ms: ATTACK_MS },
  });
  const [sales, memory, [tallies]] = await Promise.all([
    sell(service, key, ATTACK_MS),
    watchMemory(service, AbortSignal.timeout(ATTACK_MS)),
    once(attackers, 'message') as Promise<[ReadonlyMap<string, OrderMetrics>]>,
  ]);
  return { sales, memory, tallies };
}

async function targetOf(service: Service): Promise<Target> {
  const [merchant] = service.demo.merchants;
  const owner = service.demo.users.find(({ email }) => email.startsWith('owner@'));
  const reply = await ask(`${service.url}/api/order`, {
    from: FROM.merchant,
    method: 'POST',
    headers: {
      authorization: `Bearer ${merchant!.apiKey}`,
      'content-type': 'application/json',
    },
    body: '{"amount":4200,"currency":"EUR","orderMerchantId":"A-1"}',
  });
  const { paymentPageUrl } = JSON.parse(reply.body) as { paymentPageUrl: string };
  return {
    url: service.url,
    payPath: new URL(paymentPageUrl).pathname,
    merchantId: merchant!.id,
    key: merchant!.apiKey,
    owner: { email: owner!.email, password: owner!.password },
  };
}

/** What was promised, and whether it held. */
type Promised = readonly [promise: string, seen: string, holds: boolean];

const slower = (name: string, quiet: number, loud: number): Promised => {
  const limit = Math.max(FLOOR_MS, SLOWER_MAX * quiet);
  const seen = `${loud.toFixed(0)} ms (quiet ${quiet.toFixed(0)} ms)`;
  return [`${name}: p99 within ${limit.toFixed(0)} ms`, seen, loud <= limit];
};

const within = (name: string, value: number, limit: number, unit = ''): Promised => [
  `${name}: at most ${limit.toFixed(0)}${unit}`,
  `${value.toFixed(0)}${unit}`,
  value <= limit,
];

async function run(): Promise<boolean> {
  await using stack = new AsyncDisposableStack();
  const service = await startService(stack);
  const target = await targetOf(service);
  const key = service.demo.merchants[1]!.apiKey;
  await sell(service, key, 5_000);
  const quiet = await sell(service, key, QUIET_MS);
  const memoryBefore = service.memory();
  const { sales, memory, tallies } = await attack(service, target);
  closeAgents();
  await sleep(RECOVERY_MS);
  const alive = service.isAlive();
  const metric = (name: string) => (alive ? service.metric(name) : Promise.resolve(NaN));
  const bare = [...tallies.values()].flatMap((tally) => [...tally]).filter(([w]) => /out/.test(w));
  const promises: Promised[] = [
    ['the process lives', String(alive), alive],
    slower('creating', quiet.p99.create, sales.p99.create),
    slower('reading', quiet.p99.read, sales.p99.read),
    [
      `${sales.count} requests of another merchant: all good`,
      JSON.stringify(sales.faults),
      Object.keys(sales.faults).length === 0,
    ],
    ['no 5xx without Retry-After', JSON.stringify(bare), bare.length === 0],
    within('streams left', await metric('payment_orders_payment_page_streams'), 0),
    within('connections left', await metric('payment_orders_http_connections'), 5),
    within(
      'waiting for the database',
      await metric('payment_orders_database_connections_waiting'),
      0,
    ),
    within('most memory', memory, MEMORY_MAX_MB, ' MB'),
    within('memory after it', service.memory(), memoryBefore * MEMORY_GROWTH_MAX, ' MB'),
  ];
  for (const [name, tally] of tallies) console.log(name, Object.fromEntries(tally));
  console.table(promises.map(([promise, seen, holds]) => ({ promise, seen, holds })));
  return promises.every(([, , holds]) => holds);
}

process.exitCode = (await run()) ? 0 : 1;
