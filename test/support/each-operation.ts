import type { ApiVersion } from '../../src/common/api-version.js';
import type { TestApp } from './app.js';
import type { Client, Reply } from './client.js';
import { Cashier, chargeFee, paidOrder } from './payouts.js';

/** Calls every operation on orders once, and one of them in vain. */
export async function callOrders(
  shop: Client,
  version: ApiVersion,
): Promise<Record<string, Reply>> {
  const createOrder = await shop.create({
    orderMerchantId: 'INV-1',
    description: 'Two lamps',
    customer: { name: 'Erika', email: 'erika@example.com' },
    returnUrl: 'https://shop.example/thanks',
    cancelUrl: 'https://shop.example/cart',
    locale: 'de',
    ...(version === '1.0' ? {} : { optionalFields: { table: '7', colour: 'grün' } }),
  });
  const { txid } = createOrder.body;
  return {
    createOrder,
    simulatePayment: await shop.pay(txid),
    getOrder: await shop.call('GET', '/api/order?orderMerchantId=INV-1'),
    getOrderStatus: await shop.call('GET', '/api/order/status?orderMerchantId=INV-1'),
    getOrderByTxid: await shop.call('GET', `/api/order/${txid}`),
    getOrderStatusByTxid: await shop.call('GET', `/api/order/${txid}/status`),
    cancelOrder: await shop.cancel((await shop.order({ orderMerchantId: 'INV-2' })).txid),
    cancelPaidOrder: await shop.cancel(txid),
  };
}

/** Reads what a payout leaves behind, of money that two orders brought. */
export async function callPayouts(app: TestApp, shop: Client): Promise<Record<string, Reply>> {
  await chargeFee(app, shop, 29_000, 30);
  const cashier = await Cashier.of(app, shop);
  for (const n of [1, 2]) {
    app.clock.advance(1_000);
    await paidOrder(shop, 5_000, { orderMerchantId: `INV-${n}` });
  }
  app.clock.advance(1_000);
  const { id } = await cashier.paid(6_000);
  return {
    listPayouts: await shop.call('GET', '/api/payout'),
    getPayout: await shop.call('GET', `/api/payout/${id}`),
    listPayoutLines: await shop.call('GET', `/api/payout/${id}/line`),
    getBalance: await shop.call('GET', '/api/balance'),
    listEvents: await shop.call('GET', '/api/event'),
  };
}
