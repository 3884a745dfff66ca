import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import { ConnectionLimiter, WAITING_PER_CONNECTION, type Work } from './connection-limiter.js';
import { FREE_MS } from './heavy-use.js';
import { UNAUTHENTICATED_SHARE, WAITING_PER_HOLDER } from './bounded-queue.js';
import { forRequest, RequestContext } from './request-context.js';

const SIZE = 10;

interface Held {
  readonly end: Promise<void>;
  stop(): void;
  begun(): boolean;
}

/** Work that runs until `stop` is called, or is rejected. */
function hold(limiter: ConnectionLimiter, work: Work): Held {
  let isBegun = false;
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = limiter.pass(work, () => {
    isBegun = true;
    return promise;
  });
  // Most tests do not look at those that wait at their end.
  end.catch(() => undefined);
  return { stop: resolve, begun: () => isBegun, end };
}

const holdMany = (limiter: ConnectionLimiter, work: Work, count: number) =>
  Array.from({ length: count }, () => hold(limiter, work));

/** The same for requests of one holder. */
const holdFor = (holder: string, limiter: ConnectionLimiter, work: Work, count: number) =>
  forRequest(() => holdMany(limiter, work, count), new RequestContext(10_000, holder));

/** The same for one of whom more is known than where he comes from. */
const asKnown = (holder: string, limiter: ConnectionLimiter, count: number) => {
  const deadline = new RequestContext(10_000, holder);
  deadline.isUnauthenticated = false;
  return forRequest(() => holdMany(limiter, 'read', count), deadline);
};

const begunOf = (held: readonly { begun(): boolean }[]): number =>
  held.filter((one) => one.begun()).length;

const tick = () => new Promise(setImmediate);

