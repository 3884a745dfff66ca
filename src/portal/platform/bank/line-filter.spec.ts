import { describe, expect, it } from '@jest/globals';
import { lineAddress, lineFilter, ODD_DECIMALS, readQueueQuery } from './line-filter.js';

const filterOf = (query: Record<string, unknown>) => lineFilter('test', readQueueQuery(query));

describe('the filter of lines', () => {
  it('shows what waits, the oldest first, where the address says nothing', () => {
    expect(filterOf({})).toEqual({
      mode: 'test',
      states: ['unmatched', 'suggested'],
      account: null,
      day: null,
      amounts: null,
      text: null,
      after: null,
      order: 'oldest',
    });
  });

  it.each([
    [{ tab: 'unknown_money_out' }, { states: ['unknown_money_out'], order: 'oldest' }],
    [{ tab: 'matched' }, { states: ['matched'], order: 'newest' }],
    [{ tab: 'toString' }, { states: ['unmatched', 'suggested'] }],
    [{ tab: ['matched'] }, { states: ['unmatched', 'suggested'] }],
    [{ day: '2026-11-20' }, { day: '2026-11-20' }],
    [{ day: '2026-02-30' }, { day: null }],
    [{ day: '0000-00-00' }, { day: null }],
    [{ amount: '1.249,50' }, { amounts: { 0: [], 2: [124_950], 3: [1_249_500] } }],
    [{ amount: '12' }, { amounts: { 0: [12], 2: [1_200], 3: [12_000] } }],
    [{ amount: 'much' }, { amounts: { 0: [], 2: [], 3: [] } }],
    [{ q: ' Ada\0 ' }, { text: 'Ada' }],
    [{ after: 'no id' }, { after: null }],
  ])('%j', (query, expected) => {
    expect(filterOf(query)).toMatchObject(expected);
  });

  it('is written into an address, and read out of it again', () => {
    const query = readQueueQuery({ tab: 'ignored', account: 'DE 1&2', q: '<b>', amount: '1.00' });
    const address = new URLSearchParams(lineAddress(query).slice(1));
    expect(readQueueQuery(Object.fromEntries(address))).toEqual(query);
    expect(lineAddress({ tab: 'waiting' })).toBe('');
  });

  it('knows the decimals of currencies', () => {
    expect(ODD_DECIMALS).toMatchObject({ JPY: 0, KWD: 3 });
    expect(ODD_DECIMALS).not.toHaveProperty('EUR');
  });
});
