import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { FastifyRequest } from 'fastify';
import type { Problem } from '../common/problem.js';
import { Admission, PATIENCE_MS } from './admission.js';

const from = (ip: string, destroyed = false): FastifyRequest =>
  ({ ip, raw: { socket: { destroyed } } }) as unknown as FastifyRequest;

describe('Admission', () => {
  let admission: Admission;
  /** Who began, in order; refused ones with their code. */
  let begun: string[];

  beforeEach(() => {
    admission = new Admission();
    begun = [];
  });

  function come(ip: string, times = 1, destroyed = false): void {
    for (let i = 0; i < times; i++) {
      const begin = (refusal?: Problem) => void begun.push(refusal ? `${ip} ${refusal.code}` : ip);
      admission.enter(from(ip, destroyed), begin);
    }
  }

  const allBegan = async (): Promise<void> => {
    while (admission.waiting > 0) await nextTurn();
  };

  it('lets few begin at once, as if there were no line', () => {
    come('192.0.2.1', 10);
    expect(begun).toHaveLength(10);
    expect(admission.waiting).toBe(0);
  });

  it('lets no crowd begin in one turn', async () => {
    come('192.0.2.1', 1_000);
    expect(begun.length).toBeLessThan(20);
    await nextTurn();
    await nextTurn();
    expect(begun.length).toBeLessThan(60);
    await allBegan();
    expect(begun).toHaveLength(1_000);
  });

  it('lets networks begin by turns, whatever the addresses of one have sent before', async () => {
    for (let net = 0; net < 50; net++) come(`2001:db8:1:${net}::1`, 20);
    come('192.0.2.2');
    await allBegan();
    expect(begun.indexOf('192.0.2.2')).toBeLessThan(30);
  });

  it('ends a turn when the time is over', async () => {
    const slow = () => {
      const end = performance.now() + 4;
      while (performance.now() < end);
      begun.push('slow');
    };
    for (let i = 0; i < 20; i++) admission.enter(from('192.0.2.1'), slow);
    const before = begun.length;
    expect(before).toBeLessThan(4);
    await nextTurn();
    await nextTurn();
    expect(begun.length - before).toBeLessThan(6);
    await allBegan();
  });

  it('begins nothing for a connection that has ended', async () => {
    come('192.0.2.1', 20);
    const before = begun.length;
    come('192.0.2.3', 20, true);
    come('192.0.2.1', 1);
    await allBegan();
    expect(begun).not.toContain('192.0.2.3');
    expect(begun.length).toBeGreaterThan(before);
  });

  it('sends away who has waited too long', async () => {
    come('192.0.2.1', 20);
    const waiting = admission.waiting;
    const later = performance.now() + PATIENCE_MS + 1;
    const clock = jest.spyOn(performance, 'now').mockReturnValue(later);
    await sleep(20);
    await allBegan();
    clock.mockRestore();
    expect(admission.refused).toBe(waiting);
    expect(begun.filter((one) => one === '192.0.2.1 unavailable')).toHaveLength(waiting);
  });

  it('goes on in the surroundings of each request', async () => {
    const { AsyncLocalStorage } = await import('node:async_hooks');
    const storage = new AsyncLocalStorage<number>();
    const seen: (readonly [number, number | undefined])[] = [];
    for (let i = 0; i < 40; i++) {
      storage.run(i, () =>
        admission.enter(from('192.0.2.1'), () => void seen.push([i, storage.getStore()])),
      );
    }
    await allBegan();
    expect(seen.filter(([asked, found]) => asked !== found)).toEqual([]);
    expect(seen).toHaveLength(40);
  });
});
