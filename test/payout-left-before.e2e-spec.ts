import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualReconciliation } from '../src/bank/matching/manual-reconciliation.service.js';
import { MatcherService } from '../src/bank/matching/matcher.service.js';
import type { EntityManager } from 'typeorm';
import { uuidv7, withoutDashes } from '../src/common/ids.js';
import type { BankLine } from '../src/database/bank/lines/bank-line.entity.js';
import type { Payout } from '../src/database/payouts/payout.entity.js';
import { PayoutFilesService } from '../src/payouts/payout-files.service.js';
import { PayoutsService } from '../src/payouts/payouts.service.js';
import {
  awaited,
  bookedLine,
  collectionAccount,
  credited,
  forgetDebits,
  lineOf,
  type NewLine,
  OWN_ACCOUNT,
  told,
} from './support/bank-lines.js';
import type { FormBrowser } from './support/browser-form.js';
import { onPostgres } from './support/database.js';
import { select, untilBlocked, withoutTriggers } from './support/facts.js';
import { startWithRules } from './support/operating-rules.js';
import { expectHealthy } from './support/payout-invariants.js';
import { balances, Cashier, paidOrder, PAYS } from './support/payouts.js';
import { confirmed, person, type Person, signedIn, withTotp } from './support/people.js';
import { openShop } from './support/shop.js';

/** Payouts leave from an account where no order's money comes in. */
const PAYING = 'DE02120300000000202051';
const { app } = await openShop({ env: { ...PAYS, PAYOUT_IBAN: PAYING } });
await collectionAccount(app);

/** Reports how payouts ended. */
let reporter: Person;
let operator: Person;
let browser: FormBrowser;
beforeAll(async () => {
  reporter = await person(app, 'operator');
  operator = await withTotp(app, await person(app, 'operator'));
  browser = await signedIn(app, operator);
});
beforeEach(() => forgetDebits(app));

const files = app.get(PayoutFilesService);
const find = ({ merchantId, mode, id }: Payout) =>
  app.get(PayoutsService).find({ merchantId, mode }, id);

async function imported(line: NewLine): Promise<BankLine> {
  const { id } = await bookedLine(app, line);
  await app.get(MatcherService).matchNew();
  return (await lineOf(app, id))!;
}

/** Payouts of 10.00 EUR each in one file that went to the bank, and how to report that the first one failed. */
async function sent({ payouts: count = 1, byTransfer = true } = {}) {
  const cashier = await Cashier.of(app, await app.merchant());
  const { shop } = cashier;
  for (let n = 0; n < count; n++) {
    if (byTransfer) await credited(app, shop, await shop.order({ amount: 1_000 }), 1_000);
    else await paidOrder(shop, 1_000);
  }
  app.clock.advance(1_000);
  const payouts: Payout[] = [];
  for (let n = 0; n < count; n++) payouts.push(await cashier.approve(await cashier.request(1_000)));
  await cashier.export();
  const { fileId } = await find(payouts[0]!);
  await files.submitted(fileId!);
  const fail = async (): Promise<Payout> => {
    await files.ended(payouts[0]!, 'failed', 'No such account', reporter.id);
    return cashier.request(1_000);
  };
  return { cashier, payout: payouts[0]!, payouts, fileId: fileId!, fail };
}

/** A payout that the bank executed and an operator reported as returned, and the next payout of its money. */
async function returnedByWord() {
  const { cashier, payout } = await sent();
  const out = { ...leaving(payout), account: OWN_ACCOUNT };
  expect(await imported(out)).toMatchObject({ reason: 'payout_paid' });
  await files.ended(payout, 'returned', 'Came back', reporter.id);
  const back = { account: OWN_ACCOUNT, counterpartyAccount: payout.iban } as const;
  return { cashier, payout, again: await cashier.request(1_000), back };
}

