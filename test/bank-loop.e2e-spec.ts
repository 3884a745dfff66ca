import { beforeAll, describe, expect, it } from '@jest/globals';
import { BankBalanceService } from '../src/bank/import/balance.service.js';
import { BankImportService, type ImportResult } from '../src/bank/import/import.service.js';
import { MatcherService } from '../src/bank/matching/matcher.service.js';
import { Database } from '../src/database/database.js';
import { FeeRateRepository } from '../src/database/ledger/fee-rate.repository.js';
import type { Payout } from '../src/database/payouts/payout.entity.js';
import { PayoutsService } from '../src/payouts/payouts.service.js';
import {
  camtFile,
  closingOf,
  type WrittenEntry,
  type WrittenStatement,
} from './support/bank-file.js';
import type { OrderJson } from './support/client.js';
import { executedPayments, sentBack } from './support/executed-payments.js';
import { select } from './support/facts.js';
import { expectHealthy, expectSound } from './support/payout-invariants.js';
import { balances, Cashier, PAYS } from './support/payouts.js';
import { person, signedIn, withTotp } from './support/people.js';
import { openShop } from './support/shop.js';
import { awaitingTransfer, offerTransfers, TRANSFER_ACCOUNT } from './support/transfers.js';

const { account } = TRANSFER_ACCOUNT;
const DAY_MS = 86_400_000;
const OPENING = 100_000;

const { app, shop } = await openShop({ env: PAYS });

