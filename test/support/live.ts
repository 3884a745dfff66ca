import { randomUUID } from 'node:crypto';
import { Database } from '../../src/database/database.js';
import { MerchantRepository } from '../../src/database/merchants/merchant.repository.js';
import { PaymentsService } from '../../src/payments/payments.service.js';
import { SANDBOX } from '../../src/providers/sandbox/sandbox.provider.js';
import type { TestApp } from './app.js';
import type { Client } from './client.js';
import { person } from './people.js';

/** Lets a merchant take live orders. No real company is asked: nobody pays them in these tests. */
export async function enableLiveProvider(app: TestApp, merchantId: string): Promise<void> {
  await app.get(Database).transaction((tx) =>
    app.get(MerchantRepository).insertAccount(tx, {
      merchantId,
      mode: 'live',
      provider: 'sandbox',
      id: randomUUID(),
      callbackSecret: 'secret',
      enabled: true,
      createdAt: app.clock.now(),
    }),
  );
}

/** A key that an owner made, as live refunds need one. */
export async function liveKey(app: TestApp, merchantId: string): Promise<Client> {
  const { id: userId } = await person(app, 'owner', merchantId);
  return app.key(merchantId, { mode: 'live', maker: { userId, role: 'owner' } });
}

/**
 * A paid live order. No provider takes live payments yet, so one of the sandbox bank is settled, which the doctor would
 * report. @returns its id
 */
export async function paidLive(
  app: TestApp,
  client: Client,
  amount = 1_000,
  received = amount,
): Promise<string> {
  const { txid } = await client.order({ amount });
  const payments = app.get(PaymentsService);
  const key = { merchantId: client.merchantId, txid };
  const payment = await payments.start(key, { provider: SANDBOX, method: SANDBOX });
  const payer = { accountNumber: null, accountType: null, accountName: null };
  await payments.apply(payment, { kind: 'accepted', amount: received, currency: 'EUR', payer });
  return txid;
}
