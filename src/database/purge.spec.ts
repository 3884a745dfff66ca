import { describe, expect, it } from '@jest/globals';
import { purgeAll } from './purge.js';

describe('purgeAll', () => {
  it('goes on until nothing is left, however much there is', async () => {
    let left = 12_345;
    await purgeAll('rows', async (limit) => {
      const gone = Math.min(limit, left);
      left -= gone;
      return gone;
    });
    expect(left).toBe(0);
  });
});
