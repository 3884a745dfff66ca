import { Controller, Get, Res, UseFilters, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { forEver, sendPage } from '../common/page.js';
import { UserRepository } from '../database/repositories/user.repository.js';
import { Public } from '../merchants/api-key.guard.js';
import { goTo } from './http.js';
import { SCRIPT, SHEET } from './layout/assets.js';
import { renderPlaces } from './places.view.js';
import { PortalFilter } from './portal.filter.js';
import { Portal } from './portal.guard.js';
import { CurrentVisit, pathOf, type SignedVisit } from './visit.js';

/** The way in, and what every page loads. */
@ApiExcludeController()
@UseFilters(PortalFilter)
@Controller({ path: 'portal', version: VERSION_NEUTRAL })
export class PortalController {
  constructor(private readonly users: UserRepository) {}

  /** Whoever has one place is taken there. */
  @Get()
  @Portal('self')
  async start(@CurrentVisit() visit: SignedVisit, @Res() reply: FastifyReply): Promise<void> {
    const { userId, platformRole } = visit.session;
    const places = await this.users.places(userId);
    const [only] = places;
    if (platformRole && !only) return goTo(reply, '/portal/platform');
    if (only && places.length === 1 && !platformRole) {
      return goTo(reply, pathOf({ merchantId: only.id, mode: 'test' }));
    }
    sendPage(reply, 200, renderPlaces(visit, places));
  }

  @Public()
  @Get('assets/portal.css')
  css(@Res({ passthrough: true }) reply: FastifyReply): Buffer {
    forEver(reply).type('text/css; charset=utf-8');
    return SHEET;
  }

  @Public()
  @Get('assets/portal.js')
  script(@Res({ passthrough: true }) reply: FastifyReply): Buffer {
    forEver(reply).type('text/javascript; charset=utf-8');
    return SCRIPT;
  }
}
