import { beforeEach, describe, expect, it } from '@jest/globals';
import { JsonLogger, loggedError } from './logger.js';

const lines: string[] = [];
const logger = (level = 'info') =>
  new JsonLogger(level, { write: (line) => void lines.push(line) });
const last = (): Record<string, unknown> => JSON.parse(lines.at(-1) ?? '{}');

beforeEach(() => void lines.splice(0));

describe(JsonLogger.name, () => {
  it('writes one JSON object a line, with time and context', () => {
    logger().log('started', 'main');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^\{.*\}\n$/);
    expect(last()).toMatchObject({ msg: 'started', context: 'main' });
    expect(last()['time']).toMatch(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/);
  });

  it('keeps a line break inside its line', () => {
    logger().warn('one\n{"msg":"forged"}', 'main');
    expect(lines[0]?.trimEnd().split('\n')).toHaveLength(1);
  });

  it('writes the members of an object beside its message', () => {
    logger().error({ requestId: 'r1' }, 'broken', 'errors');
    expect(last()).toMatchObject({ requestId: 'r1', msg: 'broken', context: 'errors' });
    logger().warn({ requestId: 'r2' }, 'errors');
    expect(last()).toMatchObject({ requestId: 'r2', context: 'errors' });
  });

  it('leaves out what is less important than the level', () => {
    logger('warn').log('quiet', 'main');
    logger().debug('quiet', 'main');
    logger('silent').fatal('quiet', 'main');
    expect(lines).toEqual([]);
  });

  it('keeps the chatter of the framework for debugging', () => {
    logger().log('Mapped {/api/order, GET} route', 'RouterExplorer');
    expect(lines).toEqual([]);
    logger('debug').log('Mapped {/api/order, GET} route', 'RouterExplorer');
    expect(lines).toHaveLength(1);
  });

  it('never writes the values of a failed statement', () => {
    const error = Object.assign(new Error('it failed', { cause: new Error('deeper') }), {
      code: '23505',
      parameters: ['pos_test_secret'],
      detail: 'Key (email)=(erika@example.com) already exists.',
    });
    logger().error({ err: error }, 'internal_error', 'errors');
    expect(last()).toMatchObject({
      err: { type: 'Error', message: 'it failed', code: '23505', cause: { message: 'deeper' } },
    });
    expect(lines.join()).not.toMatch(/secret|erika/);
    logger().error(error);
    expect(lines.join()).not.toMatch(/secret|erika/);
  });
});

describe(loggedError.name, () => {
  it('follows causes only so far', () => {
    const circular = new Error('round');
    circular.cause = circular;
    expect(JSON.stringify(loggedError(circular)).match(/round/g)?.length).toBeLessThan(20);
  });

  it('reads plain copies of errors', () => {
    const error = Object.assign(new TypeError('it failed'), { code: '57014', detail: 'erika' });
    const copy = { ...error, message: error.message, stack: error.stack, job: 'deliveries' };
    const { stack } = error;
    expect(loggedError(copy)).toEqual({
      type: 'object',
      message: 'it failed',
      code: '57014',
      stack,
    });
  });

  it.each([
    ['Bank is away', 'Bank is away'],
    ['no pos_test_secret for erika@example.com, DE89370400440532013000', 'no … for … …'],
    [`${'a'.repeat(19)} `.repeat(1_000), `${'a'.repeat(19)} `.repeat(10)],
    [{ status: 503, key: 'pos_test_secret' }, '{ status, key }'],
    [undefined, 'undefined'],
    [null, 'null'],
  ])('says what it is instead, in few words and without secrets (%#)', (value, told) => {
    const message = `no error, but ${told}`;
    expect(loggedError(value)).toEqual({ type: typeof value, message });
  });
});
