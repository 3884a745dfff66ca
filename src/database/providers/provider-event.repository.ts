import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, type Statement } from '../database.js';
import type { Mode } from '../merchants/api-key.entity.js';
import { inTurns } from '../turns.js';
import type { ProviderEvent, ProviderEventResult } from './provider-event.entity.js';

export type NewProviderEvent = Omit<ProviderEvent, 'handledAt'>;

const COLUMNS = `merchant_id AS "merchantId", id, provider, account_id AS "accountId",
  mode, provider_event_id AS "providerEventId",
  payment_id AS "paymentId", report, body, received_at AS "receivedAt",
  applied_at AS "appliedAt", result, handled_at AS "handledAt"`;

const STORE: Statement = {
  name: 'provider_event_store',
  text: `INSERT INTO provider_events
      (merchant_id, id, provider, account_id, mode, provider_event_id, payment_id, report, body,
        received_at, applied_at, result)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
    ON CONFLICT (merchant_id, provider, provider_event_id) DO NOTHING RETURNING id`,
};

/** What was erased is compared without the payer. */
const SAME_ID: Statement = {
  name: 'provider_event_same_id',
  text: `SELECT id, body = $4 OR report = $5::jsonb
      OR body = '' AND without_payer(report) = without_payer($5::jsonb) AS "saysTheSame"
    FROM provider_events WHERE merchant_id = $1 AND provider = $2 AND provider_event_id = $3`,
};

const WAITING: Statement = {
  name: 'provider_events_waiting',
  text: inTurns({
    columns: COLUMNS,
    table: 'provider_events',
    due: 'applied_at IS NULL AND handled_at IS NULL AND received_at BETWEEN $1 AND $2',
    order: 'received_at DESC',
    mode: `coalesce(r.mode, 'live')`,
    limit: '$3',
  }),
};

/** In the order of receipt, which is that of the ids; ids of before the order cannot be about it. */
const IS_AFTER_MONEY = `SELECT EXISTS (SELECT FROM provider_events
  WHERE merchant_id = $1 AND id < $2 AND id > $4::uuid AND payment_id = $3
    AND result IS NOT NULL AND report -> 'outcome' ->> 'kind' = 'accepted') AS found`;

const RECALL_REFUSALS = `UPDATE provider_events SET result = 'mismatch'
  WHERE merchant_id = $1 AND id > $2 AND payment_id = $3
    AND result = 'applied' AND report -> 'outcome' ->> 'kind' = 'declined'`;

/** Characters of a message that a person is shown. */
const WORDS_MAX = 2_000;

/** A message that changed nothing though it should have; amounts in minor units. */
export interface OddReport extends Pick<
  ProviderEvent,
  'merchantId' | 'id' | 'provider' | 'paymentId' | 'receivedAt' | 'result'
> {
  readonly merchantName: string;
  /** The earlier message under the same id, which says something else; null mostly. */
  readonly sameIdAs: string | null;
  /** Null where nobody could read the message. */
  readonly txid: string | null;
  readonly kind: string;
  readonly amount: number | null;
  readonly currency: string | null;
  /** The beginning of the message, where nobody could read it. */
  readonly words: string | null;
}

/** Those of before accounts were kept are shown among live ones. */
const FOR_PEOPLE: Statement = {
  name: 'provider_events_for_people',
  text: `SELECT e.merchant_id AS "merchantId", m.name AS "merchantName", e.id, e.provider,
      e.payment_id AS "paymentId", e.received_at AS "receivedAt", e.result,
      e.report ->> 'sameIdAs' AS "sameIdAs", e.report ->> 'txid' AS txid, e.report -> 'outcome' ->> 'kind' AS kind,
      (e.report -> 'outcome' ->> 'amount')::bigint AS amount,
      e.report -> 'outcome' ->> 'currency' AS currency,
      CASE WHEN e.payment_id IS NULL THEN left(e.body, ${WORDS_MAX}) END AS words
    FROM (
      SELECT * FROM provider_events WHERE result = 'mismatch' AND handled_at IS NULL
      UNION ALL
      SELECT * FROM provider_events
      WHERE applied_at IS NULL AND handled_at IS NULL AND received_at < $2
    ) e JOIN merchants m ON m.id = e.merchant_id
    WHERE coalesce(e.mode, 'live') = $1 ORDER BY e.received_at LIMIT $3`,
};

