import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { ACCOUNT, MERCHANT_BY_KEY } from './statements.js';
import type { Store } from './store.js';

/** As long as the service believes what it has read of a key. */
const CACHE_MS = 5_000;

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** What a look-up found, for as long as it is believed. */
class Remembered<Value> {
  private readonly known = new Map<string, { readonly value: Value; readonly until: number }>();

  constructor(private readonly find: (name: string) => Promise<Value | undefined>) {}

  async get(name: string): Promise<Value | undefined> {
    const known = this.known.get(name);
    if (known && known.until > Date.now()) return known.value;
    const value = await this.find(name);
    if (value !== undefined) this.known.set(name, { value, until: Date.now() + CACHE_MS });
    return value;
  }
}

interface Account {
  readonly merchantId: string;
  readonly secret: string;
}

/** Who asks: a merchant's program by its key, a provider by its signature, a browser by its cookie. */
export class Callers {
  private readonly merchants: Remembered<string>;
  private readonly accounts: Remembered<Account>;

  constructor(store: Store) {
    this.merchants = new Remembered(async (key) => {
      const [row] = await store.query<{ merchantId: string }>(MERCHANT_BY_KEY, [sha256(key)]);
      return row?.merchantId;
    });
    this.accounts = new Remembered(async (id) => (await store.query<Account>(ACCOUNT, [id]))[0]);
  }

  merchant({ headers }: FastifyRequest): Promise<string | undefined> {
    return this.merchants.get(headers.authorization?.slice('Bearer '.length) ?? '');
  }

  /** The merchant whose account it is, if its secret has signed the body. */
  async provider(
    { headers }: FastifyRequest,
    id: string,
    body: string,
  ): Promise<string | undefined> {
    const account = await this.accounts.get(id);
    if (!account) return undefined;
    const message = `${String(headers['sandbox-timestamp'])}.${body}`;
    const right = createHmac('sha256', account.secret).update(message).digest();
    const given = Buffer.from(String(headers['sandbox-signature']), 'hex');
    const isRight = given.length === right.length && timingSafeEqual(given, right);
    return isRight ? account.merchantId : undefined;
  }

  /** What the database knows a session by. */
  session({ headers }: FastifyRequest): Buffer {
    return sha256(/(?:^|; )portal=([^;]+)/.exec(headers.cookie ?? '')?.[1] ?? '');
  }
}
