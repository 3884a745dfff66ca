/**
 * `npm run bench:deliveries`: what telling merchants costs those who sell, and how long news takes
 * while somebody else's endpoint is dead. Needs a PostgreSQL server (`TEST_DATABASE_URL`, or
 * `DATABASE_URL`), on which it makes databases of its own and drops them. Ends with 1 when a goal is
 * missed.
 *
 * Two services run beside each other, each a web process and a worker: to the quiet one nobody
 * listens; to the busy one, two merchants do. Both have the same past: 3,334 paid orders of the
 * merchant whose endpoint never answers, which makes 10,002 events that wait for it.
 *
 * The goal for orders is held against those of that merchant: they pay for their deliveries being
 * queued behind the others. Orders of the merchant who is told are shown beside them without a goal:
 * three webhooks and a mail each are made, and received, on the same processors.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../test/support/client.js';
import { BenchService, Listener, MailSink, Silence } from './deliveries-setup.js';

/** Orders per second with subscribers, against those without. */
const GOAL_RATIO = 0.9;
const GOAL_P99_MS = 30_000;

/** Created, processing, paid. */
const EVENTS_PER_ORDER = 3;
const PAST_ORDERS = 3_334;
/** Each merchant's buyers order and pay, one after the other; so many are at it at once. */
const BUYERS = 16;
const ROUNDS = 7;
const ROUND_MS = 2_000;
const BACKLOG_ORDERS = 1_000;
const STEADY_PER_SECOND = 20;
const STEADY_MS = 15_000;
/** Everything must have arrived by then. */
const ARRIVAL_LIMIT_MS = 40_000;
const BENCH_LIMIT_MS = 180_000;

async function sell(shop: Client): Promise<void> {
  const { txid } = await shop.order();
  const { status, body } = await shop.pay(txid);
  if (body.status !== 'paid') throw new Error(`not paid: ${status} ${JSON.stringify(body)}`);
}

interface Rush {
  readonly perSecond: number;
  /** Processor time of the web process, in milliseconds. */
  readonly cpuPerOrder: number;
}

/** Buyers who never pause. */
async function rush(service: BenchService, shop: Client): Promise<Rush> {
  const start = performance.now();
  const cpu = service.webCpuMs();
  let sold = 0;
  const buyer = async (): Promise<void> => {
    while (performance.now() - start < ROUND_MS) {
      await sell(shop);
      sold++;
    }
  };
  await Promise.all(Array.from({ length: BUYERS }, buyer));
  return {
    perSecond: sold / ((performance.now() - start) / 1_000),
    cpuPerOrder: (service.webCpuMs() - cpu) / sold,
  };
}

/** The same number of orders each second, however long each takes. */
async function steady(shop: Client): Promise<void> {
  const orders: Promise<void>[] = [];
  for (let n = 0; n < (STEADY_MS / 1_000) * STEADY_PER_SECOND; n++) {
    orders.push(sell(shop));
    await sleep(1_000 / STEADY_PER_SECOND);
  }
  await Promise.all(orders);
}

/** Waits until the listener has heard of every order of its merchant. */
async function untilTold(busy: BenchService, listener: Listener): Promise<void> {
  const [{ paid }] = await busy.query<{ paid: number }>(
    `SELECT count(*)::integer AS paid FROM orders WHERE status = 'paid' AND merchant_id = $1`,
    [busy.shops[1].merchantId],
  );
  const end = Date.now() + ARRIVAL_LIMIT_MS;
  while (listener.heard < paid * EVENTS_PER_ORDER) {
    if (Date.now() > end) throw new Error(`${listener.heard} events arrived for ${paid} orders`);
    await sleep(50);
  }
}

const waitingFor = async (busy: BenchService, shop: Client): Promise<number> => {
  const [{ waiting }] = await busy.query<{ waiting: number }>(
    `SELECT count(*)::integer AS waiting FROM deliveries
       WHERE merchant_id = $1 AND endpoint_id IS NOT NULL AND status = 'pending'`,
    [shop.merchantId],
  );
  return waiting;
};

/**
 * Whose orders are compared: those of a merchant to whom nobody listens with those of the other two.
 * Both services get the same number of turns, so that neither is warmer.
 */
const TURNS = ['nobody', 'dead', 'nobody', 'healthy'] as const;
type Traffic = (typeof TURNS)[number];

/** The traffics in turn, so that what else the machine does strikes them alike. */
async function compare(quiet: BenchService, busy: BenchService, listener: Listener) {
  const shops = { nobody: quiet.shops[0], dead: busy.shops[0], healthy: busy.shops[1] };
  const rushes: Record<Traffic, Rush[]> = { nobody: [], dead: [], healthy: [] };
  for (let round = 0; round <= ROUNDS; round++) {
    for (let turn = 0; turn < TURNS.length; turn++) {
      const traffic = TURNS[(round + turn) % TURNS.length]!;
      const one = await rush(traffic === 'nobody' ? quiet : busy, shops[traffic]);
      // The first round only warms up.
      if (round > 0) rushes[traffic].push(one);
      if (traffic === 'healthy') await untilTold(busy, listener);
    }
  }
  return rushes;
}

