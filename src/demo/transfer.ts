import { execFile } from 'node:child_process';
import { rm, mkdtemp, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { EXAMPLE_PAYER, exampleStatement } from '../bank-statements/example-statement.js';
import { toMajorUnits } from '../common/money/money.js';
import { Browser } from './browser.js';
import { expectSame, heading, step } from './report.js';
import type { Service } from './service.js';
import { createdText, type DemoOrder, type DemoTransfer, type Reply, type Shop } from './shop.js';

const CLI = path.resolve(import.meta.dirname, '../cli/cli.js');

/** An order paid by bank transfer, with the payment imported from a bank statement. */
export async function payByTransfer(shop: Shop, service: Service): Promise<void> {
  heading('Another payer transfers the money');
  const { body: order } = await step('Order created', () => shop.create('DEMO-3'), createdText);
  await choose(order.paymentPageUrl);
  const transfer = await awaited(shop, order.txid);
  await step(
    'Bank statement imported',
    () => importStatement(service, transfer),
    ({ matched }) => `camt.054, ${matched} transfer matched`,
  );
  const { body: paid } = await step('Order paid', () => shop.read(order.txid), statusText);
  expectSame('the status', paid.status, 'paid');
  expectSame('the payer', paid.payment?.['payerAccountName'], EXAMPLE_PAYER.name);
}

const statusText = ({ body }: Reply<DemoOrder>): string => `${body.status}, ${body.statusReason}`;

async function choose(paymentPageUrl: string): Promise<void> {
  const payer = new Browser();
  const page = await payer.open(paymentPageUrl);
  await step(
    'Bank transfer chosen',
    () => payer.submit(page, '/start', { method: 'bank_transfer' }),
    ({ url }) => `back on ${url}`,
  );
}

async function awaited(shop: Shop, txid: string): Promise<DemoTransfer> {
  const { body } = await step('Transfer details', () => shop.read(txid), transferText);
  expectSame('why it waits', body.statusReason, 'awaiting_transfer');
  return body.payment!['transfer'] as DemoTransfer;
}

const transferText = ({ body }: Reply<DemoOrder>): string => {
  const { iban, reference, amount, currency } = body.payment!['transfer'] as DemoTransfer;
  return `${toMajorUnits(amount, currency)} ${currency} to ${iban}, ${reference}`;
};

interface Imported {
  readonly files: readonly { readonly result: string; readonly matched: number }[];
}

/** Uses the command line while the service runs. */
async function importStatement(
  { databaseUrl }: Service,
  transfer: DemoTransfer,
): Promise<{ readonly matched: number }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'orders-demo-bank-'));
  try {
    const file = path.join(folder, 'statement.xml');
    const { iban: account, reference } = transfer;
    await writeFile(file, exampleStatement({ account, reference }, transfer));
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
