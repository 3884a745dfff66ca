import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestApp } from './support/app.js';
import { credited } from './support/bank-lines.js';
import type { FormBrowser } from './support/browser-form.js';
import { count, select } from './support/facts.js';
import { person, signedIn, withTotp } from './support/people.js';

const ACCOUNTS = '/portal/platform/collection-accounts/test';
const PROFILES = '/portal/platform/bank/profiles';
const IBAN = 'DE89370400440532013000';
const PROFILE = {
  name: 'house-bank',
  ownAccount: IBAN,
  delimiter: ';',
  date: 'DD.MM.YYYY',
  decimal: ',',
  group: '.',
  columns: { bookedOn: 'Day', amount: 'Amount', text: ['Text'] },
};

describe('what bank transfers need', () => {
  let app: TestApp;
  let operator: FormBrowser;
  let support: FormBrowser;

  beforeAll(async () => {
    app = await TestApp.start();
    operator = await signedIn(app, await withTotp(app, await person(app, 'operator')));
    support = await signedIn(app, await withTotp(app, await person(app, 'support')));
  });
  afterAll(() => app.stop());

  const actions = async () =>
    (
      await select<{ action: string }>(
        app,
        `SELECT action FROM audit_entries WHERE action NOT LIKE 'sign%' ORDER BY id DESC LIMIT 1`,
      )
    )[0]!.action;

  it('collection accounts are added, preferred and disabled by operators', async () => {
    const fields = { account: 'de89 3704 0044 0532 0130 00', currency: 'eur', holder: 'Us <b>' };
    expect((await operator.fill(`${ACCOUNTS}/new`, fields)).location).toContain('done=added');
    expect(await actions()).toBe('collection-account.added');
    const again = await operator.fill(`${ACCOUNTS}/new`, fields);
    expect([again.status, again.html.includes('in use for this currency')]).toEqual([422, true]);
    const other = { ...fields, account: 'NL91ABNA0417164300' };
    await operator.fill(`${ACCOUNTS}/new`, other);
    const rows = await select<{ id: string }>(
      app,
      `SELECT id FROM collection_accounts WHERE mode = 'test' ORDER BY position`,
    );
    expect((await operator.fill(ACCOUNTS, {}, `${ACCOUNTS}/${rows[1]!.id}/prefer`)).status).toBe(
      303,
    );
    const shown = (await support.get(ACCOUNTS)).html;
    expect(shown).toMatch(/NL91 ABNA 0417 1643 00.*?Shown to payers/s);
    expect(shown).toContain('Us &lt;b>');
    expect(shown).not.toContain('/disable');
    const disable = `${ACCOUNTS}/${rows[1]!.id}/disable`;
    expect((await operator.fill(disable, {})).location).toContain('done=disabled');
    expect(await actions()).toBe('collection-account.disabled');
    expect((await support.get(disable)).status).toBe(403);
    expect((await operator.get(disable.replace('/test/', '/live/'))).status).toBe(404);
  });

  it.each([
    [{ account: 'DE00370400440532013000' }, 'check digits'],
    [{ account: '' }, 'Write an IBAN'],
    [{ currency: 'EURO' }, 'must be a currency'],
    [{ holder: '' }, '1 to 70 characters'],
    [{ holder: 'Us \u202egnp' }, '1 to 70 characters'],
    [{ bic: 'NOBIC' }, 'A BIC has 8 or 11'],
    [{ account: 'CH4431999123000889012' }, 'QR-IBAN'],
  ])('an account that is %j is refused with a sentence', async (wrong, sentence) => {
    const fields = { account: 'NL91ABNA0417164300', currency: 'EUR', holder: 'Us', ...wrong };
    const reply = await operator.fill(`${ACCOUNTS}/new`, fields);
    expect([reply.status, reply.html.includes(sentence)]).toEqual([422, true]);
  });

  it('CSV profiles are kept, named once, and removed', async () => {
    const profile = JSON.stringify(PROFILE);
    expect((await operator.get(`${PROFILES}/new?from=wise`)).html).toContain('TransferWise ID');
    expect((await operator.fill(`${PROFILES}/new`, { profile })).location).toContain('done=added');
    expect(await actions()).toBe('csv-profile.added');
    const again = await operator.fill(`${PROFILES}/new`, { profile });
    expect(again.html).toContain('A profile with this name exists.');
    const known = JSON.stringify({ ...PROFILE, name: 'wise' });
    expect((await operator.fill(`${PROFILES}/new`, { profile: known })).status).toBe(422);
    const { html } = await support.get(PROFILES);
    for (const text of ['house-bank', 'sparkasse', 'wise']) expect(html).toContain(text);
    const [row] = await select<{ id: string }>(app, 'SELECT id FROM csv_profiles');
    expect((await support.get(`${PROFILES}/${row!.id}/remove`)).status).toBe(403);
    expect((await operator.fill(`${PROFILES}/${row!.id}/remove`, {})).status).toBe(303);
    expect(await count(app, 'csv_profiles', 'removed_at IS NULL')).toBe(0);
    expect((await operator.get(`${PROFILES}/${row!.id}/remove`)).status).toBe(404);
  });

  it.each([
    ['', 'is no JSON'],
    ['[]', 'is no JSON object'],
    [JSON.stringify({ ...PROFILE, date: 'day' }), '&quot;date&quot; must be'],
    [JSON.stringify({ ...PROFILE, name: '/etc/house' }), '&quot;name&quot; must be'],
    [JSON.stringify({ ...PROFILE, name: 'house.JSON' }), '&quot;name&quot; must be'],
    [JSON.stringify({ ...PROFILE, '<script>': 1 }), 'unknown field'],
    [JSON.stringify({ ...PROFILE, sign: { column: 'S/H' } }), '&quot;sign.credit&quot; must be'],
  ])('the profile %s is refused with a sentence', async (profile, sentence) => {
    const reply = await operator.fill(`${PROFILES}/new`, { profile });
    expect(reply.status).toBe(422);
    expect(reply.html).toContain(sentence);
    expect(reply.html).not.toContain('<script>"');
  });

  it('an operator lets a merchant take live transfers, and stops it', async () => {
    const { merchantId } = await app.merchant();
    const page = `/portal/platform/merchants/${merchantId}`;
    for (const [takes, isOn] of [
      ['yes', true],
      ['no', false],
    ] as const) {
      expect((await operator.fill(page, { takes }, `${page}/transfers`)).status).toBe(303);
      const where = [merchantId, isOn];
      expect(await count(app, 'merchants', 'id = $1 AND takes_transfers = $2', where)).toBe(1);
      expect(await actions()).toBe(`merchant.transfers-${isOn ? 'allowed' : 'stopped'}`);
    }
    expect((await support.post(`${page}/transfers`, { takes: 'yes' })).status).toBe(403);
  });

  it('an owner says how long orders wait for a transfer', async () => {
    const { merchantId } = await app.merchant();
    const owner = await signedIn(app, await withTotp(app, await person(app, 'owner', merchantId)));
    const page = `/portal/m/${merchantId}/test/business`;
    const fields = {
      name: 'Shop',
      contactUrl: '',
      colour: '0b4f9e',
      logoUrl: '',
      timeZone: 'UTC',
    };
    for (const transferDays of ['1', '61', 'two', '2.5', '-3']) {
      const reply = await owner.fill(page, { ...fields, transferDays });
      expect([reply.status, reply.html.includes('from 2 to 60')]).toEqual([422, true]);
    }
    expect((await owner.fill(page, { ...fields, transferDays: '30' })).status).toBe(303);
    expect(await count(app, 'merchants', 'id = $1 AND transfer_days = 30', [merchantId])).toBe(1);
  });

  it('a merchant sees the line that paid its order, and nobody else’s', async () => {
    const shop = await app.merchant();
    const order = await shop.order({ amount: 1_000 });
    await credited(app, shop, order, 1_000);
    const owner = await signedIn(
      app,
      await withTotp(app, await person(app, 'owner', shop.merchantId)),
    );
    const viewer = await signedIn(app, await person(app, 'viewer', shop.merchantId));
    const path = `/portal/m/${shop.merchantId}/test/orders/${order.txid}`;
    const { html } = await owner.get(path);
    expect(html).toContain('Bank booking');
    expect(html).toContain('booked on');
    const masked = (await viewer.get(path)).html;
    expect(masked).toContain('Bank booking');
    expect(masked).not.toContain('Paula Payer');
    expect(masked).not.toContain('NL91ABNA0417164300');
    const unpaid = await shop.order({ amount: 1_000 });
    expect((await owner.get(path.replace(order.txid, unpaid.txid))).html).not.toContain(
      'Bank booking',
    );
  });
});
