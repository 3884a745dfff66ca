import { describe, expect, it } from '@jest/globals';
import { lackingMembers, markedLines } from './version-lines.js';

const older = { txid: 't', payment: { id: 'p', error: null }, empty: {} };
const newer = {
  txid: 't',
  optionalFields: { 'a/b': 'x"y', c: '' },
  payment: { id: 'p', error: null, payerAccountName: 'Erika' },
  empty: {},
};

describe(markedLines.name, () => {
  it.each([
    [older],
    [newer],
    [{}],
    [{ payment: null }],
    [{ list: [] }],
    [{ list: [newer, 'a', [1]] }],
  ])('writes %j as JSON', (body) => {
    const text = markedLines(body, null).map((line) => line.text);
    expect(text.join('\n')).toBe(JSON.stringify(body, null, 2));
  });

  it('marks what the older one lacks, and nothing else', () => {
    const marked = markedLines(newer, older).filter(({ isNew }) => isNew);
    expect(marked.map(({ text }) => text.trim())).toEqual([
      '"optionalFields": {',
      '"a/b": "x\\"y",',
      '"c": ""',
      '},',
      '"payerAccountName": "Erika"',
    ]);
    expect(markedLines(newer, newer).some(({ isNew }) => isNew)).toBe(false);
  });
});

describe(lackingMembers.name, () => {
  it('names what the newer one has besides', () => {
    expect(lackingMembers(older, newer)).toEqual(['optionalFields', 'payment.payerAccountName']);
    expect(lackingMembers(newer, newer)).toEqual([]);
    expect(lackingMembers({ payment: null }, { payment: null })).toEqual([]);
  });
});
