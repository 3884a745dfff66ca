import { beforeEach, describe, expect, it } from '@jest/globals';
import { ManualReconciliation } from '../src/bank/matching/manual-reconciliation.service.js';
import { MatcherService } from '../src/bank/matching/matcher.service.js';
import { CollectionAccountsService } from '../src/collection-accounts/collection-accounts.service.js';
import { withoutDashes } from '../src/common/ids.js';
import type { BankLine } from '../src/database/bank/lines/bank-line.entity.js';
import type { Payout } from '../src/database/payouts/payout.entity.js';
import { TEST_DEBTOR } from '../src/payouts/bank-file/test-file.js';
import {
  bookedLine,
  collectionAccount,
  credited,
  forgetDebits,
  lineOf,
  type NewLine,
  told,
} from './support/bank-lines.js';
import type { Client, OrderJson } from './support/client.js';
import { factsOf, select } from './support/facts.js';
import { confirmNoTotals } from './support/no-totals.js';
import { expectHealthy, expectSound } from './support/payout-invariants.js';
import { balances, Cashier, IBANS, paidOrder, PAYS } from './support/payouts.js';
import { person } from './support/people.js';
import { openShop } from './support/shop.js';

const { app } = await openShop({ env: PAYS });
await collectionAccount(app);
await confirmNoTotals(app);

/** Looks at lines with these parts, all at once. @returns them as they are afterwards */
async function looked(...lines: NewLine[]): Promise<BankLine[]> {
  const stored: BankLine[] = [];
  for (const line of lines) stored.push(await bookedLine(app, line));
  while (!(await app.get(MatcherService).matchNew()));
  return Promise.all(stored.map(async ({ id }) => (await lineOf(app, id))!));
}

const reasons = async (...lines: Parameters<typeof looked>): Promise<(string | null)[]> =>
  (await looked(...lines)).map(({ reason }) => reason);

const out = ({ id, amount, iban }: Payout, changes: Partial<NewLine> = {}) =>
  ({
    amount,
    direction: 'out',
    endToEndId: withoutDashes(id),
    counterpartyAccount: iban,
    ...changes,
  }) as const;

const back = ({ id, amount, iban }: Payout) =>
  ({
    amount,
    kind: 'return',
    returned: true,
    endToEndId: withoutDashes(id),
    counterpartyAccount: iban,
  }) as const;

async function statusOf({ id }: Payout): Promise<string> {
  const [row] = await select<{ status: string }>(app, 'SELECT status FROM payouts WHERE id = $1', [
    id,
  ]);
  return row!.status;
}

async function rich(): Promise<{ shop: Client; cashier: Cashier }> {
  const shop = await app.merchant();
  await paidOrder(shop, 5_000);
  return { shop, cashier: await Cashier.of(app, shop) };
}

/** Payouts in one file, of which nobody has said that the bank has it. */
async function exported(cashier: Cashier, ...amounts: number[]): Promise<Payout[]> {
  const payouts: Payout[] = [];
  for (const amount of amounts) payouts.push(await cashier.approve(await cashier.request(amount)));
  await cashier.export();
  return payouts;
}

async function expectBooksInOrder(shop: Client): Promise<void> {
  await expectSound(app, [shop.merchantId]);
  await expectHealthy(app);
}

beforeEach(() => forgetDebits(app));

