import { describe, expect, it } from '@jest/globals';
import { EndpointConcurrency } from './endpoint-concurrency.js';

const FAST = { succeeded: true, durationMs: 99 };
const SLOW = { succeeded: true, durationMs: 100 };
const FAILED = { succeeded: false, durationMs: 5 };

describe(EndpointConcurrency.name, () => {
  const paceAfter = (...answers: (typeof FAST)[]) => {
    const pace = new EndpointConcurrency();
    for (const answer of answers) pace.answered('a', answer);
    return pace.faster.get('a');
  };
  const fast = (times: number) => Array.from({ length: times }, () => FAST);

  it('grows by one with each fast answer, up to 16', () => {
    expect(paceAfter(FAST)).toBe(5);
    expect(paceAfter(...fast(12))).toBe(16);
    expect(paceAfter(...fast(99))).toBe(16);
  });

  it('is halved by a slow answer and by a failure, and ends where it began', () => {
    expect(paceAfter(...fast(12), SLOW)).toBe(8);
    expect(paceAfter(...fast(12), FAILED)).toBe(8);
    expect(paceAfter(...fast(12), SLOW, SLOW)).toBeUndefined();
    expect(paceAfter(SLOW, FAST)).toBe(5);
  });

  it('calls slow whose last attempt lasted a second, whatever came of it', () => {
    const pace = new EndpointConcurrency();
    const isSlow = () => [...pace.slow];
    for (const succeeded of [true, false]) {
      pace.answered('a', { succeeded, durationMs: 999 });
      expect(isSlow()).toEqual([]);
      pace.answered('a', { succeeded, durationMs: 1_000 });
      expect(isSlow()).toEqual(['a']);
      pace.answered('b', FAST);
      expect(isSlow()).toEqual(['a']);
    }
    for (let n = 0; n < 1_000; n++) pace.answered(`e${n}`, { succeeded: true, durationMs: 9_000 });
    expect([pace.slow.size, pace.slow.has('a')]).toEqual([1_000, false]);
  });

  it('leaves whoever asks for patience in peace, for a minute at most', () => {
    const pace = new EndpointConcurrency();
    const at = (seconds: number) => new Date(seconds * 1_000);
    pace.rest('a', at(5), at(0));
    pace.rest('b', at(3_600), at(0));
    const resting = (seconds: number) => [...pace.resting(at(seconds)).keys()];
    expect([resting(4), resting(5), resting(59), resting(60)]).toEqual([
      ['a', 'b'],
      ['b'],
      ['b'],
      [],
    ]);
  });

  it('forgets whom it has not heard of for longest', () => {
    const pace = new EndpointConcurrency();
    for (let n = 0; n <= 100; n++) pace.answered(`e${n}`, FAST);
    expect([pace.faster.size, pace.faster.has('e0')]).toEqual([100, false]);
  });
});
