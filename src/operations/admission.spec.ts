import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { FastifyRequest } from 'fastify';
import type { Problem } from '../http/problems/problem.js';
import { Admission, ADMISSION_WAIT_MS } from './admission.js';

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

  /** Takes all the time that requests have in a turn. */
  const spin = () => {
    const end = performance.now() + 6;
    while (performance.now() < end);
  };
  const occupy = () => admission.enter(from('192.0.2.1'), spin);

  it('lets requests begin at once while there is time', () => {
    come('192.0.2.1', 3);
    expect([begun.length, admission.waiting]).toEqual([3, 0]);
  });

  it('lets nobody begin in a turn that is long already, and all in the next ones', async () => {
    occupy();
    come('192.0.2.1', 1_000);
    expect(begun).toEqual([]);
    await allBegan();
    expect(begun).toHaveLength(1_000);
  });

  it('spends little of each turn on those who begin', async () => {
    occupy();
    for (let i = 0; i < 10; i++) admission.enter(from('192.0.2.1'), spin);
    const left: number[] = [];
    for (let turn = 0; admission.waiting > 0; turn++) {
      left.push(admission.waiting);
      await nextTurn();
    }
    expect(left.length).toBeGreaterThanOrEqual(10);
  });

  it('lets networks begin by turns, whatever the addresses of one have sent before', async () => {
    occupy();
    for (let net = 0; net < 50; net++) come(`2001:db8:1:${net}::1`, 20);
    come('192.0.2.2');
    await allBegan();
    expect(begun.indexOf('192.0.2.2')).toBe(1);
  });

  it('begins nothing for a connection that has ended', async () => {
    occupy();
    come('192.0.2.3', 20, true);
    come('192.0.2.1');
    await allBegan();
    expect(begun).toEqual(['192.0.2.1']);
  });

  it('sends away who has waited too long', async () => {
    occupy();
    come('192.0.2.1', 5);
    const later = performance.now() + ADMISSION_WAIT_MS + 1;
    const clock = jest.spyOn(performance, 'now').mockReturnValue(later);
    await allBegan();
    clock.mockRestore();
    expect(begun).toEqual(Array.from({ length: 5 }, () => '192.0.2.1 unavailable'));
    expect(admission.refused).toBe(5);
  });

  it('goes on in the surroundings of each request', async () => {
    const { AsyncLocalStorage } = await import('node:async_hooks');
    const storage = new AsyncLocalStorage<number>();
    const seen: (readonly [number, number | undefined])[] = [];
    occupy();
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
