import { describe, expect, it } from '@jest/globals';
import { Database, TRIES_MAX } from '../src/database/database.js';
import { openShop } from './support/shop.js';

const { app } = await openShop();
const database = app.get(Database);

describe('what waits for a commit', () => {
  /** Ends a transaction as PostgreSQL ends one of two that cannot both be. */
  const serializationFailure = () => Object.assign(new Error('again'), { code: '40001' });

  it('happens once, however often the transaction ran', async () => {
    const said: string[] = [];
    let tries = 0;
    await database.transaction(async (tx) => {
      tries++;
      database.afterCommit(tx, () => void said.push(`first of try ${tries}`));
      database.afterCommit(tx, () => void said.push('second'));
      await tx.query('SELECT 1');
      if (tries < TRIES_MAX) throw serializationFailure();
    });
    expect(said).toEqual([`first of try ${TRIES_MAX}`, 'second']);
  });

  it('does not happen when the transaction fails', async () => {
    const said: string[] = [];
    const failing = database.transaction(async (tx) => {
      database.afterCommit(tx, () => void said.push('too early'));
      await tx.query('SELECT 1 / 0');
    });
    await expect(failing).rejects.toThrow('division by zero');
    expect(said).toEqual([]);
  });
});
