import { ApiError, ConnectionError, paymentOrders } from 'payment-order-client';

const shop = paymentOrders({
  baseUrl: process.env['BASE'] ?? 'http://127.0.0.1:3000',
  apiKey: process.env['KEY'] ?? '',
});

/** @returns whether nobody can pay the order any more */
export async function cancel(txid: string): Promise<boolean> {
  try {
    const order = await shop.cancelOrder({ txid });
    return order.status === 'cancelled';
  } catch (error) {
    if (error instanceof ApiError && error.code === 'order_not_cancelable') return false;
    // Nothing is known of it: the same call may be made again at any time.
    if (error instanceof ConnectionError) console.error(error.message);
    throw error;
  }
}
