import { expect, it } from '@jest/globals';
import { BankImportService } from '../src/bank/import/import.service.js';
import { ManualReconciliation } from '../src/bank/matching/manual-reconciliation.service.js';
import { PossibleDuplicatesService } from '../src/bank/matching/possible-duplicates.service.js';
import { MatcherService } from '../src/bank/matching/matcher.service.js';
import { camtFile, mt940File, type WrittenEntry } from './support/bank-file.js';
import { collectionAccount, OWN_ACCOUNT, told } from './support/bank-lines.js';
import { select } from './support/facts.js';
import { MoneyActor } from './support/money-acts.js';
import { confirmNoTotals } from './support/no-totals.js';
import { Cashier, PAYS } from './support/payouts.js';
import { openShop } from './support/shop.js';

const { app } = await openShop({ env: PAYS });
await collectionAccount(app);
await confirmNoTotals(app);

async function bring(text: string): Promise<void> {
  const options = { mode: 'test', name: 'a.txt', source: 'folder' } as const;
  await app.get(BankImportService).import({ bytes: Buffer.from(text) }, options);
}

async function idOf(amount: number): Promise<string> {
  const sql = 'SELECT id FROM bank_lines WHERE amount = $1';
  return (await select<{ id: string }>(app, sql, [amount]))[0]!.id;
}

const statement = (id: string, entry: WrittenEntry) => ({
  account: OWN_ACCOUNT,
  day: app.clock.now().toISOString().slice(0, 10),
  id,
  entries: [entry],
});

it.each([
  { act: 'says', first: 30_100 },
  { act: 'takes back', first: 50_100 },
])(
  'who $act that one payment of a total is the same booking approves no payout of any of its payments',
  async ({ act, first }) => {
    const parts = [first, first + 101];
    const cashiers = [
      await Cashier.of(app, await app.merchant()),
      await Cashier.of(app, await app.merchant()),
    ];
    const details: { amount: number; text: string }[] = [];
    for (const [n, { shop }] of cashiers.entries()) {
      const amount = parts[n]!;
      details.push({ amount, text: await told(app, shop, await shop.order({ amount })) });
    }
    const amount = parts[0]! + parts[1]!;
    await bring(mt940File(statement('T', { amount, text: 'thank you' })));
    await app.get(ManualReconciliation).ignore('test', await idOf(amount), 'rent');
    await bring(camtFile('054', statement('P', { amount, details })));
    const actor = await MoneyActor.of(app);
    const part = await idOf(first);
    const page = `/portal/platform/bank/test/lines/${part}`;
    if (act === 'says') await actor.send(page, {}, `${page}/same`);
    else {
      await app.get(PossibleDuplicatesService).sameBooking('test', part);
      await app.get(MatcherService).matchNew();
      const total = `/portal/platform/bank/test/lines/${await idOf(amount)}`;
      await actor.send(total, {}, `${total}/same/undo`);
    }
    await app.get(MatcherService).matchNew();
    app.clock.advance(1_000);
    for (const [n, cashier] of cashiers.entries()) {
      const payout = await cashier.request(parts[n]!);
      await expect(cashier.approve(payout, actor.who)).rejects.toMatchObject({
        code: 'second_person_required',
      });
      await cashier.approve(payout);
    }
  },
);
