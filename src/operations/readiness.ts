import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type Problem, unavailable } from '../common/problem.js';
import { Database } from '../database/database.js';

const PING = { name: 'ping', text: 'SELECT 1' } as const;

export const stopping = (): Problem => unavailable('The process is about to stop.');

/** Whether this process wants requests. */
@Injectable()
export class Readiness implements OnModuleDestroy {
  private stops = false;

  constructor(private readonly database: Database) {}

  /** True from the signal on, while running requests and jobs still finish. */
  get isStopping(): boolean {
    return this.stops;
  }

  /** @throws Problem `unavailable` while the database is away or the process is about to stop */
  async assertReady(): Promise<void> {
    if (this.stops) throw stopping();
    await this.database.query(PING, []);
  }

  /** The first of all steps of a stop: the others take their time. */
  onModuleDestroy(): void {
    this.stops = true;
  }
}
