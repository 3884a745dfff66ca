import { describe, expect, it } from '@jest/globals';
import { CollectionAccountsService } from '../src/collection-accounts/collection-accounts.service.js';
import { camtFile, mt940File, type WrittenEntry } from './support/bank-file.js';
import { awaited, told } from './support/bank-lines.js';
import { brought } from './support/brought.js';
import { DAYS, MoneyOnce, PAYER } from './support/money-once.js';
import { PAYS } from './support/payouts.js';
import { openShop } from './support/shop.js';
import { select } from './support/facts.js';

const { app } = await openShop({ env: PAYS });
const { newAccount, statement, bring, expecting, explain, matched, linesOf } = await MoneyOnce.open(
  app,
  8_000,
);

const reasonsOf = async (account: string) =>
  (await linesOf(account, 'in')).map(({ state, reason }) => reason ?? state);

/** One second later, as imports by people are. */
async function later(...args: Parameters<typeof bring>): Promise<void> {
  app.clock.advance(1_000);
  await bring(...args);
}

describe('one transfer that is reported in two amounts pays once', () => {
  it.each([
    ['transaction id', { transactionId: 'TX-CHARGED' }],
    ['UETR', { uetr: '8a562c67-ca16-48ba-b074-65581be6f001' }],
    ['reference of the order', {}],
  ])('by two accounts, by one of them less a charge: the same %s', async (_, name) => {
    const [one, other] = [await newAccount(), await newAccount()];
    const { amount, reference: text, state } = await expecting();
    const payment = { text, e2e: `CHARGED-${amount}`, payer: PAYER, ...name };
    await later(one, DAYS[0], 0, { ...payment, amount: amount / 2 - 50 });
    await later(other, DAYS[0], 900, { ...payment, amount: amount / 2 });
    expect(await reasonsOf(other)).toEqual(['reported_elsewhere']);
    expect(await state()).toMatchObject({ amountReceived: amount / 2 - 50 });
  });

  it('by two accounts, by one of them as the sum of several', async () => {
    const [virtual, master] = [await newAccount(), await newAccount()];
    const { amount, reference: text, state } = await expecting();
    const part = { text, payer: PAYER };
    const [some, more] = [100_000, amount / 2 - 100_000];
    await later(
      virtual,
      DAYS[0],
      0,
      { ...part, amount: some, e2e: 'P1' },
      { ...part, amount: more, e2e: 'P2' },
    );
    await later(master, DAYS[0], 900, { amount: amount / 2, text });
    expect(await reasonsOf(master)).toEqual(['reported_elsewhere']);
    expect(await state()).toMatchObject({ amountReceived: amount / 2 });
  });

  const parts = (amount: number, text: string): WrittenEntry[] => [
    { amount: 100_000, text, e2e: `A${amount}`, payer: PAYER, acctSvcrRef: 'A1' },
    { amount: amount / 2 - 100_000, text, e2e: `B${amount}`, payer: PAYER, acctSvcrRef: 'A2' },
  ];

  it.each([undefined, PAYER])('by one account, the total last: payer %j', async (payer) => {
    const account = await newAccount();
    const { amount, reference: text, state } = await expecting();
    const total = { amount: amount / 2, text, acctSvcrRef: 'A3', ...(payer && { payer }) };
    for (const entries of [parts(amount, text), [total]]) {
      app.clock.advance(1_000);
      await brought(app, [camtFile('052', statement(account, DAYS[0], 0, ...entries))]);
    }
    expect((await reasonsOf(account)).filter((reason) => reason === 'reference')).toHaveLength(2);
    expect(await state()).toMatchObject({ amountReceived: amount / 2 });
  });

  it('by one account, the total first', async () => {
    const account = await newAccount();
    const { amount, reference: text, state } = await expecting();
    const total = { amount: amount / 2, text, payer: PAYER, acctSvcrRef: 'A3' };
    for (const entries of [[total], parts(amount, text)]) {
      app.clock.advance(1_000);
      await brought(app, [camtFile('052', statement(account, DAYS[0], 0, ...entries))]);
    }
    expect((await reasonsOf(account)).filter((reason) => reason === 'reference')).toHaveLength(1);
    expect(await state()).toMatchObject({ amountReceived: amount / 2 });
  });

  it('by one account, in a total that names both orders', async () => {
    const account = await newAccount();
    const orders = [await expecting(600_000), await expecting(600_000)];
    const paid = { amount: 300_000, payer: PAYER };
    const text = orders.map(({ reference }) => reference).join(' ');
    for (const entry of [
      ...orders.map((one, n) => ({ ...paid, text: one.reference, acctSvcrRef: `O${n}` })),
      { ...paid, amount: 600_000, text, acctSvcrRef: 'O-SUM' },
    ]) {
      app.clock.advance(1_000);
      await brought(app, [camtFile('054', statement(account, DAYS[0], 0, entry))]);
    }
    expect(await reasonsOf(account)).toEqual(['reference', 'reference', 'possible_total']);
    for (const { state } of orders)
      expect(await state()).toMatchObject({ amountReceived: 300_000 });
  });

  it('by one account, in a total of two of three', async () => {
    const account = await newAccount();
    const { reference: text, state } = await expecting(1_500_000);
    for (const [n, amount] of [310_000, 300_000, 290_000, 600_000].entries()) {
      app.clock.advance(1_000);
      const entry = { amount, text, payer: PAYER, acctSvcrRef: `T${n}` };
      await brought(app, [camtFile('054', statement(account, DAYS[0], 0, entry))]);
    }
    expect(await reasonsOf(account)).toEqual([
      'reference',
      'reference',
      'reference',
      'possible_total',
    ]);
    expect(await state()).toMatchObject({ amountReceived: 900_000 });
  });

  it('unless there are too many to compare: then an operator decides', async () => {
    const account = await newAccount();
    const { reference: text } = await expecting(2_000_000);
    const many = Array.from({ length: 100 }, (_, n) => ({ amount: n + 1, text, payer: PAYER }));
    await later(account, DAYS[0], 0, ...many);
    await later(account, DAYS[1], 5_050, { amount: 77_777, text, payer: PAYER });
    expect((await linesOf(account, 'in')).at(-1)).toMatchObject({ reason: 'possible_total' });
  });

  it('unless balanced statements of different days prove that it is two', async () => {
    const account = await newAccount();
    const { amount, reference: text, state } = await expecting();
    await later(account, DAYS[0], 0, ...parts(amount, text));
    await later(account, DAYS[1], amount / 2, { amount: amount / 2, text, payer: PAYER });
    expect(await reasonsOf(account)).toEqual(['reference', 'reference', 'reference']);
    expect(await state()).toMatchObject({ status: 'paid', amountReceived: amount });
  });
});

