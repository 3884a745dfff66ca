import {
  type BeforeApplicationShutdown,
  Controller,
  Get,
  Injectable,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { unavailable } from '../common/problem.js';
import { Database } from '../database/database.js';
import { Public } from '../merchants/api-key.guard.js';

const PING = { name: 'ping', text: 'SELECT 1' } as const;

/** Whether this process wants requests. */
@Injectable()
export class Readiness implements BeforeApplicationShutdown {
  private stopping = false;

  constructor(private readonly database: Database) {}

  /** @throws Problem `unavailable` while the database is away or the process is about to stop */
  async assertReady(): Promise<void> {
    if (this.stopping) throw unavailable('The process is about to stop.');
    await this.database.query(PING, []);
  }

  beforeApplicationShutdown(): void {
    this.stopping = true;
  }
}

@ApiExcludeController()
@Public()
@Controller({ path: 'health', version: VERSION_NEUTRAL })
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /** The process runs: restart it when this fails. */
  @Get('live')
  live(): object {
    return { status: 'live' };
  }

  /** The process can do its work: send it requests only while this succeeds. */
  @Get('ready')
  async ready(): Promise<object> {
    await this.readiness.assertReady();
    return { status: 'ready' };
  }
}
