import { describe, expect, it } from '@jest/globals';
import { cursorText, parseCursor } from './order-cursor.js';

const txid = '019aa2f0-7c00-7000-8000-0123456789ab';

describe(parseCursor.name, () => {
  it('reads the cursor that was written', () => {
    const cursor = { time: new Date('2026-11-20T13:21:07.123Z'), txid };
    expect(parseCursor(cursorText(cursor))).toEqual(cursor);
    expect(cursorText(cursor)).toMatch(/^[\w.-]+$/);
  });

  it.each([
    '',
    'x',
    txid,
    `.${txid}`,
    `mi7.${txid}0`,
    `-1.${txid}`,
    `zzzzzzzzzz.${txid}`,
    'mi7.{}',
  ])('takes %j for none', (text) => expect(parseCursor(text)).toBeNull());

  it('takes nothing for a cursor whose time no database knows', () => {
    expect(parseCursor(`zzzzzzzzz.${txid}`)?.time.getTime()).toBeLessThan(8.64e15);
  });
});
