import { describe, expect, it } from '@jest/globals';
import { EndpointPace } from './endpoint-pace.js';

const FAST = { succeeded: true, durationMs: 99 };
const SLOW = { succeeded: true, durationMs: 100 };
const FAILED = { succeeded: false, durationMs: 5 };

describe(EndpointPace.name, () => {
  const paceAfter = (...answers: (typeof FAST)[]) => {
    const pace = new EndpointPace();
    for (const answer of answers) pace.answered('a', answer);
    return pace.all.get('a');
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

  it('forgets whom it has not heard of for longest', () => {
    const pace = new EndpointPace();
    for (let n = 0; n <= 100; n++) pace.answered(`e${n}`, FAST);
    expect([pace.all.size, pace.all.has('e0')]).toEqual([100, false]);
  });
});
