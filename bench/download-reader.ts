/**
 * The process that `bench/download.ts` measures: the service with a reader who takes a file as fast
 * as it comes. Told over IPC what to do, it answers with what it measured.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from '../src/app.module.js';
import { configureApp, httpAdapter } from '../src/app.setup.js';
import { loadConfig } from '../src/config/config.module.js';
import { SeedRepository } from '../src/database/demo/seed.repository.js';
import { type ExportOptions, ExportStreamService } from '../src/exports/export-stream.service.js';
import { MerchantsService } from '../src/merchants/merchants.service.js';

export interface Reading {
  readonly firstByteMs: number;
  readonly ms: number;
  readonly bytes: number;
  /** Most memory that the process had beyond what it had before. */
  readonly growthBytes: number;
}

export type Order =
  | { readonly kind: 'seed'; readonly orders: number }
  | { readonly kind: 'read'; readonly request: ExportOptions };

const SAMPLE_MS = 20;
const SETTLE_MS = 500;

const app = await NestFactory.create<NestFastifyApplication>(AppModule, httpAdapter(loadConfig()), {
  logger: ['error'],
  bodyParser: false,
});
await configureApp(app);
await app.init();

async function seed(orders: number): Promise<string> {
  const { id } = await app.get(MerchantsService).create({ name: 'Bench' });
  const seeded = { merchantId: id, count: orders, days: 365, now: new Date(), run: 'bench' };
  await app.get(SeedRepository).insert(seeded);
  return id;
}

async function read(request: ExportOptions): Promise<Reading> {
  await sleep(SETTLE_MS);
  const before = process.memoryUsage.rss();
  let most = before;
  const sampling = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), SAMPLE_MS);
  const start = performance.now();
  const { stream } = await app.get(ExportStreamService, { strict: false }).stream(request);
  let firstByteMs = 0;
  let bytes = 0;
  for await (const chunk of stream) {
    if (bytes === 0) firstByteMs = performance.now() - start;
    bytes += (chunk as Buffer).length;
  }
  const ms = performance.now() - start;
  clearInterval(sampling);
  return { firstByteMs, ms, bytes, growthBytes: most - before };
}

const obey = async (order: Order): Promise<void> => {
  process.send!(order.kind === 'seed' ? await seed(order.orders) : await read(order.request));
};
process.on('message', (order: Order) => {
  obey(order).catch((error: unknown) => {
    console.error(error);
    // The IPC channel would keep this process alive. The parent sees the failure by the exit.
    process.exit(1);
  });
});
process.send!('ready');
