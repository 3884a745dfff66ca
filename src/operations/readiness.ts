import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { OperatingRulesRepository } from '../database/people/operating-rules.repository.js';
import { Fitness } from '../database/schema/fitness.js';
import { type Problem, unavailable } from '../http/problem.js';

const leaving = (): Problem => unavailable('The process is about to stop.');
const tooOld = (): Problem => unavailable('A newer version of the program has taken over.');

/** What a balancer and an operator learn of a process that takes requests. */
export interface Ready {
  readonly status: 'ready' | 'degraded';
  readonly detail?: string;
  /** Only where no second person is asked for. */
  readonly singleOperator?: true;
}

/** Whether this process wants requests. */
@Injectable()
export class Readiness implements OnModuleDestroy {
  private looking: Promise<boolean> | undefined;
  private leaves = false;
  private stops = false;

  constructor(
    private readonly database: Database,
    private readonly fitness: Fitness,
    private readonly config: Config,
    private readonly rules: OperatingRulesRepository,
  ) {}

  /** True from the signal on: balancers are told to go elsewhere, and everything is served still. */
  get isLeaving(): boolean {
    return this.leaves || this.stops;
  }

  /** Why requests are refused: what runs still finishes. */
  get refusal(): Problem | undefined {
    if (this.fitness.isTooOld) return tooOld();
    return this.stops ? leaving() : undefined;
  }

  /** @throws Problem `unavailable` while the database is away or the process should get no requests */
  async assertReady(): Promise<Ready> {
    if (this.isLeaving) throw leaving();
    if (this.refusal) throw this.refusal;
    // However many ask, it is one question.
    this.looking ??= this.isAlone().finally(() => (this.looking = undefined));
    const isAlone = await this.looking;
    const detail = [...this.faults()].join(' ');
    return {
      ...(detail ? { status: 'degraded', detail } : { status: 'ready' }),
      ...(isAlone && { singleOperator: true }),
    };
  }

  /** Whether a single operator decides; asks the database in any case. */
  private async isAlone(): Promise<boolean> {
    await this.database.ping();
    return this.config.singleOperator && (await this.rules.read()).isAlone;
  }

  private *faults(): Iterable<string> {
    const { isClockWrong, clockOffsetMs, unsafeSettings } = this.fitness;
    const seconds = Math.round(clockOffsetMs / 1_000);
    // No other process could write either, and what only reads is served.
    if (this.database.refusesWrites)
      yield 'The database takes no writes: a full disk, or read-only.';
    if (isClockWrong) yield `The clock is ${seconds} s from the database's: background work rests.`;
    if (unsafeSettings.length > 0)
      yield `Off in the database, which may lose what it confirmed: ${unsafeSettings.join(', ')}.`;
  }

  /** The stop was announced: begins no background work, and says so to balancers. */
  leave(): void {
    this.leaves = true;
    this.fitness.rest();
  }

  /** The first of all steps of the stop itself: the others take their time. */
  onModuleDestroy(): void {
    this.stops = true;
  }
}
