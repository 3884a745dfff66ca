import { setTimeout as sleep } from 'node:timers/promises';

/** So often, and after so many milliseconds, a new order is asked for again. */
const REPEATS_MAX = 5;
const REPEAT_MS = 1_000;

/** The parts of an order's JSON that tests look at. */
export interface OrderJson {
  txid: string;
  orderMerchantId: string;
  status: string;
  statusReason: string | null;
  exception: string;
  amount: number;
  amountReceived: number;
  paymentPageUrl: string;
  [member: string]: unknown;
  payment: Record<string, unknown> | null;
  /** Not in earlier versions of the contract. */
  payments: readonly Record<string, unknown>[];
}

export interface Reply<T = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: T;
}

let lastId = 0;

/** A shop's program: the API over HTTP, with its key. */
export class Client {
  constructor(
    readonly url: string,
    readonly secret: string,
    readonly merchantId: string,
    readonly keyId: string,
  ) {}

  /** The same key, at another process of the service. */
  at(url: string): Client {
    return new Client(url, this.secret, this.merchantId, this.keyId);
  }

  send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return fetch(this.url + path, {
      method,
      redirect: 'manual',
      headers: {
        authorization: `Bearer ${this.secret}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  }

  async call<T = Record<string, unknown>>(
    ...request: Parameters<Client['send']>
  ): Promise<Reply<T>> {
    const response = await this.send(...request);
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: (isJson ? JSON.parse(text) : text) as T,
    };
  }

  /** A new order with an id of its own, unless the test names one. */
  create(
    overrides: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ): Promise<Reply<OrderJson>> {
    return this.call('POST', '/api/order', newOrder(overrides), headers);
  }

  /** The same, for tests that only need the order to be there: while the answer is 503, it is asked for again, as shops are told to. */
  async order(overrides: Record<string, unknown> = {}): Promise<OrderJson> {
    const wanted = newOrder(overrides);
    let reply = await this.create(wanted);
    for (let again = 0; reply.status === 503 && again < REPEATS_MAX; again++) {
      await sleep(REPEAT_MS);
      reply = await this.create(wanted);
    }
    if (reply.status !== 201) throw new Error(`no order: ${reply.status} ${reply.text}`);
    return reply.body;
  }

  read(txid: string): Promise<Reply<OrderJson>> {
    return this.call('GET', `/api/order?txid=${txid}`);
  }

  cancel(txid: string, headers: Record<string, string> = {}): Promise<Reply<OrderJson>> {
    return this.call('DELETE', `/api/order/${txid}`, undefined, headers);
  }

  /** The sandbox bank answers so. */
  pay(txid: string, answer: Record<string, unknown> = {}): Promise<Reply<OrderJson>> {
    return this.call('POST', `/api/test-helpers/order/${txid}/payment`, {
      outcome: 'paid',
      payerAccountNumber: 'DE89370400440532013000',
      payerAccountName: 'Erika Mustermann',
      ...answer,
    });
  }
}

export const newOrder = (overrides: Record<string, unknown> = {}): Record<string, unknown> => ({
  orderMerchantId: `T-${process.pid}-${++lastId}`,
  amount: 8990,
  currency: 'EUR',
  ...overrides,
});
