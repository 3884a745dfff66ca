import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/time/clock.js';
import { Database } from '../../database/database.js';
import type { OverdueJob } from '../../database/jobs/job.repository.js';
import { JobScheduler } from '../../database/jobs/job-scheduler.js';
import type { DoctorFindings } from '../../database/doctor/doctor-report.entity.js';
import { DeliveryRepository } from '../../database/notifications/delivery.repository.js';
import {
  OperatingRulesRepository,
  type PresentRules,
} from '../../database/people/operating-rules.repository.js';
import { DoctorReportRepository } from '../../database/doctor/doctor-report.repository.js';
import {
  type FailingEndpoint,
  WebhookEndpointRepository,
} from '../../database/notifications/webhook-endpoint.repository.js';

/** Maximum number of listed endpoints, longest failing first. */
const FAILING_MAX = 20;
const CHANNELS = ['mail', 'webhook'] as const;

/** Due deliveries of a channel. */
export interface WaitingDeliveries {
  readonly name: string;
  readonly depth: number;
  readonly oldestSeconds: number;
}

/** Service health, with the same numbers as `/metrics`. */
export interface Health {
  readonly jobs: readonly OverdueJob[];
  readonly deliveries: readonly WaitingDeliveries[];
  readonly failing: readonly FailingEndpoint[];
  /** Including endpoints that are not listed. */
  readonly failingTotal: number;
  readonly rules: PresentRules;
  readonly pool: ReturnType<Database['poolState']>;
  /** Null until the first consistency check. */
  readonly facts: (DoctorFindings & { readonly ageSeconds: number }) | null;
}

@Injectable()
export class HealthService {
  constructor(
    private readonly database: Database,
    private readonly scheduler: JobScheduler,
    private readonly deliveries: DeliveryRepository,
    private readonly endpoints: WebhookEndpointRepository,
    private readonly reports: DoctorReportRepository,
    private readonly operatingRules: OperatingRulesRepository,
    private readonly clock: Clock,
  ) {}

  async read(): Promise<Health> {
    const now = this.clock.now();
    const [jobs, deliveries, failing, facts, rules] = await Promise.all([
      this.scheduler.overdue(),
      this.deliveries.backlog(now),
      this.endpoints.failing(now, FAILING_MAX),
      this.reports.last(),
      this.operatingRules.read(),
    ]);
    return {
      jobs,
      deliveries: CHANNELS.map((name) => {
        const { depth = 0, oldestSeconds = 0 } =
          deliveries.find((each) => each.channel === name) ?? {};
        return { name, depth, oldestSeconds };
      }),
      failing,
      failingTotal: failing[0]?.total ?? 0,
      rules,
      pool: this.database.poolState(),
      facts: facts && {
        ...facts,
        ageSeconds: (now.getTime() - Date.parse(facts.finishedAt)) / 1000,
      },
    };
  }
}
