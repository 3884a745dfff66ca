import { expect, it } from '@jest/globals';
import { MatcherService } from '../src/bank/matching/matcher.service.js';
import { OrderFinder } from '../src/bank/matching/order-finder.js';
import { CollectionAccountsService } from '../src/collection-accounts/collection-accounts.service.js';
import { withoutDashes } from '../src/common/ids.js';
import { BankPayoutLineRepository } from '../src/database/bank/matching/bank-payout-line.repository.js';
import { bookedLine, collectionAccount, lineOf, told } from './support/bank-lines.js';
import { onPostgres } from './support/database.js';
import { select, untilBlocked } from './support/facts.js';
import { Cashier, paidOrder, PAYS } from './support/payouts.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop({ env: PAYS });
await collectionAccount(app);
const matcher = app.get(MatcherService);

it('a line that is decided while its account is added pays', async () => {
  const account = 'DE02120300000000202051';
  const order = await shop.order({ amount: 1_000 });
  const text = await told(app, shop, order);
  const line = await bookedLine(app, { amount: 1_000, text, account });
  const finder = app.get(OrderFinder);
  const around = finder.around.bind(finder);
  finder.around = async (lines) => {
    const look = await around(lines);
    finder.around = around;
    const added = { holder: 'Platform Ltd', account, bic: null, bankName: null };
    await app.get(CollectionAccountsService).add({ mode: 'test', currency: 'EUR', ...added });
    return look;
  };
  await matcher.matchNew();
  await matcher.matchNew();
  expect(await lineOf(app, line.id)).toMatchObject({ state: 'matched' });
});

onPostgres(it, 'the embedded database has one session')(
  'a return that waits for the debit of its payout sees it',
  async () => {
    await paidOrder(shop, 5_000);
    const cashier = await Cashier.of(app, shop);
    const payout = await cashier.approve(await cashier.request(1_000));
    await cashier.export();
    const endToEndId = withoutDashes(payout.id);
    const money = { amount: 1_000, endToEndId, counterpartyAccount: payout.iban };
    await bookedLine(app, { ...money, direction: 'out' });
    const links = app.get(BankPayoutLineRepository);
    const link = links.link.bind(links);
    let other: Promise<unknown> | undefined;
    links.link = async (...debit) => {
      links.link = link;
      await link(...debit);
      await bookedLine(app, { ...money, kind: 'return', returned: true });
      other = matcher.matchNew();
      await untilBlocked(app, 1);
    };
    await matcher.matchNew();
    await other;
    const sql = 'SELECT status FROM payouts WHERE id = $1';
    expect(await select(app, sql, [payout.id])).toEqual([{ status: 'returned' }]);
  },
);
