import { describe, expect, it } from '@jest/globals';
import { workOff } from './work-off.js';

describe('workOff', () => {
  it('goes on until nothing is left, however much there is', async () => {
    let left = 12_345;
    await workOff('rows', async (limit) => {
      const gone = Math.min(limit, left);
      left -= gone;
      return gone;
    });
    expect(left).toBe(0);
  });
});
