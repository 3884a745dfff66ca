import { afterEach, describe, expect, it } from '@jest/globals';
import { MatcherService } from '../src/bank/matching/matcher.service.js';
import { OrderFinder } from '../src/bank/matching/order-finder.js';
import { PayoutLines } from '../src/bank/matching/payout-lines.js';
import { bookedLine, collectionAccount, lineOf, told } from './support/bank-lines.js';
import { onPostgres } from './support/database.js';
import { count, select } from './support/facts.js';
import { Program, removeFolder, temporaryFolder } from './support/program.js';
import { openShop } from './support/shop.js';
import { DatabaseUnavailableError } from '../src/database/errors.js';

const DEADLY = 'what no rule can read';
const MINUTE_MS = 60_000;

const { app, shop } = await openShop();
await collectionAccount(app);
const matcher = app.get(MatcherService);
const finder = app.get(OrderFinder);
const around = finder.around.bind(finder);
const payoutLines = app.get(PayoutLines);
const explain = payoutLines.explain.bind(payoutLines);
afterEach(() => {
  finder.around = around;
  payoutLines.explain = explain;
});

const tries = () => count(app, 'bank_line_tries', 'true');

/** A line that pays its order. */
async function payingLine() {
  const order = await shop.order({ amount: 1_000 });
  return bookedLine(app, { amount: 1_000, text: await told(app, shop, order) });
}

/** What the rules do with the deadly line. */
function meeting(what: () => void): void {
  finder.around = (lines) => {
    if (lines.some(({ text }) => text === DEADLY)) what();
    return around(lines);
  };
}

const fail = (error: Error) => () => {
  throw error;
};

describe('a line whose match', () => {
  it('fails waits for a person, and keeps no other waiting', async () => {
    const [before, deadly, behind] = [
      await payingLine(),
      await bookedLine(app, { amount: 1_000, text: DEADLY }),
      await payingLine(),
    ];
    meeting(fail(new Error('no rule can read it')));
    expect(await matcher.matchNew()).toBe(true);
    for (const { id } of [before, behind])
      expect(await lineOf(app, id)).toMatchObject({ state: 'matched' });
    const line = (await lineOf(app, deadly.id))!;
    expect(line).toMatchObject({ state: 'unmatched', reason: 'matching_failed' });
    expect(await tries()).toBe(0);
    // Whoever opens its page does not try again.
    expect((await matcher.suggestionsFor(line)).shown).toEqual([]);
  });

  it('fails because the database is away is looked at again', async () => {
    const { id } = await bookedLine(app, { amount: 1_000, text: DEADLY });
    meeting(fail(new DatabaseUnavailableError(undefined, 'The database is away.')));
    for (let run = 0; run < 3; run++)
      await expect(matcher.matchNew()).rejects.toThrow('The database is away.');
    expect([await lineOf(app, id), await tries()]).toMatchObject([{ lookedAt: null }, 0]);
    finder.around = around;
    await matcher.matchNew();
    expect(await lineOf(app, id)).toMatchObject({ state: 'unmatched', reason: 'no_reference' });
  });

  it('is ended by the database each time waits for a person, and keeps no other waiting', async () => {
    const { id } = await bookedLine(app, { amount: 1_000, text: DEADLY });
    const slow = Object.assign(new Error('canceling statement'), { code: '57014' });
    meeting(fail(new DatabaseUnavailableError(slow)));
    expect(await matcher.matchNew()).toBe(false);
    const other = await payingLine();
    expect(await matcher.matchNew()).toBe(true);
    expect(await lineOf(app, id)).toMatchObject({ reason: 'matching_failed' });
    expect(await lineOf(app, other.id)).toMatchObject({ state: 'matched' });
  });

  it('takes a second of the processor waits for a person', async () => {
    const { id } = await payingLine();
    finder.around = async (lines) => {
      const surroundings = await around(lines);
      return (line) => {
        const start = process.threadCpuUsage().user;
        while (process.threadCpuUsage().user - start < 1_000_000);
        return surroundings(line);
      };
    };
    await matcher.matchNew();
    expect(await lineOf(app, id)).toMatchObject({ state: 'unmatched', reason: 'too_complex' });
  });

  it('was begun twice by processes that are gone waits for a person, a minute later', async () => {
    const { id } = await payingLine();
    // As it is left by a process that is killed.
    const begun = `INSERT INTO bank_line_tries VALUES ($1, 2, $2)`;
    await select(app, begun, [id, app.clock.now()]);
    expect(await matcher.matchNew()).toBe(false);
    expect(await lineOf(app, id)).toMatchObject({ lookedAt: null });
    app.clock.advance(2 * MINUTE_MS);
    expect(await matcher.matchNew()).toBe(true);
    expect(await lineOf(app, id)).toMatchObject({ reason: 'matching_failed' });
  });

  it('fails where money left waits for a person, too', async () => {
    const left = { amount: 1_001, direction: 'out', text: DEADLY } as const;
    const { id } = await bookedLine(app, left);
    payoutLines.explain = fail(new Error('no rule can read it')) as never;
    expect(await matcher.matchNew()).toBe(false);
    expect(await lineOf(app, id)).toMatchObject({ lookedAt: null });
    expect(await matcher.matchNew()).toBe(true);
    expect(await lineOf(app, id)).toMatchObject({ state: 'unmatched', reason: 'matching_failed' });
  });
});

onPostgres(it, 'two processes share the database')(
  'a line that ends the process is set aside after two processes, and the others are matched',
  async () => {
    const folder = temporaryFolder();
    const [one, deadly, other] = [
      await payingLine(),
      await bookedLine(app, { amount: 1_000, text: DEADLY }),
      await payingLine(),
    ];
    const run = async (): Promise<NodeJS.Signals | number | null> => {
      const args = [app.database.url, DEADLY];
      const program = new Program('../test/support/matching-process.js', args, {}, folder);
      const { code, err } = await program.result;
      if (code !== null && code !== 0) throw new Error(err);
      return program.child.signalCode ?? code;
    };
    // Killed with all three, then with the one line alone, and then not any more.
    expect([await run(), await run(), await run()]).toEqual(['SIGKILL', 'SIGKILL', 0]);
    for (const { id } of [one, other])
      expect(await lineOf(app, id)).toMatchObject({ state: 'matched' });
    expect(await lineOf(app, deadly.id)).toMatchObject({ lookedAt: null });
    app.clock.set(new Date(Date.now() + 2 * MINUTE_MS));
    await matcher.matchNew();
    expect(await lineOf(app, deadly.id)).toMatchObject({ reason: 'matching_failed' });
    removeFolder(folder);
  },
  180_000,
);
