import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '../src/common/ids.js';
import { Database } from '../src/database/database.js';
import type { Payout } from '../src/database/payouts/payout.entity.js';
import { PayoutRepository } from '../src/database/payouts/payout.repository.js';
import { ApprovalsService } from '../src/payouts/approvals.service.js';
import { TestApp } from './support/app.js';
import { bookedLine, collectionAccount, credited } from './support/bank-lines.js';
import { createTables, onPostgres, type TestDatabase } from './support/database.js';
import { count, select } from './support/facts.js';
import { outcomeOf } from './support/outcome.js';
import { Cashier, paidOrder, PAYS } from './support/payouts.js';
import { person, type Person } from './support/people.js';
import { expectBothWon, Handicap, rounds } from './support/race.js';

/** Milliseconds after which whoever waits for a lock still waits. */
const STILL_MS = 150;

const suite = onPostgres(describe, 'the embedded database has one session: nobody races in it');

suite('a hand in money and the approval of its payout', () => {
  let database: TestDatabase;
  let app: TestApp;
  let cashier: Cashier;

  beforeAll(async () => {
    database = await createTables();
    app = await TestApp.start({ database, env: PAYS });
    await collectionAccount(app);
    cashier = await Cashier.of(app, await app.merchant());
  });
  afterAll(async () => {
    await app.stop();
    await database.drop();
  });

  const asked = async (): Promise<{ payout: Payout; txid: string; by: Person }> => {
    const { txid } = await paidOrder(cashier.shop, 1_000);
    return { payout: await cashier.request(1_000), txid, by: await person(app, 'operator') };
  };

  /** What the audit log tells of an act, as the portal writes it. */
  const act = (
    [action, subject]: readonly [action: string, subject: string],
    by: Person,
    during: () => Promise<unknown> = async () => undefined,
  ) =>
    app.get(Database).transaction(async (tx) => {
      const now = app.clock.now();
      const ofMerchant = action === 'order.refunded' ? cashier.shop.merchantId : null;
      await tx.query(
        `INSERT INTO audit_entries (id, merchant_id, user_id, action, subject, data, address, created_at)
         VALUES ($1, $2, $3, $4, $5, '{}', '', $6)`,
        [uuidv7(now.getTime()), ofMerchant, by.id, action, subject, now],
      );
      await during();
    });
  const refund = (txid: string) => ['order.refunded', txid] as const;

  const approve = async (payout: Payout, by: Person, during: () => Promise<unknown>) => {
    const seen = await app.get(PayoutRepository).find(cashier.scope, payout.id);
    const approval = {
      userId: by.id,
      secondFactorAt: app.clock.now(),
      contentHash: seen!.contentHash!,
    };
    return app.get(ApprovalsService).approve(cashier.scope, payout.id, approval, async () => {
      await during();
    });
  };

  it('the approver is refused whose hand came first, however late it is committed', async () => {
    const { payout, txid, by } = await asked();
    let approval: Promise<unknown> | undefined;
    let isOver = false;
    await act(refund(txid), by, async () => {
      approval = outcomeOf(() => cashier.approve(payout, by)).finally(() => (isOver = true));
      await sleep(STILL_MS);
      expect(isOver).toBe(false);
    });
    expect(await approval).toBe('second_person_required');
  });

  it('the hand waits for an approval that came first', async () => {
    const { payout, txid, by } = await asked();
    let hand: Promise<unknown> | undefined;
    let isOver = false;
    const approved = await approve(payout, by, async () => {
      hand = act(refund(txid), by).finally(() => (isOver = true));
      await sleep(STILL_MS);
      expect(isOver).toBe(false);
    });
    await hand;
    expect(approved.status).toBe('approved');
    expect(await count(app, 'money_hands', 'txid = $1', [txid])).toBe(1);
  });

  it('one of them comes first, whoever begins', async () => {
    const handicap = new Handicap<'approval' | 'hand'>(['approval', 'hand']);
    await rounds(async () => {
      const { payout, txid, by } = await asked();
      const [outcome] = await Promise.all([
        handicap.start('approval').then(() => outcomeOf(() => cashier.approve(payout, by))),
        handicap.start('hand').then(() => act(refund(txid), by)),
      ]);
      const winner: 'hand' | 'approval' =
        outcome === 'second_person_required' ? 'hand' : 'approval';
      handicap.won(winner);
      const [row] = await select<{ status: string }>(
        app,
        'SELECT status FROM payouts WHERE id = $1',
        [payout.id],
      );
      expect(row!.status).toBe(winner === 'hand' ? 'pending_approval' : 'approved');
      if (winner === 'hand') await cashier.approve(payout);
    });
    expectBothWon(handicap.wins);
  });

  describe('in money that left the account on which its money came', () => {
    /** A payout of money that came by transfer, and a decision about money that left the same account. */
    const askedOfAccount = async () => {
      const order = await cashier.shop.order({ amount: 1_000 });
      await credited(app, cashier.shop, order, 1_000);
      const { id } = await bookedLine(app, {
        amount: 7,
        direction: 'out',
        state: 'ignored',
        reason: 'Rent',
        lookedAt: app.clock.now(),
      });
      const payout = await cashier.request(1_000);
      return {
        payout,
        ignore: ['bank-line.ignored', id] as const,
        by: await person(app, 'operator'),
      };
    };
    const handsOf = ({ id }: Person) => count(app, 'outgoing_hands', 'user_id = $1', [id]);

    it('keeps its person from approving once it is committed, and holds up no approval before', async () => {
      const { payout, ignore, by } = await askedOfAccount();
      await act(ignore, by);
      expect(await outcomeOf(() => cashier.approve(payout, by))).toBe('second_person_required');
      const other = await askedOfAccount();
      await act(other.ignore, other.by, async () => {
        const approved = await cashier.approve(other.payout, other.by);
        expect(approved.status).toBe('approved');
      });
    });

    it('is seen by an approval that has not looked yet, whatever the service has seen before', async () => {
      const { payout, ignore, by } = await askedOfAccount();
      const now = app.clock.now();
      const approval = app.get(Database).transaction(async (tx) => {
        // Its snapshot of the hands is as old as can be.
        await tx.query('SELECT FROM hands_in_payout($1, $2)', [cashier.shop.merchantId, payout.id]);
        await act(ignore, by);
        await tx.query(
          `UPDATE payouts SET status = 'approved', approved_by = $2, approved_at = $3,
             approved_hash = content_hash, version = version + 1 WHERE id = $1`,
          [payout.id, by.id, now],
        );
      });
      await expect(approval).rejects.toThrow('does not approve it');
    });

    it('is committed before the approval looks, or after the approval', async () => {
      const handicap = new Handicap<'approval' | 'hand'>(['approval', 'hand']);
      await rounds(async () => {
        const { payout, ignore, by } = await askedOfAccount();
        const [outcome] = await Promise.all([
          handicap.start('approval').then(() =>
            outcomeOf(() =>
              approve(payout, by, async () => {
                await sleep(Math.random() * 20);
                expect(await handsOf(by)).toBe(0);
              }),
            ),
          ),
          handicap.start('hand').then(() => act(ignore, by)),
        ]);
        expect(['second_person_required', 'ok']).toContain(outcome);
        handicap.won(outcome === 'second_person_required' ? 'hand' : 'approval');
        expect(await handsOf(by)).toBe(1);
        if (outcome === 'second_person_required') await cashier.approve(payout);
      });
      expectBothWon(handicap.wins);
    });
  });
});
