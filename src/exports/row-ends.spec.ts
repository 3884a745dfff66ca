import { text } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { csvLine } from './columns.js';
import { RowEnds } from './row-ends.js';

/** The file comes in pieces of so many bytes. */
async function through(file: string, bytes: number, lineEnd: '\n' | '\r\n') {
  const rowEnds = new RowEnds(lineEnd);
  const all = Buffer.from(file);
  const pieces = Array.from({ length: Math.ceil(all.length / bytes) }, (_, n) =>
    all.subarray(n * bytes, (n + 1) * bytes),
  );
  const result = await text(Readable.from(pieces).pipe(rowEnds));
  return { result, rows: rowEnds.rows };
}

const cell = fc.stringMatching(/^[ab"\n\r;ä🪑]{0,6}$/u);

describe('row ends', () => {
  it('are those between rows, wherever the file is cut', async () => {
    const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 3 }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 1, max: 20 }), async (table, bytes) => {
        const lines = table.map((cells) => csvLine(cells, ';'));
        const file = (end: string) => lines.map((line) => line + end).join('');
        const counted = { rows: lines.length };
        expect(await through(file('\n'), bytes, '\n')).toEqual({ result: file('\n'), ...counted });
        expect(await through(file('\n'), bytes, '\r\n')).toEqual({
          result: file('\r\n'),
          ...counted,
        });
      }),
    );
  });
});
