import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { contentHash } from '../common/canonical-json.js';
import { Clock } from '../common/time/clock.js';
import { uuidOf, uuidv7 } from '../common/ids.js';
import { TtlCache } from '../common/ttl-cache.js';
import { setTenant } from '../overload/request-context.js';
import { Database } from '../database/database.js';
import { MerchantRepository } from '../database/merchants/merchant.repository.js';
import type { ProviderAccount } from '../database/providers/provider-account.entity.js';
import type { ProviderEvent } from '../database/providers/provider-event.entity.js';
import { ProviderEventRepository } from '../database/providers/provider-event.repository.js';
import { Problem } from '../http/problems/problem.js';
import { ProviderRegistry } from '../providers/provider-registry.js';
import { type ProviderReport, type RawCallback, UNREADABLE } from '../providers/provider.js';
import { OrderMetrics } from '../status/order-metrics.js';
import { PaymentsService } from './payments.service.js';
import { FastPathPaymentsService } from './fast-path-payments.service.js';

/** Callbacks are applied right after they are stored; the sweeper applies those still unapplied after this time. */
const FORGOTTEN_MS = 2_000;
/** Milliseconds for which a provider account is cached, if its secret verified the callback. */
const ACCOUNT_MS = 5_000;
const ACCOUNTS_MAX = 10_000;

/** Processes provider callbacks: verifies, stores once, then applies. */
@Injectable()
export class ProviderCallbacksService implements BeforeApplicationShutdown {
  private readonly logger = new Logger('callbacks');
  private readonly running = new Set<Promise<void>>();
  private readonly accounts = new TtlCache<ProviderAccount | null>(
    (account) => (account ? ACCOUNT_MS : 0),
    ACCOUNTS_MAX,
  );

  constructor(
    private readonly database: Database,
    private readonly merchants: MerchantRepository,
    private readonly events: ProviderEventRepository,
    private readonly providers: ProviderRegistry,
    private readonly payments: PaymentsService,
    private readonly plainPayments: FastPathPaymentsService,
    private readonly metrics: OrderMetrics,
    private readonly clock: Clock,
  ) {}

  /**
   * Verifies and stores a callback. The provider gets its answer right after.
   * @returns the event to apply; null if it is already applied, needs attention, or was stored before
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
      // The secret may just have changed: verify again with the current one.
      provider.parseCallback(
        callback,
        (await this.merchants.findAccount(account.id)) ?? account,
        now,
      );
    if (!report) throw new Problem('invalid_signature');
    // A provider sends callbacks for all merchants from few addresses, so the merchant is the fairness key.
    setTenant(`callbacks of ${account.merchantId}`);
    return eventOf(account, report, callback.body, now);
  }

  /** @returns false while the payment does not exist */
  async apply(event: ProviderEvent): Promise<boolean> {
    const { outcome } = event.report as ProviderReport;
    const key = { merchantId: event.merchantId, id: event.paymentId! };
    const result = await this.payments.apply(key, outcome, event);
    if (result === 'mismatch') {
      this.logger.error(
        { event: 'callback.mismatch', ...logged(event) },
        'callback does not match its payment',
      );
    }
    return result !== 'waiting';
  }

  /** Applies the event after the response was sent. The sweeper retries failures. */
  applyLater(event: ProviderEvent): void {
    const task = this.apply(event)
      .then((isKnown) => {
        if (!isKnown) this.reportUnknown(event);
      })
      .catch((error: unknown) =>
        this.logger.warn(
          { event: 'callback.apply.failed', err: error },
          'callback could not be applied and is retried',
        ),
      )
      .finally(() => this.running.delete(task));
    this.running.add(task);
  }

  /** Ignores duplicates; different content under a known id needs attention. */
  private async compare(event: ProviderEvent): Promise<void> {
    const first = await this.events.findSameId(event);
    if (first.hasSameContent) return;
    const { provider, report, receivedAt } = event;
    const providerEventId = `${event.providerEventId}#${contentHash(report).toString('hex')}`;
    const other = {
      ...event,
      providerEventId,
      report: { ...(report as object), sameIdAs: first.id },
    };
    const isNew = await this.database.transaction((tx) =>
      this.events.storeForReview(tx, other, receivedAt),
    );
    if (!isNew) return;
    this.metrics.discrepancies.inc({ provider, discrepancy: 'other_content' });
    this.logger.error(
      { event: 'callback.conflict', ...logged(event) },
      'a different callback arrived under a known id',
    );
  }

  private reportUnreadable(event: ProviderEvent): void {
    this.metrics.discrepancies.inc({ provider: event.provider, discrepancy: UNREADABLE });
    this.logger.error(
      { event: 'callback.unreadable', ...logged(event) },
      'callback cannot be parsed',
    );
  }

  private reportUnknown(event: ProviderEvent): void {
    this.metrics.unmatchedCallbacks.inc({ provider: event.provider });
    this.logger.warn(
      { event: 'callback.unknown_payment', ...logged(event) },
      'callback for an unknown payment',
    );
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.running);
  }
}

/** Log fields of a callback, without its content. */
const logged = ({ merchantId, id, provider }: ProviderEvent) => ({
  merchant: merchantId,
  callback: id,
  provider,
});

/** An unreadable callback gets the hash of its bytes as id, and needs attention. */
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

/** Base64 for bytes that are no valid database text. An empty body means that it was erased. */
const storable = (body: Buffer): string =>
  body.length > 0 && isUtf8(body) && !body.includes(0)
    ? body.toString('utf8')
    : `base64:${body.toString('base64')}`;
