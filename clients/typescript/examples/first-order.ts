import { paymentOrders } from 'payment-order-client';

const shop = paymentOrders({
  baseUrl: process.env['BASE'] ?? 'http://127.0.0.1:3000',
  apiKey: process.env['KEY'] ?? '',
});

const order = await shop.createOrder({
  orderMerchantId: 'INV-2001',
  amount: 8990,
  currency: 'EUR',
});
console.log('send the payer to', order.paymentPageUrl);

const { status } = await shop.getOrderStatus({ orderMerchantId: 'INV-2001' });
console.log('the order is', status);
