import { connect } from 'node:net';
import { jest } from '@jest/globals';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { ApiKeysService } from '../../../src/merchants/api-keys.service.js';
import { TestApp } from '../app.js';
import type { Client } from '../client.js';
import { PAYS } from '../payouts.js';
import { newOrder } from './new-order.js';
import { makePayee, type Payee } from './payee.js';

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** Who asks, where it is not the stage's shop. */
  readonly client?: Client;
}

export interface Got {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** The pool is asked in both ways, by the service itself and by TypeORM. */
type Connect = (done?: (error: Error) => void) => Promise<never> | void;

/** An app with all that the examples need beside it: other keys, and an app with low limits. */
export class Stage {
  private timedOut: Promise<Got> | undefined;
  private paidOut: Promise<Payee> | undefined;

  private constructor(
    readonly app: TestApp,
    readonly shop: Client,
    readonly live: Client,
    readonly stranger: Client,
    readonly scopeless: Client,
    readonly limited: TestApp,
    readonly limitedShop: Client,
  ) {}

  static async set(): Promise<Stage> {
    const app = await TestApp.start({ env: PAYS });
    const limits = { RATE_LIMITS: 'on', RATE_READS: '1', RATE_WRITES: '1' };
    const limited = await TestApp.start({ env: limits });
    const shop = await app.merchant();
    return new Stage(
      app,
      shop,
      await app.key(shop.merchantId, { mode: 'live' }),
      await app.key(shop.merchantId, { allowedIps: ['192.0.2.1'] }),
      await app.key(shop.merchantId, { scopes: [] }),
      limited,
      await limited.merchant(),
    );
  }

  async strike(): Promise<void> {
    await Promise.all([this.app.stop(), this.limited.stop()]);
  }

  async order(more: Record<string, unknown> = {}): Promise<string> {
    const { txid } = await this.shop.order(newOrder(more));
    return txid;
  }

  /** A merchant of its own, so that nothing else moves its money. */
  get payee(): Promise<Payee> {
    this.paidOut ??= makePayee(this.app);
    return this.paidOut;
  }

  send(sent: Sent, client: Client = sent.client ?? this.shop): Promise<Got> {
    return client.call(sent.method, sent.path, sent.body, sent.headers);
  }

  /** The answer to a request that stops in its headers; the time that it has is cut short. */
  async timeOut(): Promise<Got> {
    this.timedOut ??= (async () => {
      const server = this.app.nest.getHttpServer() as { headersTimeout: number };
      const { headersTimeout } = server;
      server.headersTimeout = 100;
      const got = await raw(this.app.url, 'GET /api/order HTTP/1.1\r\nHost: ');
      server.headersTimeout = headersTimeout;
      return got;
    })();
    return this.timedOut;
  }

  /** The answer while the look-up of keys makes a mistake. */
  withMistake(sent: Sent): Promise<Got> {
    const lookUp = jest.spyOn(this.app.get(ApiKeysService), 'remembered');
    lookUp.mockImplementation(() => {
      throw new Error('a mistake, as the test asked for');
    });
    return this.send(sent).finally(() => lookUp.mockRestore());
  }

  /** The answer while the database refuses connections. */
  withoutDatabase(sent: Sent): Promise<Got> {
    const { master } = this.app.get(DataSource).driver as unknown as { master: Pool };
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const connect = jest.spyOn(master, 'connect') as jest.SpiedFunction<Connect>;
    connect.mockImplementation((done) => (done ? done(refused) : Promise.reject(refused)));
    return this.send(sent).finally(() => connect.mockRestore());
  }
}

/** The answer to bytes that no HTTP client would send. */
export function raw(url: string, bytes: string): Promise<Got> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => (text += chunk));
    socket.on('error', reject);
    socket.on('end', () => {
      const [head = '', body = ''] = text.split('\r\n\r\n');
      const [first = '', ...lines] = head.split('\r\n');
      resolve({
        status: Number(first.split(' ')[1]),
        headers: new Headers(lines.map((line) => line.split(': ') as [string, string])),
        body: JSON.parse(body) as unknown,
      });
    });
  });
}
