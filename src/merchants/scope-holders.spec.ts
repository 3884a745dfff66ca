import { describe, expect, it } from '@jest/globals';
import { SCOPES } from '../database/merchants/api-key.entity.js';
import { scopesOf } from './scope-holders.js';

describe('the scopes of a role', () => {
  it('are all of them for the owner, and none for who makes no keys', () => {
    expect(scopesOf('owner')).toEqual(SCOPES);
    for (const role of ['finance', 'viewer', 'support', 'operator', 'constructor']) {
      expect(scopesOf(role)).toEqual([]);
    }
  });

  it('let a developer see no payouts and make no refunds', () => {
    const all = SCOPES.filter((scope) => scope !== 'payouts:read' && scope !== 'refunds:write');
    expect(scopesOf('developer')).toEqual(all);
  });
});