describe('a payment whose money went back in another amount pays nothing', () => {
  it('less a charge, as an operator explained, once another payment went back', async () => {
    const account = await newAccount();
    const { amount, reference: text, state, paidOut } = await expecting();
    const [first, second] = [
      { amount, text, e2e: 'C-1', transactionId: 'TX-C-1', payer: PAYER },
      { amount, text, e2e: 'C-2', transactionId: 'TX-C-2', payer: PAYER },
    ];
    await later(account, DAYS[0], 0, first);
    await later(account, DAYS[1], amount, second);
    const sentBack = {
      amount: amount - 1_000,
      direction: 'out',
      e2e: 'C-2',
      payer: PAYER,
    } as const;
    await later(account, DAYS[2], 2 * amount, sentBack);
    await explain((await linesOf(account, 'out'))[0]!.id);
    await later(account, DAYS[3], amount + 1_000, { ...first, direction: 'out', returned: true });
    await matched();
    expect(await reasonsOf(account)).toEqual(['charged_back', 'may_have_gone_back']);
    expect(await state()).toMatchObject({ amountReceived: 0 });
    expect(await paidOut()).toBe('insufficient_balance');
  });

  it('with that of another order, in one debit that names both', async () => {
    const account = await newAccount();
    const orders = [await expecting(), await expecting()];
    const pays = orders.map(({ amount, reference: text }, n) => ({
      amount,
      text,
      e2e: `BOTH-${n}`,
      payer: n === 0 ? PAYER : { name: 'Peter Payer', iban: 'BE68539007547034' },
    }));
    const sum = pays[0]!.amount + pays[1]!.amount;
    // Balances that do not fit prove no payment; a later file proves them.
    await brought(app, [
      camtFile('053', { ...statement(account, DAYS[0], 0, ...pays), closing: 5 }),
    ]);
    const both = `sent back ${orders.map(({ reference }) => reference).join(' ')}`;
    await later(account, DAYS[1], sum, { amount: sum, direction: 'out', text: both });
    await explain((await linesOf(account, 'out'))[0]!.id);
    await later(account, DAYS[0], 0, ...pays);
    await matched();
    expect(await reasonsOf(account)).toEqual(['may_have_gone_back', 'may_have_gone_back']);
  });

  it.each([false, true])('in part, as an operator explained; a return: %s', async (returned) => {
    const account = await newAccount();
    const { amount, reference: text, state } = await expecting();
    const payment = { amount, text, e2e: `PART-${returned}`, payer: PAYER };
    await brought(app, [
      camtFile('053', { ...statement(account, DAYS[0], 0, payment), closing: 5 }),
    ]);
    await later(account, DAYS[2], amount, {
      ...payment,
      amount: amount - 500,
      direction: 'out',
      returned,
    });
    await explain((await linesOf(account, 'out'))[0]!.id);
    await later(account, DAYS[0], 0, payment);
    await matched();
    expect(await reasonsOf(account)).toEqual(['may_have_gone_back']);
    expect(await state()).toMatchObject({ amountReceived: 0 });
  });

  it('by a return that was booked as that of another payment with the same id', async () => {
    const account = await newAccount();
    const [one, other] = [await expecting(400_000), await expecting(400_000)];
    const payment = { amount: 400_000, e2e: 'MY-ID', payer: PAYER };
    await later(account, DAYS[0], 0, { ...payment, text: one.reference });
    const back = { ...payment, amount: 399_500, direction: 'out', returned: true } as const;
    await later(account, DAYS[2], 800_000, back);
    await later(account, DAYS[1], 400_000, { ...payment, text: other.reference });
    await matched();
    expect((await linesOf(account, 'in'))[1]).toMatchObject({ reason: 'may_have_gone_back' });
    expect(await other.paidOut()).toBe('insufficient_balance');
  });
});

