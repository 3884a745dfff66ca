import { describe, expect, it } from '@jest/globals';
import { withoutDashes } from '../src/common/ids.js';
import { accountFiles } from './support/account-files.js';
import { mt940File, type WrittenEntry } from './support/bank-file.js';
import { brought, linesWith } from './support/brought.js';
import { collectionAccount, told } from './support/bank-lines.js';
import { expectHealthy } from './support/payout-invariants.js';
import { Cashier, paidOrder, PAYS } from './support/payouts.js';
import { confirmNoTotals } from './support/no-totals.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop({ env: PAYS });
await confirmNoTotals(app);
await collectionAccount(app);
const { newAmount, camt, statement } = accountFiles(app);
const ATTACKER = { name: 'Mallory', iban: 'NL91ABNA0417164300' };
const VICTIM = { name: 'Erika', iban: 'DE71110220330123456789' };
/** Banking apps write constants such as this one. */
const ID = '0';

describe('a payer who uses the end-to-end id of another payment of equal amount', () => {
  const INTRADAY = ['052', '054'] as const;
  const ACCOUNTS: [string, WrittenEntry['payer'], WrittenEntry['payer']][] = [
    ['an intraday report without accounts', { name: ATTACKER.name }, VICTIM],
    ['one account for both', ATTACKER, { ...VICTIM, iban: ATTACKER.iban }],
  ];
  const FILES = ['the other payment first', 'the own payment first', 'a file for each'] as const;
  const CASES = INTRADAY.flatMap((kind) =>
    ACCOUNTS.flatMap(([accounts, reported, other]) =>
      FILES.flatMap((files) =>
        [true, false].map((named) => ({ kind, accounts, files, named, reported, other })),
      ),
    ),
  );

  it.each(CASES)(
    'pays only with his own money: camt.$kind, $accounts, $files, bank references: $named',
    async ({ kind, files, named, reported, other }) => {
      const amount = newAmount();
      const order = await shop.order({ amount: 2 * amount });
      const text = await told(app, shop, order);
      await brought(app, [camt(kind)({ amount, text, e2e: ID, payer: reported })]);
      const called = (name: string) => (named ? { acctSvcrRef: `${name}${amount}` } : {});
      const theirs: WrittenEntry = {
        amount,
        text: 'Invoice 77',
        e2e: ID,
        payer: other,
        ...called('V'),
      };
      const own: WrittenEntry = { amount, text, e2e: ID, payer: ATTACKER, ...called('A') };
      const statement = camt('053');
      await brought(
        app,
        files === 'a file for each'
          ? [statement(theirs), statement(own)]
          : [statement(...(files === 'the other payment first' ? [theirs, own] : [own, theirs]))],
      );
      expect((await shop.read(order.txid)).body).toMatchObject({ amountReceived: amount });
      const lines = await linesWith(app, amount);
      const paid = lines.filter(({ state }) => state === 'matched');
      expect(paid).toMatchObject([{ counterpartyName: ATTACKER.name, text }]);
      const waiting = lines.filter(({ state }) => state !== 'matched');
      expect(waiting.map((line) => line.text)).toContain('Invoice 77');
      await expectHealthy(app);
    },
  );
});

describe('a return that bears the id of two payments', () => {
  it('takes nothing from the order of another payer', async () => {
    const amount = newAmount();
    const order = await shop.order({ amount });
    const text = await told(app, shop, order);
    const notification = camt('054');
    const own: WrittenEntry = { amount, text: 'Hello', e2e: 'E', payer: { name: ATTACKER.name } };
    await brought(app, [notification({ amount, text, e2e: 'E', payer: { name: VICTIM.name } })]);
    await brought(app, [notification(own)]);
    await brought(app, [notification({ ...own, direction: 'out', returned: true })]);
    expect((await shop.read(order.txid)).body).toMatchObject({
      amountReceived: amount,
      exception: 'none',
    });
    const lines = await linesWith(app, amount);
    expect(lines.filter(({ direction }) => direction === 'in')).toHaveLength(2);
    await expectHealthy(app);
  });
});

describe('a direct debit by the payee of a payout, under its id', () => {
  it('is another booking than the payout, and its return brings nothing back', async () => {
    const merchant = await app.merchant();
    await paidOrder(merchant, 50_000);
    const cashier = await Cashier.of(app, merchant);
    const amount = 7_777;
    const payout = await cashier.approve(await cashier.request(amount));
    await cashier.export();
    const entry: WrittenEntry = {
      amount,
      direction: 'out',
      e2e: withoutDashes(payout.id),
      payer: { name: 'Payee', iban: payout.iban! },
    };
    const debit = '<Cd>PMNT</Cd><Fmly><Cd>RDDT</Cd><SubFmlyCd>ESDD</SubFmlyCd></Fmly>';
    const collected = camt('054')({ ...entry, text: 'Collected' }).replace(
      '<NtryDtls>',
      `<BkTxCd><Domn>${debit}</Domn></BkTxCd><NtryDtls>`,
    );
    const { payer: _payer, ...returned } = entry;
    await brought(app, [camt('054')(entry)]);
    await brought(app, [collected]);
    await brought(app, [camt('054')({ ...returned, direction: 'in', returned: true })]);
    expect((await linesWith(app, amount)).map(({ reason }) => reason).toSorted()).toEqual([
      'payout_paid',
      'unknown_money_back',
      'unknown_money_out',
    ]);
    await expectHealthy(app);
  });
});

describe('bank references of which MT940 has the same 16 characters', () => {
  const PREFIX = 'BANKXX2026112700';

  it.each([true, false])(
    'replace no payment by the total of a batch: batch first %s',
    async (first) => {
      const amount = 2 * newAmount();
      const order = await shop.order({ amount });
      const text = await told(app, shop, order);
      const details = [1, 2].map((n) => ({
        amount: amount / 2,
        text: `Other ${n}`,
        bankReference: `${PREFIX}${n}`,
        payer: ATTACKER,
      }));
      const files = [
        camt('054')({ amount, details }),
        mt940File(statement({ amount, text, payer: VICTIM, acctSvcrRef: `${PREFIX}77` })),
      ];
      await brought(app, first ? files : files.toReversed());
      const lines = [...(await linesWith(app, amount)), ...(await linesWith(app, amount / 2))];
      expect(lines.map(({ state }) => state)).not.toContain('superseded');
      const { amountReceived } = (await shop.read(order.txid)).body;
      const isAsked = lines.some(({ reason }) => reason === 'possible_total');
      expect(amountReceived === amount || isAsked).toBe(true);
      await expectHealthy(app);
    },
  );

  it('join no payment of another payer', async () => {
    const amount = newAmount();
    const order = await shop.order({ amount: 2 * amount });
    const text = await told(app, shop, order);
    const entry = { amount, text, acctSvcrRef: `${PREFIX}1` };
    await brought(app, [camt('054')({ ...entry, payer: { name: ATTACKER.name } })]);
    const theirs = { amount, text: 'Invoice 77', payer: VICTIM, acctSvcrRef: `${PREFIX}2` };
    await brought(app, [mt940File(statement(theirs, { ...entry, payer: ATTACKER }))]);
    expect((await shop.read(order.txid)).body).toMatchObject({ amountReceived: amount });
    await expectHealthy(app);
  });
});
