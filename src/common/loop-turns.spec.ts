import { expect, it } from '@jest/globals';
import { LoopTurns } from './loop-turns.js';

it('lets others go on within long work, and does not for a short one', async () => {
  const order: string[] = [];
  const turns = new LoopTurns();
  setImmediate(() => order.push('other'));
  await turns.pause();
  order.push('short');
  for (const start = performance.now(); performance.now() - start < 5;);
  await turns.pause();
  order.push('long');
  expect(order).toEqual(['short', 'other', 'long']);
});
