import { describe, expect, it } from '@jest/globals';
import { UserRepository } from '../src/database/people/user.repository.js';
import { type Person, person, signedIn } from './support/people.js';
import { openShop } from './support/shop.js';

/** People who leaf through the list at the same moment. */
const CROWD = 64;

const { app, shop } = await openShop();

async function nameOf({ id }: Person): Promise<string> {
  return (await app.get(UserRepository).find(id))!.name;
}

describe('the list of orders', () => {
  it('answers everybody of a shop who leafs through it at once', async () => {
    await shop.order();
    const browser = await signedIn(app, await person(app, 'owner', shop.merchantId));
    const path = `/portal/m/${shop.merchantId}/test/orders`;
    const crowd = Array.from({ length: CROWD }, () => browser.get(path));
    const statuses = (await Promise.all(crowd)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('shows everybody a page of his own, rendered anew or not', async () => {
    const { txid } = await shop.order({ customer: { name: 'Erika Mustermann' } });
    const path = `/portal/m/${shop.merchantId}/test/orders`;
    const roles = ['owner', 'viewer', 'owner'] as const;
    const people = await Promise.all(roles.map((role) => person(app, role, shop.merchantId)));
    const browsers = await Promise.all(people.map((each) => signedIn(app, each)));
    const seen = new Set<string>();
    for (let n = 0; n < 2; n++) {
      for (const [i, browser] of browsers.entries()) {
        const { html } = await browser.get(path);
        expect(html).toContain(txid);
        expect(/<a class="plain"[^>]*><bdi>(.*?)<\/bdi>/.exec(html)?.[1]).toBe(
          await nameOf(people[i]!),
        );
        expect(html.includes('Download CSV')).toBe(roles[i] === 'owner');
        expect(html.includes('Erika Mustermann')).toBe(roles[i] === 'owner');
        const tokens = new Set(html.match(/(?<=name="csrf" value=")[^"]+/g));
        expect(tokens.size).toBe(1);
        seen.add([...tokens].join());
      }
    }
    expect(seen.size).toBe(roles.length);
  });
});
