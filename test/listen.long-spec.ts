import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { COMMANDS } from '../src/cli/commands.js';
import { STATEMENT_COMMANDS } from '../src/cli/statements.js';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { TestApp } from './support/app.js';
import type { Client } from './support/client.js';
import { FaultProxy } from './support/fault-proxy.js';
import { readAll } from './support/feed.js';
import { Program, removeFolder, temporaryFolder } from './support/program.js';
import { until } from './support/race.js';

interface Received {
  readonly method: string | undefined;
  readonly headers: Record<string, string>;
  readonly body: string;
}

const headersOf = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

describe('the command listen', () => {
  const received: Received[] = [];
  /** How the developer's program answers. */
  let answer = 204;
  const receiver = createServer((request, response) => {
    text(request).then(
      (body) => {
        received.push({ method: request.method, headers: headersOf(request.headers), body });
        response.writeHead(answer, { location: '/elsewhere' }).end('thanks');
      },
      () => response.destroy(),
    );
  });

  let app: TestApp;
  let shop: Client;
  let folder: string;
  /** In front of the service and of the receiver. */
  let lines: { readonly service: FaultProxy; readonly receiver: FaultProxy };
  let listening: Program;
  let out: string;
  let err: string;

  beforeAll(async () => {
    folder = temporaryFolder();
    app = await TestApp.start();
    await once(receiver.listen(0, '127.0.0.1'), 'listening');
    const { port } = receiver.address() as AddressInfo;
    lines = {
      service: await FaultProxy.start('127.0.0.1', Number(new URL(app.url).port)),
      receiver: await FaultProxy.start('127.0.0.1', port),
    };
  });
  afterAll(async () => {
    await Promise.all([lines.service.stop(), lines.receiver.stop()]);
    receiver.closeAllConnections();
    receiver.close();
    await app.stop();
    removeFolder(folder);
  });

  beforeEach(async () => {
    shop = await app.merchant();
    received.length = 0;
    answer = 204;
  });
  afterEach(() => listening?.kill());

  /** No settings at all, and a database that cannot be opened. */
  const run = (apiKey: string | undefined, ...options: string[]): Program => {
    const env = { DATABASE_URL: 'nonsense', ...(apiKey === undefined ? {} : { API_KEY: apiKey }) };
    return new Program('cli/cli.js', ['listen', ...options], env, folder);
  };

  const forwardTo = (): string => lines.receiver.through('http://127.0.0.1/hook?a=b');

  function start(...options: string[]): void {
    const url = lines.service.through(app.url);
    listening = run(shop.secret, '--forward-to', forwardTo(), '--url', url, ...options);
    [out, err] = ['', ''];
    listening.child.stdout!.on('data', (bytes: Buffer) => (out += bytes.toString()));
    listening.child.stderr!.on('data', (bytes: Buffer) => (err += bytes.toString()));
  }

  async function untilListening(what: string, ask: () => boolean): Promise<void> {
    await until(what, async () => ask() || listening.child.exitCode !== null);
    if (!ask()) throw new Error(`${what}: ${out}${err}`);
  }

  const ready = () => untilListening('it listens', () => /Forwarding|listening/.test(out));
  const secretIn = (output: string): string => /whsec_[\w+/=]+/.exec(output)![0];

  it('forwards each event as a webhook that its secret verifies', async () => {
    await shop.order();
    start();
    await ready();
    const { txid } = await shop.order();
    await shop.pay(txid);
    await untilListening('three events came', () => received.length === 3);

    const secret = secretIn(out);
    expect(out).not.toContain(shop.secret);
    const events = (await readAll(shop)).filter(({ data }) => data.txid === txid);
    const webhook = new Webhook(secret);
    for (const [n, { method, headers, body }] of received.entries()) {
      const event = events[n]!;
      expect(method).toBe('POST');
      expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': event.id });
      expect(webhook.verify(body, headers)).toEqual(event);
      const altered = body.replace('8990', '8991');
      expect(() => webhook.verify(altered, headers)).toThrow(WebhookVerificationError);
    }
    const line = `${events[2]!.timestamp}  order.paid  ${txid}  204\n`;
    await untilListening('it says so', () => out.endsWith(line));
    expect(out.trim().split('\n')).toHaveLength(5);

    expect(await listening.kill('SIGINT')).toMatchObject({ code: 0, err: '' });
  });

  it('forwards some types alone, goes on after a refusal, and speaks JSON', async () => {
    start('--types', 'order.cancelled,order.paid', '--json');
    await ready();
    answer = 302;
    const cancelled = await shop.order();
    await shop.cancel(cancelled.txid);
    await untilListening('it says so', () => out.includes('"status":302'));
    answer = 500;
    const paid = await shop.order();
    await shop.pay(paid.txid);
    await untilListening('it says so', () => out.includes('"status":500'));

    const result = await listening.kill('SIGTERM');
    expect(result).toMatchObject({ code: 0, err: '' });
    const said = result.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(said).toEqual([
      { secret: secretIn(out), forwardTo: forwardTo() },
      { listening: true },
      {
        id: expect.any(String),
        type: 'order.cancelled',
        sequence: 2,
        txid: cancelled.txid,
        status: 302,
      },
      { id: expect.any(String), type: 'order.paid', sequence: 3, txid: paid.txid, status: 500 },
    ]);
    expect(received.map(({ headers }) => headers['webhook-id'])).toEqual(
      said.slice(2).map((event) => (event as { id: string }).id),
    );
  });

  it('has one secret for each key', async () => {
    const secrets: string[] = [];
    for (const key of [shop, shop, await app.key(shop.merchantId)]) {
      shop = key;
      start();
      await untilListening('it says its secret', () => out.includes('\n'));
      secrets.push(secretIn(out));
      await listening.kill();
    }
    expect(secrets[1]).toBe(secrets[0]);
    expect(secrets[2]).not.toBe(secrets[0]);
  });

  it('goes on when the service or the receiver was away, and loses nothing', async () => {
    await lines.service.become('refuses');
    start();
    await untilListening('it complains', () => /The service at \S+ cannot be reached/.test(err));
    await lines.service.become('works');
    await ready();

    await lines.receiver.become('refuses');
    const { txid } = await shop.order();
    await untilListening('it complains', () => err.includes(`${forwardTo()} cannot be reached`));
    expect(err).toMatch(/\(ECONNREFUSED\): trying again in 1 s\.\n$/);
    await lines.receiver.become('works');
    await untilListening('the event came', () => received.length === 1);

    await lines.service.become('refuses');
    err = '';
    await untilListening('it complains', () => err.includes('The service at'));
    await shop.cancel(txid);
    await lines.service.become('works');
    await untilListening('the next event came', () => received.length === 2);
    const types = received.map(({ body }) => (JSON.parse(body) as { type: string }).type);
    expect(types).toEqual(['order.created', 'order.cancelled']);
    expect(await listening.kill('SIGINT')).toMatchObject({ code: 0 });
  });

  it('ends at once while it waits for the receiver', async () => {
    start();
    await ready();
    await lines.receiver.become('silent');
    await shop.order();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const asked = Date.now();
    expect(await listening.kill('SIGINT')).toMatchObject({ code: 0, err: '' });
    expect(Date.now() - asked).toBeLessThan(5_000);
    await lines.receiver.become('works');
  });

  it('ends with what the service says when no repeat would help', async () => {
    const key = await app.key(shop.merchantId, { scopes: ['orders:read'] });
    const url = ['--url', app.url, '--forward-to', forwardTo()];
    const scopeless = await run(key.secret, ...url).result;
    expect(scopeless).toMatchObject({ code: 1, err: expect.stringMatching(/events:read/) });
    const unknown = await run('pos_test_unknown', ...url).result;
    expect(unknown).toMatchObject({ code: 1, err: expect.stringMatching(/unknown/) });
    expect(unknown.err).not.toContain('pos_test_unknown');
    const elsewhere = ['--url', forwardTo(), '--forward-to', forwardTo()];
    const wrong = await run(key.secret, ...elsewhere).result;
    expect(wrong).toMatchObject({ code: 1, err: expect.stringMatching(/^There is no payment/) });
  });

  it('refuses live keys and what it cannot read', async () => {
    const live = await app.key(shop.merchantId, { mode: 'live' });
    const typed = '--api-key would show the key to every user of this machine';
    for (const [apiKey, options, message] of [
      [live.secret, [], 'API_KEY must be a test key'],
      [undefined, [], 'API_KEY is missing'],
      ['', [], 'API_KEY is missing'],
      [shop.secret, ['--types', 'paid'], '--types must be some of order.created'],
      [shop.secret, ['--url', '127.0.0.1:3000'], '--url must be an http'],
      [shop.secret, ['--api-key', live.secret], typed],
      [undefined, [`--api-key=${live.secret}`], typed],
      [shop.secret, ['--api-key'], typed],
    ] as const) {
      const { code, out, err } = await run(apiKey, '--forward-to', forwardTo(), ...options).result;
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err.startsWith(message)).toBe(true);
      expect(err).not.toContain(live.secret);
    }
  });

  it('is like every command: no option takes a secret', () => {
    const commands = [...COMMANDS, ...STATEMENT_COMMANDS];
    const options = commands.flatMap((each) => each.options);
    expect(options.length).toBeGreaterThan(20);
    // `key end --key` takes an id.
    expect(options.filter((name) => /key$|secret|password|token|code/.test(name))).toEqual(['key']);
  });
});
