import { createApiClient } from './generated/openapi-zod-client/client.js';
import { seen, type Shop } from './story.js';

export function shopAt(baseUrl: string, key: string): Shop {
  const headers = { authorization: `Bearer ${key}` };
  const api = createApiClient(baseUrl, { axiosConfig: { headers } });
  return {
    async create(orderMerchantId, idempotencyKey) {
      const order = { orderMerchantId, amount: 8990, currency: 'EUR' } as const;
      return seen(
        await api.post('/api/order', order, { headers: { 'Idempotency-Key': idempotencyKey } }),
      );
    },
    async status(orderTransactionId) {
      return (await api.get('/api/order/status', { queries: { orderTransactionId } })).status;
    },
    async pay(txid) {
      const path = '/api/test-helpers/order/:txid/payment';
      return seen(await api.post(path, { outcome: 'paid' }, { params: { txid } }));
    },
    async read(txid) {
      return seen(await api.get('/api/order', { queries: { txid } }));
    },
    async events(txid) {
      const { data } = await api.get('/api/event', {
        queries: { txid: [txid], type: ['order.created', 'order.processing', 'order.paid'] },
      });
      return data.map(({ type }) => type);
    },
    async search(txids) {
      const { data } = await api.get('/api/order/search', {
        queries: { txid: [...txids], status: ['open', 'paid'] },
      });
      return data.map(({ txid }) => txid);
    },
    async cancel(txid) {
      return seen(await api.delete('/api/order/:txid', undefined, { params: { txid } }));
    },
  };
}
