import { Controller, Get, Res, UseFilters, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { sendPage } from '../../common/page.js';
import { PortalFilter } from '../portal.filter.js';
import { Portal } from '../portal.guard.js';
import { CurrentVisit, type SignedVisit } from '../visit.js';
import { HealthService } from './health.service.js';
import { renderHealth } from './health.view.js';

@ApiExcludeController()
@UseFilters(PortalFilter)
@Controller({ path: 'portal/platform/health', version: VERSION_NEUTRAL })
export class HealthPageController {
  constructor(private readonly health: HealthService) {}

  @Get()
  @Portal('platform.manage')
  async show(@CurrentVisit() visit: SignedVisit, @Res() reply: FastifyReply): Promise<void> {
    sendPage(reply, 200, renderHealth(visit, await this.health.read()));
  }
}
