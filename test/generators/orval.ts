import axios from 'axios';
import * as api from './generated/orval/client.js';
import { seen, type Shop } from './story.js';

export function shopAt(baseURL: string, key: string): Shop {
  axios.defaults.baseURL = baseURL;
  axios.defaults.headers.common.Authorization = `Bearer ${key}`;
  return {
    async create(orderMerchantId, idempotencyKey) {
      const headers = { 'Idempotency-Key': idempotencyKey };
      const order = { orderMerchantId, amount: 8990, currency: 'EUR' } as const;
      return seen((await api.createOrder(order, { headers })).data);
    },
    async status(orderTransactionId) {
      return (await api.getOrderStatus({ orderTransactionId })).data.status;
    },
    async pay(txid) {
      return seen((await api.simulatePayment(txid, { outcome: 'paid' })).data);
    },
    async read(txid) {
      return seen((await api.getOrder({ txid })).data);
    },
    async events(txid) {
      const { data } = await api.listEvents({
        txid: [txid],
        type: ['order.created', 'order.processing', 'order.paid'],
      });
      return data.data.map(({ type }) => type);
    },
    async search(txids) {
      const { data } = await api.searchOrders({ txid: [...txids], status: ['open', 'paid'] });
      if (typeof data === 'string') throw new Error('a file was not asked for');
      return data.data.map(({ txid }) => txid);
    },
    async cancel(txid) {
      return seen((await api.cancelOrder(txid)).data);
    },
  };
}
