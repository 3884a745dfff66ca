/**
 * `npm run bench:download`: what a file of a million orders costs. Needs a PostgreSQL server
 * (`TEST_DATABASE_URL`, or `DATABASE_URL`; else it starts one of its own), on which it makes a database
 * of its own and drops it, and `psql`. Ends with 1 when a goal is missed.
 */
import { type Download, measureDownloads } from './downloads.js';
import { serverUrl } from './server.js';

const GOAL_FIRST_BYTE_MS = 350;
const GOAL_GROWTH_BYTES = 40 * 1_048_576;
const GOAL_RATIO = 1.5;

const ORDERS = Number(process.argv[2] ?? 1_000_000);

const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(0)} MB`;

let missed = 0;

function line(what: string, figure: string, goal?: { text: string; isMet: boolean }): void {
  if (goal && !goal.isMet) missed++;
  const verdict = goal ? `${goal.isMet ? 'met' : 'MISSED'}: ${goal.text}` : '';
  console.log(`  ${what.padEnd(36)}${figure.padEnd(24)}${verdict}`.trimEnd());
}

function report({ preset, firstByteMs, growthBytes, ms, psqlMs, bytes }: Download): void {
  const ratio = ms / psqlMs;
  line(`${preset}: first byte`, `${firstByteMs.toFixed(0)} ms`, {
    text: `<= ${GOAL_FIRST_BYTE_MS} ms`,
    isMet: firstByteMs <= GOAL_FIRST_BYTE_MS,
  });
  line(`${preset}: memory growth, the most`, megabytes(growthBytes), {
    text: `<= ${megabytes(GOAL_GROWTH_BYTES)}`,
    isMet: growthBytes <= GOAL_GROWTH_BYTES,
  });
  line(`${preset}: file, psql`, `${(ms / 1_000).toFixed(2)} s, ${(psqlMs / 1_000).toFixed(2)} s`);
  line(`${preset}: against psql`, ratio.toFixed(2), {
    text: `<= ${GOAL_RATIO}`,
    isMet: ratio <= GOAL_RATIO,
  });
  line(`${preset}: size`, megabytes(bytes));
}

async function measure(stack: AsyncDisposableStack): Promise<void> {
  console.log(`\n  ${ORDERS} orders`);
  for (const each of await measureDownloads(stack, await serverUrl(stack), ORDERS)) report(each);
}

const stack = new AsyncDisposableStack();
await measure(stack).catch((error: unknown) => {
  missed++;
  console.error(error);
});
await stack.disposeAsync();
// The exit code is the result. After a failure, open sockets would keep the process alive.
process.exit(missed > 0 ? 1 : 0);
