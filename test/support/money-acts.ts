import { uuidv7 } from '../../src/common/ids.js';
import { BankImportService } from '../../src/bank/import/import.service.js';
import { ManualReconciliation } from '../../src/bank/matching/manual-reconciliation.service.js';
import { MatcherService } from '../../src/bank/matching/matcher.service.js';
import { PossibleDuplicatesService } from '../../src/bank/matching/possible-duplicates.service.js';
import { BankProfiles } from '../../src/bank/import/profiles.js';
import type { BankLine } from '../../src/database/bank/lines/bank-line.entity.js';
import { Database } from '../../src/database/database.js';
import type { Mode } from '../../src/database/merchants/api-key.entity.js';
import type { MoneyAct } from '../../src/database/payouts/money-hand.entity.js';
import { CreditsService } from '../../src/payments/credits.service.js';
import { Sweeper } from '../../src/payments/sweeper.js';
import type { TestApp } from './app.js';
import { Bank, startPayment } from './bank.js';
import { camtFile, csvFile, csvProfileOf } from './bank-file.js';
import {
  awaited,
  bookedLine,
  collectionAccount,
  credited,
  creditOf,
  OWN_ACCOUNT,
  told,
} from './bank-lines.js';
import type { FormBrowser } from './browser-form.js';
import type { Client } from './client.js';
import { select } from './facts.js';
import { allowTransfers } from './live-accounts.js';
import { paidOrder } from './payouts.js';
import { ibanOf } from './payer-text.js';
import { confirmed, person, type Person, signedIn, withTotp } from './people.js';
import { collectLive } from './transfers.js';

let payers = 0;

const DAY = '2026-01-02';

/** Lines that only one of several formats reports wait, so CSV files report an account of their own. */
const CSV_ACCOUNT = 'DE75512108001245126199';

/** A change that was made in two people's way, and that says nothing new. */
const PROPOSED = `INSERT INTO collection_account_changes (id, kind, account_id, currency, holder,
    account, bic, bank_name, proposed_by, proposed_from, proposed_at, confirmed_by, confirmed_at, rule,
    effective_at, applied_at, position)
  SELECT $1, 'prefer', id, currency, holder, account, bic, bank_name, $3, 'test', created_at, $4,
    created_at, 'two_people', created_at, created_at, position
  FROM collection_accounts WHERE id = $2`;

const NOBODY_KNOWN = {
  counterpartyName: null,
  counterpartyAccount: null,
  counterpartyAccountType: null,
} as const;

/** An operator at the portal who does something by which 10.00 EUR are paid to a merchant, and nobody else. */
export class MoneyActor {
  private number = 0;

  private constructor(
    private readonly app: TestApp,
    readonly who: Person,
    private browser: FormBrowser,
    /** Whoever helps where the act alone moves no money. */
    private readonly helper: Person,
  ) {}

  static async of(app: TestApp): Promise<MoneyActor> {
    const who = await withTotp(app, await person(app, 'operator'));
    return new MoneyActor(app, who, await signedIn(app, who), await person(app, 'operator'));
  }

