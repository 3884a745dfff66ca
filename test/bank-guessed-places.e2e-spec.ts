import { expect, it } from '@jest/globals';
import { BankImportService } from '../src/bank/import/import.service.js';
import { MatcherService } from '../src/bank/matching/matcher.service.js';
import { PossibleDuplicatesService } from '../src/bank/matching/possible-duplicates.service.js';
import { camtFile, mt940File, type WrittenEntry } from './support/bank-file.js';
import { collectionAccount, OWN_ACCOUNT, told } from './support/bank-lines.js';
import { select } from './support/facts.js';
import { expectHealthy } from './support/payout-invariants.js';
import { person } from './support/people.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop();
await collectionAccount(app);
const operator = await person(app, 'operator');
const duplicates = app.get(PossibleDuplicatesService);
const [PAYER_A, PAYER_B] = [{ iban: 'DE71110220330123456789' }, { iban: 'NL91ABNA0417164300' }];
type Kind = '052' | '053' | '054' | 'mt';
let files = 0;

async function bring(kind: Kind, ...entries: WrittenEntry[]): Promise<void> {
  app.clock.advance(60_000);
  const id = `S${++files}`;
  const statement = { account: OWN_ACCOUNT, day: '2025-12-30', id, opening: 9_000, entries };
  const text = kind === 'mt' ? mt940File(statement) : camtFile(kind, statement);
  const options = { mode: 'test', name: id, source: 'cli' } as const;
  await app.get(BankImportService).import({ bytes: Buffer.from(text) }, options);
}

interface Question {
  readonly id: string;
  readonly isSame: boolean;
}

/** The next question of an account page, and the truth: lines with two texts are the same if the texts are. */
async function nextQuestion(amount: number): Promise<Question | undefined> {
  const sql = `SELECT l.id, coalesce(l.text = o.text, l.counterparty_account = o.counterparty_account, false) AS "isSame"
    FROM bank_lines l JOIN bank_lines o ON o.id = l.duplicate_of
    WHERE l.amount = $1 AND l.state = 'suggested' AND l.reason = 'possible_duplicate' ORDER BY l.id LIMIT 1`;
  return (await select<Question>(app, sql, [amount]))[0];
}

it.each<[Kind, Kind, Kind]>([
  ['053', 'mt', '053'],
  ['053', 'mt', '054'],
  ['054', 'mt', '053'],
  ['053', '054', '053'],
  ['052', '054', '053'],
  ['mt', '053', 'mt'],
])(
  'two transfers pay no more than came, with few details in %s and %s, and all in %s',
  async (...kinds) => {
    const amount = 10_000 + files;
    const orders = [
      await shop.order({ amount }),
      await shop.order({ amount: 2 * amount }),
    ] as const;
    const [a, b] = [await told(app, shop, orders[0]), await told(app, shop, orders[1])];
    const ref = { acctSvcrRef: `S-${files}-1` };
    await bring(kinds[0], { amount, text: a, payer: PAYER_A }, { amount, ...ref });
    await bring(kinds[1], { amount, payer: PAYER_A }, { amount, text: b, payer: PAYER_B, ...ref });
    await bring(kinds[2], { amount, text: a, payer: PAYER_A }, { amount, text: b, ...ref });
    let asked = 0;
    for (let question; asked < 6 && (question = await nextQuestion(amount)); asked++) {
      const { id, isSame } = question;
      if (isSame) await duplicates.sameBooking('test', id);
      else await duplicates.anotherBooking('test', id, operator.id);
      await app.get(MatcherService).matchNew();
    }
    expect(asked).toBeLessThan(6);
    const received = await Promise.all(
      orders.map(async ({ txid }) => (await shop.read(txid)).body.amountReceived),
    );
    expect(received[0]! + received[1]!).toBeLessThanOrEqual(2 * amount);
    expect(received[1]).toBeLessThanOrEqual(amount);
    await expectHealthy(app);
  },
);
