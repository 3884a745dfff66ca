import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createTransport } from 'nodemailer';
import type { Config } from '../src/config/config.js';
import { DatabaseClient } from '../src/database/connection/client.js';
import { ServerCopySession } from '../src/database/copy/copy-session.js';
import { isUnavailable } from '../src/database/faults.js';
import { RedisBuckets } from '../src/merchants/redis-buckets.js';
import { MailTransport } from '../src/notifications/mail/mail-transport.js';
import { WebhookSender } from '../src/notifications/webhooks/webhook-sender.js';
import { broken, dice, TalkingServer } from './support/garbage.js';
import { openShop } from './support/shop.js';

const ROUNDS = 200;
/** Rounds side by side: most wait for an answer that never becomes whole. */
const AT_ONCE = 20;
const TIMEOUT_MS = 150;

const { app } = await openShop({ env: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' } });

const servers: TalkingServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.stop();
});

async function talking(answer: (heard: Buffer | null) => Buffer | undefined): Promise<number> {
  const server = await TalkingServer.start(answer);
  servers.push(server);
  return server.port;
}

/** An error that is thrown where nobody can catch it fails the test, and one that never ends hangs it. */
async function rounds(work: (round: number) => Promise<unknown>): Promise<void> {
  for (let round = 0; round < ROUNDS; round += AT_ONCE) {
    const begun = Array.from({ length: AT_ONCE }, (_, n) => work(round + n));
    await Promise.all(begun.map((one) => one.catch(() => undefined)));
  }
}

const withTimeout = <T>(work: Promise<T>): Promise<T | void> =>
  Promise.race([work, sleep(TIMEOUT_MS)]);

describe('a database that answers with garbage', () => {
  const message = (type: string, ...parts: (Buffer | string)[]): Buffer => {
    const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
    const head = Buffer.from(`${type}\0\0\0\0`);
    head.writeInt32BE(4 + body.length, 1);
    return Buffer.concat([head, body]);
  };
  const READY = message('Z', 'I');
  const GREETING = Buffer.concat([
    message('R', '\0\0\0\0'),
    message('S', 'server_version\x0015.1\0'),
    message('K', '\0\0\0\x07\0\0\0\x09'),
    READY,
  ]);
  const ROWS = Buffer.concat([
    message('T', '\0\x01n\0', Buffer.alloc(9), '\x19', Buffer.alloc(8)),
    message('D', '\0\x01\0\0\0\x02hi'),
    message('C', 'SELECT 1\0'),
    READY,
  ]);
  const REFUSAL = message('E', 'SERROR\0C42601\0Mno such thing\0\0');
  const COPY = Buffer.concat([
    message('H', '\0\0\0'),
    ...Array.from({ length: 5 }, () => message('d', 'a row of the file\n')),
    message('c'),
    message('C', 'COPY 5\0'),
    READY,
  ]);

  const sound = (heard: Buffer): Buffer | undefined => {
    if (heard[0] === 0) return GREETING;
    if (heard[0] !== 'Q'.charCodeAt(0)) return undefined;
    return heard.includes('COPY') ? COPY : ROWS;
  };
  const server = (answer: (heard: Buffer) => Buffer | undefined) =>
    talking((heard) => (heard ? answer(heard) : undefined));
  const urlOf = (port: number): string => `postgres://me:secret@127.0.0.1:${port}/db`;
  const clientOf = (port: number): DatabaseClient =>
    new DatabaseClient({
      connectionString: urlOf(port),
      query_timeout: TIMEOUT_MS,
      connectionTimeoutMillis: TIMEOUT_MS,
    });

  async function ask(port: number): Promise<unknown> {
    const client = clientOf(port);
    try {
      await client.connect();
      return (await client.query('SELECT')).rows;
    } finally {
      client.destroy();
    }
  }

  it('is understood while it does not', async () => {
    expect(await ask(await server(sound))).toEqual([{ n: 'hi' }]);
  });

  it.each(['greeting', 'answer', 'refusal'] as const)(
    'loses a connection: in the %s',
    async (where) => {
      const roll = dice(where.length);
      const port = await server((heard) => {
        if (heard[0] === 0) return where === 'greeting' ? broken(GREETING, roll) : GREETING;
        return broken(where === 'refusal' ? REFUSAL : ROWS, roll);
      });
      await rounds(() => ask(port));
    },
  );

  it('loses a connection: in a file that is copied', async () => {
    const roll = dice(4);
    const port = await server((heard) =>
      heard.includes('COPY') ? broken(COPY, roll) : sound(heard),
    );
    await rounds(async () => {
      const limits = { name: 'copy', timeZone: 'UTC', stalledMs: TIMEOUT_MS };
      const session = new ServerCopySession(urlOf(port), limits);
      try {
        await session.start();
        const source = { rows: () => 'COPY', totals: () => '', lastPlace: () => '' };
        const stream = await withTimeout(session.copy(source));
        if (stream) await withTimeout(stream.forEach(() => undefined));
      } finally {
        session.close();
      }
    });
  });

  it.each([
    ['a message of another protocol', message('?', 'x')],
    ['a field beyond the message', message('D', '\0\x09')],
    ['an error without an end', REFUSAL.subarray(0, -1)],
  ])('is away for whoever asked: %s', async (_, said) => {
    if (said[0] === 'E'.charCodeAt(0)) said.writeInt32BE(said.length - 1, 1);
    const port = await server((heard) => (heard[0] === 0 ? GREETING : said));
    const error = await ask(port).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(isUnavailable(error)).toBe(true);
  });
});

