import { describe, expect, it, jest } from '@jest/globals';
import { LIMITS } from './limits.js';
import { StatementRefusedError } from './refused.js';
import { Total } from './total.js';

describe(Total.name, () => {
  it.each([
    ['xmlParts', 'Line 7: there are more than 20000000 elements, attributes, references'],
    ['mtLines', 'Line 7: there are more than 4000000 lines.'],
    ['rows', 'Line 7: there are more than 400000 rows.'],
    ['cells', 'Line 7: there are more than 15000000 cells.'],
  ] as const)('takes as many %s as a bank writes', (what, sentence) => {
    const total = new Total();
    total.count(what, 6, LIMITS[what] - 1);
    total.count(what, 6);
    expect(() => total.count(what, 7)).toThrow(StatementRefusedError);
    expect(() => total.count(what, 7)).toThrow(sentence);
  });

  it('lets others go on while a text is read that is there at once', async () => {
    let turns = 0;
    const others = setInterval(() => (turns += 1), 0);
    async function* chunks() {
      for (let n = 0; n < 60; n++) yield 'x';
    }
    for await (const chunk of new Total().text(chunks())) {
      const end = performance.now() + 3 * chunk.length;
      while (performance.now() < end);
    }
    clearInterval(others);
    expect(turns).toBeGreaterThan(10);
  });

  it('gives memory back after each 32 MB of a file', async () => {
    const gc = jest.fn();
    const before = Object.getOwnPropertyDescriptor(globalThis, 'gc');
    Object.defineProperty(globalThis, 'gc', { value: gc, configurable: true });
    async function* file(megabytes: number) {
      for (let n = 0; n < megabytes; n++) yield { length: 1_000_000 } as string;
    }
    const read = async (total: Total, megabytes: number) => {
      for await (const chunk of total.text(file(megabytes))) expect(chunk.length).toBe(1e6);
      return gc.mock.calls.length;
    };
    try {
      const total = new Total();
      expect([await read(new Total(), 31), await read(new Total(), 31)]).toEqual([0, 0]);
      expect([await read(total, 40), await read(total, 20), await read(total, 4)]).toEqual([
        1, 1, 2,
      ]);
      expect(gc).toHaveBeenCalledWith(expect.objectContaining({ flavor: 'last-resort' }));
    } finally {
      if (before) Object.defineProperty(globalThis, 'gc', before);
      else Reflect.deleteProperty(globalThis, 'gc');
    }
  });
});
