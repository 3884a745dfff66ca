import { beforeAll, describe, expect, it } from '@jest/globals';
import { BankImportService } from '../src/bank/import/import.service.js';
import type { MoneyAct } from '../src/database/payouts/money-hand.entity.js';
import { MONEY_ACTS } from '../src/database/payouts/money-hand.entity.js';
import type { Payout } from '../src/database/payouts/payout.entity.js';
import { ApprovalsService } from '../src/payouts/approvals.service.js';
import { camtFile } from './support/bank-file.js';
import { bookedLine, credited, OWN_ACCOUNT } from './support/bank-lines.js';
import { select } from './support/facts.js';
import { MoneyActor } from './support/money-acts.js';
import { expectHealthy } from './support/payout-invariants.js';
import { Cashier, PAYS } from './support/payouts.js';
import { person, type Person } from './support/people.js';
import { openShop } from './support/shop.js';

const { app } = await openShop({ env: PAYS });

let actor: MoneyActor;
let other: Person;
beforeAll(async () => {
  actor = await MoneyActor.of(app);
  other = await person(app, 'operator');
});

const LIVE_ACTS: readonly MoneyAct[] = ['transfers_allowed', 'account_proposed'];
const modeOf = (act: MoneyAct) => (LIVE_ACTS.includes(act) ? 'live' : 'test');

/** A payout of a merchant whose only money somebody had a hand in. */
async function payoutAfter(act: MoneyAct): Promise<{ cashier: Cashier; payout: Payout }> {
  const cashier = await Cashier.of(app, await app.merchant(), undefined, modeOf(act));
  await actor.acts[act](cashier.shop);
  app.clock.advance(1_000);
  return { cashier, payout: await cashier.request(1_000) };
}

const APPROVE = `UPDATE payouts SET status = 'approved', approved_by = $2, approved_at = $3,
  approved_hash = content_hash, version = version + 1 WHERE id = $1`;

/** Money that left, and waits for a person. */
/** An account that has paid nothing. */
const ELSEWHERE = 'DE75512108001245126199';
const OUTGOING = {
  direction: 'out',
  state: 'not_a_payment',
  reason: 'unknown_money_out',
  lookedAt: new Date(0),
} as const;

const approveBySql = ({ id }: Payout, by: Person) =>
  select(app, APPROVE, [id, by.id, app.clock.now()]);

const CLAUSES: Readonly<Record<MoneyAct, string>> = {
  file_brought: 'You imported a bank statement with money of this payout',
  profile_written:
    'You wrote the CSV profile by which a bank statement with money of this payout was read',
  matched: 'You matched money of this payout to its order',
  match_undone: 'You undid a match of money of this payout',
  money_accepted: 'You accepted late money of this payout',
  refund_recorded: 'You recorded a refund of an order of this payout',
  payer_added: 'You added the payer of an order of this payout',
  marked_distinct: 'You decided that a bank booking of this payout is not a duplicate',
  marked_distinct_undone: 'You took back that a bank booking of this payout is not a duplicate',
  same_booking: 'You decided that two bank bookings of this payout are the same',
  account_proposed: 'You proposed the collection account on which money of this payout came in',
  report_handled: 'You closed a provider’s report about money of this payout',
  same_booking_undone: 'You took back that two bank bookings of this payout are the same',
  return_spared:
    'You decided that an outgoing bank booking is no return of money of this merchant, from which it may have come',
  return_undone: 'You undid the return of a payment of this payout',
  return_booked: 'You booked the return of a payment of this payout',
  transfers_allowed: 'You allowed bank transfers to the merchant of this payout',
};

const DAY_MS = 86_400_000;

/** Acts on money that came through a provider. */
const WITHOUT_ACCOUNT: readonly MoneyAct[] = [
  'money_accepted',
  'refund_recorded',
  'report_handled',
];

/** As the page of the payout tells of it. */
const SHOWN: Readonly<Record<MoneyAct, string>> = {
  file_brought: 'Imported the bank statement',
  profile_written: 'Created the CSV profile',
  matched: 'Matched a bank line manually',
  match_undone: 'Undid a match',
  money_accepted: 'Accepted a late payment',
  refund_recorded: 'Recorded a refund',
  payer_added: 'Added the payer',
  marked_distinct: 'Marked a booking as not a duplicate',
  marked_distinct_undone: 'Undid marking a booking as not a duplicate',
  same_booking: 'Marked two bookings as the same',
  same_booking_undone: 'Undid marking two bookings as the same',
  account_proposed: 'Proposed the collection account',
  report_handled: 'Resolved a provider callback',
  return_spared: 'Explained an outgoing payment that may return money of the merchant',
  return_booked: 'Booked a returned payment',
  return_undone: 'Undid a returned payment',
  transfers_allowed: 'Enabled bank transfers',
};

