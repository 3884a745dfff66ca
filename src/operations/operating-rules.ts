import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../common/time/clock.js';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import {
  OperatingRulesRepository,
  type PresentRules,
} from '../database/people/operating-rules.repository.js';
import { AuditService } from '../people/audit.service.js';

/** Audit log actor for actions without a user. */
const SYSTEM = { session: null, access: null, address: 'server start' } as const;

/**
 * Stores the separation-of-duties settings at startup, for database triggers. Not loaded by the command line: only the
 * server changes them, and each change is audited.
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
      await this.audit.record(tx, SYSTEM, entry);
    });
    this.logger.warn(
      { event: 'operating_rules.changed', ...wanted },
      'the rules about a second person have changed',
    );
  }
}

type Wanted = Pick<PresentRules, 'singleOperator' | 'waitingHours'>;

const isSame = (rules: Wanted, wanted: Wanted): boolean =>
  rules.singleOperator === wanted.singleOperator && rules.waitingHours === wanted.waitingHours;
