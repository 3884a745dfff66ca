import type { Delivery } from '../../database/notifications/delivery.entity.js';
import type { OrderWithPayment } from '../../database/orders/order.entity.js';
import type { Payment } from '../../database/payments/payment.entity.js';

const PAYMENT_ID = '00000000-0000-7000-8000-000000000002';

const payment = (delivery: Pick<Delivery, 'merchantId' | 'id' | 'createdAt'>): Payment => ({
  merchantId: delivery.merchantId,
  id: PAYMENT_ID,
  txid: delivery.id,
  provider: 'sandbox',
  method: 'sandbox',
  status: 'succeeded',
  amount: 8990,
  currency: 'EUR',
  amountReceived: 8990,
  receivedCurrency: 'EUR',
  completesOrder: true,
  providerReference: 'sample',
  redirectUrl: null,
  errorCode: null,
  errorMessage: null,
  payerAccountNumber: 'DE89370400440532013000',
  payerAccountType: 'iban',
  payerAccountName: 'Erika Mustermann',
  looks: 0,
  nextLookAt: null,
  createdAt: delivery.createdAt,
  completedAt: delivery.createdAt,
});

/** A paid order that does not exist, for test events; the same for every attempt of a delivery. */
export function sampleOrder(
  delivery: Pick<Delivery, 'merchantId' | 'id' | 'mode' | 'createdAt'>,
): OrderWithPayment {
  const { merchantId, id, mode, createdAt } = delivery;
  return {
    merchantId,
    txid: id,
    mode,
    orderMerchantId: 'SAMPLE-1',
    holdsMerchantId: true,
    contentHash: Buffer.alloc(32),
    status: 'paid',
    statusReason: 'exact',
    exception: 'none',
    amount: 8990,
    currency: 'EUR',
    amountReceived: 8990,
    amountRefunded: 0,
    fee: 0,
    description: 'This order is a sample and does not exist.',
    customerName: 'Erika Mustermann',
    customerEmail: 'erika@example.com',
    optionalFields: { table: '7' },
    pageToken: 'sample',
    returnUrl: null,
    cancelUrl: null,
    locale: 'de',
    attempts: 1,
    paymentId: PAYMENT_ID,
    payment: payment(delivery),
    version: 3,
    createdAt,
    updatedAt: createdAt,
    expiresAt: createdAt,
    paidAt: createdAt,
  };
}