@Injectable()
export class ProviderEventRepository {
  constructor(private readonly database: Database) {}

  /** @returns false when the provider's event was stored before */
  async store(event: NewProviderEvent): Promise<boolean> {
    return (await this.database.query(STORE, valuesOf(event))).length === 1;
  }

  /** The message that was stored under the id of this one, and whether it says the same. */
  async findSameId(event: NewProviderEvent): Promise<{ id: string; saysTheSame: boolean }> {
    const { merchantId, provider, providerEventId, body, report } = event;
    const values = [merchantId, provider, providerEventId, body, JSON.stringify(report)];
    const [found] = await this.database.query<{ id: string; saysTheSame: boolean }>(
      SAME_ID,
      values,
    );
    return found!;
  }

  /** Stores what is not to be applied, for a person. @returns false when it was stored before */
  async storeOdd(tx: EntityManager, event: NewProviderEvent, now: Date): Promise<boolean> {
    const rows: unknown[] = await tx.query(STORE.text, valuesOf(event));
    return rows.length === 1 && this.applied(tx, event, 'mismatch', now);
  }

  /** Events received between the two moments that were not applied yet, in turns, newest first. */
  listWaiting(from: Date, to: Date, limit: number): Promise<ProviderEvent[]> {
    return this.database.query(WAITING, [from, to, limit]);
  }

  /** Messages that a person has to look at, the oldest first; unapplied ones received before. */
  forPeople(mode: Mode, before: Date, limit: number): Promise<OddReport[]> {
    return this.database.query(FOR_PEOPLE, [mode, before, limit]);
  }

  /**
   * Of messages that were not applied only those received `before`: others are still tried.
   * @returns false when there is no such message, or it needs nobody any more
   */
  async handled(
    tx: EntityManager,
    { merchantId, id }: Pick<ProviderEvent, 'merchantId' | 'id'>,
    before: Date,
    now: Date,
  ): Promise<boolean> {
    const rows: unknown[] = await tx.query(
      `WITH handled AS (UPDATE provider_events SET handled_at = $3 WHERE merchant_id = $1 AND id = $2
         AND handled_at IS NULL AND (result = 'mismatch' OR applied_at IS NULL AND received_at < $4)
         RETURNING id)
       SELECT id FROM handled`,
      [merchantId, id, now, before],
    );
    return rows.length === 1;
  }

  /** Whether a message that the payment was paid was received before this one. */
  async isAfterMoney(tx: EntityManager, event: ProviderEvent): Promise<boolean> {
    const { txid } = event.report as { readonly txid: string };
    const values = [event.merchantId, event.id, event.paymentId, txid];
    const [{ found }] = await tx.query<[{ found: boolean }]>(IS_AFTER_MONEY, values);
    return found;
  }

  /**
   * Refusals of the payment that were received after this message contradict it.
   * @returns how many there are
   */
  async recallRefusals(
    tx: EntityManager,
    { merchantId, id, paymentId }: ProviderEvent,
  ): Promise<number> {
    const values = [merchantId, id, paymentId];
    return (await tx.query<[unknown[], number]>(RECALL_REFUSALS, values))[1];
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

const valuesOf = (event: NewProviderEvent): unknown[] => [
  event.merchantId,
  event.id,
  event.provider,
  event.accountId,
  event.mode,
  event.providerEventId,
  event.paymentId,
  JSON.stringify(event.report),
  event.body,
  event.receivedAt,
  event.appliedAt,
  event.result,
];
