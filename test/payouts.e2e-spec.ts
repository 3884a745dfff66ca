import { createHash } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { Database } from '../src/database/database.js';
import type { Transfer } from '../src/database/ledger/transfer.entity.js';
import { PayoutRepository } from '../src/database/payouts/payout.repository.js';
import { LedgerService } from '../src/ledger/ledger.service.js';
import { ApprovalsService } from '../src/payouts/approvals.service.js';
import { BankAccountsService, WAIT_MS } from '../src/payouts/bank-accounts.service.js';
import { ExportPicker } from '../src/payouts/export-picker.js';
import { PayoutFilesService } from '../src/payouts/payout-files.service.js';
import { PayoutsService } from '../src/payouts/payouts.service.js';
import { select, withoutTriggers } from './support/facts.js';
import {
  balances,
  Cashier,
  chargeFee,
  IBANS,
  makeUsable,
  noticed,
  paidOrder,
  PAYS,
} from './support/payouts.js';
import { person } from './support/people.js';
import { openShop } from './support/shop.js';

const { app } = await openShop({ env: PAYS });

const service = app.get(PayoutsService);
const approvals = app.get(ApprovalsService);
const files = app.get(PayoutFilesService);
const payouts = app.get(PayoutRepository);

/** A merchant of its own, with orders of these amounts paid. */
async function cashierWith(...amounts: number[]): Promise<Cashier> {
  const cashier = await Cashier.of(app, await app.merchant());
  for (const amount of amounts) await paidOrder(cashier.shop, amount);
  return cashier;
}

const statusOf = async ({ scope }: Cashier, { id }: { id: string }) =>
  (await payouts.find(scope, id))?.status;

const linesOf = async (payout: { merchantId: string; id: string }) =>
  (await payouts.lines(payout, 0, 100)).map(({ kind, amount }) => [kind, amount]);

