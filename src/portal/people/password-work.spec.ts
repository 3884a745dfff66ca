import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { AT_ONCE_MAX, HOLDER_MAX, PasswordWork, WAITING_MAX } from './password-work.js';

describe('hashing passwords', () => {
  const under = (work: PasswordWork) => {
    const state = { running: 0, most: 0, finish: [] as (() => void)[] };
    const start = (holder: string) =>
      work.run(holder, async () => {
        state.most = Math.max(state.most, ++state.running);
        await new Promise<void>((resolve) => state.finish.push(resolve));
        state.running--;
      });
    return { state, start };
  };

  it('is done for few at once, for all in their order, and for no holder too often', async () => {
    const { state, start } = under(new PasswordWork());
    const mine = Array.from({ length: HOLDER_MAX }, () => start('mine'));
    await expect(start('mine')).rejects.toThrow('at once');
    const others = Array.from({ length: AT_ONCE_MAX + WAITING_MAX - HOLDER_MAX }, (_, i) =>
      start(`other ${i}`),
    );
    await expect(start('one more')).rejects.toThrow('at once');
    while (state.finish.length > 0) {
      state.finish.shift()!();
      await setImmediate();
    }
    await Promise.all([...mine, ...others]);
    expect([state.most, state.running]).toEqual([AT_ONCE_MAX, 0]);
  });

  it('goes on after one that failed', async () => {
    const work = new PasswordWork();
    const fail = () => work.run('mine', () => Promise.reject(new Error('no')));
    for (let i = 0; i < 2 * HOLDER_MAX; i++) await expect(fail()).rejects.toThrow('no');
    expect(await work.run('mine', async () => 'done')).toBe('done');
  });
});