const leaving = (payout: Payout) =>
  ({
    account: PAYING,
    amount: 1_000,
    direction: 'out',
    endToEndId: withoutDashes(payout.id),
    counterpartyAccount: payout.iban,
    counterpartyAccountType: 'iban',
  }) as const;

/** A booking of a whole file names no account. */
async function leavingWhole(fileId: string, amount: number): Promise<NewLine> {
  const [file] = await select<{ message: string }>(
    app,
    'SELECT message_id AS message FROM payout_files WHERE id = $1',
    [fileId],
  );
  const nobody = { counterpartyAccount: null, counterpartyAccountType: null } as const;
  const identifiers = { paymentInformationId: file!.message, messageId: file!.message };
  return { account: PAYING, amount, direction: 'out', identifiers, ...nobody };
}

async function ignores({ id }: BankLine): Promise<void> {
  await confirmed(app, operator);
  const page = `/portal/platform/bank/test/lines/${id}`;
  expect((await browser.fill(page, { reason: 'Rent' }, `${page}/ignore`)).status).toBe(303);
}

/** An operator marks a line as not a payment. */
async function explains({ id }: BankLine, note: string, by: Person): Promise<void> {
  const hook = (tx: EntityManager) =>
    tx.query(
      `INSERT INTO audit_entries (id, user_id, action, subject, data, address, created_at)
       VALUES ($1, $2, 'bank-line.ignored', $3, '{}', '127.0.0.1', $4)`,
      [uuidv7(app.clock.now().getTime()), by.id, id, app.clock.now()],
    );
  expect(await app.get(ManualReconciliation).ignore('test', id, note, hook)).toBe('done');
}

const WAITS = {
  code: 'payout_not_possible',
  detail: expect.stringContaining('this money was sent before'),
};
const INVOLVED = { code: 'second_person_required' };

async function expectWaits(cashier: Cashier, again: Payout): Promise<void> {
  const third = await person(app, 'operator');
  await expect(cashier.approve(again, third)).rejects.toMatchObject(WAITS);
}

