import { describe, expect, it } from '@jest/globals';
import {
  type HashRequester,
  HASHES_PER_HOLDER,
  PasswordWork,
  UNAUTHENTICATED_QUEUE_MAX,
} from './password-work.js';

describe('hashing passwords', () => {
  const turn = () => new Promise(setImmediate);

  const under = (work: PasswordWork) => {
    const state = { running: 0, most: 0, finish: [] as (() => void)[] };
    const start = (asker: HashRequester) =>
      work.run(asker, async () => {
        state.most = Math.max(state.most, ++state.running);
        await new Promise<void>((resolve) => state.finish.push(resolve));
        state.running--;
      });
    return { state, start };
  };

  it('is done for one stranger at once, for all in the end, and for no network too often', async () => {
    const { state, start } = under(new PasswordWork());
    const mine = Array.from({ length: HASHES_PER_HOLDER }, () => start({ address: '2001:db8::1' }));
    await expect(start({ address: '2001:db8::2' })).rejects.toThrow('at once');
    const others = Array.from(
      { length: 1 + UNAUTHENTICATED_QUEUE_MAX - HASHES_PER_HOLDER },
      (_, i) => start({ address: `192.0.2.${i}` }),
    );
    while (state.finish.length > 0) {
      state.finish.shift()!();
      await turn();
    }
    await Promise.all([...mine, ...others]);
    expect([state.most, state.running]).toEqual([1, 0]);
  });

  it('is done for who is known beside any number of strangers', async () => {
    const { state, start } = under(new PasswordWork());
    const strangers = Array.from({ length: 2 * UNAUTHENTICATED_QUEUE_MAX }, (_, i) =>
      start({ address: `2001:db8:${i}::` }).catch(() => undefined),
    );
    await turn();
    expect(state.finish).toHaveLength(1);
    const known = start({ address: '192.0.2.1', known: 'somebody' });
    await turn();
    expect(state.finish).toHaveLength(2);
    state.finish.pop()!();
    await known;
    for (; state.finish.length > 0; await turn()) state.finish.shift()!();
    await Promise.all(strangers);
  });

  it('is done for another network though all of a /48 fill the line', async () => {
    const { state, start } = under(new PasswordWork());
    const crowd = Array.from({ length: 2 * UNAUTHENTICATED_QUEUE_MAX }, (_, i) =>
      start({ address: `2001:db8:1:${i}::` }).catch(() => undefined),
    );
    let isDone = false;
    const other = start({ address: '192.0.2.1' }).then(() => (isDone = true));
    for (let hashes = 0; hashes < 3; hashes++) {
      await turn();
      state.finish.shift()!();
    }
    await turn();
    expect(isDone).toBe(true);
    for (; state.finish.length > 0; await turn()) state.finish.shift()!();
    await Promise.all([other, ...crowd]);
  });

  it('is done for a known client of another network though a team of one network fills the line', async () => {
    const { state, start } = under(new PasswordWork());
    const team = Array.from({ length: 40 }, (_, i) =>
      start({ address: '192.0.2.1', known: `member ${i}` }).catch(() => undefined),
    );
    let isDone = false;
    const other = start({ address: '192.0.2.2', known: 'other' }).then(() => (isDone = true));
    for (let hashes = 0; hashes < 3; hashes++) {
      await turn();
      state.finish.shift()!();
    }
    await turn();
    expect(isDone).toBe(true);
    for (; state.finish.length > 0; await turn()) state.finish.shift()!();
    await Promise.all([other, ...team]);
  });

  it('goes on after one that failed', async () => {
    const work = new PasswordWork();
    const fail = () =>
      work.run({ address: '192.0.2.1', known: 'me' }, () => Promise.reject(new Error('no')));
    for (let i = 0; i < 2 * HASHES_PER_HOLDER; i++) await expect(fail()).rejects.toThrow('no');
    expect(await work.run({ address: '192.0.2.1', known: 'me' }, async () => 'done')).toBe('done');
  });
});
