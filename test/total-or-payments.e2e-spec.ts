import { expect, it } from '@jest/globals';
import type { BankLine } from '../src/database/bank/lines/bank-line.entity.js';
import { Database } from '../src/database/database.js';
import { CreditsService } from '../src/payments/credits.service.js';
import { bookedLine, collectionAccount, creditOf } from './support/bank-lines.js';
import { select } from './support/facts.js';
import { PAYS } from './support/payouts.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop({ env: PAYS });
await collectionAccount(app);

const line = (parentId: string | null = null) => bookedLine(app, { amount: 1_000, parentId });

/** Past the rules, which would have superseded one of the lines. */
async function pays(each: BankLine): Promise<void> {
  const { txid } = await shop.order({ amount: 1_000 });
  const key = { merchantId: shop.merchantId, mode: 'test', txid } as const;
  await app
    .get(Database)
    .transaction((tx) => app.get(CreditsService).credit(tx, key, creditOf(each), app.clock.now()));
}

const merged = (one: BankLine, other: BankLine) =>
  select(
    app,
    `INSERT INTO bank_line_merges (line_id, other_id, places, payer_references, created_at)
     VALUES ($1, $2, '[]', '[]', now())`,
    [one.id, other.id],
  );

/** A total and one of its payments, each merged into a further line as often as wanted. */
async function totalAndPayment(merges: { readonly total: number; readonly payment: number }) {
  const total = await line();
  const payment = await line(total.id);
  const last = async (one: BankLine, times: number): Promise<BankLine> => {
    if (times === 0) return one;
    const other = await line();
    await merged(one, other);
    return last(other, times - 1);
  };
  return {
    total: await last(total, merges.total),
    payment: await last(payment, merges.payment),
  };
}

it.each([
  { total: 0, payment: 0 },
  { total: 1, payment: 0 },
  { total: 0, payment: 1 },
  { total: 2, payment: 2 },
])(
  'the database refuses money of a total and of its payment: merged into other lines $total and $payment times',
  async (merges) => {
    for (const order of [0, 1]) {
      const { total, payment } = await totalAndPayment(merges);
      const [first, second] = order === 0 ? [total, payment] : [payment, total];
      await pays(first!);
      await expect(pays(second!)).rejects.toMatchObject({
        constraint: 'bank_lines_total_or_payments',
      });
    }
  },
);

it('a payment merged into its own total pays once, as does the payment beside it', async () => {
  const total = await line();
  const [one, other] = [await line(total.id), await line(total.id)];
  await pays(one);
  await pays(other);
  const own = await line();
  await merged(await line(own.id), own);
  await pays(own);
});
