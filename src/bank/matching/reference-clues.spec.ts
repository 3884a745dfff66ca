import { describe, expect, it } from '@jest/globals';
import { fastestOf } from '../../../test/support/fastest.js';
import { newTransferReference } from '../../common/money/creditor-reference.js';
import {
  doubtfulReferences,
  nearReferences,
  placesLookedAt,
  sureReferences,
} from './reference-clues.js';

const NOTHING = { references: [], text: null, endToEndId: null };
const REFERENCE = newTransferReference('test');

/** As long as a text of a line can be. */
const LENGTH = 40_000;

/** More than a line ever names: each row of digits is one reference, and near to others. */
const flood = Array.from({ length: LENGTH / 20 }, () => newTransferReference('live')).join('');

describe('the references that a line names', () => {
  it('are sought in its places, the surest first', () => {
    const everywhere = {
      references: [{ value: REFERENCE, type: 'SCOR' }],
      text: REFERENCE,
      endToEndId: REFERENCE,
    };
    expect(sureReferences(everywhere)).toMatchObject([
      { reference: REFERENCE, place: 'structured' },
    ]);
    expect(sureReferences({ ...everywhere, references: [] })).toMatchObject([{ place: 'text' }]);
    expect(sureReferences({ ...NOTHING, endToEndId: REFERENCE })).toMatchObject([
      { place: 'end_to_end_id' },
    ]);
  });

  it('stand in what a payer or a bank writes, not far behind it', () => {
    const behind = (length: number) => ({ ...NOTHING, text: 'x'.repeat(length) + REFERENCE });
    expect(sureReferences(behind(2_000))).toHaveLength(1);
    expect(sureReferences(behind(6_000))).toEqual([]);
  });

  it('are some hundreds at most', () => {
    const line = { ...NOTHING, text: flood };
    expect(sureReferences(line)).toHaveLength(200);
    expect(doubtfulReferences(line)).toHaveLength(200);
    expect(nearReferences(line).length).toBeLessThanOrEqual(200);
  });

  it('keep nobody waiting, however many there are', () => {
    const lines = Array.from({ length: 25 }, () => ({ ...NOTHING, text: flood }));
    const start = performance.now();
    for (const line of lines) {
      sureReferences(line);
      doubtfulReferences(line);
      nearReferences(line);
    }
    expect(performance.now() - start).toBeLessThan(3_000);
  });

  it.each(['\u3389', '\ufdfa', '\u0390', 'A', '7', 'O', 'RF1', '.', '\u0301\u0316', '1A'])(
    'keep nobody waiting in a text of %j',
    (characters) => {
      const text = characters.repeat(LENGTH / characters.length);
      const line = { references: [{ value: text, type: null }], text, endToEndId: text };
      const took = fastestOf(() => {
        for (const look of [sureReferences, doubtfulReferences, nearReferences]) look(line);
      });
      expect(took).toBeLessThan(100);
      const seen = placesLookedAt(line).reduce((sum, [, each]) => sum + each.length, 0);
      expect(seen).toBeLessThanOrEqual(5_000);
    },
  );
});