/** How fast one worker tells one endpoint, which answers at once, of what has piled up for it. */
async function tellBacklog(stack: AsyncDisposableStack, mailUrl: string): Promise<number> {
  const listener = await Listener.start(stack);
  const service = await BenchService.start(stack, mailUrl);
  const [shop] = service.shops;
  await service.addEndpoint(shop, listener.url);
  await sell(shop);
  await service.copyOrder(shop, BACKLOG_ORDERS - 1);
  await service.startWorker();
  while (listener.heard === 0) await sleep(5);
  const [first, start] = [listener.heard, performance.now()];
  while (listener.heard < BACKLOG_ORDERS * EVENTS_PER_ORDER) await sleep(5);
  return (listener.heard - first) / ((performance.now() - start) / 1_000);
}

const at = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))]!;

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`;

let missed = 0;

function line(what: string, figures: string, goal?: { text: string; isMet: boolean }): void {
  if (goal && !goal.isMet) missed++;
  const verdict = goal ? `${goal.isMet ? 'met' : 'MISSED'}: ${goal.text}` : '';
  console.log(`  ${what.padEnd(44)}${figures.padEnd(42)}${verdict}`.trimEnd());
}

const median = (rushes: readonly Rush[], figure: keyof Rush): number =>
  at(
    rushes.map((one) => one[figure]),
    0.5,
  );

function reportRush(
  title: string,
  rushes: readonly Rush[],
  others: readonly Rush[],
  goal?: number,
): void {
  const rate = median(rushes, 'perSecond');
  const cpu = median(rushes, 'cpuPerOrder');
  const ratio = rate / median(others, 'perSecond');
  const figures = `${rate.toFixed(0)}/s, web CPU ${cpu.toFixed(1)} ms, ratio ${ratio.toFixed(2)}`;
  line(title, figures, goal ? { text: `ratio > ${goal}`, isMet: ratio > goal } : undefined);
}

function reportDelays(title: string, delays: readonly number[]): void {
  const [p50, p99] = [at(delays, 0.5), at(delays, 0.99)];
  line(title, `p50 ${seconds(p50)}, p99 ${seconds(p99)} of ${delays.length}`, {
    text: `p99 < ${seconds(GOAL_P99_MS)}`,
    isMet: p99 < GOAL_P99_MS,
  });
}

async function measure(stack: AsyncDisposableStack): Promise<void> {
  const mails = await MailSink.start(stack);
  const told = await tellBacklog(stack, mails.url);
  const [silence, listener] = await Promise.all([Silence.start(stack), Listener.start(stack)]);
  const quiet = await BenchService.start(stack, mails.url);
  const busy = await BenchService.start(stack, mails.url);
  const [dead, healthy] = busy.shops;
  await busy.addEndpoint(dead, silence.url);
  for (const service of [quiet, busy]) {
    await sell(service.shops[0]);
    await service.copyOrder(service.shops[0], PAST_ORDERS - 1);
  }
  const queued = await waitingFor(busy, dead);
  await busy.addEndpoint(healthy, listener.url);
  await busy.addRecipient(healthy, 'till@shop.example');
  for (const service of [quiet, busy]) await service.startWorker();

  const rushes = await compare(quiet, busy, listener);
  const rushed = listener.takeDelays();
  await steady(healthy);
  await untilTold(busy, listener);

  console.log(`\n  ${ROUNDS} rounds of ${seconds(ROUND_MS)} each, ${BUYERS} buyers; medians\n`);
  reportRush('orders of a merchant without subscribers', rushes.nobody, rushes.nobody);
  reportRush('orders for the dead endpoint', rushes.dead, rushes.nobody, GOAL_RATIO);
  reportRush('orders of the merchant who is told', rushes.healthy, rushes.nobody);
  reportDelays('event to endpoint, orders as above', rushed);
  reportDelays(`event to endpoint, ${STEADY_PER_SECOND} orders/s`, listener.takeDelays());
  line('one endpoint, one worker, from a backlog', `${told.toFixed(0)}/s`);
  const left = await waitingFor(busy, dead);
  line('events for the dead endpoint', `${queued} at first, ${left} now`);
  line('attempts there, mails', `${silence.count}, ${mails.count}`);
}

const stack = new AsyncDisposableStack();
const limit = sleep(BENCH_LIMIT_MS, undefined, { ref: false }).then(() => {
  throw new Error('the bench takes too long');
});
await Promise.race([measure(stack), limit]).catch((error: unknown) => {
  missed++;
  console.error(error);
});
await stack.disposeAsync();
// The exit code is the result. After a failure, open sockets would keep the process alive.
process.exit(missed > 0 ? 1 : 0);
