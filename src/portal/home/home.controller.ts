import { Controller, Get, Query, Res, UseFilters, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { sendPage } from '../../common/page.js';
import { PortalFilter } from '../portal.filter.js';
import { Portal } from '../portal.guard.js';
import { CurrentVisit, type PlacedVisit } from '../visit.js';
import { HomeService } from './home.service.js';
import { renderHome } from './home.view.js';

@ApiExcludeController()
@UseFilters(PortalFilter)
@Controller({ path: 'portal/m/:merchantId/:mode', version: VERSION_NEUTRAL })
export class HomeController {
  constructor(private readonly home: HomeService) {}

  @Get()
  @Portal('orders.read')
  async show(
    @CurrentVisit() visit: PlacedVisit,
    @Query('currency') currency: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const home = await this.home.open(visit, typeof currency === 'string' ? currency : null);
    sendPage(reply, 200, renderHome(visit, home));
  }
}
