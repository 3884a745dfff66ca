import { describe, expect, it } from '@jest/globals';
import { camtFile, csvFile, csvProfileOf, type WrittenEntry } from './support/bank-file.js';
import { brought } from './support/brought.js';
import { connect, onPostgres } from './support/database.js';
import { select, untilBlocked } from './support/facts.js';
import { DAYS, MoneyOnce, PAYER } from './support/money-once.js';
import { expectHealthy } from './support/payout-invariants.js';
import { PAYS } from './support/payouts.js';
import { openShop } from './support/shop.js';

const { app } = await openShop({ env: PAYS });
const { newAccount, statement, bring, expecting, explain, matched } = await MoneyOnce.open(
  app,
  7_000,
);

describe('a payment whose money a debit took back, as an operator explained, pays nothing', () => {
  const cases: Record<string, Partial<WrittenEntry>> = {
    'a return with its end-to-end id': { returned: true, e2e: 'SECOND' },
    'a return with its transaction id': { returned: true, transactionId: 'TX-SECOND' },
    'a transfer with its end-to-end id': { e2e: 'SECOND', text: 'sent back' },
    'a transfer to its payer': { e2e: 'OUT', text: 'sent back', payer: PAYER },
  };

  it.each(Object.entries(cases))('once another one goes back: %s', async (_, debit) => {
    const account = await newAccount();
    const { amount, reference: text, lines, state, paidOut } = await expecting();
    const first = { amount, e2e: 'FIRST', transactionId: `TX-FIRST-${amount}`, payer: PAYER };
    const id = `TX-SECOND-${amount}`;
    const second = { amount, text, e2e: 'SECOND', transactionId: id, payer: PAYER };
    await bring(account, DAYS[0], 0, { ...first, text });
    await bring(account, DAYS[1], amount, second);
    const names = debit.transactionId ? { transactionId: id } : {};
    await bring(account, DAYS[2], 2 * amount, { amount, direction: 'out', ...debit, ...names });
    await explain((await lines(account)).at(-1)!.id);
    await bring(account, DAYS[3], amount, { ...first, direction: 'out', returned: true });
    await matched();
    expect(await lines(account)).toMatchObject([
      { state: 'matched', reason: 'charged_back' },
      { state: 'suggested', reason: 'may_have_gone_back' },
      { state: 'ignored' },
      { reason: 'charged_back' },
    ]);
    expect(await state()).toMatchObject({ amountReceived: 0, exception: 'charged_back' });
    expect(await paidOut()).toBe('insufficient_balance');
    await expectHealthy(app);
  });

  it.each([false, true])('imported before the payment: %s', async (isDebitFirst) => {
    const account = await newAccount();
    const { amount, reference: text, lines, state } = await expecting();
    const payment = { amount, text, e2e: 'E2E', payer: PAYER };
    const back = { amount, direction: 'out', returned: true, e2e: 'E2E', payer: PAYER } as const;
    const isIn = ({ direction }: { direction: string }) => direction === 'in';
    // Balances that do not fit prove no payment; a later file proves it.
    if (!isDebitFirst)
      await brought(app, [
        camtFile('053', { ...statement(account, DAYS[0], 0, payment), closing: 5 }),
      ]);
    await bring(account, DAYS[2], amount, back);
    await explain((await lines(account)).find((line) => !isIn(line))!.id);
    await bring(account, DAYS[0], 0, payment);
    await matched();
    const waiting = { state: 'suggested', reason: 'may_have_gone_back' };
    expect((await lines(account)).find(isIn)).toMatchObject(waiting);
    expect(await state()).toMatchObject({ status: 'open', amountReceived: 0 });
  });
});

