import { describe, expect, it } from '@jest/globals';
import { readBalanceQuery } from './balance-query.js';

const NOW = new Date('2026-11-23T13:00:00Z');

describe(readBalanceQuery.name, () => {
  it.each([
    [{}, { account: null, from: '2026-10-24', until: '2026-11-23' }],
    [{ until: '2026-11-10' }, { from: '2026-10-11', until: '2026-11-10' }],
    [{ from: '2026-11-20' }, { from: '2026-11-20', until: '2026-11-23' }],
    [{ from: '2026-11-25' }, { from: '2026-11-23', until: '2026-11-23' }],
    [{ from: '1990-01-01' }, { from: '2025-11-23', until: '2026-11-23' }],
    [
      { from: '2026-02-30', until: ['x'] },
      { from: '2026-10-24', until: '2026-11-23' },
    ],
    [{ account: ' de89 3704 0044 0532 0130 00 ' }, { account: 'DE89370400440532013000' }],
    [{ account: ' 20-00-00\0 ' }, { account: '20-00-00' }],
    [{ account: '  ' }, { account: null }],
  ])('reads %j', (query, expected) => expect(readBalanceQuery(query, NOW)).toMatchObject(expected));
});
