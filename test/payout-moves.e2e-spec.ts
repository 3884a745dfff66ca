import { describe, expect, it } from '@jest/globals';
import { Database } from '../src/database/database.js';
import { PAYOUT_STATUSES, type PayoutStatus } from '../src/database/payouts/payout.entity.js';
import { MOVES } from '../src/payouts/payout-moves.js';
import { select } from './support/facts.js';
import { Cashier, paidOrder, PAYS } from './support/payouts.js';
import { person } from './support/people.js';
import { openShop } from './support/shop.js';

const { app } = await openShop({ env: PAYS });
const cashier = await Cashier.of(app, await app.merchant());
await paidOrder(cashier.shop, 1_000);
const payout = await cashier.paid(400);
const approver = await person(app, 'operator');
/** What users have to say before some of the moves. */
await select(
  app,
  `INSERT INTO payout_hands SELECT merchant_id, id, $2, act FROM payouts,
     unnest(ARRAY['failed', 'returned', 'not_sent']) act WHERE id = $1`,
  [payout.id, cashier.owner.id],
);

const UNAPPROVED: readonly PayoutStatus[] = ['draft', 'pending_approval'];
const FILED: readonly PayoutStatus[] = ['exported', 'submitted', 'paid', 'failed', 'returned'];

/** The status, with what a payout of that status has. */
const become = (status: PayoutStatus): string => {
  const approval = UNAPPROVED.includes(status)
    ? 'approved_by = NULL, approved_at = NULL, approved_hash = NULL'
    : `approved_by = '${approver.id}', approved_at = updated_at, approved_hash = content_hash`;
  const file = FILED.includes(status) ? `'${payout.fileId!}'` : 'NULL';
  const paidAt = status === 'paid' || status === 'returned' ? 'updated_at' : 'NULL';
  return `UPDATE payouts SET status = '${status}', ${approval}, file_id = ${file}, paid_at = ${paidAt}
    WHERE id = '${payout.id}'`;
};

class Undone extends Error {}

/** The constraint that refuses a statement after others without triggers, or `accepted`. Nothing is kept. */
async function resultOf(sql: string, ...before: readonly string[]): Promise<string | undefined> {
  const run = app.get(Database).transaction(async (tx) => {
    await tx.query(`SET LOCAL session_replication_role = 'replica'`);
    for (const each of before) await tx.query(each);
    await tx.query(`SET LOCAL session_replication_role = 'origin'`);
    await tx.query(sql);
    throw new Undone();
  });
  return run.catch((error: Error & { driverError?: { constraint?: string } }) => {
    if (error instanceof Undone) return 'accepted';
    return error.driverError?.constraint ?? error.message;
  });
}

describe('the database', () => {
  it.each(PAYOUT_STATUSES)(
    'lets a payout that is %s become what the service makes of it only',
    async (from) => {
      const others = PAYOUT_STATUSES.filter((status) => status !== from);
      const results = new Map<PayoutStatus, string | undefined>();
      for (const to of others) results.set(to, await resultOf(become(to), become(from)));
      const expected = others.map((to) => [to, MOVES[from][to] ? 'accepted' : 'payouts_moves']);
      expect([...results]).toEqual(expected);
    },
  );

  it('lets a payout begin as a draft only', async () => {
    const copy = { id: 'ffffffff-0000-7000-8000-000000000000', form_id: null };
    const insert = `INSERT INTO payouts SELECT (jsonb_populate_record(p, '${JSON.stringify(copy)}')).*
      FROM payouts p WHERE id = '${payout.id}'`;
    for (const status of PAYOUT_STATUSES) {
      const result = await resultOf(insert, become(status));
      expect([status, result]).toEqual([status, status === 'draft' ? 'accepted' : 'payouts_moves']);
    }
    for (const more of [
      `approved_by = '${approver.id}', approved_at = updated_at, approved_hash = content_hash`,
      `file_id = '${payout.fileId!}'`,
    ]) {
      const change = `UPDATE payouts SET ${more} WHERE id = '${payout.id}'`;
      expect(await resultOf(insert, become('draft'), change)).toBe('payouts_moves');
    }
  });

  it('sends no payout again that ended, and deletes none', async () => {
    const again = `UPDATE payouts SET status = 'approved', paid_at = NULL, file_id = NULL WHERE id = '${payout.id}'`;
    expect(await resultOf(again)).toBe('payouts_moves');
    const draft = become('draft');
    expect(await resultOf(`DELETE FROM payouts WHERE id = '${payout.id}'`, draft)).toMatch(
      'payouts is append-only: DELETE refused',
    );
  });
});
