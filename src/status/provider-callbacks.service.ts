import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Problem } from '../common/problem.js';
import { isUuid, uuidv7 } from '../common/ids.js';
import { holdFor } from '../database/time-budget.js';
import type { ProviderEvent } from '../database/entities/provider-event.entity.js';
import { MerchantRepository } from '../database/repositories/merchant.repository.js';
import { ProviderEventRepository } from '../database/repositories/provider-event.repository.js';
import type { ProviderReport, RawCallback } from '../providers/provider.js';
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
   * @returns the event to apply, or null when it was stored before
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
    const event: ProviderEvent = {
      merchantId: account.merchantId,
      id: uuidv7(now.getTime()),
      provider: provider.name,
      accountId: account.id,
      mode: account.mode,
      providerEventId: `${account.id}:${report.eventId}`,
      paymentId: report.paymentId,
      report,
      body: callback.body.toString('utf8'),
      receivedAt: now,
      appliedAt: null,
      result: null,
      handledAt: null,
    };
    return (await this.events.store(event)) ? event : null;
  }

  /** @returns false while there is no such payment */
  async apply(event: ProviderEvent): Promise<boolean> {
    const { outcome } = event.report as ProviderReport;
    const key = { merchantId: event.merchantId, id: event.paymentId };
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

  private tellUnknown({ merchantId: merchant, id, provider }: ProviderEvent): void {
    this.tally.unknownReports.inc({ provider });
    this.logger.warn({ merchant, event: id, provider }, 'callback about no payment of ours');
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.running);
  }
}
