import { describe, expect, it } from '@jest/globals';
import { person, signedIn } from './support/people.js';
import { openShop } from './support/shop.js';

/** People who leaf through the list at the same moment. */
const CROWD = 64;

const { app, shop } = await openShop();

describe('the list of orders', () => {
  it('answers everybody of a shop who leafs through it at once', async () => {
    await shop.order();
    const browser = await signedIn(app, await person(app, 'owner', shop.merchantId));
    const path = `/portal/m/${shop.merchantId}/test/orders`;
    const crowd = Array.from({ length: CROWD }, () => browser.get(path));
    const statuses = (await Promise.all(crowd)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});
