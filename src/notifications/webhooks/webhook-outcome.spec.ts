import { describe, expect, it } from '@jest/globals';
import { WEBHOOK_RETRIES } from '../retry-schedule.js';
import { deliveryAfter, endpointAfter, retryAfterAt } from './webhook-outcome.js';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ago = (ms: number): Date => new Date(NOW.getTime() - ms);

const SUCCESS = { succeeded: true, statusCode: 204, retryAfter: undefined };
const FAILURE = { succeeded: false, statusCode: 500, retryAfter: undefined };

const msUntil = (moment: Date | null | undefined): number => moment!.getTime() - NOW.getTime();

const tried = (attempts: number) => ({ attempts, extraAttempts: 0, scheduledAt: null });

describe(retryAfterAt.name, () => {
  it.each([
    ['0', 0],
    ['120', 120_000],
    ['3600', HOUR],
    ['3601', HOUR],
    ['86400', HOUR],
    ['Sun, 01 Mar 2026 12:05:00 GMT', 5 * MINUTE],
    ['Mon, 02 Mar 2026 12:00:00 GMT', HOUR],
  ])('%j is understood', (header, ms) => {
    expect(msUntil(retryAfterAt(header, NOW))).toBe(ms);
  });

  it.each([
    undefined,
    '',
    '-1',
    '1.5',
    'abc',
    '1e3',
    '99999999999',
    'Sun, 01 Mar 2026 11:59:59 GMT',
    'Sun, 99 Mar 2026 12:05:00 GMT',
    '2026-03-01T13:00:00Z',
    'Sun, 01 Mar 2026 12:05:00 +0100',
  ])('%j is not', (header) => {
    expect(retryAfterAt(header, NOW)).toBeUndefined();
  });
});

describe(deliveryAfter.name, () => {
  it('ends with a success', () => {
    expect(deliveryAfter(SUCCESS, tried(2), NOW, false)).toEqual({
      status: 'delivered',
      nextAttemptAt: null,
      completedAt: NOW,
    });
  });

  it('keeps to the schedule, more or less, and then gives up', () => {
    WEBHOOK_RETRIES.delays.forEach((delay, i) => {
      const { status, nextAttemptAt, completedAt } = deliveryAfter(FAILURE, tried(i), NOW, false);
      expect([status, completedAt]).toEqual(['pending', null]);
      expect(msUntil(nextAttemptAt)).toBeGreaterThanOrEqual(delay * 0.8);
      expect(msUntil(nextAttemptAt)).toBeLessThanOrEqual(delay * 1.2);
    });
    expect(deliveryAfter(FAILURE, tried(9), NOW, false)).toEqual({
      status: 'failed',
      nextAttemptAt: null,
      completedAt: NOW,
    });
  });

  it('tries some things only once', () => {
    expect(deliveryAfter(FAILURE, tried(0), NOW, true).status).toBe('failed');
  });

  it.each([429, 503])('has patience with %i, and never comes back sooner for it', (statusCode) => {
    const busy = (retryAfter: string) => ({ succeeded: false, statusCode, retryAfter });
    expect(msUntil(deliveryAfter(busy('600'), tried(0), NOW, false).nextAttemptAt)).toBe(600_000);
    expect(msUntil(deliveryAfter(busy('86400'), tried(0), NOW, false).nextAttemptAt)).toBe(HOUR);
    for (const retryAfter of ['0', '1', '-1', 'abc']) {
      const ms = msUntil(deliveryAfter(busy(retryAfter), tried(1), NOW, false).nextAttemptAt);
      expect(ms).toBeGreaterThanOrEqual(4 * MINUTE);
      expect(ms).toBeLessThanOrEqual(6 * MINUTE);
    }
    expect(deliveryAfter(busy('600'), tried(9), NOW, false).status).toBe('failed');
  });

  it('leaves what is tried before its time where it was, and does not count it', () => {
    const scheduledAt = new Date(NOW.getTime() + HOUR);
    const before = { attempts: 9, extraAttempts: 6, scheduledAt };
    const waits = { status: 'pending', nextAttemptAt: scheduledAt, completedAt: null };
    expect(deliveryAfter(FAILURE, before, NOW, false)).toEqual({ ...waits, isExtra: true });
    const inTime = deliveryAfter(FAILURE, { ...before, scheduledAt: NOW }, NOW, false);
    expect(inTime).toMatchObject({ status: 'pending', isExtra: false });
    expect(msUntil(inTime.nextAttemptAt)).toBeGreaterThan(1.5 * HOUR);
    expect(msUntil(inTime.nextAttemptAt)).toBeLessThan(2.5 * HOUR);
  });

  it('listens to nobody else', () => {
    const answer = { succeeded: false, statusCode: 500, retryAfter: '600' };
    expect(msUntil(deliveryAfter(answer, tried(0), NOW, false).nextAttemptAt)).toBeLessThan(MINUTE);
  });
});

describe(endpointAfter.name, () => {
  const fine = { enabled: true, failingSince: null, warnings: 0 };
  const failing = (ms: number, warnings = 0) => ({ ...fine, failingSince: ago(ms), warnings });

  it('changes nothing in an endpoint that works', () => {
    expect(endpointAfter(fine, SUCCESS, NOW)).toEqual({ patch: {}, notice: null });
  });

  it('forgets the failure with the first success', () => {
    const { patch, notice } = endpointAfter(failing(HOUR, 1), SUCCESS, NOW);
    expect([patch, notice]).toEqual([{ failingSince: null, warnings: 0 }, null]);
  });

  it('remembers the first failure', () => {
    expect(endpointAfter(fine, FAILURE, NOW).patch).toEqual({ failingSince: NOW });
    const since = ago(MINUTE);
    expect(endpointAfter(failing(MINUTE), FAILURE, NOW).patch).toEqual({ failingSince: since });
  });

  it.each([
    [HOUR - 1, 0, null],
    [HOUR, 0, '1h'],
    [HOUR, 1, null],
    [23 * HOUR, 1, null],
    [24 * HOUR, 1, '24h'],
    [24 * HOUR, 0, '24h'],
    [24 * HOUR, 2, null],
    [120 * HOUR - 1, 2, null],
    [120 * HOUR, 2, 'failing'],
    [120 * HOUR, 0, 'failing'],
  ])('after %i ms and %i mails tells: %s', (ms, warnings, stage) => {
    expect(endpointAfter(failing(ms, warnings), FAILURE, NOW).notice?.stage ?? null).toBe(stage);
  });

  it('counts the mails, so that each goes out once', () => {
    const { patch, notice } = endpointAfter(failing(25 * HOUR), FAILURE, NOW);
    expect(patch).toEqual({ failingSince: ago(25 * HOUR), warnings: 2 });
    expect(notice).toEqual({ type: 'endpoint.failing', stage: '24h', since: ago(25 * HOUR) });
  });

  it('switches off what failed for five days, and what is gone', () => {
    const { patch } = endpointAfter(failing(120 * HOUR, 2), FAILURE, NOW);
    expect(patch).toMatchObject({ enabled: false, disabledReason: 'failing' });
    const gone = endpointAfter(fine, { ...FAILURE, statusCode: 410 }, NOW);
    expect(gone.patch).toEqual({ enabled: false, disabledReason: 'gone', failingSince: NOW });
    expect(gone.notice).toEqual({ type: 'endpoint.disabled', stage: 'gone', since: NOW });
  });

  it('tells nothing of an endpoint that is switched off already', () => {
    const off = { ...failing(120 * HOUR), enabled: false };
    expect(endpointAfter(off, FAILURE, NOW)).toEqual({ patch: {}, notice: null });
  });
});
