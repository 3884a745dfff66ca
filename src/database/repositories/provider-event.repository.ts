import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, type Statement } from '../database.js';
import type { ProviderEvent, ProviderEventResult } from '../entities/provider-event.entity.js';

export type NewProviderEvent = Omit<ProviderEvent, 'appliedAt' | 'result'>;

const COLUMNS = `merchant_id AS "merchantId", id, provider, provider_event_id AS "providerEventId",
  payment_id AS "paymentId", report, body, received_at AS "receivedAt",
  applied_at AS "appliedAt", result`;

const STORE: Statement = {
  name: 'provider_event_store',
  text: `INSERT INTO provider_events
      (merchant_id, id, provider, provider_event_id, payment_id, report, body, received_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT (merchant_id, provider, provider_event_id) DO NOTHING RETURNING id`,
};

const WAITING: Statement = {
  name: 'provider_events_waiting',
  text: `SELECT ${COLUMNS} FROM provider_events
    WHERE applied_at IS NULL AND received_at BETWEEN $1 AND $2 ORDER BY received_at DESC LIMIT $3`,
};

@Injectable()
export class ProviderEventRepository {
  constructor(private readonly database: Database) {}

  /** @returns false when the provider's event was stored before */
  async store(event: NewProviderEvent): Promise<boolean> {
    const rows = await this.database.query(STORE, [
      event.merchantId,
      event.id,
      event.provider,
      event.providerEventId,
      event.paymentId,
      JSON.stringify(event.report),
      event.body,
      event.receivedAt,
    ]);
    return rows.length === 1;
  }

  /** Events received between the two moments that were not applied yet, newest first. */
  listWaiting(from: Date, to: Date, limit: number): Promise<ProviderEvent[]> {
    return this.database.query(WAITING, [from, to, limit]);
  }

  /** @returns false when the event was applied before */
  async applied(
    tx: EntityManager,
    event: Pick<ProviderEvent, 'merchantId' | 'id'>,
    result: ProviderEventResult,
    now: Date,
  ): Promise<boolean> {
    const rows: unknown[] = await tx.query(
      `WITH applied AS (UPDATE provider_events SET applied_at = $3, result = $4
         WHERE merchant_id = $1 AND id = $2 AND applied_at IS NULL RETURNING id)
       SELECT id FROM applied`,
      [event.merchantId, event.id, now, result],
    );
    return rows.length === 1;
  }
}