describe('a second payout while a bank says that its money left before', () => {
  it.each([
    ['the payout by its id', leaving],
    [
      'the payout, with a charge in the amount',
      (payout: Payout) => ({ ...leaving(payout), amount: 1_010 }),
    ],
    [
      'the payout, in a statement that proves nothing',
      (payout: Payout) => ({ ...leaving(payout), unproven: 'statement_not_balanced' }) as const,
    ],
  ])('is approved by nobody: the line names %s', async (_, line) => {
    const { cashier, payout, fail } = await sent();
    const again = await fail();
    expect(await imported(line(payout))).toMatchObject({
      state: 'unmatched',
      reason: 'payout_contradicted',
    });
    await expectWaits(cashier, again);
  });

  it('is approved by nobody when an operator reports a return that no statement shows', async () => {
    const { cashier, payout, again, back } = await returnedByWord();
    await expectWaits(cashier, again);
    const credits = [
      await imported({ ...back, amount: 1_001 }),
      await imported({ ...back, amount: 1_000, bookedOn: '2025-12-01', valuedOn: '2025-12-01' }),
      await imported({ ...back, amount: 980, kind: 'return', returned: true }),
    ];
    await explains(credits[2]!, 'The return of it', operator);
    for (const credit of credits.slice(0, 2)) await explains(credit, payout.id, operator);
    const other = await imported({ ...back, amount: 990, kind: 'return', returned: true });
    await explains(other, `${randomUUID()} and ${payout.id}`, operator);
    await explains(await imported({ ...back, amount: 970 }), payout.id, reporter);
    await expectWaits(cashier, again);
    await explains(await imported({ ...back, amount: 960 }), `Return of ${payout.id}`, operator);
    await expect(cashier.approve(again, reporter)).rejects.toMatchObject(INVOLVED);
    await expect(cashier.approve(again, await person(app, 'operator'))).resolves.toBeDefined();
    await expectHealthy(app);
  });

  const reopen = ({ id }: BankLine) => app.get(ManualReconciliation).reopen('test', id);

  it('keeps the credit that stands for the return from paying an order', async () => {
    const { cashier, payout, again, back } = await returnedByWord();
    const credit = await imported({ ...back, amount: 940 });
    await explains(credit, payout.id, operator);
    expect(await reopen(credit)).toBe('done');
    await expectWaits(cashier, again);
    await explains(credit, payout.id, operator);
    await cashier.approve(again, await person(app, 'operator'));
    expect(await reopen(credit)).toBe('stands_for_return');
    await confirmed(app, operator);
    const page = `/portal/platform/bank/test/lines/${credit.id}`;
    const { status, html } = await browser.fill(page, {}, `${page}/reopen`);
    expect([status, html]).toEqual([409, expect.stringContaining('is the return of a payout')]);
  });

  const onServer = onPostgres(
    it,
    'the embedded database has one session, so nothing is concurrent',
  );
  onServer('is not approved while its credit is being reopened', async () => {
    const { cashier, payout, again, back } = await returnedByWord();
    const credit = await imported({ ...back, amount: 930 });
    await explains(credit, payout.id, operator);
    const approver = await person(app, 'operator');
    let approval: Promise<unknown> | undefined;
    const hook = async (): Promise<void> => {
      approval = cashier.approve(again, approver).catch((error: unknown) => error);
      await untilBlocked(app, 1);
    };
    await app.get(ManualReconciliation).reopen('test', credit.id, hook);
    expect(await approval).toBeInstanceOf(Error);
    expect((await find(again)).status).toBe('pending_approval');
  });

  it('is approved by nobody when the report of the failure came after the line', async () => {
    const { cashier, payout, fail } = await sent();
    const unproven = { ...leaving(payout), unproven: 'statement_not_balanced' } as const;
    expect(await imported(unproven)).toMatchObject({
      state: 'unmatched',
      reason: 'unknown_money_out',
    });
    await expectHealthy(app);
    await expectWaits(cashier, await fail());
  });

  it.each([1, 2])('is approved by nobody: the line names a file of %i', async (count) => {
    const { cashier, fileId, fail } = await sent({ payouts: count });
    const again = await fail();
    expect(await imported(await leavingWhole(fileId, count * 1_000))).toMatchObject({
      state: 'unmatched',
      reason: 'payout_contradicted',
    });
    await expectWaits(cashier, again);
  });

  it('is approved by nobody after the explanation of the line was taken back', async () => {
    const { cashier, payout, fail } = await sent();
    const again = await fail();
    const { id } = await imported(leaving(payout));
    const reconciliation = app.get(ManualReconciliation);
    await reconciliation.ignore('test', id, 'A mistake');
    await reconciliation.reopen('test', id);
    await app.get(MatcherService).matchNew();
    await expectWaits(cashier, again);
  });

  it.each([
    ['by transfer', true],
    ['in another way', false],
  ])('is not approved by who explained the line: money that came %s', async (_, byTransfer) => {
    const { cashier, payout, fail } = await sent({ byTransfer });
    const again = await fail();
    await ignores(await imported(leaving(payout)));
    await expect(cashier.approve(again, operator)).rejects.toMatchObject(INVOLVED);
    const approve = `UPDATE payouts SET status = 'approved', approved_by = $2, approved_at = $3,
        approved_hash = content_hash, version = version + 1 WHERE id = $1`;
    const values = [again.id, operator.id, app.clock.now()];
    await expect(select(app, approve, values)).rejects.toThrow('payout');
    expect(await cashier.approve(again, await person(app, 'operator'))).toMatchObject({
      status: 'approved',
    });
    await expectHealthy(app);
  });
});

