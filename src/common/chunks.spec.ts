import { expect, it } from '@jest/globals';
import { chunksByKey } from './chunks.js';

const chunks = (items: string, size: number): string[] =>
  [...chunksByKey([...items], (item) => item, size)].map((chunk) => chunk.join(''));

it.each([
  ['', 3, []],
  ['abc', 3, ['abc']],
  ['abcd', 3, ['abc', 'd']],
  ['abab', 3, ['aa', 'bb']],
  ['aaaaab', 3, ['aaaaa', 'b']],
  ['baaaaa', 3, ['b', 'aaaaa']],
])('splits %s into chunks of %d with equal items together', (items, size, expected) => {
  expect(chunks(items, size)).toEqual(expected);
});