describe('no payout leaves while money that names its payment waits', () => {
  it('in a debit of more: two payments were sent back with the text of one', async () => {
    const account = await newAccount();
    const { amount, reference: text, paidOut } = await expecting();
    await later(account, DAYS[0], 0, { amount, text, e2e: 'Q-1', payer: PAYER });
    const back = { amount: amount + 20_000, direction: 'out', text: `BACK ${text}` } as const;
    await later(account, DAYS[1], 900_000, back);
    expect(await linesOf(account, 'out')).toMatchObject([{ state: 'unmatched' }]);
    expect(await paidOut()).toBe('payout_not_possible');
  });

  it('in a debit of more: with interest, in MT940', async () => {
    const account = await newAccount();
    const { amount, reference: text, paidOut } = await expecting();
    const payment = { amount, text, e2e: 'Q-2', payer: PAYER };
    const back = { ...payment, amount: amount + 50, direction: 'out' } as const;
    await brought(app, [mt940File(statement(account, DAYS[0], 0, payment))]);
    await brought(app, [
      mt940File({ ...statement(account, DAYS[1], amount, back), sequence: '2/1' }),
    ]);
    expect(await linesOf(account, 'out')).toMatchObject([{ state: 'unmatched' }]);
    expect(await paidOut()).toBe('payout_not_possible');
  });

  it('in a debit of the amount to its payer, without any name', async () => {
    const account = await newAccount();
    const { amount, reference: text, paidOut } = await expecting();
    const payer = { name: 'Petra Payer', iban: 'BE68539007547034' };
    await later(account, DAYS[0], 0, { amount, text, payer });
    await later(account, DAYS[1], amount, { amount, direction: 'out', payer });
    expect(await linesOf(account, 'out')).toMatchObject([{ state: 'not_a_payment' }]);
    expect(await paidOut()).toBe('payout_not_possible');
  });
});

