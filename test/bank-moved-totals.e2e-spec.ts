import { describe, expect, it, jest } from '@jest/globals';
import { BankBalanceService } from '../src/bank/import/balance.service.js';
import { ManualReconciliation } from '../src/bank/matching/manual-reconciliation.service.js';
import { MatcherService } from '../src/bank/matching/matcher.service.js';
import { PossibleDuplicatesService } from '../src/bank/matching/possible-duplicates.service.js';
import { withoutDashes } from '../src/common/ids.js';
import type { BankLine } from '../src/database/bank/lines/bank-line.entity.js';
import { BankLineRepository } from '../src/database/bank/lines/bank-line.repository.js';
import { BankPayoutLineRepository } from '../src/database/bank/matching/bank-payout-line.repository.js';
import type { Payout } from '../src/database/payouts/payout.entity.js';
import { PayoutsService } from '../src/payouts/payouts.service.js';
import { camtFile, mt940File, type WrittenEntry } from './support/bank-file.js';
import { bookedLine, collectionAccount } from './support/bank-lines.js';
import type { OrderJson } from './support/client.js';
import { onPostgres } from './support/database.js';
import { select, untilBlocked } from './support/facts.js';
import { expectHealthy, expectSound } from './support/payout-invariants.js';
import { Cashier, paidOrder, PAYS } from './support/payouts.js';
import { person } from './support/people.js';
import { brought } from './support/brought.js';
import { openShop } from './support/shop.js';

const ROUNDS = 5;

const { app, shop } = await openShop({ env: PAYS });
await paidOrder(shop, 5_000_000);
const cashier = await Cashier.of(app, shop);
const operator = await person(app, 'operator');
const matcher = app.get(MatcherService);
const reconciliation = app.get(ManualReconciliation);
const day = app.clock.now().toISOString().slice(0, 10);

let made = 0;

/** An account of its own for each test, so that nothing but its lines stands there. */
const newAccount = async (): Promise<string> => {
  const account = `ACCOUNT-${(made += 1)}`;
  await collectionAccount(app, account);
  return account;
};

const bring = (write: typeof mt940File, account: string, entry: WrittenEntry): Promise<void> =>
  brought(app, [write({ account, day, id: `S${(made += 1)}`, entries: [entry] })]);
const statement: typeof mt940File = (...all) => camtFile('053', ...all);
const notification: typeof mt940File = (...all) => camtFile('054', ...all);

/** Nobody has looked at its line. */
async function bringUnseen(account: string, entry: WrittenEntry): Promise<void> {
  const looks = jest.spyOn(matcher, 'matchNew').mockResolvedValueOnce(true);
  await bring(statement, account, entry);
  looks.mockRestore();
}

/** The total first, if it is there. */
async function linesOf(account: string): Promise<BankLine[]> {
  const lines = await app.get(BankLineRepository).list({ mode: 'test', account }, 100);
  return lines.toSorted((one, other) => other.amount! - one.amount!);
}

const endsOf = async (account: string): Promise<string[]> =>
  (await linesOf(account)).map(({ state, reason }) => `${state} ${reason}`);

async function dayOf(account: string) {
  const filter = { mode: 'test', account, from: null, until: null } as const;
  return (await app.get(BankBalanceService).days(filter))[0];
}

async function expectBooksInOrder(): Promise<void> {
  await expectSound(app, [shop.merchantId]);
  await expectHealthy(app);
}

/** Two payouts in one file: how a statement tells of their sum, and a notification of each. */
async function paidOut() {
  const approved = [await cashier.request(1_000), await cashier.request(500)];
  for (const payout of approved) await cashier.approve(payout);
  await cashier.export();
  const [{ name }] = (await select(
    app,
    'SELECT f.message_id AS name FROM payout_files f JOIN payouts p ON p.file_id = f.id WHERE p.id = $1',
    [approved[0]!.id],
  )) as [{ name: string }];
  const entry = { amount: 1_500, direction: 'out', acctSvcrRef: `P${(made += 1)}` } as const;
  const details = approved.map(({ id, amount }) => ({ amount, e2e: withoutDashes(id) }));
  const total = { ...entry, batchOf: 2, messageId: name };
  return { payouts: approved, total, batch: { ...entry, details } };
}

