import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LedgerRepository } from '../src/database/ledger/ledger.repository.js';
import type { Payout } from '../src/database/payouts/payout.entity.js';
import { ApprovalsService } from '../src/payouts/approvals.service.js';
import { BankAccountsService } from '../src/payouts/bank-accounts.service.js';
import { PayoutsService } from '../src/payouts/payouts.service.js';
import { TestApp } from './support/app.js';
import { createTables, onPostgres, type TestDatabase } from './support/database.js';
import { outcomeOf } from './support/outcome.js';
import { balances, Cashier, IBANS, makeUsable, PAYS } from './support/payouts.js';
import { person, type Person } from './support/people.js';
import { expectGoodEnd, isOk, RaceBalance } from './support/race-balance.js';
import { CALLERS, ROUNDS, rounds, tally, together } from './support/race.js';

const ENVIRONMENT = { ...PAYS, LOG_LEVEL: 'warn' };
const HALF = CALLERS / 2;
/** Payouts that a balance is enough for. */
const WINNERS = 7;
const MERCHANT_ROUNDS = 10;

const suite = onPostgres(describe, 'the embedded database has one session: nobody races in it');

suite('races for payouts', () => {
  let database: TestDatabase;
  let app: TestApp;
  let cashier: Cashier;
  let balance: RaceBalance;
  /** Changes and submits what others have asked for. */
  let second: Person;

  beforeAll(async () => {
    database = await createTables();
    app = await TestApp.start({ database, env: ENVIRONMENT });
    second = await person(app, 'operator');
  });
  afterAll(() => expectGoodEnd(database, app));

  /** Each race is run by several merchants: none asks for hundreds of payouts in vain. */
  const races = (race: () => Promise<void>): Promise<void> =>
    rounds(async (round) => {
      if (round % MERCHANT_ROUNDS === 0) {
        cashier = await Cashier.of(app, await app.merchant());
        balance = new RaceBalance(app, cashier);
      }
      await race();
    });

  const payouts = () => app.get(PayoutsService);
  const cancel = (payout: Payout) => () => payouts().cancel(cashier.scope, payout.id);
  const reject = (payout: Payout) => () =>
    app.get(ApprovalsService).reject(cashier.scope, payout.id, 'No');
  const change = (payout: Payout, amount: number) => () =>
    payouts().change(
      cashier.scope,
      payout.id,
      { amount, bankAccountId: cashier.account.id },
      cashier.owner.id,
    );

  it('grant as many requests as the balance allows, and no more', async () => {
    await races(async () => {
      await balance.release();
      await balance.pay(1_000);
      const all = await balance.available();
      const part = Math.floor(all / WINNERS);
      const outcomes = await together(() => outcomeOf(() => cashier.request(part)));
      expect(tally(outcomes)).toEqual({ ok: WINNERS, insufficient_balance: CALLERS - WINNERS });
      expect(await balance.available()).toBe(all - WINNERS * part);
      await balance.expectSound();
    });
  });

  it('approve or reject, and give the money back once', async () => {
    await races(async () => {
      const payout = await balance.askForAll();
      const outcomes = await together((n) =>
        outcomeOf(n % 2 ? () => cashier.approve(payout) : reject(payout)),
      );
      const rejections = outcomes.filter((_, n) => n % 2 === 0);
      const approvals = outcomes.filter((_, n) => n % 2);
      // Who approved first is overruled: a payout can be rejected until it is exported.
      expect(tally(rejections)).toEqual({ ok: 1, payout_not_possible: HALF - 1 });
      expect(approvals.filter(isOk).length).toBeLessThanOrEqual(1);
      expect(new Set(approvals.filter((one) => !isOk(one)))).toEqual(
        new Set(['payout_not_possible']),
      );
      expect((await balance.find(payout))!.status).toBe('rejected');
      expect(await balance.available()).toBe(payout.amount);
      await balance.expectSound();
    });
  });

  it('approve nothing that the approver has not seen', async () => {
    const wins = { approved: 0, changed: 0 };
    await races(async () => {
      const payout = await balance.askForAll();
      const seen: (Payout | null)[] = [];
      const outcomes = await together(async (n) => {
        if (n % 4 === 3) {
          // Else whoever changes is always first: to approve takes two steps.
          await sleep(Math.random() * 30);
          return outcomeOf(change(payout, payout.amount - n));
        }
        seen[n] = await balance.find(payout);
        const approval = { userId: cashier.operator.id, secondFactorAt: app.clock.now() };
        const contentHash = seen[n]!.contentHash!;
        const { scope } = cashier;
        return outcomeOf(() =>
          app.get(ApprovalsService).approve(scope, payout.id, { ...approval, contentHash }),
        );
      });
      const codes = new Set(outcomes);
      for (const code of ['ok', 'payout_not_possible', 'payout_changed']) codes.delete(code);
      expect([...codes]).toEqual([]);
      const now = (await balance.find(payout))!;
      const approvers = seen.filter((_, n) => isOk(outcomes[n]!));
      expect(approvers.length).toBe(now.status === 'approved' ? 1 : 0);
      if (approvers[0]) {
        expect(now).toMatchObject({ amount: approvers[0].amount, iban: approvers[0].iban });
        expect(now.approvedHash).toEqual(approvers[0].contentHash);
      }
      wins[now.status === 'approved' ? 'approved' : 'changed']++;
      await balance.expectSound();
    });
    if (ROUNDS >= 50) expect(wins.approved).toBeGreaterThan(0);
  });

  it('approve by nobody whose change or submission came before', async () => {
    await races(async () => {
      await balance.release();
      await balance.pay(1_000);
      const { scope, account, owner, operator } = cashier;
      const wish = { amount: 100, bankAccountId: account.id };
      const eur = { ...scope, currency: 'EUR' };
      const draft = await payouts().draft(eur, wish, owner.id);
      const ways = [
        () => payouts().change(scope, draft.id, wish, second.id),
        () => payouts().submit(scope, draft.id, second.id),
        () => cashier.approve(draft, second),
        () => cashier.approve(draft),
      ];
      const outcomes = await together((n) => outcomeOf(ways[n % ways.length]!));
      const hers = outcomes.filter((_, n) => n % ways.length === 2);
      expect(hers.filter(isOk)).toEqual([]);
      const now = (await balance.find(draft))!;
      expect([null, operator.id]).toContain(now.approvedBy);
      await balance.expectSound();
    });
  });

  it('cancel or approve, and give the money back once', async () => {
    await races(async () => {
      const payout = await balance.askForAll();
      const outcomes = await together((n) =>
        outcomeOf(n % 2 ? () => cashier.approve(payout) : cancel(payout)),
      );
      const cancellations = outcomes.filter((_, n) => n % 2 === 0);
      expect(tally(cancellations)).toEqual({ ok: 1, payout_not_possible: HALF - 1 });
      expect(outcomes.filter((_, n) => n % 2).filter(isOk).length).toBeLessThanOrEqual(1);
      expect((await balance.eventsOf(payout)).at(-1)).toBe('payout.cancelled');
      expect(await balance.available()).toBe(payout.amount);
      await balance.expectSound();
    });
  });

  it('pay out only what has arrived, while more arrives', async () => {
    await races(async () => {
      await balance.release();
      const before = await balance.available();
      const outcomes = await together(async (n) => {
        if (n % 2) return outcomeOf(() => balance.pay(100));
        return outcomeOf(async () => cashier.request(Math.max(1, await balance.available())));
      });
      const paying = outcomes.filter((_, n) => n % 2);
      expect(tally(paying)).toEqual({ ok: HALF });
      const asking = new Set(outcomes.filter((_, n) => n % 2 === 0 && !isOk(outcomes[n]!)));
      asking.delete('insufficient_balance');
      expect([...asking]).toEqual([]);
      await balance.expectSound();
      await balance.release();
      expect(await balance.available()).toBe(before + HALF * 100);
    });
  });

  it('give what one payout held to one other', async () => {
    await races(async () => {
      const payout = await balance.askForAll();
      const { amount } = payout;
      const outcomes = await together((n) =>
        outcomeOf(n % 2 ? () => cashier.request(amount) : cancel(payout)),
      );
      const cancellations = outcomes.filter((_, n) => n % 2 === 0);
      expect(tally(cancellations)).toEqual({ ok: 1, payout_not_possible: HALF - 1 });
      const requests = outcomes.filter((_, n) => n % 2);
      expect(requests.filter(isOk).length).toBeLessThanOrEqual(1);
      expect(await balance.available()).toBe(requests.some(isOk) ? 0 : amount);
      await balance.expectSound();
    });
  });

  it('count every transfer once, while balances are added up and paid out', async () => {
    await races(async () => {
      await balance.release();
      const before = await balance.available();
      const eur = { ...cashier.scope, currency: 'EUR' };
      const ways = [
        () => balance.pay(100),
        () => app.get(LedgerRepository).checkpoint(eur),
        () => cashier.request(10),
        async () => {
          const accounts = (await balances(app, cashier.shop))['EUR'] ?? {};
          expect(Object.values(accounts).reduce((sum, amount) => sum + amount, 0)).toBe(0);
        },
      ];
      const outcomes = await together((n) => outcomeOf(ways[n % ways.length]!));
      const allowed = new Set(['ok', 'insufficient_balance']);
      expect(outcomes.filter((one) => !allowed.has(one))).toEqual([]);
      await balance.expectSound();
      await balance.release();
      expect(await balance.available()).toBe(before + (CALLERS / ways.length) * 100);
    });
  });

  it('remove a bank account, or send a payout to it', async () => {
    const accounts = app.get(BankAccountsService);
    await races(async () => {
      const { scope, owner } = cashier;
      await balance.release();
      await balance.pay(1_000);
      const added = await accounts.add(scope, { holder: 'Test Shop', iban: IBANS[1] }, owner.id);
      const bankAccountId = added!.id;
      await accounts.confirm(scope, bankAccountId, owner.id);
      await makeUsable(app, bankAccountId);
      const ask = () =>
        payouts().request({ ...scope, currency: 'EUR' }, { amount: 1, bankAccountId }, owner.id);
      const outcomes = await together((n) =>
        outcomeOf(n % 2 ? ask : () => accounts.retire(scope, bankAccountId)),
      );
      const asking = outcomes.filter((_, n) => n % 2);
      const retiring = outcomes.filter((_, n) => n % 2 === 0);
      const isRetired = retiring.some(isOk);
      expect(tally(asking)).toEqual({ [isRetired ? 'bank_account_not_usable' : 'ok']: HALF });
      expect(retiring.filter(isOk)).toHaveLength(isRetired ? 1 : 0);
      await balance.release();
      if (!isRetired) await accounts.retire(scope, bankAccountId);
    });
  });
});
