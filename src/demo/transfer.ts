import { execFile } from 'node:child_process';
import { rm, mkdtemp, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { toMajorUnits } from '../common/money.js';
import { Browser } from './browser.js';
import { expectSame, heading, step } from './report.js';
import type { Service } from './service.js';
import type { DemoTransfer, Reply, Shop, DemoOrder } from './shop.js';

const CLI = path.resolve(import.meta.dirname, '../cli/cli.js');

/** An order whose payer transfers the money, and whose payment stands in a statement of the bank. */
export async function payByTransfer(shop: Shop, service: Service): Promise<void> {
  heading('Another payer transfers the money');
  const { body: order } = await step('Order created', () => shop.create('DEMO-3'));
  await choose(order.paymentPageUrl);
  const transfer = await awaited(shop, order.txid);
  await step(
    'Bank statement imported',
    () => importStatement(service, transfer),
    ({ matched }) => `camt.053, ${matched} transfer matched`,
  );
  const { body: paid } = await step('Order paid', () => shop.read(order.txid), statusText);
  expectSame('the status', paid.status, 'paid');
  expectSame('the payer', paid.payment?.['payerAccountName'], PAYER.name);
}

const statusText = ({ body }: Reply<DemoOrder>): string => `${body.status}, ${body.statusReason}`;

async function choose(paymentPageUrl: string): Promise<void> {
  const payer = new Browser();
  const page = await payer.open(paymentPageUrl);
  await step('Bank transfer chosen', () =>
    payer.submit(page, '/start', { method: 'bank_transfer' }),
  );
}

async function awaited(shop: Shop, txid: string): Promise<DemoTransfer> {
  const { body } = await step('Payer is told', () => shop.read(txid), toldText);
  expectSame('why it waits', body.statusReason, 'awaiting_transfer');
  return body.payment!['transfer'] as DemoTransfer;
}

const toldText = ({ body }: Reply<DemoOrder>): string => {
  const { iban, reference } = body.payment!['transfer'] as DemoTransfer;
  return `${iban}, ${reference}`;
};

interface Imported {
  readonly files: readonly { readonly result: string; readonly matched: number }[];
}

/** By the command line, while the service runs. */
async function importStatement(
  { databaseUrl }: Service,
  transfer: DemoTransfer,
): Promise<{ readonly matched: number }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'orders-demo-bank-'));
  try {
    const file = path.join(folder, 'statement.xml');
    await writeFile(file, statementWith(transfer));
    const command = [CLI, 'statement', 'import', file, '--mode', 'test', '--json'];
    const env = { DATABASE_URL: databaseUrl };
    const { stdout } = await promisify(execFile)(process.execPath, command, { env });
    const [imported] = (JSON.parse(stdout) as Imported).files;
    expectSame('the import', imported?.result, 'imported');
    expectSame('how many it matched', imported?.matched, 1);
    return imported!;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const PAYER = { name: 'Max Muster', iban: 'AT483200000012345864' };

/** What a bank hands out on the day after: a camt.053 with one payment. */
function statementWith({ iban, reference, amount, currency }: DemoTransfer): string {
  const day = new Date().toISOString().slice(0, 10);
  const money = `<Amt Ccy="${currency}">${toMajorUnits(amount, currency)}</Amt>`;
  const balance = (code: string, sum: string) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${sum}<CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Id>DEMO-${day}</Id>
<Acct><Id><IBAN>${iban}</IBAN></Id><Ccy>${currency}</Ccy></Acct>
${balance('OPBD', `<Amt Ccy="${currency}">0</Amt>`)}${balance('CLBD', money)}
<Ntry>${money}<CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${day}</Dt></BookgDt>
<NtryDtls><TxDtls><RltdPties><Dbtr><Pty><Nm>${PAYER.name}</Nm></Pty></Dbtr>
<DbtrAcct><Id><IBAN>${PAYER.iban}</IBAN></Id></DbtrAcct></RltdPties>
<RmtInf><Ustrd>Lamp, ${reference.toLowerCase()}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>
</Stmt></BkToCstmrStmt></Document>
`;
}
