import type { FastifyInstance } from 'fastify';
import { uuidv7 } from '../../src/common/ids.js';
import type { Callers } from './callers.js';
import { historyPage, paymentPage, type Row } from './pages.js';
import * as sql from './statements.js';
import type { Store } from './store.js';

interface Message {
  readonly id: string;
  readonly payment: string;
  readonly amount: number;
  readonly currency: string;
  readonly debtorAccount?: string;
  readonly debtorName?: string;
}

const PAGE_ROWS = 25;
/** Before which every order lies. */
const NEWEST = { time: 'infinity', txid: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

function placeOf(older: string | undefined): typeof NEWEST {
  if (older === undefined) return NEWEST;
  const [time = '', txid = ''] = older.split('.');
  return { time: new Date(Number.parseInt(time, 36)).toISOString(), txid };
}

/** What payers, providers and the people of a merchant see. */
export function payerRoutes(app: FastifyInstance, store: Store, callers: Callers): void {
  app.get<{ Params: { token: string } }>('/pay/:token', async ({ params }, reply) => {
    const [order] = await store.query<Row>(sql.PAGE, [params.token]);
    if (!order) return reply.code(404).send();
    return reply.type('text/html; charset=utf-8').send(paymentPage(order));
  });

  app.post<{ Params: { token: string } }>('/pay/:token/start', async ({ params }, reply) => {
    await store.query(sql.START, [params.token, uuidv7(Date.now())]);
    return reply.redirect(`/pay/${params.token}`, 303);
  });

  type Callback = { Params: { account: string }; Body: { text: string } };
  app.register(async (callbacks) => {
    // The signature is over the bytes.
    callbacks.removeAllContentTypeParsers();
    const asText = { parseAs: 'string' } as const;
    callbacks.addContentTypeParser('*', asText, (_request, text, done) => done(null, { text }));
    callbacks.post<Callback>('/provider-callback/sandbox/:account', async (request, reply) => {
      const { text } = request.body;
      const merchantId = await callers.provider(request, request.params.account, text);
      if (merchantId === undefined) return reply.code(401).send();
      const message = JSON.parse(text) as Message;
      await store.query(sql.PAID, [
        merchantId,
        uuidv7(Date.now()),
        message.id,
        message.payment,
        text,
        message.amount,
        message.debtorAccount ?? null,
        message.debtorName ?? null,
        message.currency,
        uuidv7(Date.now()),
      ]);
      return { received: true };
    });
  });

  type List = { Params: { merchantId: string }; Querystring: { older?: string } };
  app.get<List>('/portal/m/:merchantId/test/orders', async (request, reply) => {
    const { merchantId } = request.params;
    const place = placeOf(request.query.older);
    const values = [merchantId, callers.session(request), place.time, place.txid, PAGE_ROWS];
    const rows = await store.query<Row>(sql.HISTORY, values);
    if (rows.length === 0) return reply.code(404).send();
    return reply.type('text/html; charset=utf-8').send(historyPage(merchantId, rows));
  });
}
