import { Controller, Get, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../merchants/api-key.guard.js';
import { type Ready, Readiness } from './readiness.js';

@ApiExcludeController()
@Public()
@Controller({ path: 'health', version: VERSION_NEUTRAL })
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /** Liveness: restart the process if this fails. */
  @Get('live')
  live(): object {
    return { status: 'live' };
  }

  /** Readiness: send requests only while this succeeds. */
  @Get('ready')
  ready(): Promise<Ready> {
    return this.readiness.assertReady();
  }
}
