import { createClient } from './generated/hey-api/client/index.js';
import * as api from './generated/hey-api/index.js';
import { seen, type Shop } from './story.js';

export function shopAt(baseUrl: string, key: string): Shop {
  const client = createClient({ baseUrl, auth: key });
  const calling = { client, throwOnError: true } as const;
  return {
    async create(orderMerchantId, idempotencyKey) {
      const body = { orderMerchantId, amount: 8990, currency: 'EUR' } as const;
      const headers = { 'Idempotency-Key': idempotencyKey };
      return seen((await api.createOrder({ ...calling, body, headers })).data);
    },
    async status(txid) {
      const query = { orderTransactionId: txid };
      return (await api.getOrderStatus({ ...calling, query })).data.status;
    },
    async pay(txid) {
      const body = { outcome: 'paid' } as const;
      return seen((await api.simulatePayment({ ...calling, path: { txid }, body })).data);
    },
    async read(txid) {
      return seen((await api.getOrder({ ...calling, query: { txid } })).data);
    },
    async events(txid) {
      const query: api.ListEventsData['query'] = {
        txid: [txid],
        type: ['order.created', 'order.processing', 'order.paid'],
      };
      return (await api.listEvents({ ...calling, query })).data.data.map(({ type }) => type);
    },
    async search(txids) {
      const query: api.SearchOrdersData['query'] = { txid: [...txids], status: ['open', 'paid'] };
      const { data } = await api.searchOrders({ ...calling, query });
      if (typeof data === 'string') throw new Error('a file was not asked for');
      return data.data.map(({ txid }) => txid);
    },
    async cancel(txid) {
      return seen((await api.cancelOrder({ ...calling, path: { txid } })).data);
    },
  };
}
