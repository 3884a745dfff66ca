import { describe, expect, it } from '@jest/globals';
import { ConnectionGate, WAITING_PER_CONNECTION, type Work } from './connection-gate.js';
import { STRANGERS_LINE, WAITING_PER_HOLDER } from './room.js';
import { forRequest, TimeBudget } from './time-budget.js';

const SIZE = 10;

/** Work that goes on until it is told to stop, or is sent away. */
function hold(
  gate: ConnectionGate,
  work: Work,
): { stop(): void; begun(): boolean; end: Promise<void> } {
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
    reads[0]!.stop();
    await tick();
    expect([begunOf(reads), begunOf(writes)]).toEqual([9, 0]);
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