const statusesOf = (payouts: readonly Payout[]): Promise<string[]> =>
  Promise.all(
    payouts.map(async ({ id }) => (await app.get(PayoutsService).find(cashier.scope, id)).status),
  );

/** Past the rules. */
const reportedBy = ({ id: line }: BankLine, { id: payout }: Pick<Payout, 'id'>) =>
  select(
    app,
    `INSERT INTO bank_payout_lines SELECT merchant_id, id, 'out', $1, now() FROM payouts WHERE id = $2`,
    [line, payout],
  );

const TOTAL_COUNTS = ['not_a_payment payout_paid', 'superseded null', 'superseded null'];
const DETAILS_COUNT = ['superseded null', 'not_a_payment payout_paid', 'not_a_payment payout_paid'];

describe('the total of payouts', () => {
  it('stays what it is when a later file tells them one by one', async () => {
    const account = await newAccount();
    const { payouts, total, batch } = await paidOut();
    await bring(statement, account, total);
    expect(await statusesOf(payouts)).toEqual(['paid', 'paid']);
    await bring(notification, account, batch);
    expect(await endsOf(account)).toEqual(TOTAL_COUNTS);
    // Nor does the database let one of them count for the other.
    const [line, part] = (await linesOf(account)) as [BankLine, BankLine];
    const replaced = `UPDATE bank_lines SET state = 'superseded' WHERE id = $1`;
    await expect(select(app, replaced, [line.id])).rejects.toThrow('has moved money counts');
    const another = await cashier.exported(part.amount!);
    await expect(reportedBy(part, another)).rejects.toThrow('moves its money once');
    expect(await dayOf(account)).toMatchObject({ paidOut: -1_500, unmatched: 0, other: 0 });
    await expectBooksInOrder();
  });

  it('is told by them when they came first', async () => {
    const account = await newAccount();
    const { payouts, total, batch } = await paidOut();
    await bring(notification, account, batch);
    await bring(statement, account, total);
    expect(await statusesOf(payouts)).toEqual(['paid', 'paid']);
    expect(await endsOf(account)).toEqual(DETAILS_COUNT);
    expect(await dayOf(account)).toMatchObject({ paidOut: -1_500, unmatched: 0, other: 0 });
    await expectBooksInOrder();
  });

  it('or they count, never both, when they come while it is looked at', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const account = await newAccount();
      const { payouts, total, batch } = await paidOut();
      await bringUnseen(account, total);
      await Promise.all([matcher.matchNew(), bring(notification, account, batch)]);
      await matcher.matchNew();
      expect(await statusesOf(payouts)).toEqual(['paid', 'paid']);
      expect([TOTAL_COUNTS, DETAILS_COUNT]).toContainEqual(await endsOf(account));
      expect(await dayOf(account)).toMatchObject({ paidOut: -1_500, unmatched: 0, other: 0 });
    }
    await expectBooksInOrder();
  });

  onPostgres(it, 'the embedded database has one session')(
    'is waited for by a file that comes while it books them',
    async () => {
      const account = await newAccount();
      const { payouts, total, batch } = await paidOut();
      await bringUnseen(account, total);
      const links = app.get(BankPayoutLineRepository);
      const link = links.link.bind(links);
      const { promise: linked, resolve: hasLinked } = Promise.withResolvers<void>();
      const linking = jest.spyOn(links, 'link').mockImplementationOnce(async (...values) => {
        await link(...values);
        hasLinked();
        await untilBlocked(app, 1);
      });
      const looking = matcher.matchNew();
      await linked;
      await Promise.all([looking, bring(notification, account, batch)]);
      linking.mockRestore();
      expect(await statusesOf(payouts)).toEqual(['paid', 'paid']);
      expect(await endsOf(account)).toEqual(TOTAL_COUNTS);
      await expectBooksInOrder();
    },
  );

  it('that only the sum tells waits for a person, and they count', async () => {
    const account = await newAccount();
    const { payouts, batch } = await paidOut();
    const plain = { amount: 1_500, direction: 'out', text: 'Payouts' } as const;
    await bring(mt940File, account, plain);
    await bring(notification, account, batch);
    expect(await statusesOf(payouts)).toEqual(['paid', 'paid']);
    const [line, ...parts] = await linesOf(account);
    expect(parts.map(({ reason }) => reason)).toEqual(['payout_paid', 'payout_paid']);
    expect(parts.map(({ id }) => id)).toContain(line!.duplicateOf);
    expect(await app.get(PossibleDuplicatesService).sameBooking('test', line!.id)).toBe('done');
    expect(await endsOf(account)).toEqual(['superseded total', ...DETAILS_COUNT.slice(1)]);
    expect(await dayOf(account)).toMatchObject({ paidOut: -1_500, unmatched: 0, other: 0 });
    await expectBooksInOrder();
  });
});

