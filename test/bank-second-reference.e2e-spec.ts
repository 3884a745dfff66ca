import { expect, it } from '@jest/globals';
import { BankImportService } from '../src/bank/import/import.service.js';
import { MatcherService } from '../src/bank/matching/matcher.service.js';
import { PossibleDuplicatesService } from '../src/bank/matching/possible-duplicates.service.js';
import { newTransferReference } from '../src/common/money/creditor-reference.js';
import { camtFile, mt940File, type WrittenStatement } from './support/bank-file.js';
import { collectionAccount, OWN_ACCOUNT, told } from './support/bank-lines.js';
import { select } from './support/facts.js';
import { confirmNoTotals } from './support/no-totals.js';
import { person } from './support/people.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop();
await collectionAccount(app);
await confirmNoTotals(app);
const operator = await person(app, 'operator');
const duplicates = app.get(PossibleDuplicatesService);
let files = 0;

async function bring(
  write: (statement: WrittenStatement) => string,
  statement: Pick<WrittenStatement, 'day' | 'entries' | 'closing'>,
): Promise<void> {
  const id = `S${++files}`;
  const bytes = Buffer.from(write({ account: OWN_ACCOUNT, id, ...statement }));
  await app.get(BankImportService).import({ bytes }, { mode: 'test', name: id, source: 'cli' });
}

/** A possible duplicate of the part with this end-to-end id; the one of most files first. */
async function asked(amount: number): Promise<{ id: string; of: string } | undefined> {
  const lines = await select<{ id: string; of: string }>(
    app,
    `SELECT l.id, o.end_to_end_id AS of FROM bank_lines l JOIN bank_lines o ON o.id = l.duplicate_of
     WHERE l.amount = $1 AND l.marked_distinct_by IS NULL AND l.state NOT IN ('superseded', 'ignored')
     ORDER BY (SELECT count(*) FROM bank_line_places WHERE line_id = l.id) DESC, l.id`,
    [amount],
  );
  return lines[0];
}

/** A reference that no order has, before or after another one in the order of the alphabet. */
function otherReference(reference: string, isBefore: boolean): string {
  for (;;) {
    const other = newTransferReference('test');
    if (other < reference === isBefore) return other;
  }
}

it.each([true, false])(
  'a part of an order with a second reference pays once, that one sorting first: %s',
  async (isBefore) => {
    const amount = 7_000 + files;
    const order = await shop.order({ amount: 3 * amount });
    const text = await told(app, shop, order);
    const second = otherReference(text, isBefore);
    const part = {
      amount,
      text,
      payer: { iban: 'DE71110220330123456789' },
      valuedOn: '2025-12-29',
    };
    const [one, two] = [
      { ...part, e2e: 'FIRST' },
      { ...part, e2e: second },
    ];
    await bring((each) => camtFile('054', each), { day: '2025-12-29', entries: [one, two] });
    await bring(mt940File, { day: '2025-12-30', entries: [part, one], closing: 1 });
    await bring(mt940File, { day: '2025-12-30', entries: [part, part] });
    // The operator knows that all of them are reports of the second part.
    for (let line; (line = await asked(amount)) !== undefined;) {
      if (line.of === second) await duplicates.sameBooking('test', line.id);
      else await duplicates.anotherBooking('test', line.id, operator.id);
      await app.get(MatcherService).matchNew();
    }
    expect((await shop.read(order.txid)).body).toMatchObject({
      status: 'open',
      amountReceived: 2 * amount,
    });
  },
);
