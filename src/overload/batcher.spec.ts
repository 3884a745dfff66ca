import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { forRequest, isForRequest, RequestContext } from './request-context.js';
import {
  CALLER_MS,
  AT_ONCE,
  UNDER_WAY_MAX,
  Batcher,
  SLOW_MS,
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

  /** For a request of one holder. */
  function askFor(whose: string, keys: readonly string[], ms = 10_000) {
    const deadline = new RequestContext(ms, whose);
    deadline.isUnauthenticated = false;
    return forRequest(() => askAll(keys), deadline);
  }

  const names = (prefix: string, count: number): string[] =>
    Array.from({ length: count }, (_, n) => `${prefix}${n}`);

  /** As many statements as there may be, so that others wait. */
  const fill = (): Promise<unknown> => askAll(names('first', AT_ONCE));

  it('sends a single call immediately, with the statement for many', async () => {
    const all = askAll(['a']);
    expect(server.sent).toEqual([['a']]);
    await server.answer(0);
    expect(await all).toEqual([{ status: 'fulfilled', value: 'row of a' }]);
  });

  it('sends those who come meanwhile together, and gives each its own row', async () => {
    const first = fill();
    const rest = askAll(['b', 'c', 'd']);
    expect(server.sent).toHaveLength(AT_ONCE);
    await server.answer(0);
    expect(server.sent.slice(AT_ONCE)).toEqual([['b', 'c', 'd']]);
    // It began before: what came after it may not be in it.
    const late = batcher.ask('e');
    await server.answer(1);
    expect(server.sent.at(-1)).toEqual(['e']);
    await Promise.all([2, 3].map((n) => server.answer(n)));
    const rows = (await rest).map((each) => each.status === 'fulfilled' && each.value);
    expect(rows).toEqual(['row of b', 'row of c', 'row of d']);
    expect(await late).toBe('row of e');
    await first;
    expect(batcher.waiting).toBe(0);
  });

  it('lets a patient call wait for others of the same event loop turn', async () => {
    batcher = new Batcher(server.send, { isPatient: true });
    forget(askAll(['a', 'b']));
    forget(batcher.ask('c'));
    expect(server.sent).toEqual([]);
    jest.advanceTimersByTime(0);
    expect(server.sent).toEqual([['a', 'b', 'c']]);
    forget(batcher.ask('d'));
    jest.advanceTimersByTime(0);
    expect(server.sent.at(-1)).toEqual(['d']);
  });

  it('takes so many together, and by turns of their holders', async () => {
    forget(fill());
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
    expect(server.areOfRequests).toEqual([false]);
  });

  it('has no room for a holder who fills the line, and has some for others', async () => {
    forget(fill());
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

  it('sends away who has waited for too long', async () => {
    forget(fill());
    // Slow ones have others beside them, up to a number.
    for (let n = AT_ONCE; n < UNDER_WAY_MAX; n++) {
      forget(batcher.ask(`beside${n}`));
      await jest.advanceTimersByTimeAsync(SLOW_MS);
    }
    const late = askFor('one', ['late']);
    expect(server.sent).toHaveLength(UNDER_WAY_MAX);
    await jest.advanceTimersByTimeAsync(TIMEOUT_MS);
    expect(await late).toEqual([{ status: 'rejected', reason: expect.any(OverloadedError) }]);
    expect([batcher.waiting, server.sent.length]).toEqual([0, UNDER_WAY_MAX]);
  });

  it('lets the next go beside a statement that is slow', async () => {
    forget(fill());
    const next = batcher.ask('next');
    await jest.advanceTimersByTimeAsync(SLOW_MS - 1);
    expect(server.sent).toHaveLength(AT_ONCE);
    await jest.advanceTimersByTimeAsync(1);
    expect(server.sent.at(-1)).toEqual(['next']);
    await server.answer(AT_ONCE);
    expect(await next).toBe('row of next');
    // Once they have ended, it is as before.
    for (let n = 0; n < AT_ONCE; n++) await server.answer(n);
    forget(askAll(names('again', AT_ONCE + 1)));
    expect([server.sent.length, batcher.waiting]).toEqual([2 * AT_ONCE + 1, 1]);
  });

  it('rejects a call whose request’s deadline has passed, and no other one', async () => {
    forget(fill());
    const short = askFor('one', ['short'], 50);
    const long = askFor('one', ['long']);
    await server.answer(0);
    expect(server.sent.at(-1)).toEqual(['short', 'long']);
    await jest.advanceTimersByTimeAsync(50);
    expect(await short).toEqual([{ status: 'rejected', reason: expect.any(OverloadedError) }]);
    await server.answer(AT_ONCE);
    expect(await long).toEqual([{ status: 'fulfilled', value: 'row of long' }]);
  });

  it('rejects a request whose statement does not return, and no background work', async () => {
    const answered = jest.fn();
    const request = askFor('one', ['a']);
    forget(batcher.ask('background').finally(answered));
    await jest.advanceTimersByTimeAsync(CALLER_MS);
    expect(await request).toEqual([{ status: 'rejected', reason: expect.any(OverloadedError) }]);
    expect(answered).not.toHaveBeenCalled();
  });

  it('rejects each call when the database is unavailable', async () => {
    forget(fill());
    const rest = askAll(['b', 'c']);
    await server.answer(0);
    const gone = new OverloadedError('gone');
    await server.fail(AT_ONCE, gone);
    expect(await rest).toEqual([
      { status: 'rejected', reason: gone },
      { status: 'rejected', reason: gone },
    ]);
    expect(server.sent).toHaveLength(AT_ONCE + 1);
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
    forget(fill());
    const rest = askAll(['good', 'bad', 'fine']);
    await server.answer(0);
    await server.fail(AT_ONCE, new Error('a row is wrong'));
    await server.fail(AT_ONCE + 1, new Error('a row is wrong'));
    await server.answer(AT_ONCE + 2);
    await server.answer(AT_ONCE + 3);
    await server.fail(AT_ONCE + 4, new Error('this row is wrong'));
    expect(server.sent.slice(AT_ONCE + 1)).toEqual([['good', 'bad'], ['fine'], ['good'], ['bad']]);
    expect(await rest).toEqual([
      { status: 'fulfilled', value: 'row of good' },
      { status: 'rejected', reason: new Error('this row is wrong') },
      { status: 'fulfilled', value: 'row of fine' },
    ]);
  });

  it.each([0, 13, 31])(
    'sends 2 log n + 1 statements for a bad row of 32, the %s. of them',
    async (at) => {
      forget(fill());
      const keys = names('row', 32);
      const rest = askAll(keys);
      await server.answer(0);
      await answerAll((key) => key === keys[at], AT_ONCE);
      expect(server.sent.length - AT_ONCE).toBe(2 * Math.log2(32) + 1);
      const refused = (await rest).map(({ status }) => status).indexOf('rejected');
      expect(refused).toBe(at);
      expect((await rest).filter(({ status }) => status === 'fulfilled')).toHaveLength(31);
    },
  );

  it('keeps one with many bad rows from the others, who soon have theirs', async () => {
    forget(fill());
    const crowd = askFor('crowd', names('bad', 32));
    const other = askFor('other', names('good', 32));
    await server.answer(0);
    const isBad = (key: string): boolean => key.startsWith('bad');
    const sent = server.sent.length;
    for (let n = AT_ONCE; n < sent + 2; n++) {
      await (server.sent[n]!.some(isBad)
        ? server.fail(n, new Error('a row is wrong'))
        : server.answer(n));
    }
    expect((await other).every(({ status }) => status === 'fulfilled')).toBe(true);
    await answerAll(isBad, sent + 2);
    expect((await crowd).every(({ status }) => status === 'rejected')).toBe(true);
  });

  it('keeps apart what may not go at once', async () => {
    batcher = new Batcher(server.send, { conflictKey: (name) => /^same/.exec(name)?.[0] });
    const all = askAll(['same0', 'same1', 'free', 'same2']);
    expect(server.sent).toEqual([['same0'], ['free']]);
    await server.answer(1);
    expect(server.sent).toHaveLength(2);
    await server.answer(0);
    expect(server.sent[2]).toEqual(['same1']);
    await server.answer(2);
    await server.answer(3);
    expect((await all).every(({ status }) => status === 'fulfilled')).toBe(true);
    expect(server.sent[3]).toEqual(['same2']);
  });

  it('goes on after whatever happened', async () => {
    const first = askAll(['a']);
    await server.fail(0, new OverloadedError());
    await first;
    const second = askAll(['b']);
    await server.answer(1);
    expect(await second).toEqual([{ status: 'fulfilled', value: 'row of b' }]);
  });
});
