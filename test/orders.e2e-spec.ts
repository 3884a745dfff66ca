import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestApp } from './support/app.js';
import type { Client } from './support/client.js';

describe('orders', () => {
  let app: TestApp;
  let shop: Client;

  beforeAll(async () => {
    app = await TestApp.start();
    shop = await app.merchant();
  });
  afterAll(() => app.stop());

  it('creates an order and reads it back by either identifier', async () => {
    const created = await shop.create({
      orderMerchantId: 'INV-1',
      description: 'Two lamps',
      customer: { name: 'Erika', email: 'erika@example.com' },
      returnUrl: 'https://shop.example/thanks',
      locale: 'de-AT',
      optionalFields: { table: '7', colour: 'grün' },
    });
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe(`/api/order/${created.body.txid}`);
    expect(created.body).toMatchObject({
      orderMerchantId: 'INV-1',
      mode: 'test',
      status: 'open',
      statusReason: null,
      finished: false,
      cancelable: true,
      exception: 'none',
      amountReceived: 0,
      customer: { name: 'Erika', email: 'erika@example.com' },
      optionalFields: { table: '7', colour: 'grün' },
      paidAt: null,
      payment: null,
    });

    const byTxid = await shop.call('GET', `/api/order?txid=${created.body.txid}`);
    const byMerchantId = await shop.call('GET', '/api/v1/order?orderMerchantId=INV-1');
    expect(byTxid.text).toBe(created.text);
    expect(byMerchantId.text).toBe(created.text);
  });

  it('pays an order at the sandbox bank', async () => {
    const { txid } = await shop.order();
    const paid = await shop.pay(txid);
    expect(paid.status).toBe(200);
    expect(paid.body).toMatchObject({
      status: 'paid',
      statusReason: 'exact',
      amountReceived: 8990,
      payment: {
        status: 'succeeded',
        payerAccountNumber: 'DE89370400440532013000',
        payerAccountType: 'iban',
        payerAccountName: 'Erika Mustermann',
      },
    });
  });
});