describe('a transfer that two accounts of the platform report', () => {
  const ELSEWHERE = { state: 'suggested', reason: 'reported_elsewhere' };

  it('pays once: a virtual account and its master account', async () => {
    const [virtual, master] = [await newAccount(), await newAccount()];
    const { amount, reference: text, lines, state } = await expecting();
    const half = { amount: amount / 2, text, e2e: 'HALF', payer: PAYER };
    await bring(virtual, DAYS[0], 0, half);
    await bring(master, DAYS[0], 900, half);
    expect(await lines(virtual)).toMatchObject([{ state: 'matched' }]);
    expect(await lines(master)).toMatchObject([ELSEWHERE]);
    expect(await state()).toMatchObject({ status: 'open', amountReceived: amount / 2 });
  });

  it('pays once: one of them spells the reference in another way and has no other id', async () => {
    const [one, other] = [await newAccount(), await newAccount()];
    const { amount, reference, lines, state } = await expecting();
    await bring(one, DAYS[0], 0, { amount: amount / 2, text: reference, payer: PAYER });
    // A doubtful spelling pays only the exact rest.
    await bring(other, DAYS[0], 900, { amount: amount / 2, text: reference.slice(2) });
    expect(await lines(other)).toMatchObject([{ state: 'suggested' }]);
    expect(await state()).toMatchObject({ status: 'open', amountReceived: amount / 2 });
  });

  it('does not pay by the second account once the first one sent it back', async () => {
    const [one, other] = [await newAccount(), await newAccount()];
    const { amount, reference: text, lines, state, paidOut } = await expecting();
    const payment = { amount, text, e2e: 'COPY', payer: PAYER };
    await bring(one, DAYS[0], 0, payment);
    await bring(other, DAYS[0], 900, payment);
    const back = { ...payment, direction: 'out', returned: true } as const;
    await bring(one, DAYS[1], amount, back);
    await matched();
    expect(await lines(other)).toMatchObject([{ state: 'suggested' }]);
    expect(await state()).toMatchObject({ amountReceived: 0, exception: 'charged_back' });
    expect(await paidOut()).toBe('insufficient_balance');
  });

  onPostgres(it, 'the embedded database has one session')(
    'pays once: two imports at the same time, and the earlier line is stored after the later one',
    async () => {
      const [later, earlier] = [await newAccount(), await newAccount()];
      const { amount, reference: text, order, lines, state } = await expecting();
      const half = { amount: amount / 2, text, e2e: 'AT-ONCE', payer: PAYER };
      const holder = await connect(app.database.url);
      await holder.query('BEGIN');
      await holder.query('SELECT FROM orders WHERE txid = $1 FOR UPDATE', [order.txid]);
      app.clock.advance(1_000);
      const first = bring(later, DAYS[0], 0, half);
      await untilBlocked(app, 1);
      app.clock.advance(-1_000);
      const second = bring(earlier, DAYS[0], 900, half);
      await untilBlocked(app, 2);
      await holder.query('COMMIT');
      await holder.end();
      await Promise.all([first, second]);
      const found = [...(await lines(later)), ...(await lines(earlier))];
      expect(found.map(({ state }) => state).toSorted()).toEqual(['matched', 'suggested']);
      expect(await state()).toMatchObject({ status: 'open', amountReceived: amount / 2 });
    },
  );

  it('pays once: money that the platform moves between its accounts', async () => {
    const [one, other] = [await newAccount(), await newAccount()];
    const { amount, reference: text, lines, state } = await expecting();
    await bring(one, DAYS[0], 0, { amount: amount / 2, text, e2e: 'MOVED-1', payer: PAYER });
    const moved = { amount: amount / 2 - 7, text, e2e: 'MOVED-2' };
    await bring(other, DAYS[1], 0, { ...moved, payer: { name: 'Platform', iban: one } });
    const [credit] = await select(
      app,
      `SELECT state, reason FROM bank_lines WHERE account = $1 AND amount = $2`,
      [other, moved.amount],
    );
    expect(credit).toEqual(ELSEWHERE);
    expect(await lines(one)).toMatchObject([{ state: 'matched' }]);
    expect(await state()).toMatchObject({ status: 'open', amountReceived: amount / 2 });
  });

  it('pays once: an operator reads a file with the profile of another account', async () => {
    const [one, other] = [await newAccount(), await newAccount()];
    const { amount, reference: text, lines, state } = await expecting();
    const rows = (...more: WrittenEntry[]): WrittenEntry[] => [
      { amount: 11, text: 'a', bookedOn: '2025-12-20' },
      { amount: amount / 2, text, bookedOn: '2025-12-21', payer: PAYER },
      { amount: 13, text: 'b', bookedOn: '2025-12-22' },
      ...more,
    ];
    const later = { amount: 17, text: 'c', bookedOn: '2025-12-24' };
    const last = { amount: 19, text: 'd', bookedOn: '2025-12-26' };
    const write = (...more: WrittenEntry[]) =>
      csvFile(statement(one, DAYS[0], 5_000, ...rows(...more)));
    await brought(app, [write()], csvProfileOf(one));
    await brought(app, [write(later, last)], { ...csvProfileOf(other), name: 'other' });
    expect(await lines(one)).toMatchObject([{ state: 'matched' }]);
    expect(await lines(other)).toMatchObject([ELSEWHERE]);
    expect(await state()).toMatchObject({ status: 'open', amountReceived: amount / 2 });
  });
});