describe('a payout', () => {
  it('goes from the wish to the bank account, and the ledger with it', async () => {
    const cashier = await cashierWith(1000, 500);
    expect(await balances(app, cashier.shop)).toEqual({
      EUR: { 'clearing:sandbox': -1500, available: 1500 },
    });

    const asked = await cashier.request(1200);
    expect(asked.status).toBe('pending_approval');
    expect(await linesOf(asked)).toEqual([
      ['order', 1000],
      ['order', 200],
    ]);
    expect((await balances(app, cashier.shop))['EUR']).toMatchObject({
      available: 300,
      payout_pending: 1200,
    });

    await cashier.approve(asked);
    const file = await cashier.export();
    expect(file).toMatchObject({ payouts: 1, amount: 1200, currency: 'EUR' });
    await files.submitted(file.id);
    await files.paid(file.id);
    expect(await statusOf(cashier, asked)).toBe('paid');
    expect(await balances(app, cashier.shop)).toEqual({
      EUR: { 'clearing:sandbox': -1500, available: 300, 'clearing:bank': 1200 },
    });
    expect((await payouts.events(asked)).map(({ type, sequence }) => [type, sequence])).toEqual([
      ['payout.requested', 1],
      ['payout.approved', 2],
      ['payout.exported', 3],
      ['payout.submitted', 4],
      ['payout.paid', 5],
    ]);
  });

  it('pays the rest of an order that the payout before paid in part', async () => {
    const cashier = await cashierWith(1000);
    await cashier.request(300);
    const second = await cashier.request(700);
    expect(await linesOf(second)).toEqual([['order', 700]]);
    await expect(cashier.request(1)).rejects.toMatchObject({ code: 'insufficient_balance' });
  });

  it.each(['rejected', 'cancelled', 'failed', 'returned', 'returned after it was paid'])(
    'that is %s can be asked for again, with the same orders',
    async (how) => {
      const cashier = await cashierWith(1000, 500);
      const first = how.startsWith('returned ')
        ? await cashier.paid(1200)
        : await end(cashier, how);
      if (how.startsWith('returned ')) await cashier.returned(first, 'Account closed');
      expect((await balances(app, cashier.shop))['EUR']).toEqual({
        'clearing:sandbox': -1500,
        available: 1500,
      });
      const again = await cashier.request(1500);
      expect(await linesOf(again)).toEqual([
        ['order', 1000],
        ['order', 500],
      ]);
    },
  );

  async function end(cashier: Cashier, how: string) {
    if (how === 'rejected' || how === 'cancelled') {
      const payout = await cashier.request(1200);
      if (how === 'rejected') await approvals.reject(cashier.scope, payout.id, 'Not now');
      else await service.cancel(cashier.scope, payout.id);
      return payout;
    }
    const payout = await cashier.exported(1200);
    await files.submitted(payout.fileId!);
    await files.ended(payout, how as 'failed' | 'returned', 'No such account', cashier.owner.id);
    return payout;
  }

  it('is no more than a wish as a draft', async () => {
    const cashier = await cashierWith(1000);
    const wish = { amount: 5000, bankAccountId: cashier.account.id };
    const draft = await service.draft(
      { ...cashier.scope, currency: 'EUR' },
      wish,
      cashier.owner.id,
    );
    expect((await balances(app, cashier.shop))['EUR']).toMatchObject({ available: 1000 });
    await expect(service.submit(cashier.scope, draft.id, cashier.owner.id)).rejects.toMatchObject({
      code: 'insufficient_balance',
    });
    await service.change(cashier.scope, draft.id, { ...wish, amount: 400 }, cashier.owner.id);
    await service.submit(cashier.scope, draft.id, cashier.owner.id);
    expect((await balances(app, cashier.shop))['EUR']).toMatchObject({ payout_pending: 400 });
    expect((await payouts.events(draft)).map(({ type }) => type)).toEqual(['payout.requested']);
  });

  it('takes another amount while nobody has approved it', async () => {
    const cashier = await cashierWith(1000, 500);
    const payout = await cashier.request(1400);
    const wish = { amount: 600, bankAccountId: cashier.account.id };
    await service.change(cashier.scope, payout.id, wish, cashier.owner.id);
    expect((await balances(app, cashier.shop))['EUR']).toMatchObject({
      available: 900,
      payout_pending: 600,
    });
    expect(await linesOf(payout)).toEqual([['order', 600]]);
    await service.change(cashier.scope, payout.id, { ...wish, amount: 1500 }, cashier.owner.id);
    await cashier.approve(payout);
    await expect(
      service.change(cashier.scope, payout.id, wish, cashier.owner.id),
    ).rejects.toMatchObject({
      code: 'payout_not_possible',
    });
  });

  it('takes off what orders cost and what was taken back', async () => {
    const cashier = await cashierWith();
    await app.get(DataSource).query(
      `INSERT INTO fee_rates (merchant_id, provider, currency, parts_per_million, fixed, updated_at)
       VALUES ($1, 'sandbox', 'EUR', 29000, 30, now())`,
      [cashier.shop.merchantId],
    );
    await paidOrder(cashier.shop, 1000);
    await paidOrder(cashier.shop, 2000);
    const payout = await cashier.request(1000);
    expect(await linesOf(payout)).toEqual([
      ['order', 1000],
      ['fee', -59],
      ['fee', -88],
      ['order', 147],
    ]);
    expect((await balances(app, cashier.shop))['EUR']).toEqual({
      'clearing:sandbox': -3000,
      available: 1853,
      payout_pending: 1000,
      fees: 147,
    });
  });
});

describe('payments that their fee takes whole', () => {
  it('are no part of a payout, until the fee is taken back', async () => {
    const cashier = await cashierWith();
    await chargeFee(app, cashier.shop, 0, 25);
    const small = await paidOrder(cashier.shop, 10);
    await paidOrder(cashier.shop, 25);
    await paidOrder(cashier.shop, 125);
    expect(await linesOf(await cashier.request(100))).toEqual([
      ['order', 125],
      ['fee', -25],
    ]);
    const [fee] = await select<Transfer>(
      app,
      `SELECT merchant_id AS "merchantId", id, mode, currency FROM transfers
       WHERE txid = $1 AND kind = 'fee'`,
      [small.txid],
    );
    await app
      .get(Database)
      .transaction((tx) => app.get(LedgerService).reverse(tx, fee!, 'a courtesy'));
    expect(await linesOf(await cashier.request(10))).toEqual([['correction', 10]]);
    expect((await balances(app, cashier.shop))['EUR']).not.toHaveProperty('available');
  });
});

