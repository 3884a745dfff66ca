import { afterAll } from '@jest/globals';
import { type AppOptions, TestApp } from './app.js';
import { Bank } from './bank.js';
import type { Client } from './client.js';

interface Options extends AppOptions {
  /** The merchant's. */
  readonly name?: string;
}

interface Shop {
  readonly app: TestApp;
  readonly shop: Client;
  readonly bank: Bank;
}

/** The service with one merchant, for all tests of a file: it stops after the last of them. */
export async function openShop({ name, ...options }: Options = {}): Promise<Shop> {
  const app = await TestApp.start(options);
  afterAll(() => app.stop());
  const shop = await app.merchant({ name });
  return { app, shop, bank: await Bank.of(app, shop) };
}
