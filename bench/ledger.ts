/**
 * `npm run bench:ledger`: how many payments a second are settled and booked, and how long a balance
 * takes. Needs a PostgreSQL server (`TEST_DATABASE_URL`, or `DATABASE_URL`), on which it makes a
 * database of its own and drops it. Ends with 1 when a goal is missed.
 *
 * One merchant and a hundred take turns at being paid, so that what else the machine does strikes
 * them alike: payments of one merchant must not wait for each other. Then one merchant has had a
 * million transfers, and its balance is read, while nothing happens and while payments arrive.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { BenchLedger, type Pending } from './ledger-setup.js';

/** Settlements of one merchant per second, against those of a hundred. */
const GOAL_RATIO = 0.8;
const GOAL_PER_SECOND = 200;
const GOAL_P95_MS = 20;

const MERCHANTS = 100;
const AT_ONCE = 16;
const ROUNDS = 9;
const ROUND_PAYMENTS = 800;
const TRANSFERS = 1_000_000;
const READS = 200;
/** Payments that arrive at the same moment while the balance is read. */
const ARRIVING = 4;
const ARRIVING_PAYMENTS = 4_000;
const CHECKPOINT_EVERY_MS = 1_000;
const BENCH_LIMIT_MS = 600_000;

const seconds = (start: number): number => (performance.now() - start) / 1_000;

const at = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))]!;

let missed = 0;

function line(what: string, figures: string, goal?: { text: string; isMet: boolean }): void {
  if (goal && !goal.isMet) missed++;
  const verdict = goal ? `${goal.isMet ? 'met' : 'MISSED'}: ${goal.text}` : '';
  console.log(`  ${what.padEnd(44)}${figures.padEnd(30)}${verdict}`.trimEnd());
}

/** Settles all of them, so many at once. @returns settlements per second */
async function settle(ledger: BenchLedger, pending: Pending[], atOnce: number): Promise<number> {
  const start = performance.now();
  const count = pending.length;
  const worker = async (): Promise<void> => {
    for (let next = pending.pop(); next; next = pending.pop()) await ledger.settle(next);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return count / seconds(start);
}

async function compare(ledger: BenchLedger) {
  const [single, ...many] = await ledger.merchants(MERCHANTS + 1);
  const rates: { one: number[]; hundred: number[] } = { one: [], hundred: [] };
  for (let round = 0; round <= ROUNDS; round++) {
    const turns = round % 2 ? (['one', 'hundred'] as const) : (['hundred', 'one'] as const);
    for (const turn of turns) {
      const whose = turn === 'one' ? [single!] : many;
      const rate = await settle(ledger, await ledger.pending(whose, ROUND_PAYMENTS), AT_ONCE);
      // The first round only warms up.
      if (round > 0) rates[turn].push(rate);
    }
  }
  return { one: at(rates.one, 0.5), hundred: at(rates.hundred, 0.5) };
}

/** Milliseconds of each read. */
async function read(ledger: BenchLedger, merchantId: string): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < READS; n++) {
    const start = performance.now();
    await ledger.balances(merchantId);
    times.push(performance.now() - start);
  }
  return times;
}

/** The same while payments arrive and the checkpoints go on. */
async function readWhilePaid(ledger: BenchLedger, merchantId: string) {
  const pending = await ledger.pending([merchantId], ARRIVING_PAYMENTS);
  const checkpoints = setInterval(() => void ledger.checkpoint(), CHECKPOINT_EVERY_MS);
  const arriving = settle(ledger, pending, ARRIVING);
  // Payments before the first read, so that there is something fresh to count.
  await sleep(CHECKPOINT_EVERY_MS);
  const times = await read(ledger, merchantId);
  const left = pending.splice(0).length;
  await arriving;
  clearInterval(checkpoints);
  if (left === 0) throw new Error('the payments did not last');
  return { times, arrived: ARRIVING_PAYMENTS - left };
}

function reportReads(what: string, times: readonly number[]): void {
  const [p50, p95] = [at(times, 0.5), at(times, 0.95)];
  line(what, `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`, {
    text: `p95 ≤ ${GOAL_P95_MS} ms`,
    isMet: p95 <= GOAL_P95_MS,
  });
}

async function measure(stack: AsyncDisposableStack): Promise<void> {
  const ledger = await BenchLedger.start(stack, AT_ONCE);
  const { one, hundred } = await compare(ledger);
  console.log(`\n  ${ROUNDS} rounds of ${ROUND_PAYMENTS} payments, ${AT_ONCE} at once; medians\n`);
  line(`settled for ${MERCHANTS} merchants`, `${hundred.toFixed(0)}/s`);
  line('settled for one merchant', `${one.toFixed(0)}/s`, {
    text: `≥ ${GOAL_PER_SECOND}/s`,
    isMet: one >= GOAL_PER_SECOND,
  });
  line('one against a hundred', (one / hundred).toFixed(2), {
    text: `ratio ≥ ${GOAL_RATIO}`,
    isMet: one >= GOAL_RATIO * hundred,
  });

  const [rich] = await ledger.merchants(1);
  await ledger.transfers(rich!, TRANSFERS);
  const start = performance.now();
  await ledger.checkpoint();
  line(
    `checkpoints of ${TRANSFERS.toLocaleString('en')} transfers`,
    `${seconds(start).toFixed(0)} s`,
  );
  reportReads('balance', await read(ledger, rich!));
  const { times, arrived } = await readWhilePaid(ledger, rich!);
  reportReads(`balance, while ${arrived} payments arrive`, times);
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