describe('the approval of a payout', () => {
  it('needs another person than the one who asked', async () => {
    const cashier = await cashierWith(1000);
    const payout = await cashier.request(500);
    await expect(cashier.approve(payout, cashier.owner)).rejects.toMatchObject({
      code: 'second_person_required',
    });
    expect(await statusOf(cashier, payout)).toBe('pending_approval');
  });

  it('is of nobody who had a hand in it, and taking part is never undone', async () => {
    const cashier = await cashierWith(1000);
    const { scope, owner, account } = cashier;
    const [changer, submitter] = [await person(app, 'operator'), await person(app, 'operator')];
    const wish = { amount: 400, bankAccountId: account.id };
    const payout = await service.draft({ ...scope, currency: 'EUR' }, wish, owner.id);
    await service.submit(scope, payout.id, submitter.id);
    await service.change(scope, payout.id, wish, changer.id);
    await service.change(scope, payout.id, wish, owner.id);
    for (const [by, entry] of [
      [submitter, 'submitted'],
      [changer, 'changed'],
    ] as const) {
      await expect(cashier.approve(payout, by)).rejects.toMatchObject({
        code: 'second_person_required',
        detail: `You ${entry} this payout, so another operator has to approve it.`,
      });
    }
    await cashier.approve(payout);
  });

  it('is of nobody who added its account, even one that it went to before', async () => {
    const cashier = await cashierWith(1000);
    const { scope, owner, account } = cashier;
    const adder = await person(app, 'operator');
    const accounts = app.get(BankAccountsService);
    const hers = await accounts.add(scope, { holder: 'She', iban: IBANS[1] }, adder.id);
    await accounts.confirm(scope, hers!.id, owner.id);
    await makeUsable(app, hers!.id);
    const payout = await cashier.request(400);
    await service.change(scope, payout.id, { amount: 400, bankAccountId: hers!.id }, owner.id);
    await service.change(scope, payout.id, { amount: 400, bankAccountId: account.id }, owner.id);
    await expect(cashier.approve(payout, adder)).rejects.toMatchObject({
      code: 'second_person_required',
    });
  });

  it('is of nobody who belongs to the merchant, or did when the account was added', async () => {
    const cashier = await cashierWith(1000);
    const former = await person(app, 'finance', cashier.shop.merchantId);
    const member = await person(app, 'viewer', cashier.shop.merchantId);
    await select(app, 'DELETE FROM memberships WHERE user_id = $1', [former.id]);
    const payout = await cashier.request(400);
    for (const by of [former, member]) {
      await expect(cashier.approve(payout, by)).rejects.toMatchObject({
        code: 'approver_of_merchant',
      });
    }
  });

  it('needs a second factor of the last five minutes', async () => {
    const cashier = await cashierWith(1000);
    const payout = await cashier.request(500);
    const now = app.clock.now().getTime();
    const approve = (age: number | null) =>
      approvals.approve(cashier.scope, payout.id, {
        userId: cashier.operator.id,
        secondFactorAt: age === null ? null : new Date(now - age),
        contentHash: payout.contentHash!,
      });
    for (const age of [null, 300_001]) {
      await expect(approve(age)).rejects.toMatchObject({ code: 'second_factor_too_old' });
    }
    await approve(300_000);
  });

  it('is of what the approver saw', async () => {
    const cashier = await cashierWith(1000);
    const payout = await cashier.request(500);
    const seen = (await payouts.find(cashier.scope, payout.id))!.contentHash!;
    const wish = { amount: 900, bankAccountId: cashier.account.id };
    await service.change(cashier.scope, payout.id, wish, cashier.owner.id);
    const approval = { userId: cashier.operator.id, secondFactorAt: app.clock.now() };
    await expect(
      approvals.approve(cashier.scope, payout.id, { ...approval, contentHash: seen }),
    ).rejects.toMatchObject({ code: 'payout_changed' });
  });
});