describe('money that goes back from another account than the one where it came in', () => {
  async function wentBack() {
    const cashier = await Cashier.of(app, await app.merchant());
    const order = await cashier.shop.order({ amount: 1_000 });
    const reference = await told(app, cashier.shop, order);
    await credited(app, cashier.shop, order, 1_000);
    app.clock.advance(1_000);
    const payout = await cashier.request(1_000);
    const text = { text: reference, namedReference: reference };
    const back = await imported({ account: PAYING, amount: 1_000, direction: 'out', ...text });
    expect(back.state).toBe('unmatched');
    return { cashier, order, payout, back };
  }

  it('makes a hand of the one who explains it away', async () => {
    const { cashier, payout, back } = await wentBack();
    await ignores(back);
    await expect(cashier.approve(payout, operator)).rejects.toMatchObject(INVOLVED);
  });

  it('is booked by hand as the return of the payment', async () => {
    const { cashier, order, payout, back } = await wentBack();
    const part = { merchantId: cashier.shop.merchantId, txid: order.txid, amount: 1_000 };
    const outcome = await app
      .get(ManualReconciliation)
      .returnManually('test', back.id, part, operator.id);
    expect(outcome).toBe('returned');
    expect((await cashier.shop.read(order.txid)).body).toMatchObject({
      exception: 'charged_back',
      amountReceived: 0,
    });
    const third = await person(app, 'operator');
    await expect(cashier.approve(payout, third)).rejects.toMatchObject({
      code: 'payout_not_possible',
    });
    await expectHealthy(app);
  });
});

describe('a merchant who pays an order with the id of a payout', () => {
  it.each([
    ['with the reference of the order', true],
    ['without a text', false],
  ])('does not get its return booked as the payout: %s', async (_, hasText) => {
    await forgetDebits(app);
    const cashier = await Cashier.of(app, await app.merchant());
    await paidOrder(cashier.shop, 1_000);
    const payout = await cashier.exported(1_000);
    await files.submitted(payout.fileId!);
    const order = await cashier.shop.order({ amount: 1_000 });
    const reference = await told(app, cashier.shop, order);
    await awaited(app, order);
    const own = { ...leaving(payout), account: OWN_ACCOUNT };
    const money = { ...own, direction: 'in', text: reference } as const;
    expect((await imported(money)).state).toBe('matched');
    app.clock.advance(1_000);
    expect(await imported({ ...own, text: hasText ? reference : null })).toMatchObject({
      state: 'unmatched',
      reason: 'unknown_money_out',
    });
    expect((await find(payout)).status).toBe('submitted');
    expect(await balances(app, cashier.shop)).toMatchObject({ EUR: { available: 1_000 } });
    await expectHealthy(app);
  });
});

