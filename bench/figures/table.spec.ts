import { describe, expect, it } from '@jest/globals';
import { figure, markdown, plain } from './table.js';

const TABLE = {
  head: ['Work', 'req/s'],
  rows: [
    ['create', '4,570'],
    ['payment page', '–'],
  ],
};

describe('tables', () => {
  it('stand in columns on a screen', () => {
    expect(plain(TABLE).split('\n')).toEqual([
      'Work          req/s',
      'create        4,570',
      'payment page      –',
    ]);
  });

  it('stand in columns on a page', () => {
    expect(markdown(TABLE).split('\n')).toEqual([
      '| Work         | req/s |',
      '| ------------ | ----: |',
      '| create       | 4,570 |',
      '| payment page |     – |',
    ]);
  });

  it('have figures with three digits or all before the point', () => {
    expect([0, 0.123, 9.876, 12.34, 99.94, 1_234.5, NaN].map(figure)).toEqual([
      '0',
      '0.12',
      '9.88',
      '12.3',
      '99.9',
      '1,235',
      '–',
    ]);
  });
});
