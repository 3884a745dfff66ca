import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, type Statement } from '../database.js';
import { dueBy, LEASE } from '../due.js';
import { columnsOf, insertOf, parametersOf, valuesOf } from '../entity-sql.js';
import type { Batcher } from '../../overload/batcher.js';
import { lookUp } from '../lookup.js';
import type { Mode } from '../merchants/api-key.entity.js';
import { fairOrder } from '../fair-order.js';
import type { PaidOrder, WaitingOrder } from '../payments/paid-order.js';
import { messageRow, waitingOrder } from './message-row.js';
import { ProviderEvent, type ProviderEventResult } from './provider-event.entity.js';
import { NEW_EVENT, STORE, WAITING_ORDER } from './provider-event-store.statements.js';

interface WaitingKey {
  readonly merchantId: string;
  readonly paymentId: string;
}

type Read = (waiting: WaitingOrder) => PaidOrder | null;

interface Message {
  readonly event: NewProviderEvent;
  readonly read: Read | undefined;
}

/** Result of storing a message. */
export interface Stored {
  /** Whether its id was new. */
  readonly isNew: boolean;
  /** The paid order that was stored with it. */
  readonly applied: PaidOrder | null;
}

/** Conflict key: a second message about a payment is read after the first is stored. */
const paymentOf = ({ event, read }: Message): string | undefined =>
  read && event.paymentId !== null ? `${event.merchantId} ${event.paymentId}` : undefined;

export type NewProviderEvent = Pick<ProviderEvent, (typeof NEW_EVENT)[number]>;

const PARAMETERS = parametersOf(NEW_EVENT);

const STORE_ODD = `${insertOf(ProviderEvent, {
  ...PARAMETERS,
  nextAttemptAt: dueBy(PARAMETERS.nextAttemptAt, LEASE),
})} ON CONFLICT (merchant_id, provider, provider_event_id) DO NOTHING RETURNING id`;

/** Erased messages are compared without payer data. */
const SAME_ID: Statement = {
  name: 'provider_event_same_id',
  text: `SELECT id, body = $4 OR report = $5::jsonb
      OR body = '' AND without_payer(report) = without_payer($5::jsonb) AS "hasSameContent"
    FROM provider_events WHERE merchant_id = $1 AND provider = $2 AND provider_event_id = $3`,
};

/** Time in which the payment of a message may still appear. */
const PAYMENT_COMES = '24 hours';

/** Maximum delay between attempts to apply a message. */
const AGAIN = '10 minutes';

const AGE = '($1::timestamptz - e.received_at)';

/**
 * Next attempt of a message that is not applied now. Without a payment the delay doubles, with a last attempt after
 * `PAYMENT_COMES`.
 */
const NEXT_ATTEMPT = `CASE
    WHEN due.is_known THEN ${dueBy(`($1::timestamptz + least(${AGE}, interval '${AGAIN}'))`, AGAIN)}
    WHEN ${AGE} <= interval '${PAYMENT_COMES}' THEN ${dueBy(
      `(e.received_at + least(2 * ${AGE}, interval '${PAYMENT_COMES}') + interval '1 second')`,
      PAYMENT_COMES,
    )}
  END`;

const CLAIM: Statement = {
  name: 'provider_events_claim',
  text: `WITH waiting AS (${fairOrder({
    columns: 'r.merchant_id, r.id',
    table: 'provider_events',
    due: 'applied_at IS NULL AND handled_at IS NULL AND next_attempt_at <= $1',
    order: 'next_attempt_at',
    mode: `coalesce(r.mode, 'live')`,
    limit: '$2',
  })}), due AS (
    SELECT e.merchant_id, e.id, p.id IS NOT NULL AS is_known
    FROM waiting w JOIN provider_events e ON e.merchant_id = w.merchant_id AND e.id = w.id
    LEFT JOIN payments p ON p.merchant_id = e.merchant_id AND p.id = e.payment_id
    WHERE e.applied_at IS NULL AND e.next_attempt_at <= $1 FOR UPDATE OF e SKIP LOCKED
  ), taken AS (
    UPDATE provider_events e SET next_attempt_at = ${NEXT_ATTEMPT}
    FROM due WHERE e.merchant_id = due.merchant_id AND e.id = due.id RETURNING e.*, due.is_known
  )
  SELECT ${columnsOf('t', ProviderEvent)}, t.is_known AS "isKnown" FROM taken t ORDER BY t.id`,
};

/** Ids are in order of receipt; those before the order's id cannot be about it. */
const IS_AFTER_MONEY = `SELECT EXISTS (SELECT FROM provider_events
  WHERE merchant_id = $1 AND id < $2 AND id > $4::uuid AND payment_id = $3
    AND result IS NOT NULL AND report -> 'outcome' ->> 'kind' = 'accepted') AS found`;

const RECALL_REFUSALS = `UPDATE provider_events SET result = 'mismatch'
  WHERE merchant_id = $1 AND id > $2 AND payment_id = $3
    AND result = 'applied' AND report -> 'outcome' ->> 'kind' = 'declined'`;

/** Maximum characters of a message shown to operators. */
const WORDS_MAX = 2_000;

/** A message that had no effect and needs review; amounts in minor units. */
export interface DisputedCallback extends Pick<
  ProviderEvent,
  'merchantId' | 'id' | 'provider' | 'paymentId' | 'receivedAt' | 'result'