describe('a direct debit under the id of a payout', () => {
  const collected = (payout: Payout) =>
    ({ ...leaving(payout), account: OWN_ACCOUNT, kind: 'collection' }) as const;
  const sentBack = (payout: Payout) =>
    ({ ...collected(payout), direction: 'in', kind: 'return', returned: true }) as const;

  it.each([
    ['after the payout', true],
    ['alone', false],
  ])('that goes back does not return the payout: %s', async (_, hasLeft) => {
    const { cashier, payout } = await sent();
    if (hasLeft) {
      const line = await imported({ ...leaving(payout), account: OWN_ACCOUNT });
      expect(line.reason).toBe('payout_paid');
    }
    expect(await imported(collected(payout))).toMatchObject({ reason: 'unknown_money_out' });
    expect(await imported(sentBack(payout))).toMatchObject({
      state: 'unmatched',
      reason: 'unknown_money_back',
    });
    expect((await find(payout)).status).toBe(hasLeft ? 'paid' : 'submitted');
    expect(await balances(app, cashier.shop)).not.toMatchObject({ EUR: { available: 1_000 } });
    await expectHealthy(app);
  });

  it.each<[string, (id: string) => string]>([
    ['contains it', (id) => `X-${id}`],
    ['begins with it', (id) => `${id}.1`],
    [
      'has one letter of it in upper case',
      (id) => id.replace(/[a-f]/, (sign) => sign.toUpperCase()),
    ],
  ])('in an end-to-end id that %s does not return the payout', async (_, idFrom) => {
    const { cashier, payout } = await sent();
    await imported({ ...leaving(payout), account: OWN_ACCOUNT });
    const endToEndId = idFrom(withoutDashes(payout.id));
    await imported({ ...collected(payout), counterpartyAccount: 'NL91ABNA0417164300', endToEndId });
    expect(await imported({ ...sentBack(payout), endToEndId })).toMatchObject({
      reason: 'unknown_money_back',
    });
    expect((await find(payout)).status).toBe('paid');
    expect(await balances(app, cashier.shop)).not.toMatchObject({ EUR: { available: 1_000 } });
  });

  it('that a bank calls a transfer does not return a payout that left with its file', async () => {
    const { cashier, payout, fileId } = await sent({ payouts: 2 });
    const whole = await leavingWhole(fileId, 2_000);
    expect(await imported({ ...whole, account: OWN_ACCOUNT })).toMatchObject({
      reason: 'payout_paid',
    });
    await imported({ ...collected(payout), kind: 'payment' });
    expect(await imported(sentBack(payout))).toMatchObject({ reason: 'unknown_money_back' });
    expect((await find(payout)).status).toBe('paid');
    expect(await balances(app, cashier.shop)).not.toMatchObject({ EUR: { available: 1_000 } });
  });

  it('by another account does not pay the payout', async () => {
    const { payout } = await sent();
    const thief = { counterpartyAccount: 'NL91ABNA0417164300' };
    expect(await imported({ ...leaving(payout), account: OWN_ACCOUNT, ...thief })).toMatchObject({
      reason: 'unknown_money_out',
    });
    expect((await find(payout)).status).toBe('submitted');
  });

  it('that is imported before its payout left waits, and returns it once the earlier transfer is there', async () => {
    const { payout } = await sent();
    const back = await imported(sentBack(payout));
    expect(back).toMatchObject({ state: 'unmatched', reason: 'unknown_money_back' });
    expect((await find(payout)).status).toBe('submitted');
    await imported({ ...leaving(payout), account: OWN_ACCOUNT });
    await app.get(MatcherService).matchNew();
    expect((await find(payout)).status).toBe('returned');
    expect(await lineOf(app, back.id)).toMatchObject({ reason: 'payout_returned' });
    await expectHealthy(app);
  });

  it('is no return of a payout that left on a later day', async () => {
    const { payout } = await sent();
    const [day, later] = [1, 2].map((days) =>
      new Date(app.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10),
    );
    await imported({ ...sentBack(payout), bookedOn: day!, valuedOn: day! });
    const out = { ...leaving(payout), account: OWN_ACCOUNT, bookedOn: later!, valuedOn: later! };
    expect(await imported(out)).toMatchObject({ reason: 'payout_paid' });
    expect((await find(payout)).status).toBe('paid');
    await expectHealthy(app);
  });

  it('is no return of a payout when it is older than the file', async () => {
    const { payout } = await sent();
    const older = { ...sentBack(payout), bookedOn: '2020-01-01', valuedOn: '2020-01-01' };
    expect(await imported(older)).toMatchObject({ reason: 'unknown_money_back' });
    expect((await find(payout)).status).toBe('submitted');
  });
});

describe('the only operator, who reports a return', () => {
  it('needs a credit, too', async () => {
    const { payout, again, back } = await returnedByWord();
    const isLeft = () =>
      select(app, 'SELECT left_before($1, $2) AS left', [again.merchantId, again.id]);
    await startWithRules(app, { singleOperator: true, secondPersonWaitHours: 1 });
    await withoutTriggers(
      app,
      `UPDATE users SET disabled_at = created_at WHERE platform_role = 'operator' AND id <> $1`,
      [reporter.id],
    );
    expect(await isLeft()).toEqual([{ left: true }]);
    await explains(await imported({ ...back, amount: 950 }), payout.id, reporter);
    expect(await isLeft()).toEqual([{ left: false }]);
  });
});
