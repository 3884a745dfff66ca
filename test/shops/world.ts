import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { spawn } from 'node:child_process';
import type { Browser } from 'playwright-core';
import { freePort } from '../support/app.js';
import { openBrowser } from '../support/browser.js';
import { Client } from '../support/client.js';
import { createDatabase } from '../support/database.js';
import { Program, removeFolder, temporaryFolder } from '../support/program.js';
import { until } from '../support/race.js';
import { Line } from './line.js';
import { Shopper } from './shopper.js';
import { Staff } from './staff.js';

const EXAMPLE = path.resolve(import.meta.dirname, '../../../examples/vendure');
/** Vendure makes some hundred tables at its first start. */
const SHOP_START_S = 120;

interface Demo {
  readonly merchants: readonly { readonly id: string; readonly apiKey: string }[];
}

/** Runs a command where the example is; what it prints is shown when it fails. */
async function inExample(command: string, ...args: string[]): Promise<void> {
  const child = spawn(command, args, { cwd: EXAMPLE, stdio: ['ignore', 2, 2] });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`);
}

export async function buildExample(): Promise<void> {
  if (!existsSync(path.join(EXAMPLE, 'node_modules/.package-lock.json')))
    await inExample('npm', 'ci');
  await inExample('npm', 'run', '--silent', 'build');
}

async function newDatabase(stack: AsyncDisposableStack): Promise<string> {
  const database = await createDatabase();
  stack.defer(() => database.drop());
  return database.url;
}

/** The real service as a process of its own. */
async function startService(stack: AsyncDisposableStack): Promise<Client> {
  const folder = temporaryFolder();
  stack.defer(() => removeFolder(folder));
  const port = await freePort();
  const demoFile = path.join(folder, 'demo.json');
  const env = {
    PORT: String(port),
    DATABASE_URL: await newDatabase(stack),
    DEMO: 'on',
    DEMO_FILE: demoFile,
    MAIL_FOLDER: path.join(folder, 'mail'),
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32',
    RATE_LIMITS: 'off',
  };
  const program = new Program('main.js', [], env, folder);
  stack.defer(async () => void (await program.kill('SIGTERM')));
  await program.untilReady(`http://127.0.0.1:${port}`);
  const { merchants } = JSON.parse(readFileSync(demoFile, 'utf8')) as Demo;
  const { id, apiKey } = merchants[0]!;
  return new Client(`http://127.0.0.1:${port}`, apiKey, id, '');
}

/** The real Vendure server, which can die and come again. */
export class Shop {
  private program: Program | undefined;

  constructor(
    readonly url: string,
    private readonly env: Record<string, string>,
  ) {}

  async start(): Promise<void> {
    const file = path.join(EXAMPLE, 'dist/shop.js');
    const program = new Program(file, [], this.env, EXAMPLE);
    this.program = program;
    let isOpen = false;
    program.child.stdout!.on('data', (line) => (isOpen ||= String(line).includes('shop is open')));
    const open = async (): Promise<boolean> => isOpen || program.child.exitCode !== null;
    await until('the shop is open', open, SHOP_START_S);
    if (!isOpen) throw new Error(JSON.stringify(await program.result));
  }

  /** @returns what it printed */
  async kill(): Promise<string> {
    return (await this.program?.kill())?.out ?? '';
  }
}

/** A shop and the service, on one machine, with a payer's browser. */
export interface World {
  readonly service: Client;
  /** Of the shop's endpoint, at the service. */
  readonly endpointId: string;
  readonly shop: Shop;
  readonly staff: Staff;
  /** From the shop to the service. */
  readonly line: Line;
  readonly browser: Browser;
  shopper(): Shopper;
}

export async function startWorld(stack: AsyncDisposableStack): Promise<World> {
  const service = await startService(stack);
  const line = await Line.start(service.url, stack);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const endpoint = await service.call<{ id: string; secret: string }>(
    'POST',
    '/api/webhook-endpoint',
    { url: `${url}/payment-orders/webhook` },
  );
  const shop = new Shop(url, {
    PORT: String(port),
    SHOP_DATABASE_URL: await newDatabase(stack),
    VENDURE_DISABLE_TELEMETRY: 'true',
    PAYMENT_ORDERS_URL: line.url,
    PAYMENT_ORDERS_KEY: service.secret,
    PAYMENT_ORDERS_WEBHOOK_SECRET: endpoint.body.secret,
  });
  stack.defer(async () => void (await shop.kill()));
  await shop.start();
  const browser = await openBrowser();
  stack.defer(() => browser.close());
  const staff = await Staff.signIn(url);
  const endpointId = endpoint.body.id;
  return { service, endpointId, shop, staff, line, browser, shopper: () => new Shopper(url) };
}
