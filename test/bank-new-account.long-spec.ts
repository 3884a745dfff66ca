import { describe, expect, it } from '@jest/globals';
import { BankImportService } from '../src/bank/import/import.service.js';
import { camtFile, type WrittenEntry } from './support/bank-file.js';
import { collectionAccount } from './support/bank-lines.js';
import { onPostgres } from './support/database.js';
import { select } from './support/facts.js';
import { plantLine } from './support/planted-lines.js';
import { openShop } from './support/shop.js';

/** Lines of an account that the planner's statistics know, and payments of a file of one that they do not. */
const KNOWN_LINES = 100_000;
const LINES = 3_000;
/** Lines copied by one statement, which must not take long. */
const COPIED = 5_000;
/** Milliseconds for a line, of which each file has so many. */
const LINE_MAX_MS = 15;
const NEW_ACCOUNT = 'DE75512108001245126199';

const { app } = await openShop();

/** Copies of a line, under keys of their own, as a table of years of statements. */
const COPIES = `INSERT INTO bank_lines SELECT made.* FROM bank_lines l CROSS JOIN generate_series($2::integer, $3::integer) n
  CROSS JOIN LATERAL jsonb_populate_record(l, jsonb_build_object('id', gen_random_uuid(), 'key', 'copy ' || n,
    'identifiers', jsonb_build_object('uetr', gen_random_uuid(), 'transactionId', 'T' || n))) made
  WHERE l.id = $1`;

describe('a statement of a new account in a large table', () => {
  const single = (n: number): WrittenEntry => ({ amount: 1_000 + (n % 7), text: `Invoice ${n}` });
  const total = (n: number): WrittenEntry => ({
    amount: 3_000 + n,
    details: [],
    acctSvcrRef: `B${n}`,
  });
  const half = Math.floor(LINES / 2);
  const FILES: Readonly<Record<string, readonly ((n: number) => WrittenEntry)[]>> = {
    'all ids': [
      (n) => ({ ...single(n), acctSvcrRef: `REF${n}`, e2e: `E${n}`, transactionId: `T${n}` }),
    ],
    'one reference': [(n) => ({ ...single(n), acctSvcrRef: 'REF', transactionId: `U${n}` })],
    'no ids': [single],
    'totals and batches': [
      total,
      (n) => ({
        ...total(n),
        details: [
          { amount: 1_000, text: 'One' },
          { amount: 2_000 + n, text: 'Two' },
        ],
      }),
    ],
  };
  const eachName = onPostgres(it, 'the embedded database stores five lines at a time');
  let days = 0;
  for (const [name, files] of Object.entries(FILES))
    eachName(
      `is imported without statistics of the account: ${name}`,
      async () => {
        if (days++ === 0) {
          await collectionAccount(app, NEW_ACCOUNT);
          const { id } = await plantLine(app);
          for (let n = 0; n < KNOWN_LINES; n += COPIED)
            await select(app, COPIES, [id, n, n + COPIED - 1]);
          await select(app, 'ALTER TABLE bank_lines SET (autovacuum_enabled = off)');
          await select(app, 'ANALYZE bank_lines');
        }
        app.clock.advance(20 * 86_400_000);
        const day = app.clock.now().toISOString().slice(0, 10);
        for (const [at, entryOf] of files.entries()) {
          const count = files.length > 1 ? half : LINES;
          const entries = Array.from({ length: count }, (_, n) => entryOf(n));
          const statement = { account: NEW_ACCOUNT, day, id: `S${days}${at}`, entries };
          const bytes = Buffer.from(camtFile(at === 0 ? '053' : '054', statement));
          const began = performance.now();
          const options = { mode: 'test', name: 'a.xml', source: 'cli' } as const;
          const result = await app.get(BankImportService).import({ bytes }, options);
          expect(result).toMatchObject({ result: 'imported' });
          expect(performance.now() - began).toBeLessThan(LINES * LINE_MAX_MS);
        }
      },
      600_000,
    );
});
