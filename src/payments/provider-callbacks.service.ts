import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { contentHash } from '../common/canonical-json.js';
import { Clock } from '../common/clock.js';
import { uuidOf, uuidv7 } from '../common/ids.js';
import { Kept } from '../common/waiting/kept.js';
import { holdFor } from '../database/connection/time-budget.js';
import { Database } from '../database/database.js';
import { MerchantRepository } from '../database/merchants/merchant.repository.js';
import type { ProviderAccount } from '../database/providers/provider-account.entity.js';
import type { ProviderEvent } from '../database/providers/provider-event.entity.js';
import { ProviderEventRepository } from '../database/providers/provider-event.repository.js';
import { Problem } from '../http/problem.js';
import { ProviderRegistry } from '../providers/provider-registry.js';
import { type ProviderReport, type RawCallback, UNREADABLE } from '../providers/provider.js';
import { OrderMetrics } from '../status/order-metrics.js';
import { PaymentsService } from './payments.service.js';
import { PlainPaymentsService } from './plain-payments.service.js';

/** A callback is normally applied right after it was stored; one that was not by then was forgotten. */
const FORGOTTEN_MS = 2_000;
/** Milliseconds for which an account is believed to be as it was, where its secret has signed the message. */
const ACCOUNT_MS = 5_000;
const ACCOUNTS_MAX = 10_000;

/** Takes providers' messages: verified, stored once, and only then applied. */
@Injectable()
export class ProviderCallbacksService implements BeforeApplicationShutdown {
  private readonly logger = new Logger('callbacks');
  private readonly running = new Set<Promise<void>>();
  private readonly accounts = new Kept<ProviderAccount | null>(
    (account) => (account ? ACCOUNT_MS : 0),
    ACCOUNTS_MAX,
  );

  constructor(
    private readonly database: Database,
    private readonly merchants: MerchantRepository,
    private readonly events: ProviderEventRepository,
    private readonly providers: ProviderRegistry,
    private readonly payments: PaymentsService,
    private readonly plainPayments: PlainPaymentsService,
    private readonly metrics: OrderMetrics,
    private readonly clock: Clock,
  ) {}

  /**
   * Verifies and stores a callback. The provider is answered as soon as this is done.
   * @returns the event to apply, or null when it has been applied, needs a person, or was stored before
   * @throws Problem `route_not_found` for an unknown account, `invalid_signature`
   */
  async receive(
    providerName: string,
    accountId: string,
    callback: RawCallback,
  ): Promise<ProviderEvent | null> {
    const event = await this.verify(providerName, accountId, callback);
    const { isNew, applied } = await this.plainPayments.store(event);
    if (!isNew) await this.compare(event);
    if (!isNew || applied) return null;
    if (event.result === null) return event;
    this.reportUnreadable(event);
    return null;
  }

  /** @throws Problem `route_not_found` for an unknown account, `invalid_signature` */
  async verify(
    providerName: string,
    accountId: string,
    callback: RawCallback,
  ): Promise<ProviderEvent> {
    const id = uuidOf(accountId);
    const account = id && (await this.accounts.get(id, () => this.merchants.findAccount(id)));
    const provider = this.providers.find(providerName);
    if (!account || account.provider !== providerName || !provider?.parseCallback) {
      throw new Problem('route_not_found');
    }
    const now = this.clock.now();
    const report =
      provider.parseCallback(callback, account, now) ??
      // Its secret may have been changed a moment ago.
      provider.parseCallback(
        callback,
        (await this.merchants.findAccount(account.id)) ?? account,
        now,
      );
    if (!report) throw new Problem('invalid_signature');
    // Of a provider's few addresses come the messages for all merchants.
    holdFor(`callbacks of ${account.merchantId}`);
    return eventOf(account, report, callback.body, now);
  }

  /** @returns false while there is no such payment */
  async apply(event: ProviderEvent): Promise<boolean> {
    const { outcome } = event.report as ProviderReport;
    const key = { merchantId: event.merchantId, id: event.paymentId! };
    const result = await this.payments.apply(key, outcome, event);
    if (result === 'mismatch') {
      this.logger.error({ merchant: event.merchantId, event: event.id }, 'callback does not match');
    }
    return result !== 'waiting';
  }

  /** Applies the event after its sender was answered. What fails here is found by the next sweep. */
  applyLater(event: ProviderEvent): void {
    const task = this.apply(event)
      .then((isKnown) => {
        if (!isKnown) this.reportUnknown(event);
      })
      .catch((error: unknown) => this.logger.warn({ err: error }, 'callback not applied yet'))
      .finally(() => this.running.delete(task));
    this.running.add(task);
  }

  /** What came again changes nothing; something else under the same id waits for a person. */
  private async compare(event: ProviderEvent): Promise<void> {
    const first = await this.events.findSameId(event);
    if (first.saysTheSame) return;
    const { merchantId: merchant, id, provider, report, receivedAt } = event;
    const providerEventId = `${event.providerEventId}#${contentHash(report).toString('hex')}`;
    const other = {
      ...event,
      providerEventId,
      report: { ...(report as object), sameIdAs: first.id },
    };
    const isNew = await this.database.transaction((tx) =>
      this.events.storeOdd(tx, other, receivedAt),
    );
    if (!isNew) return;
    this.metrics.oddReports.inc({ provider, oddity: 'other_content' });
    this.logger.error({ merchant, event: id, provider }, 'another callback under the same id');
  }

  private reportUnreadable({ merchantId: merchant, id, provider }: ProviderEvent): void {
    this.metrics.oddReports.inc({ provider, oddity: UNREADABLE });
    this.logger.error({ merchant, event: id, provider }, 'callback that nobody understands');
  }

  private reportUnknown({ merchantId: merchant, id, provider }: ProviderEvent): void {
    this.metrics.unknownReports.inc({ provider });
    this.logger.warn({ merchant, event: id, provider }, 'callback about no payment of ours');
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.running);
  }
}

/** What nobody can read is named by its bytes, and waits for a person from the start. */
function eventOf(
  account: ProviderAccount,
  report: ProviderReport | typeof UNREADABLE,
  body: Buffer,
  now: Date,
): ProviderEvent {
  const isRead = report !== UNREADABLE;
  const eventId = isRead ? report.eventId : createHash('sha256').update(body).digest('hex');
  return {
    merchantId: account.merchantId,
    id: uuidv7(now.getTime()),
    provider: account.provider,
    accountId: account.id,
    mode: account.mode,
    providerEventId: `${account.id}:${eventId}`,
    paymentId: isRead ? report.paymentId : null,
    report: isRead ? report : { outcome: { kind: UNREADABLE } },
    body: storable(body),
    receivedAt: now,
    appliedAt: isRead ? null : now,
    result: isRead ? null : 'mismatch',
    nextAttemptAt: isRead ? new Date(now.getTime() + FORGOTTEN_MS) : null,
    handledAt: null,
  };
}

/** Base64 of what is no text that a database takes. An empty one means that it was erased. */
const storable = (body: Buffer): string =>
  body.length > 0 && isUtf8(body) && !body.includes(0)
    ? body.toString('utf8')
    : `base64:${body.toString('base64')}`;
