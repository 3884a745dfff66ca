import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { ConnectionGate, WAITING_PER_CONNECTION, type Work } from './connection-gate.js';
import { FREE_MS } from './heavy-use.js';
import { STRANGERS_LINE, WAITING_PER_HOLDER } from './room.js';
import { forRequest, TimeBudget } from './time-budget.js';

const SIZE = 10;

interface Held {
  readonly end: Promise<void>;
  stop(): void;
  begun(): boolean;
}

/** Work that goes on until it is told to stop, or is sent away. */
function hold(gate: ConnectionGate, work: Work): Held {
  let isBegun = false;
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = gate.pass(work, () => {
    isBegun = true;
    return promise;
  });
  // Most tests do not look at those that wait at their end.
  end.catch(() => undefined);
  return { stop: resolve, begun: () => isBegun, end };
}

const holdMany = (gate: ConnectionGate, work: Work, count: number) =>
  Array.from({ length: count }, () => hold(gate, work));

/** The same for requests of one holder. */
const holdFor = (holder: string, gate: ConnectionGate, work: Work, count: number) =>
  forRequest(() => holdMany(gate, work, count), new TimeBudget(10_000, holder));

/** The same for one of whom more is known than where he comes from. */
const asKnown = (holder: string, gate: ConnectionGate, count: number) => {
  const budget = new TimeBudget(10_000, holder);
  budget.isStrangers = false;
  return forRequest(() => holdMany(gate, 'read', count), budget);
};

const begunOf = (held: readonly { begun(): boolean }[]): number =>
  held.filter((one) => one.begun()).length;

const tick = () => new Promise(setImmediate);