describe('a total that its payments replaced takes no single booking of its amount', () => {
  const total = (amount: number, more: Partial<WrittenEntry>): WrittenEntry => ({
    amount,
    acctSvcrRef: 'TOTAL',
    details: [
      { amount: amount - 3_100, e2e: 'PART-1' },
      { amount: 3_100, e2e: 'PART-2' },
    ],
    ...more,
  });
  const status = ['announced', 'booked'] as const;

  it.each(status)('the return of a payment, where the total is %s', async (known) => {
    const account = await newAccount();
    const { amount, reference: text, lines, paidOut } = await expecting();
    const payment = { amount, e2e: 'PAID', acctSvcrRef: 'PAYMENT', payer: PAYER };
    await bring(account, DAYS[0], 0, { ...payment, text });
    const unnamed = { amount, direction: 'out', status: known, batchOf: 2 } as const;
    const parts = total(amount, { direction: 'out' });
    const back = { ...payment, acctSvcrRef: 'BACK', direction: 'out', returned: true } as const;
    await brought(app, [
      camtFile('052', statement(account, DAYS[1], 0, unnamed)),
      camtFile('054', statement(account, DAYS[1], 0, parts)),
      camtFile('053', statement(account, DAYS[1], amount, parts, back)),
    ]);
    const found = await lines(account);
    expect(found.filter(({ state }) => state === 'superseded')).toHaveLength(1);
    // Booked by itself, or waits for an operator.
    expect(found.filter(({ direction }) => direction === 'out')).toHaveLength(2);
    expect(['payout_not_possible', 'insufficient_balance']).toContain(await paidOut());
  });

  it.each(status)('a payment, where the total is %s', async (known) => {
    const account = await newAccount();
    const { amount, lines } = await expecting();
    const unnamed = { amount, status: known, batchOf: 2 };
    const parts = total(amount, {});
    const payment = { amount, text: 'Invoice', transactionId: `TX-${amount}`, payer: PAYER };
    await brought(app, [
      camtFile('052', statement(account, DAYS[1], 0, unnamed)),
      camtFile('054', statement(account, DAYS[1], 0, parts)),
      camtFile('053', statement(account, DAYS[1], 0, parts, payment)),
    ]);
    const states = (await lines(account)).map(({ state }) => state).toSorted();
    expect(states.filter((state) => state === 'superseded')).toHaveLength(1);
    expect(states).toHaveLength(2);
  });
});

it('a debit that an operator explained is the return that a later file says it is', async () => {
  const account = await newAccount();
  const { amount, reference: text, lines, state } = await expecting();
  const payment = { amount, e2e: 'PAID-2', payer: PAYER };
  await bring(account, DAYS[0], 0, { ...payment, text });
  const debit = camtFile('054', statement(account, DAYS[1], 0, { amount, direction: 'out' }));
  const code =
    '<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RDDT</Cd><SubFmlyCd>ESDD</SubFmlyCd></Fmly></Domn></BkTxCd>';
  await brought(app, [debit.replace('<NtryDtls>', `${code}<NtryDtls>`)]);
  await explain((await lines(account)).at(-1)!.id);
  await bring(account, DAYS[1], amount, { ...payment, direction: 'out', returned: true });
  expect(await lines(account)).toMatchObject([
    { state: 'matched', reason: 'charged_back' },
    { direction: 'out', reason: 'charged_back' },
  ]);
  expect(await state()).toMatchObject({ amountReceived: 0, exception: 'charged_back' });
});
