import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Server as NetServer } from 'node:net';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import pg from 'pg';
import { SMTPServer } from 'smtp-server';
import { Client } from '../test/support/client.js';
import { Program, removeFolder, temporaryFolder } from '../test/support/program.js';

async function listen(server: NetServer): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function receive(stack: AsyncDisposableStack, server: Server): Promise<string> {
  stack.defer(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${await listen(server)}/hook`;
}

/** A port that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  server.close();
  await once(server, 'close');
  return port;
}

/** An endpoint that takes every webhook and never answers. */
export class Silence {
  count = 0;
  url = '';

  static async start(stack: AsyncDisposableStack): Promise<Silence> {
    const silence = new Silence();
    silence.url = await receive(
      stack,
      createServer(() => silence.count++),
    );
    return silence;
  }
}

/** An endpoint that answers at once, and measures how old the news is. */
export class Listener {
  url = '';
  private readonly ids = new Set<string>();
  private delays: number[] = [];

  static async start(stack: AsyncDisposableStack): Promise<Listener> {
    const listener = new Listener();
    const server = createServer((request, response) => {
      listener.hear(request).then(
        () => response.writeHead(204).end(),
        () => response.writeHead(500).end(),
      );
    });
    listener.url = await receive(stack, server);
    return listener;
  }

  /** Different events so far. */
  get heard(): number {
    return this.ids.size;
  }

  /** Milliseconds from each event to its arrival, since the last call. */
  takeDelays(): number[] {
    const { delays } = this;
    this.delays = [];
    return delays;
  }

  private async hear(request: IncomingMessage): Promise<void> {
    const arrived = Date.now();
    const id = request.headers['webhook-id'] as string;
    const { timestamp } = (await json(request)) as { timestamp: string };
    if (!this.ids.has(id)) this.delays.push(arrived - Date.parse(timestamp));
    this.ids.add(id);
  }
}

/** A mail server that takes everything and keeps nothing. */
export class MailSink {
  count = 0;
  url = '';

  static async start(stack: AsyncDisposableStack): Promise<MailSink> {
    const sink = new MailSink();
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      disableReverseLookup: true,
      onData: (stream, _session, done) => {
        stream.resume().once('end', () => {
          sink.count++;
          done();
        });
      },
    });
    server.on('error', () => undefined);
    stack.defer(() => server.close(() => undefined));
    sink.url = `smtp://127.0.0.1:${await listen(server.server)}`;
    return sink;
  }
}

/** The unit in which Linux counts processor time. */
const TICK_MS = 10;

const SERVER = process.env['TEST_DATABASE_URL'] ?? process.env['DATABASE_URL'];

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

/** A new database, dropped with the stack. */
async function createDatabase(stack: AsyncDisposableStack): Promise<string> {
  if (!SERVER?.startsWith('postgres')) throw new Error('TEST_DATABASE_URL names no PostgreSQL');
  const server = stack.adopt(await connect(SERVER), (client) => client.end());
  const name = `orders_bench_${randomBytes(6).toString('hex')}`;
  await server.query(`CREATE DATABASE ${name}`);
  stack.defer(async () => void (await server.query(`DROP DATABASE ${name} WITH (FORCE)`)));
  return Object.assign(new URL(SERVER), { pathname: `/${name}` }).href;
}

/** Copies of a merchant's only order, with its events and with what waits to be delivered of them. */
const COPY_ORDER = `
  WITH copies AS MATERIALIZED (
    SELECT gen_random_uuid() AS txid, n FROM generate_series(1, $2::integer) n
  ), orders_made AS (
    INSERT INTO orders SELECT (jsonb_populate_record(o, jsonb_build_object(
      'txid', c.txid, 'order_merchant_id', 'copy-' || c.n, 'page_token', c.txid))).*
    FROM orders o CROSS JOIN copies c WHERE o.merchant_id = $1
  ), events_made AS (
    INSERT INTO events SELECT (jsonb_populate_record(e, jsonb_build_object(
      'txid', c.txid, 'id', gen_random_uuid()))).*
    FROM events e CROSS JOIN copies c WHERE e.merchant_id = $1
    RETURNING txid, sequence, id
  )
  INSERT INTO deliveries SELECT (jsonb_populate_record(d, jsonb_build_object(
    'txid', e.txid, 'id', gen_random_uuid(), 'event_id', e.id))).*
  FROM deliveries d JOIN events_made e USING (sequence) WHERE d.merchant_id = $1`;

