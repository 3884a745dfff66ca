import { Clock } from '../../src/common/time/clock.js';
import { Config } from '../../src/config/config.js';
import { Database } from '../../src/database/database.js';
import { OperatingRulesRepository } from '../../src/database/people/operating-rules.repository.js';
import { OperatingRulesAtStart } from '../../src/operations/operating-rules.js';
import { AuditService } from '../../src/people/audit.service.js';
import type { TestApp } from './app.js';

/** What a start of the server with these settings does about the second person. */
export const startWithRules = (
  app: TestApp,
  rules: Pick<Config, 'singleOperator' | 'secondPersonWaitHours'>,
): Promise<void> =>
  new OperatingRulesAtStart(
    { ...app.get(Config), ...rules },
    app.get(Database),
    app.get(OperatingRulesRepository),
    app.get(AuditService),
    app.get(Clock),
  ).onApplicationBootstrap();
