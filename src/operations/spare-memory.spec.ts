import { isWorthReleasing } from './spare-memory.js';

const MB = 1024 * 1024;

describe('isWorthReleasing', () => {
  it.each([
    ['a burst is over', 160, 90, 0.05, true],
    ['others would wait for the pause', 160, 90, 0.6, false],
    ['what is gained is little', 110, 90, 0.05, false],
    ['less is spare than before', 80, 90, 0, false],
  ])('%s', (_case, spare, floor, busy, expected) => {
    expect(isWorthReleasing(spare * MB, floor * MB, busy)).toBe(expected);
  });
});