describe('a payout in a bank file that nobody has said the bank has', () => {
  it('cannot fail or come back: the file may still pay it', async () => {
    const cashier = await cashierWith(1000);
    const payout = await cashier.exported(400);
    for (const to of ['failed', 'returned', 'paid'] as const) {
      await expect(files.ended(payout, to, 'No', cashier.owner.id)).rejects.toMatchObject({
        code: 'payout_not_possible',
      });
    }
    for (const status of ['failed', 'returned', 'rejected', 'cancelled', 'draft']) {
      const sql = 'UPDATE payouts SET status = $2 WHERE id = $1';
      await expect(select(app, sql, [payout.id, status])).rejects.toThrow('cannot become');
    }
    expect((await balances(app, cashier.shop))['EUR']).toMatchObject({ payout_pending: 400 });
    await files.submitted(payout.fileId!);
    await files.ended(payout, 'failed', 'No such account', cashier.owner.id);
  });
});

describe('an export of more lines than one statement or one file takes', () => {
  const { limits } = app.get(ExportPicker);
  const before = { ...limits };
  afterEach(() => {
    Object.assign(limits, before);
  });

  it('takes the oldest payouts in parts, and leaves what does not fit to the next file', async () => {
    const cashier = await cashierWith(100, 100, 100, 100, 100);
    const asked = [];
    for (const amount of [200, 100, 200]) asked.push(await cashier.request(amount));
    for (const payout of asked) await cashier.approve(payout);
    Object.assign(limits, { file: 3, part: 1 });
    expect(await cashier.export()).toMatchObject({ payouts: 2, amount: 300 });
    expect(await cashier.export()).toMatchObject({ payouts: 1, amount: 200 });
  });

  it('writes nothing when a payout of the last part is not what was approved', async () => {
    const cashier = await cashierWith(100, 100);
    const asked = [await cashier.request(100), await cashier.request(100)];
    for (const payout of asked) await cashier.approve(payout);
    Object.assign(limits, { part: 1 });
    await withoutTriggers(app, 'UPDATE payouts SET amount = 99 WHERE id = $1', [asked[1]!.id]);
    await expect(cashier.export()).rejects.toMatchObject({
      code: 'payout_changed',
      members: { payoutId: asked[1]!.id },
    });
    expect(await statusOf(cashier, asked[0]!)).toBe('approved');
    for (const payout of asked) await approvals.reject(cashier.scope, payout.id, 'Not so');
  });
});

describe('what was changed after the approval', () => {
  const FORGERIES = {
    amount: 'UPDATE payouts SET amount = amount + 1 WHERE id = $1',
    currency: `UPDATE payouts SET currency = 'CHF' WHERE id = $1`,
    'holder of the account': `UPDATE payouts SET holder = 'Somebody' WHERE id = $1`,
    IBAN: `UPDATE payouts SET iban = 'NL91ABNA0417164300' WHERE id = $1`,
    'amount of a line': `UPDATE payout_lines SET amount = amount + 1
      WHERE payout_id = $1 AND number = 1`,
    'order of a line': `UPDATE payout_lines SET txid = transfer_id
      WHERE payout_id = $1 AND number = 1`,
    'kind of a line': `UPDATE payout_lines SET kind = 'correction'
      WHERE payout_id = $1 AND number = 1`,
    'number of lines': 'DELETE FROM payout_lines WHERE payout_id = $1 AND number = 1',
    'approved hash': `UPDATE payouts SET approved_hash = sha256('') WHERE id = $1`,
  };

  it.each(Object.entries(FORGERIES))('cannot be exported: %s', async (_, forgery) => {
    const cashier = await cashierWith(1000, 500);
    const payout = await cashier.request(1200);
    await cashier.approve(payout);
    await withoutTriggers(app, forgery, [payout.id]);
    const currency = (await payouts.find(cashier.scope, payout.id))!.currency;
    await expect(cashier.export(currency)).rejects.toMatchObject({ code: 'payout_changed' });
    expect(await statusOf(cashier, payout)).toBe('approved');
    await approvals.reject(cashier.scope, payout.id, 'Not what was approved');
  });
});