/** Money comes in for orders, goes out to the merchant, and comes back: every step is a statement of the bank. */
describe('the loop of the money', () => {
  let cashier: Cashier;
  let orders: OrderJson[];
  let payout: Payout;
  let executed: WrittenEntry;
  let balance = OPENING;

  beforeAll(async () => {
    // A Monday.
    app.clock.set(new Date('2026-11-16T09:00:00Z'));
    await offerTransfers(app);
    cashier = await Cashier.of(app, shop);
    await chargeTransfers(29_000, 30);
    orders = [
      await awaitingTransfer(shop, { amount: 8_990 }),
      await awaitingTransfer(shop, { amount: 2_500 }),
    ];
  });

  async function chargeTransfers(partsPerMillion: number, fixed: number): Promise<void> {
    const rate = {
      merchantId: shop.merchantId,
      provider: 'bank_transfer',
      currency: 'EUR',
      partsPerMillion,
      fixed,
    };
    const save = { ...rate, updatedAt: app.clock.now() };
    await app.get(Database).transaction((tx) => app.get(FeeRateRepository).save(tx, save));
  }

  const today = () => app.clock.now().toISOString().slice(0, 10);

  /** The bank's statement of today, which goes on where the last one ended. */
  async function bankBooks(...entries: WrittenEntry[]): Promise<ImportResult> {
    const day = today();
    const statement: WrittenStatement = { account, day, id: day, opening: balance, entries };
    balance = closingOf(statement);
    const bytes = Buffer.from(camtFile('053', statement));
    const result = await app
      .get(BankImportService)
      .import({ bytes }, { mode: 'test', name: `${day}.xml`, source: 'cli' });
    expect(result).toMatchObject({ result: 'imported', new: entries.length });
    await app.get(MatcherService).matchNew();
    return result;
  }

  const referenceOf = ({ payment }: OrderJson): string =>
    (payment as unknown as { transfer: { reference: string } }).transfer.reference;

  /** What `statement balance` says of a day. */
  async function explained(day: string) {
    const filter = { mode: 'test', account, from: null, until: null } as const;
    const days = await app.get(BankBalanceService).days(filter);
    expect(days.filter(({ unexplained }) => unexplained !== 0)).toEqual([]);
    return days.find((each) => each.day === day);
  }

  it('begins with two orders that a statement pays, and charges of the bank', async () => {
    await bankBooks(
      {
        amount: 8_990,
        acctSvcrRef: 'A',
        text: `Order ${referenceOf(orders[0]!)}`,
        payer: { name: 'Ada' },
      },
      { amount: 2_500, acctSvcrRef: 'B', reference: referenceOf(orders[1]!) },
      { amount: 350, direction: 'out', acctSvcrRef: 'C', text: 'Charges of November' },
    );
    for (const { txid } of orders)
      expect((await shop.read(txid)).body).toMatchObject({ status: 'paid' });
    const fees = 291 + 102;
    expect(await balances(app, shop)).toMatchObject({ EUR: { available: 11_490 - fees, fees } });
    expect(await explained(today())).toMatchObject({
      opening: OPENING,
      matched: 11_490,
      returned: 0,
      paidOut: 0,
      unmatched: -350,
      closing: OPENING + 11_140,
    });
  });

  it('goes on with a payout, whose own file becomes a statement', async () => {
    app.clock.advance(DAY_MS);
    payout = await cashier.exported(11_097);
    const [file] = await select<{ content: string }>(
      app,
      'SELECT content FROM payout_files WHERE id = $1',
      [payout.fileId],
    );
    const entries = executedPayments(file!.content);
    expect(entries).toMatchObject([{ amount: 11_097, direction: 'out' }]);
    executed = entries[0]!;
    expect((await bankBooks(executed)).warnings).toEqual([]);
    expect(await app.get(PayoutsService).find(cashier.scope, payout.id)).toMatchObject({
      status: 'paid',
    });
    expect(await explained(today())).toMatchObject({
      matched: 0,
      paidOut: -11_097,
      unmatched: 0,
      closing: balance,
    });
  });

  it('ends a week later, when another bank sends the payout back', async () => {
    app.clock.advance(7 * DAY_MS);
    await bankBooks(sentBack(executed));
    expect(await app.get(PayoutsService).find(cashier.scope, payout.id)).toMatchObject({
      status: 'returned',
    });
    expect(await balances(app, shop)).toMatchObject({ EUR: { available: 11_097, fees: 393 } });
    expect(await explained(today())).toMatchObject({
      returned: 11_097,
      paidOut: 0,
      other: 0,
      closing: balance,
    });
  });

  it('leaves books in which every cent is explained', async () => {
    const days = await app
      .get(BankBalanceService)
      .days({ mode: 'test', account: null, from: '2026-11-17', until: null });
    expect(days.map(({ day, opening, closing }) => [day, opening, closing])).toEqual([
      ['2026-11-17', OPENING + 11_140, OPENING + 43],
      ['2026-11-24', OPENING + 43, OPENING + 11_140],
    ]);
    await expectSound(app, [shop.merchantId]);
    await expectHealthy(app);
  });

  it('shows what the bank has and the lines have not', async () => {
    app.clock.advance(DAY_MS);
    balance += 5;
    const { warnings } = await bankBooks({ amount: 1, acctSvcrRef: 'Z' });
    expect(warnings).toMatchObject([{ code: 'gap' }]);
    const filter = { mode: 'test', account, from: today(), until: today() } as const;
    expect(await app.get(BankBalanceService).days(filter)).toMatchObject([
      { unmatched: 1, closing: balance, unexplained: 5 },
    ]);
  });

  it.each(['operator', 'support'] as const)(
    'is shown to %s, whatever the address says',
    async (role) => {
      const browser = await signedIn(app, await withTotp(app, await person(app, role)));
      const { html } = await browser.get('/portal/platform/bank/test/balance?until=2026-11-24');
      expect(html).toContain('All days are balanced.');
      expect(html).toContain('<bdi class="iban">DE89 3704 0044 0532 0130 00</bdi> EUR');
      expect(html).toContain('−110.97');
      const odd = await browser.get(
        `/portal/platform/bank/test/balance?until=${today()}&from=x&account=${account}`,
      );
      expect(odd.html).toContain('1 day is not balanced');
      const other = await browser.get('/portal/platform/bank/test/balance?account=<b>');
      expect(other.html).toContain('Account not found');
      const early = await browser.get(
        `/portal/platform/bank/test/balance?until=2020-01-01&account=${account}`,
      );
      expect(early.html).toContain('No bookings');
    },
  );
});
