import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { forRequest, isForRequest, RequestContext } from './request-context.js';
import {
  CALLER_MS,
  UNDER_WAY_MAX,
  Batcher,
  SLOW_MS,
  SWEEP_MS,
  TIMEOUT_MS,
  TOGETHER_MAX,
  WAITING_MAX,
} from './batcher.js';
import { OverloadedError } from './errors.js';

/** Statements that end when the test says so. */
class Server {
  readonly sent: (readonly string[])[] = [];
  readonly areOfRequests: boolean[] = [];
  private readonly open: PromiseWithResolvers<readonly string[]>[] = [];

  readonly send = (keys: readonly string[]): Promise<readonly string[]> => {
    const statement = Promise.withResolvers<readonly string[]>();
    this.sent.push(keys);
    this.areOfRequests.push(isForRequest());
    this.open.push(statement);
    return statement.promise;
  };

  /** Answers the statement that was sent as the nth. */
  answer(n: number): Promise<void> {
    this.open[n]!.resolve(this.sent[n]!.map((key) => `row of ${key}`));
    return settled();
  }

  fail(n: number, error: unknown): Promise<void> {
    this.open[n]!.reject(error);
    return settled();
  }
}

/** Lets everything happen that waits for no timer. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

/** What becomes of it is of no interest to the test. */
function forget(promise: Promise<unknown>): void {
  promise.catch(() => undefined);
}