describe('the gate to the connections', () => {
  it('keeps connections for reads while writes hang', async () => {
    const gate = new ConnectionGate(SIZE);
    const writes = holdMany(gate, 'write', SIZE);
    const reads = holdMany(gate, 'read', SIZE);
    await tick();
    expect([begunOf(writes), begunOf(reads)]).toEqual([7, 3]);
    expect(gate.waiting).toBe(10);
  });

  it('lets reads have every connection, and one connection work at all', async () => {
    const reads = holdMany(new ConnectionGate(SIZE), 'read', SIZE + 1);
    const writes = holdMany(new ConnectionGate(1), 'write', 2);
    await tick();
    expect([begunOf(reads), begunOf(writes)]).toEqual([SIZE, 1]);
  });

  it('lets in whoever waits longest and may', async () => {
    const gate = new ConnectionGate(SIZE);
    const [first] = holdMany(gate, 'write', 7);
    const [read] = holdMany(gate, 'read', 3);
    const waitingWrite = hold(gate, 'write');
    const [one, other] = holdMany(gate, 'read', 2);
    read!.stop();
    await tick();
    expect([waitingWrite.begun(), one!.begun(), other!.begun()]).toEqual([false, true, false]);
    first!.stop();
    await tick();
    expect([waitingWrite.begun(), other!.begun()]).toEqual([true, false]);
  });

  it('gives the place of failed work back', async () => {
    const gate = new ConnectionGate(1);
    await expect(gate.pass('write', () => Promise.reject(new Error('failed')))).rejects.toThrow();
    await expect(gate.pass('write', () => Promise.resolve('in'))).resolves.toBe('in');
  });

  it('sends requests away at once when too many wait, and background work never', async () => {
    const gate = new ConnectionGate(1);
    const holder = hold(gate, 'write');
    const waiting = forRequest(() => holdMany(gate, 'write', WAITING_PER_CONNECTION));
    const away = forRequest(() => hold(gate, 'write').end);
    const read = forRequest(() => hold(gate, 'read'));
    await expect(away).rejects.toMatchObject({
      code: 'unavailable',
      headers: { 'retry-after': '2' },
    });
    expect([gate.waiting, gate.refused]).toEqual([WAITING_PER_CONNECTION + 1, 1]);
    const background = hold(gate, 'write');
    for (const held of [holder, ...waiting, read, background]) held.stop();
    await background.end;
    expect([gate.waiting, gate.refused]).toEqual([0, 1]);
  });

  it('sends work away that has waited for too long', async () => {
    const gate = new ConnectionGate(1);
    const holder = hold(gate, 'write');
    const began = performance.now();
    await expect(hold(gate, 'write').end).rejects.toMatchObject({ code: 'unavailable' });
    expect(performance.now() - began).toBeLessThan(4_000);
    expect([gate.waiting, gate.refused]).toEqual([0, 1]);
    holder.stop();
    await holder.end;
  });

  it('gives one holder a share of the places, and the others the rest', async () => {
    const gate = new ConnectionGate(SIZE);
    const reads = holdFor('crowd', gate, 'read', SIZE);
    const writes = holdFor('crowd', gate, 'write', SIZE);
    await tick();
    expect([begunOf(reads), begunOf(writes)]).toEqual([8, 0]);
    const others = [...holdFor('other', gate, 'read', 1), ...holdFor('third', gate, 'write', 1)];
    await tick();
    expect(begunOf(others)).toBe(2);
    for (const read of reads.slice(0, 2)) read.stop();
    await tick();
    expect([begunOf(reads), begunOf(writes)]).toEqual([9, 0]);
  });

  it('keeps the last place for those who have none, however many others there are', async () => {
    const gate = new ConnectionGate(4);
    const one = holdFor('one', gate, 'read', 9);
    const other = holdFor('other', gate, 'read', 9);
    await tick();
    expect([begunOf(one), begunOf(other)]).toEqual([3, 1]);
    one[0]!.stop();
    await tick();
    // It has two, and the other one: neither gets the place that is left.
    expect([begunOf(one), begunOf(other)]).toEqual([3, 1]);
    const [late] = holdFor('late', gate, 'read', 1);
    await tick();
    expect(late!.begun()).toBe(true);
  });

  it('keeps the last place for writes likewise', async () => {
    const gate = new ConnectionGate(SIZE);
    const one = holdFor('one', gate, 'write', 5);
    const other = holdFor('other', gate, 'write', 5);
    await tick();
    expect([begunOf(one), begunOf(other)]).toEqual([5, 1]);
    const [late] = holdFor('late', gate, 'write', 1);
    await tick();
    expect(late!.begun()).toBe(true);
  });

  it('lets those who have no place in before those who have some', async () => {
    const gate = new ConnectionGate(SIZE);
    const one = holdFor('one', gate, 'read', 2 * SIZE);
    const [two, three, four] = ['two', 'three', 'four'].map((name) =>
      holdFor(name, gate, 'read', 1),
    );
    await tick();
    const begun = () => [one, two!, three!, four!].map(begunOf);
    expect(begun()).toEqual([8, 1, 1, 0]);
    one[0]!.stop();
    await tick();
    expect(begun()).toEqual([8, 1, 1, 1]);
  });

  it('keeps nobody waiting for more than a turn of each other', async () => {
    const gate = new ConnectionGate(4);
    const names = ['a', 'b', 'c', 'd', 'e'];
    const attackers = names.flatMap((name) => holdFor(name, gate, 'read', 9));
    const [late] = holdFor('late', gate, 'read', 1);
    const ended = new Set<Held>();
    for (const _ of [...names, 'late']) {
      const next = attackers.find((one) => one.begun() && !ended.has(one))!;
      ended.add(next);
      next.stop();
      await tick();
    }
    expect(late!.begun()).toBe(true);
  });

  it('gives those whose slow work took long one place in all, which rests as long as it was taken', async () => {
    const gate = new ConnectionGate(4, { isSlow: true });
    const first = ['a', 'b'].map((name) => holdFor(name, gate, 'read', 1)[0]!);
    await sleep(FREE_MS + 20);
    for (const one of first) one.stop();
    await tick();
    const [a, b] = ['a', 'b'].map((name) => holdFor(name, gate, 'read', 1)[0]!) as [Held, Held];
    const others = ['c', 'd', 'e'].map((name) => holdFor(name, gate, 'read', 1)[0]!);
    await sleep(100);
    expect([a.begun(), b.begun(), begunOf(others)]).toEqual([true, false, 3]);
    a.stop();
    await sleep(30);
    expect(b.begun()).toBe(false);
    await sleep(250);
    expect(b.begun()).toBe(true);
  });

  it('sends one holder alone away when its part of the line is full', async () => {
    const gate = new ConnectionGate(SIZE);
    const line = SIZE * WAITING_PER_CONNECTION * WAITING_PER_HOLDER;
    const crowd = holdFor('crowd', gate, 'read', 8 + line + 1);
    await expect(crowd.at(-1)!.end).rejects.toMatchObject({ code: 'unavailable' });
    expect([gate.waiting, gate.refused]).toEqual([line, 1]);
    const [other] = holdFor('other', gate, 'read', 1);
    await tick();
    expect(other!.begun()).toBe(true);
    for (const held of crowd) held.stop();
    await Promise.all(crowd.slice(0, -1).map(({ end }) => end));
    expect(gate.waiting).toBe(0);
  });

  it('lets whoever has least in the line wait instead of the last of whoever has most', async () => {
    const gate = new ConnectionGate(SIZE);
    const line = SIZE * WAITING_PER_CONNECTION;
    const crowds = ['one', 'two', 'three'].map((name) => asKnown(name, gate, line / 2 + 8));
    expect(gate.waiting).toBe(line);
    const before = gate.refused;
    const [late] = asKnown('late', gate, 1);
    expect([gate.waiting, gate.refused]).toEqual([line, before + 1]);
    for (const held of crowds.flat()) held.stop();
    await tick();
    expect(late!.begun()).toBe(true);
    late!.stop();
    await late!.end;
  });

  it('lets all strangers together wait in a part of the line', async () => {
    const gate = new ConnectionGate(SIZE);
    const part = SIZE * WAITING_PER_CONNECTION * STRANGERS_LINE;
    for (let i = 0; i < part + 2 * SIZE; i++) holdFor(`network ${i}`, gate, 'read', 1);
    expect(gate.waiting).toBe(part);
    const known = asKnown('merchant', gate, 5);
    expect(gate.waiting).toBe(part + 5);
    expect(known.some((one) => one.begun())).toBe(false);
  });

  it('lets holders in by turns, however many of one wait', async () => {
    const gate = new ConnectionGate(1);
    const order: string[] = [];
    const pass = (holder: string) =>
      forRequest(
        () => gate.pass('read', async () => void order.push(holder)),
        new TimeBudget(10_000, holder),
      );
    const first = hold(gate, 'read');
    const all = ['A', 'A', 'A', 'B', 'C'].map(pass);
    first.stop();
    await Promise.all(all);
    expect(order.join('')).toBe('ABCAA');
  });
});
