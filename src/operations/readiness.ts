import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { OperatingRulesRepository } from '../database/people/operating-rules.repository.js';
import { WorkerEligibility } from '../database/schema/worker-eligibility.js';
import { type Problem, unavailable } from '../http/problems/problem.js';

const leaving = (): Problem => unavailable('The process is about to stop.');
const tooOld = (): Problem => unavailable('A newer version of the program has taken over.');

/** Readiness of a process, for load balancers and operators. */
export interface Ready {
  readonly status: 'ready' | 'degraded';
  readonly detail?: string;
  /** Present only if no second person is required. */
  readonly singleOperator?: true;
}

/** Whether this process accepts requests. */
@Injectable()
export class Readiness implements OnModuleDestroy {
  private looking: Promise<boolean> | undefined;
  private leaves = false;
  private stops = false;

  constructor(
    private readonly database: Database,
    private readonly eligibility: WorkerEligibility,
    private readonly config: Config,
    private readonly rules: OperatingRulesRepository,
  ) {}

  /** True after the stop signal: load balancers should stop sending requests, but all are still served. */
  get isLeaving(): boolean {
    return this.leaves || this.stops;
  }

  /** Reason for rejecting new requests; running ones finish. */
  get refusal(): Problem | undefined {
    if (this.eligibility.isTooOld) return tooOld();
    return this.stops ? leaving() : undefined;
  }

  /** @throws Problem `unavailable` while the database is unavailable, or the process should get no requests */
  async assertReady(): Promise<Ready> {
    if (this.isLeaving) throw leaving();
    if (this.refusal) throw this.refusal;
    // Concurrent calls share one query.
    this.looking ??= this.isAlone().finally(() => (this.looking = undefined));
    const isAlone = await this.looking;
    const detail = [...this.faults()].join(' ');
    return {
      ...(detail ? { status: 'degraded', detail } : { status: 'ready' }),
      ...(isAlone && { singleOperator: true }),
    };
  }

  /** Whether a single operator decides; always queries the database. */
  private async isAlone(): Promise<boolean> {
    await this.database.ping();
    return this.config.singleOperator && (await this.rules.read()).isAlone;
  }

  private *faults(): Iterable<string> {
    const { isClockWrong, clockOffsetMs, unsafeSettings } = this.eligibility;
    const seconds = Math.round(clockOffsetMs / 1_000);
    // A read-only database affects all processes, so reads are still served.
    if (this.database.refusesWrites)
      yield 'The database takes no writes: a full disk, or read-only.';
    if (isClockWrong) yield `The clock is ${seconds} s from the database's: background work rests.`;
    if (unsafeSettings.length > 0)
      yield `Off in the database, which may lose what it confirmed: ${unsafeSettings.join(', ')}.`;
  }

  /** Announces the stop: starts no background work, and fails readiness. */
  leave(): void {
    this.leaves = true;
    this.eligibility.rest();
  }

  /** Must be the first step of the shutdown, since others take time. */
  onModuleDestroy(): void {
    this.stops = true;
  }
}