  /** Every act that decides that money is an order's. */
  readonly acts: Readonly<Record<MoneyAct, (shop: Client) => Promise<void>>> = {
    file_brought: async (shop) => this.upload(await this.statementFor(shop)),
    matched: async (shop) => {
      const order = await shop.order({ amount: 1_000 });
      const line = await bookedLine(this.app, { amount: 1_000 });
      await this.match(line, order.txid);
    },
    match_undone: async (shop) => {
      const wrong = await shop.order({ amount: 1_000 });
      const { line, payment } = await credited(this.app, shop, wrong, 1_000);
      await this.send(`${lineOf(line)}/payments/${payment.id}/undo`, { reason: 'Wrong order' });
      const order = await shop.order({ amount: 1_000 });
      const parts = [{ merchantId: shop.merchantId, txid: order.txid, amount: 1_000 }];
      const reconciliation = this.app.get(ManualReconciliation);
      await reconciliation.matchManually('test', line.id, parts, this.helper.id, 'Right order');
      // What the merchant owes for the wrong order.
      await paidOrder(shop, 1_000);
    },
    money_accepted: async (shop) => {
      const order = await shop.order({ amount: 1_000 });
      const payment = await startPayment(this.app, order);
      this.app.clock.advance(61 * 60_000);
      await this.signInAgain();
      await this.app.get(Sweeper).run();
      const bank = await Bank.of(this.app, shop);
      await bank.send(bank.message(order, payment, 'booked', { amount: 1_000 }));
      await bank.settled();
      await this.send(`/portal/platform/unallocated/test/${shop.merchantId}/${order.txid}`, {});
    },
    refund_recorded: async (shop) => {
      const { txid } = await paidOrder(shop, 1_000, { received: 1_500 });
      const page = `/portal/platform/unallocated/test/${shop.merchantId}/${txid}/refund`;
      const refund = { currency: 'EUR', amount: '5.00', note: 'SEPA of 2 May' };
      const [order] = await select<{ version: number }>(
        this.app,
        'SELECT version FROM orders WHERE txid = $1',
        [txid],
      );
      await this.send(page, { ...refund, version: String(order!.version) });
    },
    payer_added: async (shop) => {
      const { line, payment } = await this.unknownPayer(shop);
      await this.send(`${lineOf(line)}/payments/${payment.id}/payer`, { name: 'Ada' });
    },
    profile_written: async (shop) => {
      const name = `house-${++this.number}`;
      const profile = JSON.stringify({ ...csvProfileOf(CSV_ACCOUNT), name });
      await this.send('/portal/platform/bank/profiles/new', { profile });
      await collectionAccount(this.app, CSV_ACCOUNT);
      const paid = await this.paymentFor(shop);
      // The first row of a file proves nothing.
      const entries = [{ amount: 1, text: 'Interest' }, ...paid.entries];
      const bytes = Buffer.from(csvFile({ ...paid, account: CSV_ACCOUNT, entries }));
      const found = await this.app.get(BankProfiles).find(name);
      const options = { mode: 'test', name: 'x.csv', source: 'cli', profile: found } as const;
      await this.app.get(BankImportService).import({ bytes }, options);
    },
    transfers_allowed: async (shop) => {
      const { merchantId } = shop;
      const page = `/portal/platform/merchants/${merchantId}`;
      await this.send(page, { takes: 'yes' }, `${page}/transfers`);
      await collectLive(this.app, OWN_ACCOUNT);
      const live = await this.app.key(merchantId, { mode: 'live' });
      const order = await live.order({ amount: 1_000 });
      await this.credit(
        shop,
        order.txid,
        await bookedLine(this.app, { amount: 1_000, mode: 'live' }),
        'live',
      );
    },
    marked_distinct: async (shop) => {
      const other = await bookedLine(this.app, { amount: 1_000 });
      const booking = await this.bookingFor(shop);
      const line = await bookedLine(this.app, { ...booking, duplicateOf: other.id });
      await this.send(lineOf(line), {}, `${lineOf(line)}/another`);
      await this.app.get(MatcherService).matchNew();
    },
    same_booking: async (shop) => {
      const booking = await this.bookingFor(shop);
      const line = await bookedLine(this.app, { ...booking, unproven: 'statement_not_balanced' });
      const again = await bookedLine(this.app, { ...booking, duplicateOf: line.id });
      await this.send(lineOf(again), {}, `${lineOf(again)}/same`);
      await this.app.get(MatcherService).matchNew();
    },
    marked_distinct_undone: async (shop) => {
      const other = await bookedLine(this.app, { amount: 1_000 });
      const line = await bookedLine(this.app, { amount: 1_000, duplicateOf: other.id });
      const duplicates = this.app.get(PossibleDuplicatesService);
      await duplicates.anotherBooking('test', line.id, this.helper.id);
      await this.send(lineOf(line), {}, `${lineOf(line)}/another/undo`);
      await duplicates.anotherBooking('test', line.id, this.helper.id);
      await this.app.get(MatcherService).matchNew();
      const { txid } = await shop.order({ amount: 1_000 });
      const part = { merchantId: shop.merchantId, txid, amount: 1_000 };
      await this.app
        .get(ManualReconciliation)
        .matchManually('test', line.id, [part], this.helper.id, 'Seen');
    },
    account_proposed: async (shop) => {
      const { merchantId } = shop;
      await allowTransfers(this.app, merchantId);
      const account = await this.proposedAccount();
      const live = await this.app.key(merchantId, { mode: 'live' });
      const order = await live.order({ amount: 1_000 });
      const line = await bookedLine(this.app, { amount: 1_000, mode: 'live', account });
      await this.credit(shop, order.txid, line, 'live');
    },
    report_handled: async (shop) => {
      const order = await shop.order({ amount: 1_000 });
      const payment = await startPayment(this.app, order);
      const bank = await Bank.of(this.app, shop);
      await bank.send(bank.message(order, payment, 'booked', { amount: 1_000 }));
      await bank.settled();
      await bank.send(bank.message(order, payment, 'refused'));
      await bank.settled();
      const sql = `SELECT id FROM provider_events WHERE merchant_id = $1 AND result = 'mismatch'`;
      const [report] = await select<{ id: string }>(this.app, sql, [shop.merchantId]);
      const list = '/portal/platform/unallocated/test';
      await this.send(list, {}, `${list}/${shop.merchantId}/${report!.id}/handled`);
    },
    return_booked: async (shop) => {
      const order = await shop.order({ amount: 1_000 });
      await credited(this.app, shop, order, 1_000);
      const waits = { state: 'not_a_payment', reason: 'unknown_money_out' } as const;
      const out = { direction: 'out', lookedAt: this.app.clock.now(), ...waits } as const;
      const line = await bookedLine(this.app, { amount: 500, ...out });
      const typed = { order: order.txid, amount: '5.00' };
      await this.send(lineOf(line), typed, `${lineOf(line)}/return`);
      await credited(this.app, shop, order, 500);
    },
    return_undone: async (shop) => {
      const order = await shop.order({ amount: 1_000 });
      const { payment } = await credited(this.app, shop, order, 1_000);
      const waits = { state: 'not_a_payment', reason: 'unknown_money_out' } as const;
      const out = { direction: 'out', lookedAt: this.app.clock.now(), ...waits } as const;
      const line = await bookedLine(this.app, { amount: 1_000, ...out });
      const part = { merchantId: shop.merchantId, txid: order.txid, amount: 1_000 };
      await this.app
        .get(ManualReconciliation)
        .returnManually('test', line.id, part, this.helper.id);
      await this.send(lineOf(line), {}, `${lineOf(line)}/returns/${payment.id}/undo`);
      // Else no payout of the account is approved.
      await this.app.get(ManualReconciliation).ignore('test', line.id, 'Told by phone');
    },
    return_spared: async (shop) => {
      const order = await shop.order({ amount: 1_000 });
      const { line } = await credited(this.app, shop, order, 1_000);
      const waits = { state: 'not_a_payment', reason: 'unknown_money_out' } as const;
      const out = { direction: 'out', lookedAt: this.app.clock.now(), ...waits } as const;
      const { counterpartyAccount } = line;
      const debit = await bookedLine(this.app, { amount: 700, counterpartyAccount, ...out });
      await this.send(lineOf(debit), { reason: 'Rent' }, `${lineOf(debit)}/ignore`);
    },
    same_booking_undone: async (shop) => {
      const other = await bookedLine(this.app, { amount: 1_000 });
      const booking = await this.bookingFor(shop);
      const line = await bookedLine(this.app, { ...booking, duplicateOf: other.id });
      const duplicates = this.app.get(PossibleDuplicatesService);
      await duplicates.sameBooking('test', line.id);
      await this.send(lineOf(line), {}, `${lineOf(line)}/same/undo`);
      await duplicates.anotherBooking('test', line.id, this.helper.id);
      await this.app.get(MatcherService).matchNew();
    },
  };