describe('the limiter to the connections', () => {
  it('keeps connections for reads while writes hang', async () => {
    const limiter = new ConnectionLimiter(SIZE);
    const writes = holdMany(limiter, 'write', SIZE);
    const reads = holdMany(limiter, 'read', SIZE);
    await tick();
    expect([begunOf(writes), begunOf(reads)]).toEqual([7, 3]);
    expect(limiter.waiting).toBe(10);
  });

  it('lets reads have every connection, and one connection work at all', async () => {
    const reads = holdMany(new ConnectionLimiter(SIZE), 'read', SIZE + 1);
    const writes = holdMany(new ConnectionLimiter(1), 'write', 2);
    await tick();
    expect([begunOf(reads), begunOf(writes)]).toEqual([SIZE, 1]);
  });

  it('admits the work that has waited longest and is allowed', async () => {
    const limiter = new ConnectionLimiter(SIZE);
    const [first] = holdMany(limiter, 'write', 7);
    const [read] = holdMany(limiter, 'read', 3);
    const waitingWrite = hold(limiter, 'write');
    const [one, other] = holdMany(limiter, 'read', 2);
    read!.stop();
    await tick();
    expect([waitingWrite.begun(), one!.begun(), other!.begun()]).toEqual([false, true, false]);
    first!.stop();
    await tick();
    expect([waitingWrite.begun(), other!.begun()]).toEqual([true, false]);
  });

  it('gives the place of failed work back', async () => {
    const limiter = new ConnectionLimiter(1);
    await expect(
      limiter.pass('write', () => Promise.reject(new Error('failed'))),
    ).rejects.toThrow();
    await expect(limiter.pass('write', () => Promise.resolve('in'))).resolves.toBe('in');
  });

  it('sends requests away at once when too many wait, and background work never', async () => {
    const limiter = new ConnectionLimiter(1);
    const holder = hold(limiter, 'write');
    const waiting = forRequest(() => holdMany(limiter, 'write', WAITING_PER_CONNECTION));
    const away = forRequest(() => hold(limiter, 'write').end);
    const read = forRequest(() => hold(limiter, 'read'));
    await expect(away).rejects.toMatchObject({ name: 'OverloadedError' });
    expect([limiter.waiting, limiter.refused]).toEqual([WAITING_PER_CONNECTION + 1, 1]);
    const background = hold(limiter, 'write');
    for (const held of [holder, ...waiting, read, background]) held.stop();
    await background.end;
    expect([limiter.waiting, limiter.refused]).toEqual([0, 1]);
  });

  it('sends work away that has waited for too long', async () => {
    const limiter = new ConnectionLimiter(1);
    const holder = hold(limiter, 'write');
    const began = performance.now();
    await expect(hold(limiter, 'write').end).rejects.toMatchObject({ name: 'OverloadedError' });
    expect(performance.now() - began).toBeLessThan(4_000);
    expect([limiter.waiting, limiter.refused]).toEqual([0, 1]);
    holder.stop();
    await holder.end;
  });

  it('gives one holder a share of the places, and the others the rest', async () => {
    const limiter = new ConnectionLimiter(SIZE);
    const reads = holdFor('crowd', limiter, 'read', SIZE);
    const writes = holdFor('crowd', limiter, 'write', SIZE);
    await tick();
    expect([begunOf(reads), begunOf(writes)]).toEqual([8, 0]);
    const others = [
      ...holdFor('other', limiter, 'read', 1),
      ...holdFor('third', limiter, 'write', 1),
    ];
    await tick();
    expect(begunOf(others)).toBe(2);
    for (const read of reads.slice(0, 2)) read.stop();
    await tick();
    expect([begunOf(reads), begunOf(writes)]).toEqual([9, 0]);
  });

  it('keeps the last place for those who have none, however many others there are', async () => {
    const limiter = new ConnectionLimiter(4);
    const one = holdFor('one', limiter, 'read', 9);
    const other = holdFor('other', limiter, 'read', 9);
    await tick();
    expect([begunOf(one), begunOf(other)]).toEqual([3, 1]);
    one[0]!.stop();
    await tick();
    // It has two, and the other one: neither gets the place that is left.
    expect([begunOf(one), begunOf(other)]).toEqual([3, 1]);
    const [late] = holdFor('late', limiter, 'read', 1);
    await tick();
    expect(late!.begun()).toBe(true);
  });

  it('keeps the last place for writes likewise', async () => {
    const limiter = new ConnectionLimiter(SIZE);
    const one = holdFor('one', limiter, 'write', 5);
    const other = holdFor('other', limiter, 'write', 5);
    await tick();
    expect([begunOf(one), begunOf(other)]).toEqual([5, 1]);
    const [late] = holdFor('late', limiter, 'write', 1);
    await tick();
    expect(late!.begun()).toBe(true);
  });

  it('lets those who have no place in before those who have some', async () => {
    const limiter = new ConnectionLimiter(SIZE);
    const one = holdFor('one', limiter, 'read', 2 * SIZE);
    const [two, three, four] = ['two', 'three', 'four'].map((name) =>
      holdFor(name, limiter, 'read', 1),
    );
    await tick();
    const begun = () => [one, two!, three!, four!].map(begunOf);
    expect(begun()).toEqual([8, 1, 1, 0]);
    one[0]!.stop();
    await tick();
    expect(begun()).toEqual([8, 1, 1, 1]);
  });

  it('lets each key wait for at most one turn of every other one', async () => {
    const limiter = new ConnectionLimiter(4);
    const names = ['a', 'b', 'c', 'd', 'e'];
    const attackers = names.flatMap((name) => holdFor(name, limiter, 'read', 9));
    const [late] = holdFor('late', limiter, 'read', 1);
    const ended = new Set<Held>();
    for (const _ of [...names, 'late']) {
      const next = attackers.find((one) => one.begun() && !ended.has(one))!;
      ended.add(next);
      next.stop();
      await tick();
    }
    expect(late!.begun()).toBe(true);
  });

  describe('of work that may be slow', () => {
    // In real time: on a busy machine, fast work can take long enough to count as slow.
    jest.retryTimes(3, { logErrorsBeforeRetry: true });

    /** Milliseconds of slow work, after which a key is limited. */
    const SLOW = FREE_MS + 40;
    const one = (name: string, limiter: ConnectionLimiter): Held =>
      holdFor(name, limiter, 'read', 1)[0]!;

    async function work(limiter: ConnectionLimiter, ms: number, names: string[]): Promise<void> {
      const held = names.map((name) => one(name, limiter));
      await sleep(ms);
      for (const each of held) each.stop();
      await tick();
    }

    it('gives keys with slow work a quarter of the slots, which pause twice as long as they were used', async () => {
      const limiter = new ConnectionLimiter(4, { isSlow: true });
      await work(limiter, 0, ['c', 'd', 'e']);
      await work(limiter, SLOW, ['a', 'b']);
      const [a, b] = [one('a', limiter), one('b', limiter)];
      const others = ['c', 'd', 'e'].map((name) => one(name, limiter));
      await sleep(100);
      expect([a.begun(), b.begun(), begunOf(others)]).toEqual([true, false, 3]);
      a.stop();
      await sleep(130);
      expect(b.begun()).toBe(false);
      await sleep(150);
      expect(b.begun()).toBe(true);
    });

    it('keeps a slot for keys whose recent work was fast', async () => {
      const limiter = new ConnectionLimiter(3, { isSlow: true });
      await work(limiter, 0, ['known']);
      await work(limiter, 20, ['a-little-slow']);
      const [fresh, ...others] = ['new', 'a-little-slow', 'newer'].map((name) =>
        one(name, limiter),
      );
      await tick();
      expect([fresh!.begun(), begunOf(others)]).toEqual([true, 1]);
      expect(one('known', limiter).begun()).toBe(true);
      fresh!.stop();
      await tick();
      expect(begunOf(others)).toBe(2);
    });
  });

  it('sends one holder alone away when its part of the line is full', async () => {
    const limiter = new ConnectionLimiter(SIZE);
    const line = SIZE * WAITING_PER_CONNECTION * WAITING_PER_HOLDER;
    const crowd = holdFor('crowd', limiter, 'read', 8 + line + 1);
    await expect(crowd.at(-1)!.end).rejects.toMatchObject({ name: 'OverloadedError' });
    expect([limiter.waiting, limiter.refused]).toEqual([line, 1]);
    const [other] = holdFor('other', limiter, 'read', 1);
    await tick();
    expect(other!.begun()).toBe(true);
    for (const held of crowd) held.stop();
    await Promise.all(crowd.slice(0, -1).map(({ end }) => end));
    expect(limiter.waiting).toBe(0);
  });

  it('evicts the newest item of the longest queue for a shorter one', async () => {
    const limiter = new ConnectionLimiter(SIZE);
    const line = SIZE * WAITING_PER_CONNECTION;
    const crowds = ['one', 'two', 'three'].map((name) => asKnown(name, limiter, line / 2 + 8));
    expect(limiter.waiting).toBe(line);
    const before = limiter.refused;
    const [late] = asKnown('late', limiter, 1);
    expect([limiter.waiting, limiter.refused]).toEqual([line, before + 1]);
    for (const held of crowds.flat()) held.stop();
    await tick();
    expect(late!.begun()).toBe(true);
    late!.stop();
    await late!.end;
  });

  it('lets all strangers together wait in a part of the line', async () => {
    const limiter = new ConnectionLimiter(SIZE);
    const part = SIZE * WAITING_PER_CONNECTION * UNAUTHENTICATED_SHARE;
    for (let i = 0; i < part + 2 * SIZE; i++) holdFor(`network ${i}`, limiter, 'read', 1);
    expect(limiter.waiting).toBe(part);
    const known = asKnown('merchant', limiter, 5);
    expect(limiter.waiting).toBe(part + 5);
    expect(known.some((one) => one.begun())).toBe(false);
  });

  it('lets holders in by turns, however many of one wait', async () => {
    const limiter = new ConnectionLimiter(1);
    const order: string[] = [];
    const pass = (holder: string) =>
      forRequest(
        () => limiter.pass('read', async () => void order.push(holder)),
        new RequestContext(10_000, holder),
      );
    const first = hold(limiter, 'read');
    const all = ['A', 'A', 'A', 'B', 'C'].map(pass);
    first.stop();
    await Promise.all(all);
    expect(order.join('')).toBe('ABCAA');
  });
});
