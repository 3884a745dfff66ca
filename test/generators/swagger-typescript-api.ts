import { Api } from './generated/swagger-typescript-api/Api.js';
import { seen, type Shop } from './story.js';

export function shopAt(baseUrl: string, key: string): Shop {
  const { api } = new Api({
    baseUrl,
    baseApiParams: { format: 'json', headers: { authorization: `Bearer ${key}` } },
  });
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
      return data.data.map(({ txid }) => txid);
    },
    async cancel(txid) {
      return seen((await api.cancelOrder(txid)).data);
    },
  };
}
