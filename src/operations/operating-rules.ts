import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import {
  OperatingRulesRepository,
  type PresentRules,
} from '../database/people/operating-rules.repository.js';
import { AuditService } from '../people/audit.service.js';

/** What the audit log keeps of an act without a person. */
const NOBODY = { session: null, access: null, address: 'server start' } as const;

/**
 * Stores the settings about the second person at the start, so that triggers follow them. The command
 * line does not load this: only the server decides, and each change is in the audit log.
 */
@Injectable()
export class OperatingRulesAtStart implements OnApplicationBootstrap {
  private readonly logger = new Logger('operating-rules');

  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly rules: OperatingRulesRepository,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { singleOperator, secondPersonWaitHours: waitingHours } = this.config;
    const wanted = { singleOperator, waitingHours };
    if (isSame(await this.rules.read(), wanted)) return;
    await this.database.transaction(async (tx) => {
      const before = await this.rules.lock(tx);
      if (isSame(before, wanted)) return;
      await this.rules.write(tx, { ...wanted, changedAt: this.clock.now() });
      const was = { singleOperator: before.singleOperator, waitingHours: before.waitingHours };
      const entry = { action: 'operating-rules.changed', data: { ...wanted, before: was } };
      await this.audit.record(tx, NOBODY, entry);
    });
    this.logger.warn(wanted, 'the rules about the second person have changed');
  }
}

type Wanted = Pick<PresentRules, 'singleOperator' | 'waitingHours'>;

const isSame = (rules: Wanted, wanted: Wanted): boolean =>
  rules.singleOperator === wanted.singleOperator && rules.waitingHours === wanted.waitingHours;