describe('only what the database allows', () => {
  it.each([
    ['another IBAN', `UPDATE payouts SET iban = 'NL91ABNA0417164300' WHERE id = $1`],
    ['another holder', `UPDATE payouts SET holder = 'Somebody' WHERE id = $1`],
  ])('no payout gets %s than its bank account', async (_, forgery) => {
    const cashier = await cashierWith(1000);
    const { id } = await cashier.request(500);
    await expect(app.get(DataSource).query(forgery, [id])).rejects.toMatchObject({
      driverError: { constraint: 'payouts_account_usable' },
    });
  });

  it.each([
    ['support', () => person(app, 'support')],
    [
      'a member of another merchant',
      async () => person(app, 'owner', (await app.merchant()).merchantId),
    ],
    ['a closed operator', () => closedOperator()],
  ])('no payout is approved by %s', async (_, find) => {
    const cashier = await cashierWith(1000);
    const payout = await cashier.request(500);
    await expect(cashier.approve(payout, await find())).rejects.toMatchObject({
      code: 'second_person_required',
    });
  });

  async function closedOperator() {
    const operator = await person(app, 'operator');
    const closed = 'UPDATE users SET disabled_at = $2 WHERE id = $1';
    await app.get(DataSource).query(closed, [operator.id, app.clock.now()]);
    return operator;
  }
});

describe('a bank account', () => {
  let cashier: Cashier;
  beforeAll(async () => {
    cashier = await cashierWith(1000);
  });
  const accounts = app.get(BankAccountsService);
  const ask = (bankAccountId: string) =>
    service.request({ ...cashier.scope, currency: 'EUR' }, { amount: 1, bankAccountId }, null);

  it('is paid to a day after it was confirmed and told of', async () => {
    const holder = 'Test Shop';
    const refused = { code: 'bank_account_not_usable' };
    const added = await accounts.add(cashier.scope, { holder, iban: IBANS[1] }, cashier.owner.id);
    app.clock.advance(WAIT_MS);
    await accounts.confirm(cashier.scope, added!.id, cashier.owner.id);
    app.clock.advance(WAIT_MS);
    await expect(ask(added!.id)).rejects.toMatchObject(refused);
    await noticed(app, added!.id);
    app.clock.advance(WAIT_MS - 1);
    await expect(ask(added!.id)).rejects.toMatchObject(refused);
    app.clock.advance(1);
    await ask(added!.id);
  });

  it.each<[account: string, change: string, execute?: typeof withoutTriggers]>([
    [
      'nobody confirmed',
      'bank_accounts SET confirmed_at = NULL, confirmed_by = NULL WHERE id = $1',
      withoutTriggers,
    ],
    ['nobody was told of', 'bank_account_notices SET sent_at = NULL WHERE bank_account_id = $1'],
    [
      'was told of a moment ago',
      `bank_account_notices SET sent_at = sent_at + interval '1 day' WHERE bank_account_id = $1`,
    ],
    ['was removed', 'bank_accounts SET retired_at = created_at WHERE id = $1'],
    ['waits', `bank_accounts SET usable_from = usable_from + interval '1 day' WHERE id = $1`],
  ])('that %s is refused by the database, too', async (_, change, execute = select) => {
    const { scope, owner, account } = await cashierWith(1000);
    const wish = { amount: 1, bankAccountId: account.id };
    const draft = await service.draft({ ...scope, currency: 'EUR' }, wish, owner.id);
    await execute(app, `UPDATE ${change}`, [account.id]);
    const sql = `UPDATE payouts SET status = 'pending_approval', content_hash = sha256('') WHERE id = $1`;
    await expect(select(app, sql, [draft.id])).rejects.toMatchObject({
      driverError: { constraint: 'payouts_account_usable' },
    });
  });

  it('is in a SEPA country for euros, and anywhere for the rest', async () => {
    const turkish = await Cashier.of(app, await app.merchant(), 'TR330006100519786457841326');
    await paidOrder(turkish.shop, 1000);
    await paidOrder(turkish.shop, 1000, { currency: 'USD' });
    await expect(turkish.request(500)).rejects.toMatchObject({
      code: 'bank_account_not_usable',
      detail: expect.stringContaining('SEPA'),
    });
    expect(await turkish.request(500, 'USD')).toMatchObject({ status: 'pending_approval' });
  });

  it('can be removed once nothing is on its way to it', async () => {
    const busy = await cashierWith(1000);
    const payout = await busy.request(100);
    await expect(accounts.retire(busy.scope, busy.account.id)).rejects.toMatchObject({
      code: 'bank_account_in_use',
    });
    await service.cancel(busy.scope, payout.id);
    await accounts.retire(busy.scope, busy.account.id);
    await expect(busy.request(100)).rejects.toMatchObject({ code: 'bank_account_not_usable' });
  });

  it('is nobody else’s', async () => {
    const other = await cashierWith(1000);
    await expect(ask(other.account.id)).rejects.toMatchObject({ code: 'bank_account_not_usable' });
    const payout = await other.request(100);
    await expect(service.cancel(cashier.scope, payout.id)).rejects.toMatchObject({
      code: 'payout_not_found',
    });
  });
});

