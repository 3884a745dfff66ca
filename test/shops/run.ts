/**
 * `npm run test:shops`: a real Vendure shop (`examples/vendure`) sells through the real service, each with a
 * PostgreSQL database of its own on `TEST_DATABASE_URL` (this machine's when left out). Prints a line
 * for each story, and ends with 1 when one is not as it should be. `STORIES` names some of them by a
 * part of their lines.
 */
import { existsSync } from 'node:fs';

const database = (process.env['TEST_DATABASE_URL'] ??=
  'postgres://postgres:postgres@127.0.0.1:5432/postgres');
const { CHROMIUM_PATH } = await import('../support/browser.js');
const { connect } = await import('../support/database.js');
const { buildExample, startWorld } = await import('./world.js');
const { CUSTOMERS } = await import('./customers.js');
const { OUTAGES } = await import('./outages.js');

const STORIES = [...CUSTOMERS, ...OUTAGES];

const wanted = process.env['STORIES'] ?? '';

/** @returns what of this machine is missing, in a sentence */
async function lack(): Promise<string | undefined> {
  if (!existsSync(CHROMIUM_PATH))
    return `Chromium is needed and not at ${CHROMIUM_PATH}: set CHROMIUM_PATH.`;
  try {
    await (await connect(database)).end();
    return undefined;
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return `PostgreSQL is needed: set TEST_DATABASE_URL=postgres://… (${message || code}).`;
  }
}

async function tellAll(): Promise<number> {
  const missing = await lack();
  if (missing) {
    console.error(missing);
    return 1;
  }
  await using stack = new AsyncDisposableStack();
  await buildExample();
  const world = await startWorld(stack);
  let failed = 0;
  for (const [name, tell] of STORIES.filter(([line]) => line.includes(wanted))) {
    const start = performance.now();
    try {
      await tell(world);
      console.log(`ok    ${name} (${((performance.now() - start) / 1_000).toFixed(1)} s)`);
    } catch (error) {
      failed++;
      world.line.behaviour = 'works';
      console.log(`FAIL  ${name}\n${String((error as Error).stack)}`);
    }
  }
  if (failed > 0) console.log(`${await world.shop.kill()}\n${failed} failed`);
  return failed;
}

const failed = await tellAll();
process.exit(failed > 0 ? 1 : 0);
