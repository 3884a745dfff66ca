import path from 'node:path';
import { bootstrap, ProductService, RequestContextService } from '@vendure/core';
import { populate } from '@vendure/core/cli';
import { config } from './config';
import { firstData } from './first-data';

async function start(): Promise<void> {
  const app = await bootstrap(config);
  const ctx = await app.get(RequestContextService).create({ apiType: 'admin' });
  const { totalItems } = await app.get(ProductService).findAll(ctx, { take: 1 });
  const products = path.resolve(__dirname, '../src/products.csv');
  if (totalItems === 0) await populate(async () => app, firstData, products);
  console.log(`The shop is open: ${PUBLIC}`);
}

const PUBLIC = `http://127.0.0.1:${config.apiOptions.port}/`;

start().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
