import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { randomToken, uuidv7 } from '../../src/common/ids.js';
import type { Callers } from './callers.js';
import type { Row } from './pages.js';
import * as sql from './statements.js';
import type { Statement, Store } from './store.js';

interface NewOrder {
  readonly orderMerchantId: string;
  readonly amount: number;
  readonly currency: string;
  readonly description?: string;
  readonly customer?: { readonly name?: string; readonly email?: string };
  readonly optionalFields?: Readonly<Record<string, string>>;
  readonly returnUrl?: string;
  readonly locale?: string;
}

const text = (maxLength: number, more: object = {}) => ({ type: 'string', maxLength, ...more });
const BODY = {
  type: 'object',
  additionalProperties: false,
  required: ['orderMerchantId', 'amount', 'currency'],
  properties: {
    orderMerchantId: text(64, { minLength: 1 }),
    amount: { type: 'integer', minimum: 1, maximum: 99_999_999_999 },
    currency: text(3, { pattern: '^[A-Z]{3}$' }),
    description: text(500),
    customer: {
      type: 'object',
      properties: { name: text(200), email: text(254, { format: 'email' }) },
    },
    optionalFields: { type: 'object', maxProperties: 30, additionalProperties: text(500) },
    returnUrl: text(2_000, { pattern: '^https?://' }),
    locale: text(35),
  },
};

const EXPIRY_MS = 3_600_000;

const refuse = (reply: FastifyReply, status: number, code: string) =>
  reply.code(status).type('application/problem+json').send({ status, code });

/** The API of orders, one statement for each request that is not a repeat. */
export function orderRoutes(
  app: FastifyInstance,
  store: Store,
  callers: Callers,
  publicUrl: string,
): void {
  const merchantOf = async (request: FastifyRequest, reply: FastifyReply) => {
    const merchantId = await callers.merchant(request);
    if (merchantId === undefined) await refuse(reply, 401, 'unauthorized');
    return merchantId;
  };

  app.post<{ Body: NewOrder }>('/api/order', { schema: { body: BODY } }, async (request, reply) => {
    const merchantId = await merchantOf(request, reply);
    if (merchantId === undefined) return reply;
    const order = request.body;
    const key = request.headers['idempotency-key'] ?? null;
    const hash = createHash('sha256').update(JSON.stringify(order)).digest();
    const answer = answerTo(order, publicUrl);
    const body = JSON.stringify(answer);
    const values = valuesOf(merchantId, order, hash, answer, key === null ? null : [key, body]);
    const created = await store.query(sql.CREATE, values).catch(unlessTwice);
    reply.type('application/json');
    if (created.length === 1) return reply.code(201).send(body);
    if (key !== null) {
      const [first] = await store.query<Remembered>(sql.REMEMBERED, [merchantId, key]);
      if (first)
        return hash.equals(first.contentHash) ? reply.code(201).send(first.body) : reused(reply);
    }
    const [known] = await store.query<Row>(sql.BY_MERCHANT_ID, [merchantId, order.orderMerchantId]);
    return known ?? refuse(reply, 409, 'order_already_exists');
  });

  type Named = { Querystring: Readonly<Record<string, string>> };
  const read = (path: string, txid: string, byTxid: Statement, byMerchantId: Statement) =>
    app.get<Named>(path, async (request, reply) => {
      const merchantId = await merchantOf(request, reply);
      if (merchantId === undefined) return reply;
      const { [txid]: id, orderMerchantId } = request.query;
      const values = [merchantId, id ?? orderMerchantId];
      const [order] = await store.query<Row>(id === undefined ? byMerchantId : byTxid, values);
      return order ?? refuse(reply, 404, 'order_not_found');
    });
  read('/api/order/status', 'orderTransactionId', sql.STATUS_BY_TXID, sql.STATUS_BY_MERCHANT_ID);
  read('/api/order', 'txid', sql.BY_TXID, sql.BY_MERCHANT_ID);

  app.delete<{ Params: { txid: string } }>('/api/order/:txid', async (request, reply) => {
    const merchantId = await merchantOf(request, reply);
    if (merchantId === undefined) return reply;
    const values = [merchantId, request.params.txid, uuidv7(Date.now())];
    const [order] = await store.query<Row>(sql.CANCEL, values);
    return order ?? refuse(reply, 409, 'order_not_cancelable');
  });

  type FeedQuery = { Querystring: { after?: string; limit?: string } };
  app.get<FeedQuery>('/api/event', async (request, reply) => {
    const merchantId = await merchantOf(request, reply);
    if (merchantId === undefined) return reply;
    const { after, limit = '100' } = request.query;
    const rows = await store.query<Row>(sql.FEED, [merchantId, after ?? null, Number(limit) + 1]);
    const data = rows.slice(0, Number(limit));
    return { data, next: data.at(-1)?.['id'] ?? after, hasMore: rows.length > data.length };
  });
}

interface Remembered {
  readonly contentHash: Uint8Array;
  readonly body: string;
}

const reused = (reply: FastifyReply) => refuse(reply, 422, 'idempotency_key_reused');

const UNIQUE_VIOLATION = '23505';

function unlessTwice(error: unknown): unknown[] {
  if ((error as { code?: string }).code === UNIQUE_VIOLATION) return [];
  throw error;
}

function answerTo(order: NewOrder, publicUrl: string) {
  const now = Date.now();
  const pageToken = randomToken();
  const createdAt = new Date(now).toISOString();
  return {
    txid: uuidv7(now),
    ...order,
    mode: 'test',
    status: 'open',
    statusReason: null,
    amountReceived: 0,
    pageToken,
    paymentPageUrl: `${publicUrl}/pay/${pageToken}`,
    createdAt,
    updatedAt: createdAt,
    expiresAt: new Date(now + EXPIRY_MS).toISOString(),
    paidAt: null,
    payment: null,
  };
}

const valuesOf = (
  merchantId: string,
  order: NewOrder,
  hash: Buffer,
  answer: ReturnType<typeof answerTo>,
  remembered: readonly [unknown, string] | null,
): unknown[] => [
  merchantId,
  answer.txid,
  order.orderMerchantId,
  hash,
  order.amount,
  order.currency,
  order.description ?? null,
  order.customer?.name ?? null,
  order.customer?.email ?? null,
  JSON.stringify(order.optionalFields ?? {}),
  answer.pageToken,
  order.returnUrl ?? null,
  order.locale ?? null,
  answer.createdAt,
  answer.expiresAt,
  ...(remembered ?? [null, null]),
  uuidv7(Date.now()),
];
