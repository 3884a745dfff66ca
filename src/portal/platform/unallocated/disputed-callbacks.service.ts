import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/time/clock.js';
import { Database } from '../../../database/database.js';
import type { Mode } from '../../../database/merchants/api-key.entity.js';
import {
  type DisputedCallback,
  ProviderEventRepository,
} from '../../../database/providers/provider-event.repository.js';
import { AuditService } from '../../../people/audit.service.js';
import type { SignedInContext } from '../../../people/portal-context.js';
import type { PlatformPayoutKey } from '../payouts/platform-path.js';

/** Maximum number of listed callbacks; resolving some makes room for others. */
const LISTED_MAX = 50;

/** Provider callbacks that could not be applied to a payment. */
@Injectable()
export class DisputedCallbacksService {
  constructor(
    private readonly database: Database,
    private readonly events: ProviderEventRepository,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /** Oldest first. */
  list(mode: Mode): Promise<DisputedCallback[]> {
    return this.events.listForReview(mode, LISTED_MAX);
  }

  /** Marks a callback as resolved. No effect if it is already resolved or still being retried. */
  handled(context: SignedInContext, { merchantId, mode, id }: PlatformPayoutKey): Promise<void> {
    const entry = { action: 'provider-report.handled', subject: id, merchantId, data: { mode } };
    return this.database.transaction(async (tx) => {
      if (!(await this.events.handled(tx, { merchantId, id }, this.clock.now()))) return;
      await this.audit.record(tx, context, entry);
    });
  }
}
