import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { uuidv7 } from '../../src/common/ids.js';
import { BankFile } from '../../src/database/bank/files/bank-file.entity.js';
import { BankLinePlace } from '../../src/database/bank/lines/bank-line-place.entity.js';
import { BankLine } from '../../src/database/bank/lines/bank-line.entity.js';
import { StoredStatement } from '../../src/database/bank/files/stored-statement.entity.js';
import type { TestApp } from './app.js';

export const OUR_ACCOUNT = 'DE02120300000000202051';

/** A line as an import leaves it, with the statement and the file in which it stood. */
export async function plantLine(app: TestApp, line: Partial<BankLine> = {}): Promise<BankLine> {
  const { manager } = app.get(DataSource);
  const now = app.clock.now();
  const id = () => uuidv7(now.getTime());
  const mode = line.mode ?? 'test';
  const file = {
    id: id(),
    mode,
    sha256: randomBytes(32),
    name: 'umsaetze.xml',
    size: 1_000,
    format: 'camt.053.001.08',
    source: 'cli' as const,
    broughtBy: null,
    warnings: [],
    createdAt: now,
    importedAt: now,
  };
  await manager.insert(BankFile, file);
  const statement = {
    id: id(),
    mode,
    fileId: file.id,
    number: 0,
    format: file.format,
    statementId: 'STM-1',
    sequence: '1',
    account: line.account ?? OUR_ACCOUNT,
    currency: 'EUR',
    createdAt: now,
  };
  await manager.insert(StoredStatement, statement);
  const planted: BankLine = { ...plainLine(now, mode), id: id(), ...line };
  await manager.insert(BankLine, planted as never);
  const { status, id: lineId } = planted;
  const place = { statementId: statement.id, entry: 0, detail: 0, lineId, status };
  await manager.insert(BankLinePlace, place);
  return planted;
}

const plainLine = (now: Date, mode: BankLine['mode']): Omit<BankLine, 'id'> => ({
  mode,
  account: OUR_ACCOUNT,
  key: randomBytes(8).toString('hex'),
  ordinal: 0,
  bookedOn: now.toISOString().slice(0, 10),
  valuedOn: null,
  amount: 1_000,
  amountText: null,
  currency: 'EUR',
  direction: 'in',
  status: 'booked',
  kind: 'payment',
  reversal: false,
  returned: false,
  contradicts: null,
  counterpartyName: 'Ada Lovelace',
  counterpartyAccount: 'DE89370400440532013000',
  counterpartyAccountType: 'iban',
  counterpartyBic: null,
  references: [],
  endToEndId: null,
  bankReference: null,
  text: 'Thank you',
  namedReference: null,
  identifiers: {},
  state: 'unmatched',
  reason: 'no_reference',
  parentId: null,
  batchId: null,
  batchKey: null,
  createdAt: now,
  unproven: null,
  duplicateOf: null,
  markedDistinctBy: null,
  lookedAt: now,
});