  /** Money of which nobody knows who sent it. */
  async unknownPayer(shop: Client, line: Partial<Omit<BankLine, 'amount'>> = {}) {
    const order = await shop.order({ amount: 1_000 });
    const booked = await bookedLine(this.app, { amount: 1_000, ...NOBODY_KNOWN, ...line });
    const payer = { accountNumber: null, accountType: null, accountName: null };
    const payment = await this.credit(shop, order.txid, booked, 'test', { payer });
    return { line: booked, payment };
  }

  /** Where the session was idle for too long. */
  async signInAgain(): Promise<void> {
    this.browser = await signedIn(this.app, this.who);
  }

  /** What a page shows. */
  async see(page: string): Promise<string> {
    return (await this.browser.get(page)).html;
  }

  /** Everything that an operator does is done with a fresh code. */
  async send(page: string, fields: Record<string, string>, action = page): Promise<string> {
    await confirmed(this.app, this.who);
    const reply = await this.browser.fill(page, fields, action);
    if (reply.status !== 303 || reply.location?.includes('sign-in'))
      throw new Error(`${action}: ${reply.status} ${reply.html}`);
    return reply.location!;
  }

  /** A statement with what an order asks for, as its bank would write it. */
  async statementFor(shop: Client): Promise<string> {
    return camtFile('053', await this.paymentFor(shop));
  }

