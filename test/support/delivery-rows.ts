import { randomUUID } from 'node:crypto';
import type { WebhookSlots } from '../../src/database/notifications/delivery.repository.js';
import type { TestApp } from './app.js';
import type { Client } from './client.js';
import { select } from './facts.js';

/** A process that delivers nothing yet. */
export const IDLE: WebhookSlots = {
  free: 40,
  freeHeldBack: 20,
  perEndpoint: 4,
  faster: new Map(),
  slow: new Set(),
  inFlight: new Map(),
  heldBack: new Map(),
  others: new Map(),
};

/** An endpoint and a confirmed mailbox that get all events of the merchant in test mode. */
export async function subscribe(app: TestApp, shop: Client): Promise<void> {
  const values = [shop.merchantId, randomUUID(), app.clock.now()];
  await select(
    app,
    `INSERT INTO webhook_endpoints (merchant_id, id, mode, url, event_types, api_version, secret,
       created_at, updated_at)
     VALUES ($1, $2, 'test', 'https://shop.example/hook', '{}', '1.2.2', 'whsec_AAAA', $3, $3)`,
    values,
  );
  await select(
    app,
    `INSERT INTO notification_recipients (merchant_id, id, mode, email, locale, time_zone, token,
       created_at, updated_at, confirmed_at)
     VALUES ($1, $2, 'test', 'till@shop.example', 'en', 'UTC', $4, $3, $3, $3)`,
    [...values, randomUUID()],
  );
}

/** Writes down that every delivery was tried once, in vain. */
export async function failToDeliver(app: TestApp): Promise<void> {
  await select(
    app,
    `INSERT INTO delivery_attempts
       (merchant_id, delivery_id, number, started_at, duration_ms, succeeded, error)
     SELECT merchant_id, id, 1, created_at, 5, false, 'refused' FROM deliveries`,
  );
}
