import { ManualReconciliation } from '../../src/bank/matching/manual-reconciliation.service.js';
import { MatcherService } from '../../src/bank/matching/matcher.service.js';
import type { TestApp } from './app.js';
import { camtFile, type WrittenEntry } from './bank-file.js';
import { awaited, collectionAccount, told } from './bank-lines.js';
import { brought } from './brought.js';
import { select } from './facts.js';
import { ibanOf } from './payer-text.js';
import { Cashier } from './payouts.js';

export const DAYS = ['2026-01-02', '2026-01-03', '2026-01-04', '2026-01-05'] as const;
export const PAYER = { name: 'Paula Payer', iban: 'NL91ABNA0417164300' };

/** Collection accounts, orders and statements of tests about money that pays once. */
export class MoneyOnce {
  private amounts = 500_000;
  private files = 0;

  private constructor(
    private readonly app: TestApp,
    private accounts: number,
  ) {}

  /**
   * The first account exists before the tests: orders tell payers to pay to it.
   * @param accounts number of the first account, different in each spec
   */
  static async open(app: TestApp, accounts: number): Promise<MoneyOnce> {
    app.clock.advance(6 * 86_400_000);
    await collectionAccount(app, ibanOf(accounts));
    return new MoneyOnce(app, accounts);
  }

  readonly newAccount = async (): Promise<string> => {
    const account = ibanOf(++this.accounts);
    await collectionAccount(this.app, account);
    return account;
  };

  readonly statement = (
    account: string,
    day: string,
    opening: number,
    ...entries: WrittenEntry[]
  ) => ({ account, day, opening, id: `S${++this.files}`, entries });

  readonly bring = async (...args: Parameters<MoneyOnce['statement']>): Promise<void> => {
    await brought(this.app, [camtFile('053', this.statement(...args))]);
  };

  /** An order whose payer received transfer details. */
  readonly expecting = async (amount = (this.amounts += 100)) => {
    const { app } = this;
    const shop = await app.merchant();
    const order = await shop.order({ amount, expiresInMinutes: 43_200 });
    const reference = await told(app, shop, order);
    await awaited(app, order);
    const lines = (account: string) =>
      select<{ id: string; direction: string; state: string; reason: string | null }>(
        app,
        `SELECT id, direction, state, reason FROM bank_lines
         WHERE account = $1 AND amount IN ($2::bigint, $2::bigint / 2) ORDER BY booked_on, id`,
        [account, amount],
      );
    const state = async () => (await shop.read(order.txid)).body;
    /** Asks for the money of the order, and has it approved by a person who did nothing else. */
    const paidOut = async () => {
      const cashier = await Cashier.of(app, shop);
      const refused = ({ code }: { code: string }) => code;
      return cashier
        .request(amount)
        .then((payout) => cashier.approve(payout).catch(refused), refused);
    };
    return { shop, order, amount, reference, lines, state, paidOut };
  };

  /** Incoming or outgoing lines of the account, in the order of their days. */
  readonly linesOf = (account: string, direction: 'in' | 'out') =>
    select<{ id: string; amount: number; state: string; reason: string | null }>(
      this.app,
      `SELECT id, amount, state, reason FROM bank_lines
       WHERE account = $1 AND direction = $2 ORDER BY booked_on, id`,
      [account, direction],
    );

  readonly explain = (id: string) =>
    this.app.get(ManualReconciliation).ignore('test', id, 'Explained by an operator');

  readonly matched = async (): Promise<void> => {
    while (!(await this.app.get(MatcherService).matchNew()));
  };
}
