import { describe, expect, it, jest } from '@jest/globals';
import { drainBatches } from './drain-batches.js';

describe('drainBatches', () => {
  it('goes on until nothing is left, however much there is', async () => {
    let left = 12_345;
    const isDone = await drainBatches('rows', async (limit) => {
      const gone = Math.min(limit, left);
      left -= gone;
      return gone;
    });
    expect([isDone, left]).toEqual([true, 0]);
  });

  it('says when the time of a run is over before', async () => {
    const past = jest.spyOn(performance, 'now');
    past.mockReturnValueOnce(0).mockReturnValue(60_000);
    expect(await drainBatches('rows', async () => 1)).toBe(false);
    past.mockRestore();
  });
});
