import { connect } from 'node:net';
import { jest } from '@jest/globals';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import type { ErrorCode, FieldErrorCode } from '../../src/common/errors.js';
import { ApiKeysService } from '../../src/merchants/api-keys.service.js';
import { TestApp } from './app.js';
import type { Client } from './client.js';
import { select } from './facts.js';

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export interface Got {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

let orders = 0;
/** No two requests name the same order; `tidy` makes the names equal again. */
const nextOrderName = (): string => `INV-${++orders}`;

export const newOrder = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  orderMerchantId: nextOrderName(),
  amount: 8990,
  currency: 'EUR',
  ...more,
});

/** An app with all that the examples need beside it: other keys, and an app with low limits. */
export class Stage {
  private timedOut: Promise<Got> | undefined;

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
    const app = await TestApp.start();
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

  send(sent: Sent, client: Client = this.shop): Promise<Got> {
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
    const find = jest.spyOn(this.app.get(ApiKeysService), 'find');
    find.mockRejectedValue(new Error('a mistake, as the test asked for'));
    return this.send(sent).finally(() => find.mockRestore());
  }

  /** The answer while the database refuses connections. */
  withoutDatabase(sent: Sent): Promise<Got> {
    const { master } = this.app.get(DataSource).driver as unknown as { master: Pool };
    const query = jest.spyOn(master, 'query') as jest.SpiedFunction<() => Promise<never>>;
    query.mockRejectedValue(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
    return this.send(sent).finally(() => query.mockRestore());
  }
}

/** The answer to bytes that no HTTP client would send. */
function raw(url: string, bytes: string): Promise<Got> {
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

const UNKNOWN_ORDER = '00000000-0000-7000-8000-000000000000';
const TXID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

const at = (sent: Sent, txid: string): Sent => ({ ...sent, path: sent.path.replace(TXID, txid) });
const withHeader = (sent: Sent, name: string, value: string): Sent => ({
  ...sent,
  headers: { ...sent.headers, [name]: value },
});
const withQuery = (sent: Sent, query: string): Sent => ({
  ...sent,
  path: `${sent.path}${sent.path.includes('?') ? '&' : '?'}${query}`,
});

/** A request for each operation that succeeds as it stands. */
export const VALID: Readonly<Record<string, (stage: Stage) => Promise<Sent>>> = {
  createOrder: async () => ({ method: 'POST', path: '/api/order', body: newOrder() }),
  getOrder: async (stage) => ({ method: 'GET', path: `/api/order?txid=${await stage.order()}` }),
  getOrderByTxid: async (stage) => ({ method: 'GET', path: `/api/order/${await stage.order()}` }),
  cancelOrder: async (stage) => ({ method: 'DELETE', path: `/api/order/${await stage.order()}` }),
  getOrderStatus: async (stage) => ({
    method: 'GET',
    path: `/api/order/status?orderTransactionId=${await stage.order()}`,
  }),
  getOrderStatusByTxid: async (stage) => ({
    method: 'GET',
    path: `/api/order/${await stage.order()}/status`,
  }),
  simulatePayment: async (stage) => ({
    method: 'POST',
    path: `/api/test-helpers/order/${await stage.order()}/payment`,
    body: { outcome: 'paid' },
  }),
};

type Provoke = (stage: Stage, sent: Sent) => Promise<Got>;

/** How to make a valid request fail with each code. */
export const PROVOKE: Readonly<Partial<Record<ErrorCode, Provoke>>> = {
  malformed_request: (stage, { method, path }) =>
    raw(stage.app.url, `${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ten\r\n\r\n`),
  malformed_json: (stage, sent) => stage.send({ ...sent, body: '{"amount": 8990' }),
  selector_required: (stage, sent) =>
    stage.send({ ...sent, path: sent.path.split('?')[0] ?? sent.path }),
  selector_ambiguous: (stage, sent) => stage.send(withQuery(sent, 'orderMerchantId=INV-1')),
  unknown_parameter: (stage, sent) => stage.send(withQuery(sent, 'expand=payment')),
  unknown_api_version: (stage, sent) => stage.send(withHeader(sent, 'api-version', '2.0')),
  invalid_idempotency_key: (stage, sent) => stage.send(withHeader(sent, 'idempotency-key', '')),
  unauthorized: (stage, sent) => stage.send(withHeader(sent, 'authorization', 'Bearer pos_test_x')),
  missing_scope: (stage, sent) => stage.send(sent, stage.scopeless),
  ip_not_allowed: (stage, sent) => stage.send(sent, stage.stranger),
  test_mode_only: (stage, sent) => stage.send(sent, stage.live),
  order_not_found: (stage, sent) => stage.send(at(sent, UNKNOWN_ORDER)),
  not_in_this_version: (stage, sent) => stage.send(withHeader(sent, 'api-version', '1.0')),
  not_acceptable: (stage, sent) => stage.send(withHeader(sent, 'accept', 'text/html')),
  request_timeout: (stage) => stage.timeOut(),
  order_already_exists: async (stage, sent) => {
    await stage.send(sent);
    return stage.send({ ...sent, body: { ...(sent.body as object), amount: 9990 } });
  },
  order_not_cancelable: async (stage, sent) => {
    await stage.shop.pay(TXID.exec(sent.path)![0]);
    return stage.send(sent);
  },
  order_not_payable: async (stage, sent) => {
    await stage.shop.cancel(TXID.exec(sent.path)![0]);
    return stage.send(sent);
  },
  payment_in_progress: async (stage, sent) => {
    await stage.send({ ...sent, body: { outcome: 'pending', afterSeconds: 60 } });
    return stage.send(sent);
  },
  body_too_large: (stage, sent) => stage.send({ ...sent, body: { padding: 'x'.repeat(70_000) } }),
  uri_too_long: (stage, sent) => stage.send(at(sent, 'x'.repeat(600))),
  unsupported_media_type: (stage, sent) => stage.send(withHeader(sent, 'content-type', 'text/xml')),
  validation_failed: (stage, sent) =>
    stage.send({ ...sent, body: { ...(sent.body as object), amount: 0, colour: 'red' } }),
  idempotency_key_reused: async (stage, sent) => {
    const key = nextOrderName();
    await stage.send(withHeader(sent, 'idempotency-key', key));
    const other = sent.body
      ? { ...sent, body: { ...(sent.body as object), amount: 9990 } }
      : at(sent, await stage.order());
    return stage.send(withHeader(other, 'idempotency-key', key));
  },
  no_payment_method: (stage, sent) => stage.send(sent, stage.live),
  rate_limited: async (stage, sent) => {
    let got: Got;
    do got = await stage.send(sent, stage.limitedShop);
    while (got.status !== 429);
    return got;
  },
  headers_too_large: (stage, { method, path }) =>
    raw(
      stage.app.url,
      `${method} ${path} HTTP/1.1\r\nHost: x\r\nCookie: ${'x'.repeat(17_000)}\r\n\r\n`,
    ),
  internal_error: (stage, sent) => stage.withMistake(sent),
  unavailable: (stage, sent) => stage.withoutDatabase(sent),
};

/** Errors of requests that belong to no operation. */
export const ELSEWHERE: Readonly<Partial<Record<ErrorCode, (stage: Stage) => Promise<Got>>>> = {
  route_not_found: (stage) => stage.send({ method: 'GET', path: '/api/orders' }),
  method_not_allowed: (stage) => stage.send({ method: 'PUT', path: '/api/order', body: {} }),
  error_not_found: (stage) => stage.send({ method: 'GET', path: '/errors/no_such_code' }),
  invalid_signature: async (stage) => {
    const accounts = await select<{ id: string }>(stage.app, 'SELECT id FROM provider_accounts');
    const path = `/provider-callback/sandbox/${accounts[0]!.id}`;
    return stage.send({ method: 'POST', path, body: {} });
  },
};

/** What makes a field of a new order bad. */
export const BAD_FIELDS: Readonly<Record<FieldErrorCode, Record<string, unknown>>> = {
  required: { amount: undefined },
  unknown_member: { colour: 'red' },
  wrong_type: { amount: '89.90' },
  wrong_format: { returnUrl: 'shop.example/thanks' },
  too_short: { orderMerchantId: '' },
  too_long: { description: 'x'.repeat(256) },
  out_of_range: { expiresInMinutes: 1 },
  control_character: { description: 'Two lamps\u0000' },
  not_well_formed: { description: 'Two lamps \ud83d' },
  unknown_currency: { currency: 'XAU' },
  card_data_refused: { description: 'Card 4111 1111 1111 1111' },
  https_required: { returnUrl: 'http://shop.example/thanks' },
  field_not_in_this_version: { optionalFields: { table: '7' } },
};

export function sendBadField(stage: Stage, code: FieldErrorCode): Promise<Got> {
  const sent = { method: 'POST', path: '/api/order', body: newOrder(BAD_FIELDS[code]) };
  if (code === 'https_required') return stage.send(sent, stage.live);
  if (code === 'field_not_in_this_version') {
    return stage.send(withHeader(sent, 'api-version', '1.0'));
  }
  return stage.send(sent);
}