  async upload(text: string): Promise<void> {
    await confirmed(this.app, this.who);
    const uploads = '/portal/platform/bank/test/uploads';
    await this.browser.get(uploads);
    const file = { name: 'statement.xml', bytes: new Uint8Array(Buffer.from(text)) };
    const { location } = await this.browser.upload(uploads, { profile: '', account: '' }, file);
    await this.send(location!, {}, `${location!}/import`);
  }

  /** An account on which live money comes in, and that is shown first since this operator has proposed it. */
  private async proposedAccount(): Promise<string> {
    const account = 'DE02120300000000202051';
    const id = await collectLive(this.app, account);
    await this.app.get(Database).transaction(async (tx) => {
      await tx.query(`SET LOCAL session_replication_role = 'replica'`);
      await tx.query(PROPOSED, [uuidv7(Date.now()), id, this.who.id, this.helper.id]);
    });
    return account;
  }

  private async referenceFor(shop: Client): Promise<string> {
    const order = await shop.order({ amount: 1_000 });
    const reference = await told(this.app, shop, order);
    await awaited(this.app, order);
    return reference;
  }

  private match(line: BankLine, order: string): Promise<string> {
    return this.send(lineOf(line), { order0: order }, `${lineOf(line)}/match`);
  }

  /** Of a payer who has paid nothing else. */
  private async bookingFor(shop: Client) {
    const text = await this.referenceFor(shop);
    return { amount: 1_000, text, counterpartyAccount: ibanOf(++payers) };
  }

  private async paymentFor(shop: Client) {
    const reference = await this.referenceFor(shop);
    const id = `S${++this.number}`;
    const bankReference = `${shop.merchantId.slice(-8)}${id}`;
    // Bookings of equal money and near days are two where the bank states two accounts.
    const payer = { name: 'Paula Payer', iban: ibanOf(++payers) };
    const entry = { amount: 1_000, reference, bankReference, payer };
    // Statements of one day follow each other in balance.
    const opening = payers * 1_000;
    return { account: OWN_ACCOUNT, id, day: DAY, opening, entries: [entry] };
  }

  private async credit(
    { merchantId }: Client,
    txid: string,
    line: BankLine,
    mode: Mode,
    changes: object = {},
  ) {
    const credit = { ...creditOf(line), ...changes };
    const now = this.app.clock.now();
    const payment = await this.app
      .get(Database)
      .transaction((tx) =>
        this.app.get(CreditsService).credit(tx, { merchantId, mode, txid }, credit, now),
      );
    await select(
      this.app,
      `UPDATE bank_lines SET state = 'matched', looked_at = $2 WHERE id = $1`,
      [line.id, now],
    );
    return payment;
  }
}

const lineOf = ({ id }: BankLine): string => `/portal/platform/bank/test/lines/${id}`;