describe('a statement that the bank corrects: the same number, day and opening balance', () => {
  it('pays the amount once', async () => {
    const account = await newAccount();
    const { amount, reference: text, state } = await expecting();
    for (const part of [100_000, 150_000]) {
      const entry = { amount: part, text, payer: PAYER };
      const corrected = { ...statement(account, DAYS[0], 0, entry), id: 'SAME', sequence: '7' };
      await brought(app, [camtFile('053', corrected)]);
    }
    expect((await reasonsOf(account)).toSorted()).toEqual(['reference', 'statements_differ']);
    expect(await state()).toMatchObject({ status: 'open', amountReceived: 100_000 });
    expect(amount).toBeGreaterThan(250_000);
  });

  it('pays one order of two', async () => {
    const account = await newAccount();
    const orders = [await expecting(), await expecting()];
    for (const { amount, reference: text } of orders) {
      const entry = { amount, text, payer: PAYER };
      const corrected = { ...statement(account, DAYS[0], 0, entry), id: 'SAME', sequence: '8' };
      await brought(app, [camtFile('053', corrected)]);
    }
    expect((await reasonsOf(account)).toSorted()).toEqual(['reference', 'statements_differ']);
    expect(await orders[1]!.state()).toMatchObject({ status: 'open', amountReceived: 0 });
  });
});

describe('statements of one IBAN in two currencies', () => {
  it('are no corrections of each other', async () => {
    const account = await newAccount();
    await app.get(CollectionAccountsService).add({
      mode: 'test',
      currency: 'USD',
      holder: 'Platform Ltd',
      account,
      bic: null,
      bankName: null,
    });
    const euros = await expecting();
    const shop = await app.merchant();
    const order = await shop.order({ amount: 2_222, currency: 'USD', expiresInMinutes: 43_200 });
    const text = await told(app, shop, order);
    await awaited(app, order);
    const entry = { payer: PAYER, bookedOn: DAYS[1] };
    const inEuros = { ...entry, amount: euros.amount, text: euros.reference };
    const inDollars = { ...entry, amount: 2_222, text };
    const files = [
      { ...statement(account, DAYS[1], 0, inEuros), from: DAYS[0] },
      { ...statement(account, DAYS[1], 7_700, inDollars), currency: 'USD' },
    ];
    for (const file of files) await brought(app, [camtFile('053', file)]);
    expect(await euros.state()).toMatchObject({ status: 'paid' });
    expect((await shop.read(order.txid)).body).toMatchObject({ status: 'paid' });
  });
});

describe('the amount of an order whose payer has transfer details', () => {
  it('cannot be raised to that of a line that waits, once the order is open again', async () => {
    const account = await newAccount();
    const { shop, order, amount, reference: text, state } = await expecting();
    await later(account, DAYS[0], 0, { amount: 777_000, text, payer: PAYER });
    expect(await state()).toMatchObject({ status: 'open', amountReceived: 0 });
    const raised = await shop.call('PATCH', `/api/order/${order.txid}`, { amount: 777_000 });
    expect([raised.status, raised.body['code']]).toEqual([409, 'order_not_changeable']);
    expect(raised.body['detail']).toBe(
      'The payer has transfer details with this amount. The amount of the order stays as it is.',
    );
    const forced = `UPDATE orders SET amount = 777000 WHERE txid = $1`;
    await expect(select(app, forced, [order.txid])).rejects.toThrow('transfer details');
    await matched();
    expect(await state()).toMatchObject({ amount, amountReceived: 0 });
  });
});