describe('a bank file', () => {
  it('can be made again only when the bank never got it', async () => {
    const cashier = await cashierWith(1000);
    const payout = await cashier.exported(400);
    await expect(cashier.export()).rejects.toMatchObject({ code: 'nothing_to_export' });
    await files.notSent(payout.fileId!, cashier.owner.id);
    await expect(files.notSent(payout.fileId!, cashier.owner.id)).rejects.toMatchObject({
      code: 'payout_not_possible',
    });
    const second = await cashier.export();
    expect(second.id).not.toBe(payout.fileId);
    await files.submitted(second.id);
    await expect(files.notSent(second.id, cashier.owner.id)).rejects.toMatchObject({
      code: 'payout_not_possible',
    });
  });

  it('names the payout by its id without dashes, and keeps its bytes', async () => {
    const cashier = await cashierWith(1000);
    const payout = await cashier.exported(400);
    const [file] = await select<{ content: string; sha256: Buffer }>(
      app,
      'SELECT content, sha256 FROM payout_files WHERE id = $1',
      [payout.fileId],
    );
    expect(file!.content).toContain(`<EndToEndId>${payout.id.replaceAll('-', '')}</EndToEndId>`);
    expect(createHash('sha256').update(file!.content).digest()).toEqual(file!.sha256);
    const change = `UPDATE payout_files SET content = '' WHERE id = $1`;
    await expect(app.get(DataSource).query(change, [payout.fileId])).rejects.toThrow('append-only');
  });

  it('has payouts of one mode and currency', async () => {
    const cashier = await cashierWith(1000);
    await paidOrder(cashier.shop, 700, { currency: 'USD' });
    await cashier.approve(await cashier.request(1000));
    await cashier.approve(await cashier.request(700, 'USD'));
    expect(await cashier.export('USD')).toMatchObject({ payouts: 1, amount: 700 });
    const live = { mode: 'live', currency: 'EUR', format: 'pain.001.001.09' } as const;
    await expect(files.export(live, cashier.operator.id)).rejects.toMatchObject({
      code: 'nothing_to_export',
    });
    expect(await cashier.export()).toMatchObject({ payouts: 1, amount: 1000 });
  });
});

describe('money that no order explains', () => {
  it('is kept apart until an order does', async () => {
    const shop = await app.merchant();
    const part = await paidOrder(shop, 1000, { received: 400 });
    expect(await balances(app, shop)).toEqual({
      EUR: { 'clearing:sandbox': -400, unallocated: 400 },
    });
    const path = `/api/test-helpers/order/${part.txid}/payment`;
    await shop.call('POST', path, { outcome: 'paid', amount: 700 });
    expect(await balances(app, shop)).toEqual({
      EUR: { 'clearing:sandbox': -1100, available: 1000, unallocated: 100 },
    });
  });
});
