import { describe, expect, it } from '@jest/globals';
import {
  API_VERSIONS,
  isApiVersion,
  isBefore,
  NEWEST_API_VERSION,
} from '../../common/api-version.js';
import { assertSince } from './assert-since.js';
import { RELEASES } from './releases.js';

describe('the versions of the contract', () => {
  it('are in the order of their release', () => {
    expect(API_VERSIONS.slice(0, 4)).toEqual(['1.0', '1.2', '1.2.1', '1.2.2']);
    expect(new Set(API_VERSIONS).size).toBe(API_VERSIONS.length);
    expect(API_VERSIONS.at(-1)).toBe(NEWEST_API_VERSION);
    expect(RELEASES.map(({ version }) => version)).toEqual(API_VERSIONS);
  });

  it.each(['', '1', '1.1', '1.20', '1.2.2 ', 'v1.2', '1.2.3', '__proto__'])(
    'do not include %p',
    (text) => expect(isApiVersion(text)).toBe(false),
  );

  it('are compared by release, not as text', () => {
    expect(isBefore('1.0', '1.2')).toBe(true);
    expect(isBefore('1.2', '1.2')).toBe(false);
    expect(isBefore('1.2.2', '1.2.1')).toBe(false);
  });

  it('know since when an operation exists', () => {
    expect(() => assertSince('1.2', '1.2')).not.toThrow();
    expect(() => assertSince('1.2', '1.2.2')).not.toThrow();
    expect(() => assertSince('1.2', '1.0')).toThrow(
      expect.objectContaining({ code: 'not_in_this_version', members: { since: '1.2' } }),
    );
  });
});
