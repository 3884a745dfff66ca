import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, type Statement } from '../database.js';
import { dueBy, LEASE } from '../due.js';
import { columnsOf, insertOf, parametersOf, valuesOf } from '../entity-sql.js';
import type { Gathered } from '../gathered.js';
import { lookUp } from '../lookup.js';
import type { Mode } from '../merchants/api-key.entity.js';
import { inTurns } from '../turns.js';
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

/** What became of a message that came. */
export interface Stored {
  /** Whether nothing was stored under its id before. */
  readonly isNew: boolean;
  /** What was written with it. */
  readonly applied: PaidOrder | null;
}

/** Of two messages about one payment the second is read when the first is written. */
const paymentOf = ({ event, read }: Message): string | undefined =>
  read && event.paymentId !== null ? `${event.merchantId} ${event.paymentId}` : undefined;

export type NewProviderEvent = Pick<ProviderEvent, (typeof NEW_EVENT)[number]>;

const PARAMETERS = parametersOf(NEW_EVENT);

const STORE_ODD = `${insertOf(ProviderEvent, {
  ...PARAMETERS,
  nextAttemptAt: dueBy(PARAMETERS.nextAttemptAt, LEASE),
})} ON CONFLICT (merchant_id, provider, provider_event_id) DO NOTHING RETURNING id`;

/** What was erased is compared without the payer. */
const SAME_ID: Statement = {
  name: 'provider_event_same_id',
  text: `SELECT id, body = $4 OR report = $5::jsonb
      OR body = '' AND without_payer(report) = without_payer($5::jsonb) AS "saysTheSame"
    FROM provider_events WHERE merchant_id = $1 AND provider = $2 AND provider_event_id = $3`,
};

/** For so long the payment may yet come that a message is about. */
const PAYMENT_COMES = '24 hours';

/** What could not be applied is tried again so long after it was tried, at the latest. */
const AGAIN = '10 minutes';

const AGE = '($1::timestamptz - e.received_at)';

/**
 * When a message is tried again that is not applied now. One without a payment waits as long again as
 * it has waited, is looked at once more when the payment's time is over, and then not again.
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
  text: `WITH waiting AS (${inTurns({
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
      WHERE applied_at IS NULL AND handled_at IS NULL AND next_attempt_at IS NULL
    ) e JOIN merchants m ON m.id = e.merchant_id
    WHERE coalesce(e.mode, 'live') = $1 ORDER BY e.received_at LIMIT $2`,
};

@Injectable()
export class ProviderEventRepository {
  private readonly messages: Gathered<Message, Stored>;

  constructor(private readonly database: Database) {
    this.messages = database.gathered(STORE.name, (all) => this.storeAll(all), {
      apart: paymentOf,
      isPatient: true,
    });
  }

  /**
   * Stores a message, together with others that come at the same time.
   * @param read says what the message means for the order that waits for its payment; null where that is to be
   *   found out later. It is written with the message if the order is still the same then.
   */
  store(event: NewProviderEvent, read?: Read): Promise<Stored> {
    return this.messages.ask({ event, read });
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
    const rows: unknown[] = await tx.query(STORE_ODD, valuesOf(NEW_EVENT, event));
    return rows.length === 1 && this.applied(tx, event, 'mismatch', now);
  }

  /**
   * Takes messages that were to be applied by now, in turns; nobody takes them again at once.
   * @returns them in the order of receipt, and whether there is the payment that each is about
   */
  claim(now: Date, limit: number): Promise<(ProviderEvent & { readonly isKnown: boolean })[]> {
    return this.database.query(CLAIM, [now, limit]);
  }

  /** Messages that a person has to look at, the oldest first. */
  forPeople(mode: Mode, limit: number): Promise<OddReport[]> {
    return this.database.query(FOR_PEOPLE, [mode, limit]);
  }

  /**
   * Of messages that were not applied only those that are not tried any more.
   * @returns false when there is no such message, or it needs nobody any more
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