describe('money that went back', () => {
  const returnOf = (lineId: string, { txid }: OrderJson, amount: number) =>
    reconciliation.returnManually(
      'test',
      lineId,
      { merchantId: shop.merchantId, txid, amount },
      operator.id,
    );

  /** A paid order whose money came to the account. */
  async function paidOn(account: string, amount: number): Promise<OrderJson> {
    const order = await shop.order({ amount });
    const { id } = await bookedLine(app, { account, amount, lookedAt: app.clock.now() });
    const part = { merchantId: shop.merchantId, txid: order.txid, amount };
    expect(await reconciliation.matchManually('test', id, [part], operator.id, 'Seen')).toBe(
      'matched',
    );
    return order;
  }

  it.each([
    ['whole', 600, 'not_a_payment charged_back'],
    ['in part', 200, 'not_a_payment unknown_money_out'],
  ])('in a total, told %s by a person, stays there', async (_, second, end) => {
    const account = await newAccount();
    const [one, other] = [await paidOn(account, 400), await paidOn(account, 600)];
    const entry = { amount: 1_000, direction: 'out', acctSvcrRef: `R${(made += 1)}` } as const;
    await bring(statement, account, { ...entry, batchOf: 2 });
    const total = (await linesOf(account)).find(({ amount }) => amount === 1_000)!;
    expect(await returnOf(total.id, one, 400)).toBe('returned');
    expect(await returnOf(total.id, other, second)).toBe('returned');
    const details = [400, 600].map((amount) => ({ amount, e2e: `E${amount}-${made}` }));
    await bring(notification, account, { ...entry, details });
    const [first, ...parts] = (await linesOf(account)).filter(
      ({ direction }) => direction === 'out',
    );
    expect(`${first!.state} ${first!.reason}`).toBe(end);
    expect(parts.map(({ state }) => state)).toEqual(['superseded', 'superseded']);
    const left = 600 - second;
    expect(await dayOf(account)).toMatchObject({ returned: left - 1_000, unmatched: 0 - left });
    await expectBooksInOrder();
  });

  it('in part is no payout, although a later file names one', async () => {
    const account = await newAccount();
    const order = await paidOn(account, 300);
    const { id, amount } = await cashier.exported(700);
    const entry = { amount, direction: 'out', acctSvcrRef: `N${(made += 1)}` } as const;
    await bring(notification, account, entry);
    const line = (await linesOf(account)).find((each) => each.amount === amount)!;
    expect(await returnOf(line.id, order, 300)).toBe('returned');
    await bring(statement, account, { ...entry, e2e: withoutDashes(id) });
    expect((await linesOf(account))[0]).toMatchObject({
      endToEndId: withoutDashes(id),
      reason: 'unknown_money_out',
    });
    expect(await app.get(PayoutsService).find(cashier.scope, id)).toMatchObject({
      status: 'exported',
    });
    await expect(reportedBy(line, { id })).rejects.toThrow('moves its money once');
    await expectBooksInOrder();
  });
});
