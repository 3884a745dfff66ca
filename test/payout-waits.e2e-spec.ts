import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readCsvProfile } from '../src/bank-statements/csv/csv-profile.js';
import { CsvProfilesService } from '../src/bank/import/csv-profiles.service.js';
import { MatcherService } from '../src/bank/matching/matcher.service.js';
import { withoutDashes } from '../src/common/ids.js';
import type { BankLine } from '../src/database/bank/lines/bank-line.entity.js';
import { brokenIn, Doctor } from '../src/database/doctor/doctor.js';
import type { Payout } from '../src/database/payouts/payout.entity.js';
import { ApprovalsService } from '../src/payouts/approvals.service.js';
import { PayoutFilesService } from '../src/payouts/payout-files.service.js';
import { PayoutsService } from '../src/payouts/payouts.service.js';
import type { SandboxMessage } from '../src/providers/sandbox/sandbox-message.js';
import { Bank, startPayment } from './support/bank.js';
import { csvProfileOf } from './support/bank-file.js';
import {
  bookedLine,
  collectionAccount,
  credited,
  lineOf,
  OWN_ACCOUNT,
  type NewLine,
  told,
  forgetDebits,
} from './support/bank-lines.js';
import type { FormBrowser } from './support/browser-form.js';
import { select } from './support/facts.js';
import { MoneyActor } from './support/money-acts.js';
import { expectHealthy } from './support/payout-invariants.js';
import { Cashier, paidOrder, PAYS } from './support/payouts.js';
import { person, type Person, signedIn, withTotp } from './support/people.js';
import { rounds } from './support/race.js';
import { openShop } from './support/shop.js';

const { app } = await openShop({ env: PAYS });
await collectionAccount(app);

let approver: Person;
/** Somebody else, who says how payouts ended. */
let sayer: Person;
let browser: FormBrowser;
beforeAll(async () => {
  sayer = await person(app, 'operator');
  approver = await withTotp(app, await person(app, 'operator'));
  browser = await signedIn(app, approver);
});
/** As when a person says what it was. */
const explained = () =>
  select(
    app,
    `UPDATE bank_lines SET state = 'ignored', reason = 'Told by phone'
    WHERE direction = 'out' AND (state = 'unmatched' OR reason = 'unknown_money_out')`,
  );
// Each test has the account for itself.
beforeEach(explained);

const DAY_MS = 86_400_000;
/** Money that left, and that the bank does not call a return. */
const naming = ({
  reference = null,
  endToEndId = null,
}: Partial<Record<'reference' | 'endToEndId', string | null>>) =>
  ({
    amount: 1_000,
    direction: 'out',
    text: reference,
    namedReference: reference,
    endToEndId,
  }) as const;
const RETURN = { amount: 1_000, direction: 'out', kind: 'return', returned: true } as const;

async function looked(line: NewLine): Promise<BankLine> {
  const { id } = await bookedLine(app, line);
  await app.get(MatcherService).matchNew();
  return (await lineOf(app, id))!;
}

/** Asks for 10.00 EUR that came by transfer, for an order with a reference. */
async function asked(of?: Cashier) {
  const cashier = of ?? (await Cashier.of(app, await app.merchant()));
  const order = await cashier.shop.order({ amount: 1_000 });
  const reference = await told(app, cashier.shop, order);
  const credit = await credited(app, cashier.shop, order, 1_000);
  await select(
    app,
    `UPDATE bank_lines SET named_reference = $2, end_to_end_id = $3, identifiers = json_build_object('uetr', $3::text)
     WHERE id = $1`,
    [credit.line.id, reference, order.txid],
  );
  const line = (await lineOf(app, credit.line.id))!;
  app.clock.advance(1_000);
  return { cashier, order, reference, line, payout: await cashier.request(1_000) };
}

const APPROVE = `UPDATE payouts SET status = 'approved', approved_by = $2, approved_at = $3,
  approved_hash = content_hash, version = version + 1 WHERE id = $1`;

