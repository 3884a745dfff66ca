import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CollectionAccountsService } from '../src/collection-accounts/collection-accounts.service.js';
import type { NewCollectionAccount } from '../src/collection-accounts/account-fields.js';
import { TestApp } from './support/app.js';

const NOBODY = '01900000-0000-7000-8000-000000000000';

describe('collection accounts', () => {
  let app: TestApp;
  let accounts: CollectionAccountsService;

  beforeAll(async () => {
    app = await TestApp.start();
    accounts = app.get(CollectionAccountsService);
  });
  afterAll(() => app.stop());

  const account = (change: Partial<NewCollectionAccount> = {}): NewCollectionAccount => ({
    mode: 'test',
    currency: 'EUR',
    holder: 'Platform GmbH',
    account: 'DE89370400440532013000',
    bic: null,
    bankName: null,
    ...change,
  });

  /** Those of test mode that are there, or were. */
  const at = async (text: string) =>
    (await accounts.list('test')).filter((each) => each.account === text);

  it('are shown to payers in order of preference, by mode and currency', async () => {
    expect(await accounts.shownFor('test', 'EUR')).toBeNull();
    const first = (await accounts.add(account()))!;
    const second = (await accounts.add(account({ account: 'NL91ABNA0417164300' })))!;
    const pounds = (await accounts.add(account({ account: '12345678', currency: 'GBP' })))!;
    expect(await accounts.shownFor('test', 'EUR')).toEqual(first);
    expect(await accounts.shownFor('test', 'GBP')).toEqual(pounds);
    expect(await accounts.shownFor('live', 'EUR')).toBeNull();

    expect(await accounts.prefer(second.id)).toBe(true);
    expect(await accounts.shownFor('test', 'EUR')).toMatchObject({ id: second.id, position: -1 });
    expect((await accounts.list('test')).map(({ id }) => id)).toEqual([
      second.id,
      first.id,
      pounds.id,
    ]);
    expect(await accounts.list('live')).toEqual([]);

    expect(await accounts.disable(second.id)).toBe(true);
    expect(await accounts.shownFor('test', 'EUR')).toEqual(first);
    expect(await accounts.disable(second.id)).toBe(false);
    expect(await accounts.prefer(second.id)).toBe(false);
    expect(await accounts.disable(NOBODY)).toBe(false);
  });

  it('are there once, but may come back, and are found when they are out of use', async () => {
    const typed = account({ account: 'FR1420041010050500013M02606' });
    const old = (await accounts.add(typed))!;
    expect(await accounts.add(typed)).toBeNull();
    expect(await accounts.add({ ...typed, currency: 'USD' })).not.toBeNull();
    await accounts.disable(old.id);
    expect(await at(typed.account)).toMatchObject([
      { id: old.id, disabledAt: expect.any(Date) },
      { currency: 'USD' },
    ]);
    const again = (await accounts.add(typed))!;
    expect((await at(typed.account)).map(({ id }) => id)).toContain(again.id);
  });

  it.each([
    ['12345674', 'GB10NWBK60161312345674'],
    ['GB38NWBK60161387654321', '60-16-13 87654321'],
  ])('are not added under another form of their number: %s, then %s', async (one, other) => {
    expect(await accounts.add(account({ account: one, currency: 'GBP' }))).not.toBeNull();
    // In use or not, and whatever the currency: its bookings are stored under the first form.
    expect(await accounts.add(account({ account: other }))).toBeNull();
    await accounts.disable((await at(one))[0]!.id);
    expect(await accounts.add(account({ account: other, currency: 'GBP' }))).toBeNull();
    expect(await at(other)).toEqual([]);
  });

  it('are not added where the audit entry fails', async () => {
    const typed = account({ account: 'BE68539007547034' });
    const failing = accounts.add(typed, () => Promise.reject(new Error('no entry')));
    await expect(failing).rejects.toThrow('no entry');
    expect(await at(typed.account)).toEqual([]);
  });
});