describe('money that left', () => {
  it('is the payout that it names, and its file was submitted', async () => {
    const { shop, cashier } = await rich();
    const [first, second] = (await exported(cashier, 1_000, 2_000)) as [Payout, Payout];
    expect(await looked(out(first))).toMatchObject([
      { state: 'not_a_payment', reason: 'payout_paid' },
    ]);
    expect([await statusOf(first), await statusOf(second)]).toEqual(['paid', 'submitted']);
    expect(await reasons(out(first))).toEqual(['unknown_money_out']);
    // Not every bank hands an instruction id on, and the creditor of a direct debit can choose it.
    const instructionId = withoutDashes(second.id);
    const named = out(second, { endToEndId: null, identifiers: { instructionId } });
    expect(await reasons(named)).toEqual(['unknown_money_out']);
    expect(await reasons(out(second))).toEqual(['payout_paid']);
    expect(await balances(app, shop)).toMatchObject({
      EUR: { available: 2_000, 'clearing:bank': 3_000 },
    });
    await expectBooksInOrder(shop);
  });

  it('is a file by its name and its sum', async () => {
    const { shop, cashier } = await rich();
    const payouts = await exported(cashier, 1_000, 500);
    const [{ name }] = (await select(
      app,
      'SELECT f.message_id AS name FROM payout_files f JOIN payouts p ON p.file_id = f.id WHERE p.id = $1',
      [payouts[0]!.id],
    )) as [{ name: string }];
    const total = { direction: 'out', kind: 'batch_total', endToEndId: null } as const;
    const named = (amount: number) => ({ ...total, amount, identifiers: { messageId: name } });
    expect(await reasons(named(1_499))).toEqual(['unknown_money_out']);
    expect(await reasons({ ...total, amount: 1_500, text: `Sammler ${name}` })).toEqual([
      'unknown_money_out',
    ]);
    expect(await reasons(named(1_500))).toEqual(['payout_paid']);
    expect(await Promise.all(payouts.map(statusOf))).toEqual(['paid', 'paid']);
    expect(await reasons(named(1_500))).toEqual(['unknown_money_out']);
    await expectBooksInOrder(shop);
  });

  it.each<[string, number, Partial<NewLine>]>([
    ['of a cent', 1, {}],
    ['of less', 999, {}],
    ['of as much, where the bank tells to whom it paid', 1_000, { counterpartyAccount: IBANS[0] }],
  ])('is the payout, although a payer called a payment so: %s', async (_, amount, changes) => {
    const { shop, cashier } = await rich();
    const [payout] = (await exported(cashier, 1_000)) as [Payout];
    const sent = { amount, endToEndId: withoutDashes(payout.id) };
    await looked(sent, { ...sent, endToEndId: 'OTHER' });
    expect(await reasons({ ...out(payout), ...changes })).toEqual(['payout_paid']);
    await expectBooksInOrder(shop);
  });

  it('is a task where a payer called as much so, and nobody knows to whom it went', async () => {
    const { cashier } = await rich();
    const [payout] = (await exported(cashier, 1_000)) as [Payout];
    await looked({ amount: 1_000, endToEndId: withoutDashes(payout.id) });
    expect(await looked({ ...out(payout), counterpartyAccount: null })).toMatchObject([
      { state: 'unmatched', reason: 'unknown_money_out' },
    ]);
  });

  it.each<[string, Partial<NewLine>]>([
    ['of another amount', { amount: 999 }],
    ['in another currency', { currency: 'CHF' }],
    ['of nothing known', { endToEndId: 'f'.repeat(32) }],
    ['in the other mode', { mode: 'live' }],
    ['that contradicts itself', { contradicts: 'so' }],
  ])('%s is a task', async (_, changes) => {
    const { cashier } = await rich();
    const [payout] = (await exported(cashier, 1_000)) as [Payout];
    expect(await reasons({ ...out(payout), ...changes })).toEqual(['unknown_money_out']);
    expect(await statusOf(payout)).toBe('exported');
  });

  it.each<[string, (id: string, reference: string) => [Partial<NewLine>, Partial<NewLine>]]>([
    [
      'in their text',
      (id, text) => [{ text: `${text} X${id}` }, { text: `Recall ${text} X${id}` }],
    ],
    ['in their text, alone', (id) => [{ text: `Payout ${id}` }, { text: `Payout ${id}` }]],
    [
      'as their end-to-end id',
      (id, text) => [
        { text, endToEndId: id },
        { text: 'Recall', endToEndId: id },
      ],
    ],
    [
      'as their end-to-end id, and the file of the payment is missing',
      (id, text) => [{ text }, { text: `Recall ${text}`, endToEndId: id }],
    ],
    [
      'as their instruction id',
      (id, text) => {
        const identifiers = { instructionId: id };
        return [
          { text, identifiers },
          { text: 'Recall', identifiers },
        ];
      },
    ],
  ])('is no payout that a payer named %s', async (_way, written) => {
    const { shop, cashier } = await rich();
    const [payout] = (await exported(cashier, 1_000)) as [Payout];
    const order = await shop.order({ amount: 1_000 });
    const [paid, sentBack] = written(withoutDashes(payout.id), await told(app, shop, order));
    await looked({ amount: 1_000, ...paid });
    const payer = { endToEndId: null, counterpartyAccount: 'NL91ABNA0417164300' };
    const outgoing = { ...out(payout, payer), ...sentBack };
    expect(await reasons(outgoing)).toEqual(['unknown_money_out']);
    expect(await statusOf(payout)).toBe('exported');
    await expectBooksInOrder(shop);
  });

  it('is no payout when it left another account, until that is one of ours', async () => {
    const { shop, cashier } = await rich();
    const [payout, ...others] = await exported(cashier, 1_000, 300, 200);
    const [{ name }] = (await select(
      app,
      'SELECT f.message_id AS name FROM payout_files f JOIN payouts p ON p.file_id = f.id WHERE p.id = $1',
      [payout!.id],
    )) as [{ name: string }];
    const account = 'BE71096123456769';
    const lines = [out(payout!), { ...back(payout!), amount: 1_000 }];
    const file = { amount: 1_500, direction: 'out', identifiers: { messageId: name } } as const;
    const foreign = [...lines, file].map((line) => ({ ...line, account }));
    const stored = await looked(...foreign);
    expect(stored).toMatchObject(
      foreign.map(() => ({ state: 'unmatched', reason: 'payout_elsewhere' })),
    );
    expect(await Promise.all([payout!, ...others].map(statusOf))).toEqual(
      Array(3).fill('exported'),
    );
    await expectBooksInOrder(shop);
    // Nor does the database take the word of such an account.
    const told = `INSERT INTO bank_payout_lines SELECT merchant_id, id, 'out', $2, now() FROM payouts
      WHERE id = $1`;
    await expect(select(app, told, [payout!.id, stored[0]!.id])).rejects.toThrow(
      'only a bank line of an',
    );

    const ours = { mode: 'test', currency: 'EUR', holder: 'Platform Ltd', account } as const;
    await app.get(CollectionAccountsService).add({ ...ours, bic: null, bankName: null });
    await app.get(MatcherService).matchNew();
    expect(await statusOf(payout!)).toBe('returned');
    await expectBooksInOrder(shop);
  });

  it('is a payout when it left the account that the file names', async () => {
    const { shop, cashier } = await rich();
    const [payout] = (await exported(cashier, 1_000)) as [Payout];
    const account = TEST_DEBTOR.iban;
    expect(await reasons({ ...out(payout), account }, { ...back(payout), account })).toEqual([
      'payout_paid',
      'payout_returned',
    ]);
    await expectBooksInOrder(shop);
  });

  it('comes back to its payout, whichever of the two is read first', async () => {
    const { shop, cashier } = await rich();
    const [first, second] = (await exported(cashier, 1_000, 2_000)) as [Payout, Payout];
    expect(await reasons(back(first), out(first))).toEqual(['payout_returned', 'payout_paid']);
    expect(await reasons(back(second))).toEqual(['unknown_money_back']);
    expect(await statusOf(second)).toBe('submitted');
    expect(await reasons(out(second))).toEqual(['payout_paid']);
    expect(await reasons(back(second))).toEqual(['unknown_money_back']);
    expect([await statusOf(first), await statusOf(second)]).toEqual(['returned', 'returned']);
    expect(await balances(app, shop)).toMatchObject({ EUR: { available: 5_000 } });
    await expectBooksInOrder(shop);
  });
});