const pageOf = async ({ mode, merchantId, id }: Payout): Promise<string> =>
  (await browser.get(`/portal/platform/payouts/${mode}/${merchantId}/${id}`)).html;

/** Service, page and database refuse it, whoever approves. */
async function expectWaits(
  cashier: Cashier,
  payout: Payout,
  text: string,
  people: readonly Person[] = [cashier.operator, approver],
): Promise<void> {
  for (const by of people)
    await expect(cashier.approve(payout, by)).rejects.toMatchObject({
      code: 'payout_not_possible',
      detail: expect.stringContaining(text),
    });
  const values = [payout.id, approver.id, app.clock.now()];
  await expect(select(app, APPROVE, values)).rejects.toThrow('money may have gone back');
  const page = await pageOf(payout);
  expect(page).toContain(text);
  expect(page).not.toContain('name="contentHash"');
  await expectHealthy(app);
}

const RETURN_WAITS = 'A return is waiting on an account';
const IS_NEGATIVE = 'the balance without this payout is negative';

describe('a payout while a return of its money may wait', () => {
  it.each<[string, (reference: string, paid: BankLine) => NewLine]>([
    ['a return that names nothing', () => RETURN],
    ['a reversal', () => ({ ...RETURN, kind: 'reversal', reversal: true, returned: false })],
    [
      'of which nobody can read the amount',
      () => ({ ...RETURN, amount: null as never, amountText: '1,0.0' }),
    ],
    [
      'that its statement does not prove',
      () => ({ ...RETURN, unproven: 'statement_not_balanced' }),
    ],
    ['that may be another one', (_, { id }) => ({ ...RETURN, duplicateOf: id })],
    ['of a part', () => ({ ...RETURN, amount: 1 })],
    ['of several payments', () => ({ ...RETURN, amount: 5_000 })],
    ['a transfer with the reference of its order', (reference) => naming({ reference })],
    [
      'the same, unproven',
      (reference) => ({ ...naming({ reference }), unproven: 'statement_without_balance' }),
    ],
    [
      'a transfer with the end-to-end id of its payment',
      (_, { endToEndId }) => naming({ endToEndId }),
    ],
    [
      'a transfer with the UETR of its payment',
      (_, { identifiers }) => ({ ...naming({}), identifiers }),
    ],
    [
      'on another account, with the end-to-end id of its payment',
      (_, { endToEndId }) => ({ ...RETURN, account: 'DE02120300000000202051', endToEndId }),
    ],
    ['of no day', () => ({ ...RETURN, bookedOn: null })],
    [
      'dated back',
      () => ({
        ...RETURN,
        bookedOn: new Date(app.clock.now().getTime() - 9 * DAY_MS).toISOString().slice(0, 10),
      }),
    ],
  ])('is approved by nobody: %s', async (_, back) => {
    const { cashier, payout, reference, line } = await asked();
    const { id } = await looked(back(reference, line));
    expect(await lineOf(app, id)).toMatchObject({ state: 'unmatched' });
    await expectWaits(cashier, payout, RETURN_WAITS);
    if (back(reference, line).account === undefined)
      expect(await pageOf(payout)).toMatch(/tab=waiting&amp;account=\w+">[^]*Open returns: 1/);
    await explained();
    expect((await cashier.approve(payout, approver)).status).toBe('approved');
    await expectHealthy(app);
  });

  it.each<[string, Partial<NewLine>]>([
    ['rent', { kind: 'payment', returned: false, text: 'Rent' }],
    ['with the name of another payment', { ...naming({ endToEndId: 'OTHER' }), kind: 'payment' }],
    ['a return on another account', { account: 'DE02120300000000202051' }],
    ['in the other mode', { mode: 'live' }],
    ['only announced', { status: 'announced', state: 'announced' }],
    ['long before', { bookedOn: '2020-01-01' }],
  ])('is approved all the same: %s', async (_, changes) => {
    const { cashier, payout } = await asked();
    await looked({ ...RETURN, counterpartyAccount: 'BE68539007547034', ...changes });
    expect((await cashier.approve(payout, approver)).status).toBe('approved');
    await expectHealthy(app);
  });

  it('is approved all the same when its money came through a provider', async () => {
    const cashier = await Cashier.of(app, await app.merchant());
    await paidOrder(cashier.shop, 1_000);
    await looked(RETURN);
    expect((await cashier.approve(await cashier.request(1_000), approver)).status).toBe('approved');
  });

  it('waits again after an undone return', async () => {
    const { cashier, payout, order } = await asked();
    const { id, reason } = await looked({ ...RETURN, endToEndId: order.txid });
    expect(reason).toBe('charged_back');
    await expectWaits(cashier, payout, 'Money of an order in this payout went back');
    await select(
      app,
      `UPDATE bank_lines SET state = 'unmatched', reason = 'return_undone' WHERE id = $1`,
      [id],
    );
    await expect(cashier.approve(payout, approver)).rejects.toMatchObject({
      detail: expect.stringContaining(RETURN_WAITS),
    });
  });

  it('is not kept by the payout itself, which leaves the account later', async () => {
    const { cashier, payout } = await asked();
    await cashier.approve(payout, approver);
    await cashier.export();
    const { reason } = await looked({
      amount: 1_000,
      direction: 'out',
      endToEndId: withoutDashes(payout.id),
      counterpartyAccount: payout.iban,
    });
    expect(reason).toBe('payout_paid');
    const next = await asked();
    expect((await next.cashier.approve(next.payout, approver)).status).toBe('approved');
  });
});

const WENT_BACK = 'Money of an order in this payout went back';

/** The bank takes back money that came for an order, and names it. */
async function takenBack({ order }: Awaited<ReturnType<typeof asked>>, amount = 1_000) {
  const { reason } = await looked({ ...RETURN, amount, endToEndId: order.txid });
  expect(reason).toBe('charged_back');
}

describe('a payout whose money went back', () => {
  it.each([
    ['all of it', 1_000],
    ['a part of it', 400],
  ])('is approved by nobody, also where other money takes its place: %s', async (_, amount) => {
    const one = await asked();
    await takenBack(one, amount);
    await expectWaits(one.cashier, one.payout, WENT_BACK);
    expect(await pageOf(one.payout)).toMatch(/<\/span> returned/);
    await paidOrder(one.cashier.shop, 5_000);
    await expectWaits(one.cashier, one.payout, WENT_BACK);
  });

  it('can be rejected, and asked for again with less', async () => {
    const one = await asked();
    const { cashier } = one;
    await takenBack(one, 400);
    await app.get(ApprovalsService).reject(cashier.scope, one.payout.id, 'Money went back');
    await expect(cashier.request(601)).rejects.toMatchObject({ code: 'insufficient_balance' });
    expect((await cashier.approve(await cashier.request(600), approver)).status).toBe('approved');
    await expectHealthy(app);
  });

  it('can be changed, and pays what is left', async () => {
    const one = await asked();
    const { cashier, payout } = one;
    await takenBack(one, 400);
    const bankAccountId = payout.bankAccountId!;
    await app
      .get(PayoutsService)
      .change(cashier.scope, payout.id, { amount: 600, bankAccountId }, cashier.owner.id);
    expect((await cashier.approve(payout, approver)).status).toBe('approved');
    await expectHealthy(app);
  });

  it('is approved by nobody while more went back than the merchant has beside it', async () => {
    const first = await asked();
    await first.cashier.approve(first.payout, approver);
    await first.cashier.export();
    const second = await asked(first.cashier);
    await takenBack(first, 400);
    await expectWaits(second.cashier, second.payout, IS_NEGATIVE);
    await paidOrder(first.cashier.shop, 399);
    await expectWaits(second.cashier, second.payout, IS_NEGATIVE);
    await paidOrder(first.cashier.shop, 1);
    expect((await second.cashier.approve(second.payout, approver)).status).toBe('approved');
    await expectHealthy(app);
  });

  it('is approved before its money goes back, or not at all', async () => {
    await rounds(async () => {
      const one = await asked();
      const [approval] = await Promise.all([
        one.cashier.approve(one.payout, approver).then(
          ({ status }) => status,
          ({ code }) => code as string,
        ),
        takenBack(one),
      ]);
      expect(['approved', 'payout_not_possible']).toContain(approval);
    });
    await expectHealthy(app);
  });
});

describe('a payout while a report of a provider about its money waits', () => {
  const REPORT_WAITS = 'A payment provider reported something about money of this payout';

  /** A payment of 10.00 EUR through the sandbox bank, and a requested payout of it. */
  async function booked() {
    const cashier = await Cashier.of(app, await app.merchant());
    const { shop } = cashier;
    const bank = await Bank.of(app, shop);
    const order = await shop.order({ amount: 1_000 });
    const payment = await startPayment(app, order);
    await bank.send(bank.message(order, payment, 'booked'));
    await bank.settled();
    app.clock.advance(1_000);
    const say = (...changes: Parameters<Bank['message']>) => bank.message(...changes);
    return { cashier, bank, order, payment, say, payout: await cashier.request(1_000) };
  }

  async function expectRefused({ cashier, payout }: Awaited<ReturnType<typeof booked>>) {
    await expect(cashier.approve(payout, approver)).rejects.toMatchObject({
      code: 'payout_not_possible',
      detail: expect.stringContaining(REPORT_WAITS),
    });
    const values = [payout.id, approver.id, app.clock.now()];
    await expect(select(app, APPROVE, values)).rejects.toThrow('money may have gone back');
    expect(await pageOf(payout)).toContain(REPORT_WAITS);
  }

  it.each<[string, SandboxMessage['result'], Partial<SandboxMessage>]>([
    ['a refusal', 'refused', {}],
    ['a withdrawal', 'withdrawn', {}],
    ['a smaller amount', 'booked', { amount: 1 }],
  ])('is approved by nobody until an operator handled it: %s', async (_, result, changes) => {
    const one = await booked();
    await one.bank.send(one.say(one.order, one.payment, result, changes));
    await one.bank.settled();
    await expectRefused(one);
    await select(
      app,
      `UPDATE provider_events SET handled_at = now() WHERE payment_id = $1 AND result = 'mismatch'`,
      [one.payment],
    );
    expect((await one.cashier.approve(one.payout, approver)).status).toBe('approved');
    await expectHealthy(app);
  });

  it('is approved by nobody while it is received and not applied', async () => {
    const one = await booked();
    await one.bank.receive(one.say(one.order, one.payment, 'refused'));
    await expectRefused(one);
  });

  it('is approved while a report about another order of the merchant waits', async () => {
    const one = await booked();
    const order = await one.cashier.shop.order({ amount: 500 });
    const payment = await startPayment(app, order);
    await one.bank.send(one.say(order, payment, 'booked'));
    await one.bank.send(one.say(order, payment, 'refused'));
    await one.bank.settled();
    expect((await one.cashier.approve(one.payout, approver)).status).toBe('approved');
    await select(app, `UPDATE provider_events SET handled_at = now() WHERE result = 'mismatch'`);
  });
});

describe('a payout of money that left before, as a bank says', () => {
  const LEFT_BEFORE = 'A bank statement says that this money was sent before';
  const leaving = ({ id, amount, iban: counterpartyAccount }: Payout) =>
    ({ amount, direction: 'out', endToEndId: withoutDashes(id), counterpartyAccount }) as const;

  it('is approved by nobody, although somebody said that the earlier one failed', async () => {
    const { cashier, payout } = await asked();
    await cashier.approve(payout);
    await cashier.export();
    const files = app.get(PayoutFilesService);
    const { fileId } = await app.get(PayoutsService).find(cashier.scope, payout.id);
    await files.submitted(fileId!);
    await files.ended(payout, 'failed', 'No such account', sayer.id);
    const again = await cashier.request(1_000);
    expect(await looked(leaving(payout))).toMatchObject({
      state: 'unmatched',
      reason: 'payout_contradicted',
    });
    await expectWaits(cashier, again, LEFT_BEFORE);
    const page = await pageOf(again);
    expect(page).toMatch(
      new RegExp(`Earlier payouts of this money[^]*${payout.id}[^]*No such account`),
    );
    await explained();
    expect((await cashier.approve(again, approver)).status).toBe('approved');
    await expectHealthy(app);
  });

  it('goes into no bank file where it was approved before the bank said so, and the doctor names it', async () => {
    const { cashier, payout } = await asked();
    await cashier.approve(payout);
    await cashier.export();
    const files = app.get(PayoutFilesService);
    const { fileId } = await app.get(PayoutsService).find(cashier.scope, payout.id);
    await files.submitted(fileId!);
    await files.ended(payout, 'failed', 'No such account', sayer.id);
    const again = await cashier.request(1_000);
    await cashier.approve(again, approver);
    const { id } = await looked(leaving(payout));
    await expect(cashier.export()).rejects.toMatchObject({
      code: 'payout_not_possible',
      detail: expect.stringContaining(LEFT_BEFORE),
    });
    const exported = `UPDATE payouts SET status = 'exported', file_id = $2 WHERE id = $1`;
    await expect(select(app, exported, [again.id, fileId])).rejects.toThrow('already left');
    expect(await pageOf(again)).toContain(
      'Excluded from bank files: according to a bank statement',
    );
    const broken = brokenIn(await app.get(Doctor).examine({ overdue: false }));
    expect(broken.map(({ fact, violations }) => [fact.name, violations[0]?.subject])).toEqual([
      ['payout-left-before', `payout ${again.id}`],
    ]);
    const other = await asked();
    await other.cashier.approve(other.payout, approver);
    await other.cashier.export();
    await select(app, `UPDATE bank_lines SET state = 'ignored', reason = 'Told' WHERE id = $1`, [
      id,
    ]);
    // Who explained it does not make the bank's word go away.
    expect(await pageOf(again)).toContain('It left according to a bank statement');
    await cashier.export();
    await expectHealthy(app);
  });

  it.each(['by its id', 'by the name of its file'])(
    'is approved by nobody, although somebody said that its file was not sent: %s',
    async (way) => {
      const { cashier, payout } = await asked();
      await cashier.approve(payout);
      await cashier.export();
      const { fileId } = await app.get(PayoutsService).find(cashier.scope, payout.id);
      const [file] = await select<{ message: string }>(
        app,
        'SELECT message_id AS message FROM payout_files WHERE id = $1',
        [fileId],
      );
      await select(
        app,
        `INSERT INTO audit_entries (id, user_id, action, subject, data, address, created_at)
         VALUES (gen_random_uuid(), $1, 'payout-file.downloaded', $2, '{}', '192.0.2.1', $3)`,
        [sayer.id, fileId, app.clock.now()],
      );
      await app.get(PayoutFilesService).notSent(fileId!, sayer.id);
      const byFile = { ...leaving(payout), endToEndId: file!.message };
      expect(await looked(way === 'by its id' ? leaving(payout) : byFile)).toMatchObject({
        reason: 'payout_contradicted',
      });
      const { status } = await app.get(PayoutsService).find(cashier.scope, payout.id);
      expect(status).toBe('pending_approval');
      await expectWaits(cashier, payout, LEFT_BEFORE, [approver]);
    },
  );
});

describe('money that takes the place of money that went back', () => {
  it('keeps those from approving who had a hand in it', async () => {
    await forgetDebits(app);
    const first = await asked();
    const { cashier } = first;
    await cashier.approve(first.payout, approver);
    await cashier.export();
    const second = await asked(cashier);
    const matcher = await MoneyActor.of(app);
    await matcher.acts.matched(cashier.shop);
    app.clock.advance(1_000);
    await takenBack(first);
    const refused = {
      code: 'second_person_required',
      detail: expect.stringContaining('You matched money of this payout'),
    };
    await expect(cashier.approve(second.payout, matcher.who)).rejects.toMatchObject(refused);
    const values = [second.payout.id, matcher.who.id, app.clock.now()];
    await expect(select(app, APPROVE, values)).rejects.toThrow('does not approve it');
    expect(await pageOf(second.payout)).toContain(matcher.who.email);
    expect((await cashier.approve(second.payout, approver)).status).toBe('approved');
    await expectHealthy(app);
  });

  it('keeps them from approving also while a payout that nobody approved makes up for it', async () => {
    await forgetDebits(app);
    const first = await asked();
    const { cashier } = first;
    await cashier.approve(first.payout, approver);
    await cashier.export();
    const second = await asked(cashier);
    const matcher = await MoneyActor.of(app);
    await matcher.acts.matched(cashier.shop);
    await matcher.acts.matched(cashier.shop);
    app.clock.advance(1_000);
    await takenBack(first);
    const third = await cashier.request(1);
    await expect(cashier.approve(second.payout, matcher.who)).rejects.toMatchObject({
      code: 'second_person_required',
    });
    await cashier.approve(third, approver);
    expect((await cashier.approve(second.payout, matcher.who)).status).toBe('approved');
    await expectHealthy(app);
  });

  it('makes up for nothing while nobody approved the payout that has it', async () => {
    const one = await asked();
    const { cashier } = one;
    await takenBack(one);
    await paidOrder(cashier.shop, 2_000);
    await cashier.request(1);
    await expectWaits(cashier, one.payout, WENT_BACK);
  });

  it('counts for nothing where none went back', async () => {
    const { cashier, payout } = await asked();
    const matcher = await MoneyActor.of(app);
    await matcher.acts.matched(cashier.shop);
    expect((await cashier.approve(payout, matcher.who)).status).toBe('approved');
  });
});

describe('who wrote or removed a profile for CSV', () => {
  const profiles = app.get(CsvProfilesService);
  const profile = readCsvProfile(JSON.stringify({ ...csvProfileOf(OWN_ACCOUNT), name: 'house' }));

  it('approves no payout of money that came by transfer until it was removed', async () => {
    const [writer, remover] = [await person(app, 'operator'), await person(app, 'operator')];
    const before = await asked();
    expect(await profiles.add(profile, writer.id)).toBe('added');
    const during = await asked();
    const refused = {
      code: 'second_person_required',
      detail: expect.stringContaining('You wrote or removed a CSV profile'),
    };
    for (const { cashier, payout } of [before, during]) {
      await expect(cashier.approve(payout, writer)).rejects.toMatchObject(refused);
      const values = [payout.id, writer.id, app.clock.now()];
      await expect(select(app, APPROVE, values)).rejects.toThrow('does not approve it');
    }
    const [kept] = (await profiles.list()).filter(({ name }) => name === 'house');
    expect(await profiles.remove(kept!, remover.id)).toBe(true);
    expect(await profiles.remove(kept!, remover.id)).toBe(false);
    for (const by of [writer, remover])
      await expect(during.cashier.approve(during.payout, by)).rejects.toMatchObject(refused);
    const cashier = await Cashier.of(app, await app.merchant());
    await paidOrder(cashier.shop, 1_000);
    expect((await cashier.approve(await cashier.request(1_000), writer)).status).toBe('approved');
    app.clock.advance(2 * DAY_MS);
    const after = await asked();
    for (const by of [writer, remover]) {
      const bars = await app.get(ApprovalsService).barTo(after.payout, by.id);
      expect(bars).toBeNull();
    }
    await expectHealthy(app);
  });

  it.each([
    'DELETE FROM csv_profiles',
    `UPDATE csv_profiles SET profile = '{}'`,
    'TRUNCATE csv_profiles',
  ])('stays known: %s', async (sql) => {
    await expect(select(app, sql)).rejects.toThrow('append-only');
  });
});
