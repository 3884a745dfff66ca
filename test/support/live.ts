import { randomUUID } from 'node:crypto';
import { Database } from '../../src/database/database.js';
import { MerchantRepository } from '../../src/database/merchants/merchant.repository.js';
import type { TestApp } from './app.js';

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
