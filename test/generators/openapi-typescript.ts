import createClient from 'openapi-fetch';
import type { paths } from './generated/openapi-typescript/schema.js';
import { seen, type Shop } from './story.js';

export function shopAt(baseUrl: string, key: string): Shop {
  const api = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } });
  return {
    async create(orderMerchantId, idempotencyKey) {
      const { data, error } = await api.POST('/api/order', {
        params: { header: { 'Idempotency-Key': idempotencyKey } },
        body: { orderMerchantId, amount: 8990, currency: 'EUR' },
      });
      if (!data) throw new Error(error.code);
      return seen(data);
    },
    async status(txid) {
      const { data, error } = await api.GET('/api/order/status', {
        params: { query: { orderTransactionId: txid } },
      });
      if (!data) throw new Error(error.code);
      return data.status;
    },
    async pay(txid) {
      const { data, error } = await api.POST('/api/test-helpers/order/{txid}/payment', {
        params: { path: { txid } },
        body: { outcome: 'paid' },
      });
      if (!data) throw new Error(error.code);
      return seen(data);
    },
    async read(txid) {
      const { data, error } = await api.GET('/api/order', { params: { query: { txid } } });
      if (!data) throw new Error(error.code);
      return seen(data);
    },
    async events(txid) {
      const { data, error } = await api.GET('/api/event', {
        params: {
          query: { txid: [txid], type: ['order.created', 'order.processing', 'order.paid'] },
        },
      });
      if (!data) throw new Error(error.code);
      return data.data.map(({ type }) => type);
    },
    async search(txids) {
      const { data, error } = await api.GET('/api/order/search', {
        params: { query: { txid: [...txids], status: ['open', 'paid'] } },
      });
      if (!data || typeof data === 'string') throw new Error(error?.code);
      return data.data.map(({ txid }) => txid);
    },
    async cancel(txid) {
      const { data, error } = await api.DELETE('/api/order/{txid}', { params: { path: { txid } } });
      if (!data) throw new Error(error.code);
      return seen(data);
    },
  };
}
