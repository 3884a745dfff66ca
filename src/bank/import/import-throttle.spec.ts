import { setImmediate } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import type { Database } from '../../database/database.js';
import { ImportThrottle } from './import-throttle.js';

it('runs two imports at a time, in order of arrival, also when some fail', async () => {
  const throttle = new ImportThrottle({ isOneSession: false } as Database);
  const ends: PromiseWithResolvers<number>[] = [];
  const begun: number[] = [];
  const runs = Array.from({ length: 5 }, (_, n) => {
    ends.push(Promise.withResolvers());
    const run = throttle.run(() => {
      begun.push(n);
      return ends[n]!.promise;
    });
    return run.catch((error: Error) => error.message);
  });
  await setImmediate();
  expect(begun).toEqual([0, 1]);
  ends[1]!.reject(new Error('broken'));
  expect(await runs[1]).toBe('broken');
  await setImmediate();
  expect(begun).toEqual([0, 1, 2]);
  for (const [n, end] of ends.entries()) end.resolve(n);
  expect(await Promise.all(runs)).toEqual([0, 'broken', 2, 3, 4]);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  expect(await throttle.run(() => Promise.resolve('next'))).toBe('next');
});
