import { describe, expect, it } from '@jest/globals';
import { confirmNoTotals } from './support/no-totals.js';
import type { Scenario } from './support/payer-text.js';
import { beyond, play } from './support/payer-text-play.js';
import { expectHealthy } from './support/payout-invariants.js';
import { openShop } from './support/shop.js';
import { offerTransfers } from './support/transfers.js';

const { app, shop } = await openShop();
await confirmNoTotals(app, { isCareful: true });
await offerTransfers(app);

/** Which of equal bookings is found first depends on random ids. */
const ROUNDS = 20;
const words = (
  before: string,
  reference: number | 'own' | null = null,
  part = 'whole' as const,
) => ({
  before,
  reference,
  part,
});

/**
 * Two payers name the same order, and one of them writes marks of the other dialect: an entry of the second dialect
 * fits either booking, so their lines seem to be three bookings.
 */
const TWO_DIALECTS: Scenario = {
  bookings: [
    { amount: 100, payer: 0, endToEndId: null, text: [words('X'.repeat(27), 'own')] },
    { amount: 100, payer: 0, endToEndId: [words('', 'own')], text: [] },
    { amount: 9_900, payer: 0, endToEndId: null, text: [] },
    { amount: 100, payer: 0, endToEndId: [words(':86:')], text: [words('', 4)] },
    {
      amount: 100,
      payer: 0,
      endToEndId: [{ ...words('?21/NAME/Mallory/', 'own'), part: 'first' }],
      text: [words('/REMI/', 'own')],
    },
  ],
  hasBankReferences: true,
  files: ['camt.053', 'mt940-german', 'mt940-plain'],
};

describe('bookings whose texts payers chose', () => {
  it('pay once where two dialects of MT940 follow camt.053', async () => {
    for (let round = 0; round < ROUNDS; round += 1)
      expect(beyond(TWO_DIALECTS, await play(app, shop, TWO_DIALECTS))).toEqual([]);
    await expectHealthy(app);
  });
});