describe('whoever decided that money is an order’s', () => {
  it.each(MONEY_ACTS)('does not approve its payout alone: %s', async (act) => {
    const { cashier, payout } = await payoutAfter(act);
    const detail = `${CLAUSES[act]}, so another operator has to approve it.`;
    expect(await app.get(ApprovalsService).barTo(payout, actor.who.id)).toEqual({
      code: 'second_person_required',
      text: detail,
    });
    const page = await actor.see(
      `/portal/platform/payouts/${payout.mode}/${payout.merchantId}/${payout.id}`,
    );
    expect(page).toContain(detail);
    expect(page).not.toContain('name="contentHash"');
    // The second person sees by whose word the money is there, and on which account it came in.
    const money = page.slice(page.indexOf('id="money"'), page.indexOf('id="sums"'));
    expect(money).toMatch(new RegExp(`${SHOWN[act]}.*${actor.who.email}`));
    if (!WITHOUT_ACCOUNT.includes(act)) expect(money).toMatch(/DE89 3704|DE02 1203|DE75 5121/);
    await expect(cashier.approve(payout, actor.who)).rejects.toMatchObject({
      code: 'second_person_required',
      detail,
    });
    await expect(approveBySql(payout, actor.who)).rejects.toThrow('does not approve it');
    expect((await cashier.approve(payout, other)).status).toBe('approved');
    await expectHealthy(app);
  });

  it('does not approve payouts of the account where he decided what money had left', async () => {
    const taken = await Cashier.of(app, await app.merchant());
    const kept = await Cashier.of(app, await app.merchant());
    const order = await taken.shop.order({ amount: 1_000 });
    await credited(app, taken.shop, order, 1_000);
    await credited(app, kept.shop, await kept.shop.order({ amount: 1_000 }), 1_000);
    app.clock.advance(1_000);
    const payout = await kept.request(1_000);
    const line = await bookedLine(app, {
      amount: 1_000,
      counterpartyAccount: ELSEWHERE,
      ...OUTGOING,
    });
    const page = `/portal/platform/bank/test/lines/${line.id}`;
    await actor.send(page, { order: order.txid, amount: '10.00' }, `${page}/return`);
    await expect(kept.approve(payout, actor.who)).rejects.toMatchObject({
      code: 'second_person_required',
      detail: expect.stringContaining('You decided what an outgoing bank booking was'),
    });
    await expect(approveBySql(payout, actor.who)).rejects.toThrow('does not approve it');
    expect((await kept.approve(payout, other)).status).toBe('approved');
    await expectHealthy(app);
  });

  it('does not approve payouts of the account where he explained a return away', async () => {
    const explainer = await MoneyActor.of(app);
    const cashier = await Cashier.of(app, await app.merchant());
    await credited(app, cashier.shop, await cashier.shop.order({ amount: 1_000 }), 1_000);
    app.clock.advance(1_000);
    const line = await bookedLine(app, { amount: 1_000, ...OUTGOING });
    const page = `/portal/platform/bank/test/lines/${line.id}`;
    await explainer.send(page, { reason: 'Rent' }, `${page}/ignore`);
    const payout = await cashier.request(1_000);
    await expect(cashier.approve(payout, explainer.who)).rejects.toMatchObject({
      code: 'second_person_required',
    });
    await credited(app, cashier.shop, await cashier.shop.order({ amount: 500 }), 500);
    const later = await cashier.request(500);
    expect((await cashier.approve(later, other)).status).toBe('approved');
  });

  it('sees that money left the account, and that nobody knows what it was', async () => {
    const cashier = await Cashier.of(app, await app.merchant());
    await credited(app, cashier.shop, await cashier.shop.order({ amount: 1_000 }), 1_000);
    const { mode, merchantId, id } = await cashier.request(1_000);
    const page = `/portal/platform/payouts/${mode}/${merchantId}/${id}`;
    const waiting = async () =>
      (await actor.see(page)).match(/(Unexplained debits|Open returns): \d+/g);
    const explained = () =>
      select(app, `UPDATE bank_lines SET state = 'ignored' WHERE direction = 'out'`);
    await explained();
    expect(await waiting()).toBeNull();
    await bookedLine(app, { amount: 1_000, ...OUTGOING });
    expect(await waiting()).toEqual(['Unexplained debits: 1']);
    await bookedLine(app, { amount: 500, kind: 'return', ...OUTGOING, state: 'unmatched' });
    expect(await waiting()).toEqual(['Open returns: 1', 'Unexplained debits: 1']);
    await explained();
  });

  it('does not approve payouts of money that was matched after he had explained its return away', async () => {
    const explainer = await MoneyActor.of(app);
    const cashier = await Cashier.of(app, await app.merchant());
    const out = await bookedLine(app, { amount: 1_000, ...OUTGOING });
    const page = `/portal/platform/bank/test/lines/${out.id}`;
    await explainer.send(page, { reason: 'Rent' }, `${page}/ignore`);
    app.clock.advance(1_000);
    await credited(app, cashier.shop, await cashier.shop.order({ amount: 1_000 }), 1_000);
    const payout = await cashier.request(1_000);
    await expect(cashier.approve(payout, explainer.who)).rejects.toMatchObject({
      code: 'second_person_required',
    });
    await expect(approveBySql(payout, explainer.who)).rejects.toThrow('does not approve it');
    expect((await cashier.approve(payout, other)).status).toBe('approved');
    await expectHealthy(app);
  });

  it('has the hand in the order of a line that was told apart', async () => {
    const adder = await MoneyActor.of(app);
    const cashier = await Cashier.of(app, await app.merchant());
    const first = await bookedLine(app, { amount: 1_000 });
    const apart = { duplicateOf: first.id, markedDistinctBy: cashier.operator.id };
    const { line, payment } = await adder.unknownPayer(cashier.shop, apart);
    const page = `/portal/platform/bank/test/lines/${line.id}`;
    await adder.send(`${page}/payments/${payment.id}/payer`, { name: 'Ada' });
    const payout = await cashier.request(1_000);
    await expect(approveBySql(payout, adder.who)).rejects.toThrow('does not approve it');
  });

  it('does not approve payouts of the account when the file that he brought took money back', async () => {
    const bringer = await MoneyActor.of(app);
    const [taken, kept] = [
      await Cashier.of(app, await app.merchant()),
      await Cashier.of(app, await app.merchant()),
    ];
    const paid = await credited(app, taken.shop, await taken.shop.order({ amount: 1_000 }), 1_000);
    await credited(app, kept.shop, await kept.shop.order({ amount: 1_000 }), 1_000);
    app.clock.advance(1_000);
    await select(app, `UPDATE bank_lines SET end_to_end_id = 'E2E-BACK' WHERE id = $1`, [
      paid.line.id,
    ]);
    const back = { amount: 1_000, direction: 'out', returned: true, e2e: 'E2E-BACK' } as const;
    await bringer.upload(
      camtFile('054', { account: OWN_ACCOUNT, id: 'BACK', day: '2026-01-02', entries: [back] }),
    );
    const [found] = await select(app, 'SELECT 1 FROM bank_returns WHERE payment_id = $1', [
      paid.payment.id,
    ]);
    expect(found).toBeDefined();
    await expect(kept.approve(await kept.request(1_000), bringer.who)).rejects.toMatchObject({
      code: 'second_person_required',
    });
    await expectHealthy(app);
  });

  it('is kept as what he did, and only that', async () => {
    for (const act of MONEY_ACTS) {
      const { cashier } = await payoutAfter(act);
      const hands = await select<{ act: string }>(
        app,
        'SELECT DISTINCT act FROM money_hands WHERE merchant_id = $1 AND user_id = $2',
        [cashier.shop.merchantId, actor.who.id],
      );
      expect(hands).toEqual([{ act }]);
    }
  });

  it('has no hand where the command line or a folder brought the file', async () => {
    const newcomer = await MoneyActor.of(app);
    const cashier = await Cashier.of(app, await app.merchant());
    const bytes = Buffer.from(await newcomer.statementFor(cashier.shop));
    const options = { mode: 'test', name: 'x.xml', source: 'cli' } as const;
    await app.get(BankImportService).import({ bytes }, options);
    expect((await cashier.approve(await cashier.request(1_000), newcomer.who)).status).toBe(
      'approved',
    );
  });

  it('has a hand in money that had come before he brought a file that tells of it, too', async () => {
    const newcomer = await MoneyActor.of(app);
    const cashier = await Cashier.of(app, await app.merchant());
    const text = await newcomer.statementFor(cashier.shop);
    const options = { mode: 'test', name: 'x.xml', source: 'cli' } as const;
    await app.get(BankImportService).import({ bytes: Buffer.from(text) }, options);
    app.clock.advance(1_000);
    await newcomer.upload(`${text}\n`);
    const payout = await cashier.request(1_000);
    await expect(cashier.approve(payout, newcomer.who)).rejects.toMatchObject({
      detail: expect.stringContaining('You imported a bank statement that could include a return'),
    });
    expect((await cashier.approve(payout, other)).status).toBe('approved');
  });

  it('is one hand, however many payments came on the account', async () => {
    const newcomer = await MoneyActor.of(app);
    const cashier = await Cashier.of(app, await app.merchant());
    for (let n = 0; n < 3; n++)
      await credited(app, cashier.shop, await cashier.shop.order({ amount: 1_000 }), 1_000);
    const left = { amount: 1, direction: 'out' } as const;
    await newcomer.upload(
      camtFile('054', { account: OWN_ACCOUNT, id: 'ONCE', day: '2026-01-02', entries: [left] }),
    );
    const { merchantId, id } = await cashier.request(3_000);
    const sql =
      'SELECT count(*)::integer AS hands FROM outgoing_hands_of($1, $2) WHERE user_id = $3';
    const [found] = await select<{ hands: number }>(app, sql, [merchantId, id, newcomer.who.id]);
    // Of the statement, and of the line in it.
    expect(found!.hands).toBeLessThanOrEqual(2);
  });

  it('gets the hand in a payout that is asked for already', async () => {
    const cashier = await Cashier.of(app, await app.merchant());
    await actor.acts.matched(cashier.shop);
    const payout = await cashier.request(1_000);
    const late = await MoneyActor.of(app);
    const [hand] = await select<{ txid: string }>(
      app,
      'SELECT txid FROM money_hands WHERE merchant_id = $1',
      [cashier.shop.merchantId],
    );
    await select(app, `INSERT INTO money_hands VALUES ($1, $2, $3, 'payer_added', $4)`, [
      cashier.shop.merchantId,
      hand!.txid,
      late.who.id,
      app.clock.now(),
    ]);
    await expect(cashier.approve(payout, late.who)).rejects.toMatchObject({
      code: 'second_person_required',
    });
  });

  it('goes on with a file that somebody else began', async () => {
    const [file] = await select<{ id: string }>(app, 'SELECT id FROM bank_files LIMIT 1');
    const sql = `INSERT INTO bank_file_hands VALUES ($1, $2, 'file_brought', now())`;
    await select(app, sql, [file!.id, other.id]);
    await expect(select(app, sql, [file!.id, other.id])).rejects.toThrow('bank_file_hands_pk');
  });

  it.each([
    'first',
    'again',
    'dated ahead',
    'dated ahead, without a booking day',
    'dated ahead, behind many',
  ])(
    'does not approve payouts of the account when he brought a file with what left: %s',
    async (telling) => {
      const bringer = await MoneyActor.of(app);
      const cashier = await Cashier.of(app, await app.merchant());
      const left = {
        amount: 77_700,
        direction: 'out',
        text: 'Rent',
        acctSvcrRef: telling,
      } as const;
      const isAhead = telling.startsWith('dated ahead');
      // More than are stored at once.
      const many = telling.endsWith('many') ? 1_000 : 0;
      const others = Array.from({ length: many }, (_, n) => ({
        ...left,
        amount: 1,
        acctSvcrRef: `MANY-${n}`,
        bookedOn: '2025-12-01',
      }));
      const at = app.clock.now().getTime() + (isAhead ? 2 * DAY_MS : 0);
      const day = new Date(at).toISOString().slice(0, 10);
      const file = (id: string) =>
        camtFile('054', {
          account: OWN_ACCOUNT,
          id: telling + id,
          day,
          entries: [...others, left],
        });
      if (telling === 'again') {
        const options = { mode: 'test', name: 'x.xml', source: 'cli' } as const;
        await app.get(BankImportService).import({ bytes: Buffer.from(file('0')) }, options);
      }
      await bringer.upload(file('1'));
      if (isAhead) app.clock.advance(2 * DAY_MS);
      await credited(app, cashier.shop, await cashier.shop.order({ amount: 1_000 }), 1_000);
      await expect(approveBySql(await cashier.request(1_000), bringer.who)).rejects.toThrow(
        'does not approve it',
      );
      await expectHealthy(app);
    },
  );

  it('ends with the day of the file where that tells of no later one', async () => {
    const newcomer = await MoneyActor.of(app);
    const cashier = await Cashier.of(app, await app.merchant());
    const waits = { amount: 1, direction: 'out', status: 'announced' } as const;
    await newcomer.upload(
      camtFile('052', {
        account: OWN_ACCOUNT,
        id: 'ONLY-WAITS',
        day: '2025-11-02',
        entries: [waits],
      }),
    );
    app.clock.advance(30 * DAY_MS);
    await credited(app, cashier.shop, await cashier.shop.order({ amount: 1_000 }), 1_000);
    expect((await cashier.approve(await cashier.request(1_000), newcomer.who)).status).toBe(
      'approved',
    );
  });

  it.each(['money_hands', 'bank_line_hands', 'bank_file_hands', 'outgoing_hands'])(
    'stays in %s',
    async (table) => {
      for (const sql of [
        `DELETE FROM ${table}`,
        `UPDATE ${table} SET act = act`,
        `TRUNCATE ${table}`,
      ])
        await expect(select(app, sql)).rejects.toThrow();
    },
  );
});