/** The service on a database of its own: a process for the web, and one for the background. */
export class BenchService {
  private constructor(
    private readonly stack: AsyncDisposableStack,
    private readonly database: pg.Client,
    private readonly env: Record<string, string>,
    private readonly folder: string,
    readonly shops: readonly [Client, Client],
    private readonly webId: number,
  ) {}

  /** Without its worker. */
  static async start(stack: AsyncDisposableStack, smtpUrl: string): Promise<BenchService> {
    const DATABASE_URL = await createDatabase(stack);
    const folder = stack.adopt(temporaryFolder(), removeFolder);
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const env = {
      DATABASE_URL,
      PUBLIC_URL: url,
      SMTP_URL: smtpUrl,
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'error',
    };
    const demo = { DEMO: '1', DEMO_FILE: path.join(folder, 'demo.json') };
    const webId = await run(stack, folder, port, { ...env, ...demo, ROLE: 'api' });
    const { merchants } = JSON.parse(readFileSync(demo.DEMO_FILE, 'utf8')) as Demo;
    const [first, second] = merchants.map(({ id, apiKey }) => new Client(url, apiKey, id, ''));
    const database = stack.adopt(await connect(DATABASE_URL), (client) => client.end());
    return new BenchService(stack, database, env, folder, [first!, second!], webId);
  }

  async startWorker(): Promise<void> {
    await run(this.stack, this.folder, await freePort(), { ...this.env, ROLE: 'worker' });
  }

  /** Milliseconds of processor time that the web process has used; NaN where nobody tells. */
  webCpuMs(): number {
    const file = `/proc/${this.webId}/stat`;
    if (!existsSync(file)) return NaN;
    const fields = readFileSync(file, 'utf8').split(') ')[1]!.split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  }

  async query<Row>(sql: string, values: readonly unknown[]): Promise<[Row, ...Row[]]> {
    return (await this.database.query(sql, [...values])).rows as [Row, ...Row[]];
  }

  /** Makes many orders out of the merchant's only one. */
  async copyOrder(shop: Client, times: number): Promise<void> {
    await this.query(COPY_ORDER, [shop.merchantId, times]);
    await this.query('ANALYZE', []);
  }

  async addEndpoint(shop: Client, url: string): Promise<void> {
    const { status, text } = await shop.call('POST', '/api/webhook-endpoint', { url });
    if (status !== 201) throw new Error(`no endpoint: ${status} ${text}`);
  }

  /** With its owner's consent. */
  async addRecipient(shop: Client, email: string): Promise<void> {
    await shop.call('POST', '/api/notification-recipient', { email });
    const [{ token }] = await this.query<{ token: string }>(
      'SELECT token FROM notification_recipients WHERE email = $1',
      [email],
    );
    const page = `${shop.url}/notification-recipient/${token}`;
    const { ok, status } = await fetch(`${page}/confirm`, { method: 'POST' });
    if (!ok) throw new Error(`not confirmed: ${status}`);
  }
}

interface Demo {
  readonly merchants: readonly { readonly id: string; readonly apiKey: string }[];
}

async function run(
  stack: AsyncDisposableStack,
  cwd: string,
  port: number,
  env: Record<string, string>,
): Promise<number> {
  const program = new Program('main.js', [], { ...env, PORT: String(port) }, cwd);
  stack.defer(async () => {
    const endedByItself = program.child.exitCode !== null;
    const { out, err } = await program.kill();
    if (endedByItself) console.error(out, err);
  });
  await program.untilReady(`http://127.0.0.1:${port}`);
  return program.child.pid!;
}
