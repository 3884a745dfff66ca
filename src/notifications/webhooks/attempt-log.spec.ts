import { describe, expect, it } from '@jest/globals';
import { AttemptLog, type FinishedAttempt } from './attempt-log.js';

const now = new Date('2026-01-01T12:00:00Z');
const HEAD = 'x'.repeat(4_000);

/** A log that stores nothing, and the attempts that it would have stored. */
function logOf() {
  const kept: FinishedAttempt[] = [];
  const delivered = (_: unknown, attempt: FinishedAttempt): Promise<boolean> => {
    kept.push(attempt);
    return Promise.resolve(false);
  };
  const clock = { now: () => now };
  const others = [{}, { delivered }, {}, {}, {}, {}, clock];
  return {
    kept,
    log: new AttemptLog(...(others as never as ConstructorParameters<typeof AttemptLog>)),
  };
}

const attempt = { succeeded: true, requestHead: 'POST /', responseHead: HEAD } as FinishedAttempt;
const deliveryOf = (merchantId: string) =>
  ({ merchantId, mode: 'test', isFailing: false }) as never;

describe(AttemptLog.name, () => {
  it('keeps a megabyte of transcripts of a merchant at once, and those of others all the same', async () => {
    const { log, kept } = logOf();
    for (let n = 0; n < 400; n++) await log.attempted(deliveryOf('loud'), attempt);
    const bytes = kept.reduce((sum, each) => sum + (each.responseHead?.length ?? 0), 0);
    expect(kept).toHaveLength(400);
    expect(bytes).toBeGreaterThan(900_000);
    expect(bytes).toBeLessThanOrEqual(1_000_000);
    await log.attempted(deliveryOf('quiet'), attempt);
    expect(kept.at(-1)).toMatchObject({ responseHead: HEAD });
  });
});