describe(Batcher.name, () => {
  let server: Server;
  let batcher: Batcher<string, string>;

  beforeEach(() => {
    jest.useFakeTimers();
    server = new Server();
    batcher = new Batcher(server.send);
  });
  afterEach(() => void jest.useRealTimers());

  const askAll = (keys: readonly string[]): Promise<PromiseSettledResult<string>[]> =>
    Promise.allSettled(keys.map((key) => batcher.ask(key)));

  const endTurn = (): void => jest.advanceTimersByTime(0);

  /** For a request of one holder. */
  function askFor(whose: string, keys: readonly string[], ms = 10_000) {
    const deadline = new RequestContext(ms, whose);
    deadline.isUnauthenticated = false;
    return forRequest(() => askAll(keys), deadline);
  }

  const names = (prefix: string, count: number): string[] =>
    Array.from({ length: count }, (_, n) => `${prefix}${n}`);

  /** A statement that runs, so that others wait. */
  function occupy(): void {
    forget(batcher.ask('first'));
    endTurn();
  }

  it('sends the calls of one turn of the event loop together, and gives each its own row', async () => {
    const all = askAll(['a', 'b']);
    const other = batcher.ask('c');
    expect(server.sent).toEqual([]);
    endTurn();
    expect(server.sent).toEqual([['a', 'b', 'c']]);
    await server.answer(0);
    const rows = (await all).map((each) => each.status === 'fulfilled' && each.value);
    expect(rows).toEqual(['row of a', 'row of b']);
    expect(await other).toBe('row of c');
    forget(batcher.ask('d'));
    endTurn();
    expect(server.sent.at(-1)).toEqual(['d']);
  });

  it('sends calls that arrive during a statement with the next one', async () => {
    occupy();
    const rest = askAll(['b', 'c', 'd']);
    endTurn();
    expect(server.sent).toEqual([['first']]);
    await server.answer(0);
    expect(server.sent.slice(1)).toEqual([['b', 'c', 'd']]);
    // This statement began before: what came after it may not be in it.
    const late = batcher.ask('e');
    await server.answer(1);
    expect(server.sent.at(-1)).toEqual(['e']);
    await server.answer(2);
    expect((await rest).every(({ status }) => status === 'fulfilled')).toBe(true);
    expect(await late).toBe('row of e');
    expect(batcher.waiting).toBe(0);
  });

  it('takes so many together, and by turns of their holders', async () => {
    occupy();
    forget(askFor('crowd', names('crowd', 2 * TOGETHER_MAX)));
    forget(askFor('one', ['one']));
    forget(askFor('other', ['other0', 'other1']));
    await server.answer(0);
    const next = server.sent.at(-1)!;
    expect(next).toHaveLength(TOGETHER_MAX);
    expect(next.slice(0, 6)).toEqual(['crowd0', 'one', 'other0', 'crowd1', 'other1', 'crowd2']);
  });

  it('runs outside the requests that it is for', async () => {
    forget(askFor('one', ['a']));
    endTurn();
    expect(server.areOfRequests).toEqual([false]);
  });

  it('has no room for a holder who fills the line, and has some for others', async () => {
    occupy();
    const half = WAITING_MAX / 2;
    const crowd = askFor('crowd', names('crowd', half + 1));
    forget(askFor('others', names('other', half)));
    const third = askFor('third', ['third']);
    expect(batcher.waiting).toBe(WAITING_MAX);
    expect(batcher.refused).toBe(2);
    for (let n = 0; n < server.sent.length; n++) await server.answer(n);
    const refused = (await crowd).filter(({ status }) => status === 'rejected');
    expect(refused).toEqual([
      { status: 'rejected', reason: expect.any(OverloadedError) },
      { status: 'rejected', reason: expect.any(OverloadedError) },
    ]);
    expect((await third)[0]!.status).toBe('fulfilled');
  });

  /** Until the times are checked next. */
  const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms + SWEEP_MS);

  it('rejects a call that has waited for too long', async () => {
    occupy();
    // Slow statements have others beside them, up to a number.
    for (let n = 1; n < UNDER_WAY_MAX; n++) {
      forget(batcher.ask(`beside${n}`));
      await pass(SLOW_MS);
    }
    const late = askFor('one', ['late']);
    expect(server.sent).toHaveLength(UNDER_WAY_MAX);
    await pass(TIMEOUT_MS);
    expect(await late).toEqual([{ status: 'rejected', reason: expect.any(OverloadedError) }]);
    expect([batcher.waiting, server.sent.length]).toEqual([0, UNDER_WAY_MAX]);
  });

  it('starts the next statement beside a slow one', async () => {
    occupy();
    const next = batcher.ask('next');
    await jest.advanceTimersByTimeAsync(SLOW_MS - 1);
    expect(server.sent).toHaveLength(1);
    await pass(1);
    expect(server.sent.at(-1)).toEqual(['next']);
    await server.answer(1);
    expect(await next).toBe('row of next');
    // Once both have ended, it is as before.
    await server.answer(0);
    occupy();
    forget(batcher.ask('again'));
    endTurn();
    expect([server.sent.length, batcher.waiting]).toEqual([3, 1]);
  });

  it('has no timer once everything is answered', async () => {
    occupy();
    await server.answer(0);
    await pass(SWEEP_MS);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('rejects a call whose request’s deadline has passed, and no other one', async () => {
    occupy();
    const short = askFor('one', ['short'], 50);
    const long = askFor('one', ['long']);
    await server.answer(0);
    expect(server.sent.at(-1)).toEqual(['short', 'long']);
    await pass(50);
    expect(await short).toEqual([{ status: 'rejected', reason: expect.any(OverloadedError) }]);
    await server.answer(1);
    expect(await long).toEqual([{ status: 'fulfilled', value: 'row of long' }]);
  });

  it('rejects a request whose statement does not return, and no background work', async () => {
    const answered = jest.fn();
    const request = askFor('one', ['a']);
    forget(batcher.ask('background').finally(answered));
    await pass(CALLER_MS);
    expect(await request).toEqual([{ status: 'rejected', reason: expect.any(OverloadedError) }]);
    expect(answered).not.toHaveBeenCalled();
  });

  it('rejects each call when the database is unavailable', async () => {
    occupy();
    const rest = askAll(['b', 'c']);
    await server.answer(0);
    const gone = new OverloadedError('gone');
    await server.fail(1, gone);
    expect(await rest).toEqual([
      { status: 'rejected', reason: gone },
      { status: 'rejected', reason: gone },
    ]);
    expect(server.sent).toHaveLength(2);
  });

  /** Answers every statement there is and will be, but those with a bad row. */
  async function answerAll(isBad: (key: string) => boolean, from: number): Promise<void> {
    for (let n = from; n < server.sent.length; n++) {
      await (server.sent[n]!.some(isBad)
        ? server.fail(n, new Error('a row is wrong'))
        : server.answer(n));
    }
  }

  it('looks by halves for the row whose fault an error may be', async () => {
    occupy();
    const rest = askAll(['good', 'bad', 'fine']);
    await server.answer(0);
    await server.fail(1, new Error('a row is wrong'));
    await server.fail(2, new Error('a row is wrong'));
    await server.answer(3);
    await server.answer(4);
    await server.fail(5, new Error('this row is wrong'));
    expect(server.sent.slice(2)).toEqual([['good', 'bad'], ['fine'], ['good'], ['bad']]);
    expect(await rest).toEqual([
      { status: 'fulfilled', value: 'row of good' },
      { status: 'rejected', reason: new Error('this row is wrong') },
      { status: 'fulfilled', value: 'row of fine' },
    ]);
  });

  it.each([0, 13, 31])(
    'sends 2 log n + 1 statements for a bad row of 32, the %s. of them',
    async (at) => {
      occupy();
      const keys = names('row', 32);
      const rest = askAll(keys);
      await server.answer(0);
      await answerAll((key) => key === keys[at], 1);
      expect(server.sent.length - 1).toBe(2 * Math.log2(32) + 1);
      const refused = (await rest).map(({ status }) => status).indexOf('rejected');
      expect(refused).toBe(at);
      expect((await rest).filter(({ status }) => status === 'fulfilled')).toHaveLength(31);
    },
  );

  it('keeps one with many bad rows from the others, who soon have theirs', async () => {
    occupy();
    const crowd = askFor('crowd', names('bad', 32));
    const other = askFor('other', names('good', 32));
    await server.answer(0);
    const isBad = (key: string): boolean => key.startsWith('bad');
    const sent = server.sent.length;
    for (let n = 1; n < sent + 2; n++) {
      await (server.sent[n]!.some(isBad)
        ? server.fail(n, new Error('a row is wrong'))
        : server.answer(n));
    }
    expect((await other).every(({ status }) => status === 'fulfilled')).toBe(true);
    await answerAll(isBad, sent + 2);
    expect((await crowd).every(({ status }) => status === 'rejected')).toBe(true);
  });

  it('runs no two statements with one conflict key', async () => {
    batcher = new Batcher(server.send, { conflictKey: (name) => /^same/.exec(name)?.[0] });
    const all = askAll(['same0', 'same1', 'free', 'same2']);
    await pass(SLOW_MS);
    expect(server.sent).toEqual([['same0', 'free']]);
    forget(batcher.ask('free too'));
    endTurn();
    expect(server.sent[1]).toEqual(['free too']);
    await server.answer(1);
    expect(server.sent).toHaveLength(2);
    await server.answer(0);
    expect(server.sent[2]).toEqual(['same1']);
    await server.answer(2);
    await server.answer(3);
    expect((await all).every(({ status }) => status === 'fulfilled')).toBe(true);
    expect(server.sent[3]).toEqual(['same2']);
  });

  it('continues after an error', async () => {
    const first = askAll(['a']);
    endTurn();
    await server.fail(0, new OverloadedError());
    await first;
    const second = askAll(['b']);
    endTurn();
    await server.answer(1);
    expect(await second).toEqual([{ status: 'fulfilled', value: 'row of b' }]);
  });
});
