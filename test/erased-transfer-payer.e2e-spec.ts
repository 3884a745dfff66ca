import { describe, expect, it } from '@jest/globals';
import { BankImportService } from '../src/bank/import/import.service.js';
import { ErasureService } from '../src/retention/erasure.service.js';
import { camtFile } from './support/bank-file.js';
import { collectionAccount, OWN_ACCOUNT, told } from './support/bank-lines.js';
import { person, signedIn } from './support/people.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop();
await collectionAccount(app);
const DAY = app.clock.now().toISOString().slice(0, 10);
const IBAN = 'DE71110220330123456789';
const NAME = 'Wilhelmine Geloescht';

describe('an erased payer of a bank transfer', () => {
  it('is not on the page of the order', async () => {
    const order = await shop.order({ amount: 4_200 });
    const text = await told(app, shop, order);
    const bytes = Buffer.from(
      camtFile('053', {
        account: OWN_ACCOUNT,
        day: DAY,
        id: 'S1',
        entries: [{ amount: 4_200, text, payer: { name: NAME, iban: IBAN } }],
      }),
    );
    await app.get(BankImportService).import({ bytes }, { mode: 'test', name: 'a', source: 'cli' });
    expect((await shop.read(order.txid)).body.status).toBe('paid');
    const erased = await app
      .get(ErasureService)
      .erase(shop.merchantId, { email: null, account: IBAN }, async () => {});
    expect(erased.erased).toEqual([order.txid]);
    const owner = await signedIn(app, await person(app, 'owner', shop.merchantId));
    const base = `/portal/m/${shop.merchantId}/test/orders/${order.txid}`;
    const masked = await owner.get(base);
    const revealed = await owner.post(`${base}/payer`);
    expect(revealed.status).toBe(200);
    for (const { html } of [masked, revealed]) {
      expect(html).toContain('42.00');
      for (const part of [NAME, IBAN, IBAN.slice(-4)]) expect(html).not.toContain(part);
    }
  });
});
