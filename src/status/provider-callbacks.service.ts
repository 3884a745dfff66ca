import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Problem } from '../common/problem.js';
import { isUuid, uuidv7 } from '../common/ids.js';
import type { ProviderAccount } from '../database/entities/provider-account.entity.js';
import { holdFor } from '../database/time-budget.js';
import type { ProviderEvent } from '../database/entities/provider-event.entity.js';
import { MerchantRepository } from '../database/repositories/merchant.repository.js';
import { ProviderEventRepository } from '../database/repositories/provider-event.repository.js';
import { type ProviderReport, type RawCallback, UNREADABLE } from '../providers/provider.js';
import { ProviderRegistry } from '../providers/provider-registry.js';
import { PaymentsService } from './payments.service.js';
import { Tally } from './tally.js';

/** Takes providers' messages: verified, stored once, and only then applied. */
@Injectable()
export class ProviderCallbacksService implements BeforeApplicationShutdown {
  private readonly logger = new Logger('callbacks');
  private readonly running = new Set<Promise<void>>();

  constructor(
    private readonly merchants: MerchantRepository,
    private readonly events: ProviderEventRepository,
    private readonly providers: ProviderRegistry,
    private readonly payments: PaymentsService,
    private readonly tally: Tally,
    private readonly clock: Clock,
  ) {}

  /**
   * Verifies and stores a callback. The provider is answered as soon as this is done.
   * @returns the event to apply, or null when it was stored before or nobody can read it
   * @throws Problem `route_not_found` for an unknown account, `invalid_signature`
   */
  async receive(
    providerName: string,
    accountId: string,
    callback: RawCallback,
  ): Promise<ProviderEvent | null> {
    const account = isUuid(accountId) ? await this.merchants.findAccount(accountId) : null;
    const provider = this.providers.find(providerName);
    if (account?.provider !== providerName || !provider?.parseCallback) {
      throw new Problem('route_not_found');
    }
    const now = this.clock.now();
    const report = provider.parseCallback(callback, account, now);
    if (!report) throw new Problem('invalid_signature');
    // Of a provider's few addresses come the messages for all merchants.
    holdFor(`callbacks of ${account.merchantId}`);
    const event = eventOf(account, report, callback.body, now);
    if (!(await this.events.store(event))) return null;
    if (report !== UNREADABLE) return event;
    this.tellUnreadable(event);
    return null;
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
        if (!isKnown) this.tellUnknown(event);
      })
      .catch((error: unknown) => this.logger.warn({ err: error }, 'callback not applied yet'))
      .finally(() => this.running.delete(task));
    this.running.add(task);
  }

  private tellUnreadable({ merchantId: merchant, id, provider }: ProviderEvent): void {
    this.tally.oddReports.inc({ provider, oddity: UNREADABLE });
    this.logger.error({ merchant, event: id, provider }, 'callback that nobody understands');
  }

  private tellUnknown({ merchantId: merchant, id, provider }: ProviderEvent): void {
    this.tally.unknownReports.inc({ provider });
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
    handledAt: null,
  };
}

/** Base64 of what is no text that a database takes. An empty one means that it was erased. */
const storable = (body: Buffer): string =>
  body.length > 0 && isUtf8(body) && !body.includes(0)
    ? body.toString('utf8')
    : `base64:${body.toString('base64')}`;