describe('money that a bank takes back', () => {
  async function paidBy(shop: Client, changes: Partial<NewLine>): Promise<OrderJson> {
    const order = await shop.order({ amount: 1_000 });
    const text = await told(app, shop, order);
    await looked({ amount: 1_000, text, ...changes });
    return order;
  }
  const reversal = { amount: 1_000, direction: 'out', kind: 'reversal', reversal: true } as const;

  it('marks the order that it had paid', async () => {
    const shop = await app.merchant();
    const order = await paidBy(shop, { bankReference: 'B1', endToEndId: 'E1' });
    expect(await reasons({ ...reversal, endToEndId: 'E1' })).toEqual(['charged_back']);
    expect((await shop.read(order.txid)).body).toMatchObject({
      status: 'paid',
      exception: 'charged_back',
    });
    expect((await factsOf(app, order.txid)).events.at(-1)).toBe('order.exception');
    expect(await balances(app, shop)).toEqual({});
    expect(await reasons({ ...reversal, endToEndId: 'E1' })).toEqual(['unknown_money_out']);
    await expectBooksInOrder(shop);
  });

  it('pays for nothing else, whoever says so', async () => {
    const shop = await app.merchant();
    const order = await paidBy(shop, { endToEndId: 'E6' });
    expect(await reasons({ ...reversal, endToEndId: 'E6' })).toEqual(['charged_back']);
    const [{ line }] = (await select<{ line: string }>(
      app,
      'SELECT line_id AS line FROM bank_allocations WHERE txid = $1',
      [order.txid],
    )) as [{ line: string }];
    const other = await shop.order({ amount: 1_000 });
    const operator = await person(app, 'operator');
    const part = { merchantId: shop.merchantId, txid: other.txid, amount: 1_000 };
    const matched = app
      .get(ManualReconciliation)
      .matchManually('test', line, [part], operator.id, 'again');
    expect(await matched).toBe('not_waiting');
    await expect(credited(app, shop, other, 1_000, { lineId: line })).rejects.toThrow(
      'no more than it brought',
    );
    expect((await shop.read(other.txid)).body).toMatchObject({ status: 'open' });
    await expectBooksInOrder(shop);
  });

  it('and gives again is a person’s, who may pay the order with it', async () => {
    const shop = await app.merchant();
    const order = await paidBy(shop, { endToEndId: 'E10' });
    expect(await reasons({ ...reversal, endToEndId: 'E10' })).toEqual(['charged_back']);
    const [again] = (await looked({
      amount: 1_000,
      kind: 'reversal',
      reversal: true,
      endToEndId: 'E10',
    })) as [BankLine];
    expect(again).toMatchObject({ state: 'unmatched', reason: 'unknown_money_back' });
    const operator = await person(app, 'operator');
    const part = { merchantId: shop.merchantId, txid: order.txid, amount: 1_000 };
    const match = app
      .get(ManualReconciliation)
      .matchManually('test', again.id, [part], operator.id, 'Again');
    expect(await match).toBe('matched');
    expect(await balances(app, shop)).toMatchObject({ EUR: { available: 1_000 } });
    expect(await reasons({ ...reversal, endToEndId: 'E10' })).toEqual(['charged_back']);
    expect(await balances(app, shop)).toEqual({});
    await expectBooksInOrder(shop);
  });

  it('takes with it what had paid for nothing yet', async () => {
    const shop = await app.merchant();
    const [one, other] = [await shop.order({ amount: 700 }), await shop.order({ amount: 300 })];
    const operator = await person(app, 'operator');
    const reconciliation = app.get(ManualReconciliation);
    const [line] = (await looked({ amount: 1_000, endToEndId: 'E7' })) as [BankLine];
    const { merchantId } = shop;
    const match = ({ txid, amount }: OrderJson) =>
      reconciliation.matchManually(
        'test',
        line.id,
        [{ merchantId, txid, amount }],
        operator.id,
        'Seen',
      );
    expect(await match(one)).toBe('matched');
    expect(await reasons({ ...reversal, endToEndId: 'E7' })).toEqual(['charged_back']);
    expect(await match(other)).toBe('not_waiting');
    await expect(credited(app, shop, other, 300, { lineId: line.id })).rejects.toThrow(
      'no more than it brought',
    );
    expect(await balances(app, shop)).toEqual({});
    await expectBooksInOrder(shop);
  });

  it('marks the order also where a person matches it afterwards', async () => {
    const shop = await app.merchant();
    const order = await shop.order({ amount: 1_000 });
    const [line, early] = (await looked(
      { amount: 1_000, endToEndId: 'E8' },
      { ...reversal, endToEndId: 'E8' },
    )) as [BankLine, BankLine];
    expect(early.reason).toBe('unknown_money_out');
    const operator = await person(app, 'operator');
    const part = { merchantId: shop.merchantId, txid: order.txid, amount: 1_000 };
    await app.get(ManualReconciliation).matchManually('test', line.id, [part], operator.id, 'Seen');
    await app.get(MatcherService).matchNew();
    expect(await lineOf(app, early.id)).toMatchObject({ reason: 'charged_back' });
    expect((await shop.read(order.txid)).body).toMatchObject({ exception: 'charged_back' });
    expect(await balances(app, shop)).toEqual({});
    await expectBooksInOrder(shop);
  });

  it('is not that of an order where another line may be meant, which paid for nothing', async () => {
    const shop = await app.merchant();
    const order = await paidBy(shop, { endToEndId: 'E9' });
    await looked({ amount: 1_000, endToEndId: 'E9', text: 'The reference is forgotten' });
    expect(await looked({ ...reversal, endToEndId: 'E9' })).toMatchObject([
      { state: 'unmatched', reason: 'unknown_money_out' },
    ]);
    expect((await shop.read(order.txid)).body).toMatchObject({ status: 'paid', exception: 'none' });
  });

  it('is no payment of the order whose reference is the end-to-end id of the return alone', async () => {
    const shop = await app.merchant();
    const order = await paidBy(shop, {});
    const own = 'SELECT reference FROM transfer_references WHERE txid = $1';
    const [known] = await select<{ reference: string }>(app, own, [order.txid]);
    const endToEndId = known!.reference;
    const back = { amount: 1_000, direction: 'out', kind: 'return', returned: true } as const;
    expect(await reasons({ ...back, endToEndId })).toEqual(['unknown_money_out']);
    expect((await shop.read(order.txid)).body).toMatchObject({ status: 'paid', exception: 'none' });
    expect(await reasons({ ...back, text: endToEndId })).toEqual(['charged_back']);
    await expectBooksInOrder(shop);
  });

  it('is one of the payments of an order that the bank reverses and books again in one file', async () => {
    const shop = await app.merchant();
    const order = await shop.order({ amount: 1_000 });
    const text = await told(app, shop, order);
    const credit = { amount: 1_000, text, endToEndId: 'E11' };
    const [first, reversed, again] = (await looked(
      { ...credit, identifiers: { entryBankReference: 'B11' } },
      { ...reversal, endToEndId: 'E11' },
      { ...credit, identifiers: { entryBankReference: 'B12' } },
    )) as [BankLine, BankLine, BankLine];
    const reasonOf = async ({ id }: BankLine) => (await lineOf(app, id))?.reason;
    expect(reversed).toMatchObject({ reason: 'charged_back' });
    expect([await reasonOf(first), await reasonOf(again)].sort()).toContain('charged_back');
    expect((await shop.read(order.txid)).body).toMatchObject({
      status: 'paid',
      amountReceived: 1_000,
    });
    expect(await balances(app, shop)).toMatchObject({ EUR: { available: 1_000 } });
    expect(await reasons({ ...reversal, endToEndId: 'E11' })).toEqual(['charged_back']);
    expect(await balances(app, shop)).toEqual({});
    await expectBooksInOrder(shop);
  });

  it('marks the order also where it was read before the payment', async () => {
    const shop = await app.merchant();
    const [early] = (await looked({ ...reversal, endToEndId: 'E4' })) as [BankLine];
    expect(early.reason).toBe('unknown_money_out');
    const [other] = (await looked({ ...reversal, endToEndId: 'E5' })) as [BankLine];
    const order = await paidBy(shop, { endToEndId: 'E4' });
    expect(await lineOf(app, early.id)).toMatchObject({ reason: 'charged_back' });
    expect(await lineOf(app, other.id)).toMatchObject({
      reason: 'unknown_money_out',
      lookedAt: other.lookedAt,
    });
    expect((await shop.read(order.txid)).body).toMatchObject({
      status: 'paid',
      exception: 'charged_back',
    });
    await expectBooksInOrder(shop);
  });

  it('is a task where two lines are called so, or none', async () => {
    const shop = await app.merchant();
    await paidBy(shop, { endToEndId: 'E2' });
    const identifiers = { entryBankReference: 'B2' };
    await paidBy(shop, { endToEndId: 'E2', identifiers });
    expect(await reasons({ ...reversal, endToEndId: 'E2' })).toEqual(['unknown_money_out']);
    expect(await reasons({ ...reversal, endToEndId: 'E3' })).toEqual(['unknown_money_out']);
    expect(await reasons({ ...reversal, amount: 999, identifiers })).toEqual(['unknown_money_out']);
    // Only a bank reference, and the payer has another payment of the amount.
    expect(await reasons({ ...reversal, identifiers })).toEqual(['unknown_money_out']);
    const called = {
      identifiers: { entryBankReference: 'B3' },
      counterpartyAccount: 'NL02ABNA0123456789',
    };
    await paidBy(shop, called);
    expect(await reasons({ ...reversal, ...called })).toEqual(['charged_back']);
    await expectBooksInOrder(shop);
  });
});
