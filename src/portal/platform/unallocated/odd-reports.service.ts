import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/clock.js';
import { Database } from '../../../database/database.js';
import type { Mode } from '../../../database/merchants/api-key.entity.js';
import {
  type OddReport,
  ProviderEventRepository,
} from '../../../database/providers/provider-event.repository.js';
import { AuditService } from '../../../people/audit.service.js';
import type { SignedInContext } from '../../../people/portal-context.js';
import type { PlatformPayoutKey } from '../payouts/platform-path.js';

/** Messages that are listed at once: whoever deals with them makes room for others. */
const LISTED_MAX = 50;

/** What providers said that nobody could apply. */
@Injectable()
export class OddReportsService {
  constructor(
    private readonly database: Database,
    private readonly events: ProviderEventRepository,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /** The oldest first. */
  list(mode: Mode): Promise<OddReport[]> {
    return this.events.forPeople(mode, LISTED_MAX);
  }

  /** Somebody has dealt with it. Saying so twice, or while it is still tried, changes nothing. */
  handled(context: SignedInContext, { merchantId, mode, id }: PlatformPayoutKey): Promise<void> {
    const entry = { action: 'provider-report.handled', subject: id, merchantId, data: { mode } };
    return this.database.transaction(async (tx) => {
      if (!(await this.events.handled(tx, { merchantId, id }, this.clock.now()))) return;
      await this.audit.record(tx, context, entry);
    });
  }
}