describe('a stranger that answers with garbage', () => {
  it('is no mail server', async () => {
    const roll = dice(5);
    const lines = [
      '220 mail.example ESMTP',
      '250-mail.example\r\n250 SIZE 1000000',
      '250 2.1.0 fine',
    ];
    const port = await talking((heard) =>
      broken(Buffer.from(`${lines[heard ? 1 + Math.floor(roll() * 2) : 0]}\r\n`), roll),
    );
    const config = { mail: { smtpUrl: `smtp://127.0.0.1:${port}` } } as unknown as Config;
    const mail = { from: 'a@shop.example', to: 'b@shop.example', text: 'hello' };
    await rounds(async () => {
      const transport = new MailTransport(config);
      await withTimeout(createTransport(transport).sendMail(mail)).finally(() =>
        transport.onApplicationShutdown(),
      );
    });
  });

  it('is no Redis', async () => {
    const roll = dice(6);
    const answer = Buffer.from('*3\r\n:1\r\n:0\r\n:1700000000000\r\n');
    const port = await talking((heard) => (heard ? broken(answer, roll) : undefined));
    const policy = { burst: 5, periodMs: 1_000, rate: 5 };
    await rounds(async (round) => {
      const buckets = new RedisBuckets(`redis://127.0.0.1:${port}`, () => undefined, TIMEOUT_MS);
      await withTimeout(buckets.open());
      const taken = [1, 2, 3].map((n) => buckets.take(policy, `bucket ${round} ${n}`));
      await Promise.allSettled(taken);
      buckets.close();
    });
  });

  it('is no receiver of webhooks', async () => {
    const roll = dice(7);
    const answer = Buffer.from(
      'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    );
    const port = await talking((heard) => (heard ? broken(answer, roll) : undefined));
    const webhook = {
      url: `http://127.0.0.1:${port}/`,
      headers: {},
      body: '{}',
      mode: 'test',
    } as const;
    const statuses = new Set<number | null>();
    await rounds(async () => {
      const stop = AbortSignal.timeout(TIMEOUT_MS);
      statuses.add((await app.get(WebhookSender).post(webhook, stop)).statusCode);
    });
    expect([...statuses]).toEqual(expect.arrayContaining([200, null]));
  });

  it('is no client', async () => {
    const roll = dice(8);
    const request = Buffer.from(
      'POST /api/order HTTP/1.1\r\nHost: shop.example\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
    );
    const { hostname, port } = new URL(app.url);
    await rounds(() => say(Number(port), hostname, broken(request, roll)));
    expect((await fetch(`${app.url}/health/live`)).status).toBe(200);
  });

  async function say(port: number, host: string, bytes: Buffer): Promise<void> {
    const socket = connect(port, host).on('error', () => undefined);
    socket.resume().write(bytes);
    await sleep(TIMEOUT_MS);
    socket.destroy();
  }
});
