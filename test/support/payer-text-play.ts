import { BankImportService } from '../../src/bank/import/import.service.js';
import type { TestApp } from './app.js';
import { csvProfileOf } from './bank-file.js';
import { collectionAccount } from './bank-lines.js';
import type { Client } from './client.js';
import { select } from './facts.js';
import { manyTransfers } from './many-transfers.js';
import { allowed, ibanOf, REFERENCES, type Scenario } from './payer-text.js';
import { render } from './statement-renderers.js';

/** What an account's lines paid: each line that paid anything, with the sum of its allocations. */
const PAID_LINES = `
  SELECT l.amount, sum(a.amount)::bigint AS paid, max(p.payer_account_number) AS "payerAccount",
    max(p.payer_account_name) AS "payerName"
  FROM bank_lines l JOIN bank_allocations a ON a.line_id = l.id
    JOIN payments p ON p.merchant_id = a.merchant_id AND p.id = a.payment_id
  WHERE l.account = $1 AND a.undone_at IS NULL GROUP BY l.id, l.amount`;

export interface PaidLine {
  readonly amount: number;
  readonly paid: number;
  readonly payerAccount: string | null;
  readonly payerName: string | null;
}

/** Money that names nothing. */
const UNKNOWN = {
  amount: 1,
  payerName: null,
  payerAccount: null,
  endToEndId: null,
  text: '',
  bankReference: null,
};

let played = 0;
const unused = new WeakMap<TestApp, string[]>();

/** References of orders that wait for a transfer. */
async function takeReferences(app: TestApp, shop: Client): Promise<string[]> {
  const left = unused.get(app) ?? [];
  if (left.length === 0)
    left.push(...(await manyTransfers(app, shop, 1_000_000, REFERENCES * 100)));
  unused.set(app, left);
  return left.splice(0, REFERENCES);
}

/** Imports the files of a scenario on an account of its own. @returns the lines that paid */
export async function play(app: TestApp, shop: Client, scenario: Scenario): Promise<PaidLine[]> {
  const account = ibanOf(played++);
  await collectionAccount(app, account);
  const profile = csvProfileOf(account);
  const { bookings, files } = allowed(scenario, await takeReferences(app, shop), app.clock.now());
  for (const [number, format] of files.entries()) {
    const day = bookings[0]!.bookedOn;
    const head = { account, currency: 'EUR', openingBalance: 0, number, day };
    // The first row of CSV pays nothing by itself. With an equal amount it would not show in which order rows are.
    const before = { ...bookings[0]!, ...UNKNOWN, amount: bookings[0]!.amount + 1 };
    const written = format === 'csv' ? [before, ...bookings] : bookings;
    const bytes = Buffer.from(render(format, { ...head, bookings: written }));
    const options = { mode: 'test', name: format, source: 'cli', profile } as const;
    await app.get(BankImportService).import({ bytes }, options);
  }
  return select<PaidLine>(app, PAID_LINES, [account]);
}

/** Takes each paid amount out of what came. @returns amounts for which no money came */
export function beyond({ bookings }: Scenario, paid: readonly PaidLine[]): number[] {
  const left = bookings.map(({ amount }) => amount);
  const amounts = paid.map(({ amount }) => amount);
  return amounts.filter((amount) => {
    const at = left.indexOf(amount);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
