import { describe, expect, it } from '@jest/globals';
import { retryWhileUnavailable } from './retry-while-unavailable.js';
import { DatabaseUnavailableError } from '../../database/errors.js';
import { UnavailableError } from '../../overload/errors.js';

const failing = (code: string, times: number) => {
  const tries = { count: 0 };
  const work = () => {
    if (++tries.count > times) return Promise.resolve('done');
    return Promise.reject(new DatabaseUnavailableError(Object.assign(new Error('x'), { code })));
  };
  return { work, tries };
};

describe('work that the database does not take', () => {
  it('is tried again while the database is away, or others hold a lock', async () => {
    for (const code of ['57P01', '55P03']) {
      await expect(retryWhileUnavailable(failing(code, 4).work)).resolves.toBe('done');
    }
  });

  it('is tried three times where it takes too long itself', async () => {
    await expect(retryWhileUnavailable(failing('57014', 2).work)).resolves.toBe('done');
    const { work, tries } = failing('57014', 9);
    await expect(retryWhileUnavailable(work)).rejects.toThrow(UnavailableError);
    expect(tries.count).toBe(3);
  });
});