> {
  readonly merchantName: string;
  /** An earlier message with the same id and other contents; usually null. */
  readonly sameIdAs: string | null;
  /** Null for an unreadable message. */
  readonly txid: string | null;
  readonly kind: string;
  readonly amount: number | null;
  readonly currency: string | null;
  /** Start of the body of an unreadable message. */
  readonly words: string | null;
}

/** Older rows without mode are listed as live. */
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
      WHERE applied_at IS NULL AND handled_at IS NULL AND next_attempt_at IS NULL
    ) e JOIN merchants m ON m.id = e.merchant_id
    WHERE coalesce(e.mode, 'live') = $1 ORDER BY e.received_at LIMIT $2`,
};

@Injectable()
export class ProviderEventRepository {
  private readonly messages: Batcher<Message, Stored>;

  constructor(private readonly database: Database) {
    this.messages = database.batcher(STORE.name, (all) => this.storeAll(all), paymentOf);
  }

  /**
   * Stores a message, in one statement with concurrent ones.
   * @param read computes the effect of the message on its waiting order; null to apply it later. The effect is stored
   * with the message if the order is unchanged.
   */
  store(event: NewProviderEvent, read?: Read): Promise<Stored> {
    return this.messages.ask({ event, read });
  }

  /** The stored message with the same id, and whether its contents are the same. */
  async findSameId(event: NewProviderEvent): Promise<{ id: string; hasSameContent: boolean }> {
    const { merchantId, provider, providerEventId, body, report } = event;
    const values = [merchantId, provider, providerEventId, body, JSON.stringify(report)];
    const [found] = await this.database.query<{ id: string; hasSameContent: boolean }>(
      SAME_ID,
      values,
    );
    return found!;
  }

  /** Stores a message for review, without applying it. @returns false when it was stored before */
  async storeForReview(tx: EntityManager, event: NewProviderEvent, now: Date): Promise<boolean> {
    const rows: unknown[] = await tx.query(STORE_ODD, valuesOf(NEW_EVENT, event));
    return rows.length === 1 && this.applied(tx, event, 'mismatch', now);
  }

  /**
   * Claims due messages, alternating between merchants, and sets their next attempts.
   * @returns them in order of receipt, and whether their payments exist
   */
  claim(now: Date, limit: number): Promise<(ProviderEvent & { readonly isKnown: boolean })[]> {
    return this.database.query(CLAIM, [now, limit]);
  }

  /** Messages that need review, oldest first. */
  listForReview(mode: Mode, limit: number): Promise<DisputedCallback[]> {
    return this.database.query(FOR_PEOPLE, [mode, limit]);
  }

  /**
   * Marks a message as handled: a mismatch, or one given up without being applied.
   * @returns false when there is no such message, or it was handled before
   */
  async handled(
    tx: EntityManager,
    { merchantId, id }: Pick<ProviderEvent, 'merchantId' | 'id'>,
    now: Date,
  ): Promise<boolean> {
    const rows: unknown[] = await tx.query(
      `WITH handled AS (UPDATE provider_events SET handled_at = $3 WHERE merchant_id = $1 AND id = $2
         AND handled_at IS NULL AND (result = 'mismatch' OR applied_at IS NULL AND next_attempt_at IS NULL)
         RETURNING id)
       SELECT id FROM handled`,
      [merchantId, id, now],
    );
    return rows.length === 1;
  }

  /** Whether a message reporting success was received before this one. */
  async isAfterMoney(tx: EntityManager, event: ProviderEvent): Promise<boolean> {
    const { txid } = event.report as { readonly txid: string };
    const values = [event.merchantId, event.id, event.paymentId, txid];
    const [{ found }] = await tx.query<[{ found: boolean }]>(IS_AFTER_MONEY, values);
    return found;
  }

  /**
   * Marks refusals received after this message as mismatch, because they contradict it.
   * @returns the number of refusals
   */
  async recallRefusals(
    tx: EntityManager,
    { merchantId, id, paymentId }: ProviderEvent,
  ): Promise<number> {
    const values = [merchantId, id, paymentId];
    return (await tx.query<[unknown[], number]>(RECALL_REFUSALS, values))[1];
  }

  /** @returns false when the message was applied before */
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

  private async storeAll(messages: readonly Message[]): Promise<Stored[]> {
    const meanings = await this.readAll(messages);
    const rows = messages.map(({ event }, n) => messageRow(event, meanings[n]!));
    const values = [JSON.stringify(rows)];
    const stored = await this.database.query<{ id: string; isApplied: boolean }>(STORE, values);
    const results = new Map(stored.map(({ id, isApplied }) => [id, isApplied]));
    return messages.map(({ event: { id } }, n) => ({
      isNew: results.has(id),
      applied: results.get(id) ? meanings[n]! : null,
    }));
  }

  private async readAll(messages: readonly Message[]): Promise<(PaidOrder | null)[]> {
    const keys = messages.map(({ event, read }) => ({
      merchantId: event.merchantId,
      paymentId: (read && event.paymentId) ?? null,
    }));
    if (keys.every(({ paymentId }) => paymentId === null)) return keys.map(() => null);
    const found = await lookUp<keyof WaitingKey, WaitingKey, Record<string, unknown>>(
      this.database,
      WAITING_ORDER,
      'txid',
      keys as WaitingKey[],
    );
    return found.map((row, n) => row && messages[n]!.read!(waitingOrder(row)));
  }
}
