import {
  Controller,
  Get,
  Param,
  Post,
  Req,
  Res,
  UseFilters,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendPage } from '../../common/page.js';
import { Config } from '../../config/config.js';
import type { SavedView } from '../../database/entities/saved-view.entity.js';
import { formOf, goTo } from '../http.js';
import { AuditService } from '../people/audit.service.js';
import { PortalFilter } from '../portal.filter.js';
import { Portal } from '../portal.guard.js';
import { CurrentVisit, pathOf, type PlacedVisit, type SignedVisit } from '../visit.js';
import { auditedFilter, queryOf, tidy } from './history-address.js';
import { everyMerchant, type HistoryPlace, merchantPlace } from './history-place.js';
import { HistoryService } from './history.service.js';
import { renderHistory } from './history.view.js';
import { SavedViewsService } from './saved-views.service.js';

/** The list of orders: of one merchant, and for the platform's support of all. */
@ApiExcludeController()
@UseFilters(PortalFilter)
@Controller({ path: 'portal', version: VERSION_NEUTRAL })
export class HistoryController {
  constructor(
    private readonly history: HistoryService,
    private readonly views: SavedViewsService,
    private readonly audit: AuditService,
    private readonly config: Config,
  ) {}

  @Get('m/:merchantId/:mode/orders')
  @Portal('orders.read')
  ofMerchant(
    @CurrentVisit() visit: PlacedVisit,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.answer(visit, merchantPlace(visit), request, reply, () => this.views.list(visit));
  }

  @Post('m/:merchantId/:mode/orders/views')
  @Portal('orders.read')
  async saveView(
    @CurrentVisit() visit: PlacedVisit,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const form = formOf(request);
    const filter = new URLSearchParams(form.get('query') ?? '');
    goTo(reply, listAt(visit, await this.views.save(visit, form.get('name') ?? '', filter)));
  }

  @Post('m/:merchantId/:mode/orders/views/delete')
  @Portal('orders.read')
  async deleteView(
    @CurrentVisit() visit: PlacedVisit,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const form = formOf(request);
    await this.views.remove(visit, form.get('name') ?? '');
    goTo(reply, listAt(visit, form.get('query') ?? ''));
  }

  @Get('all/:mode/orders')
  @Portal('platform.orders')
  ofEverybody(
    @CurrentVisit() visit: SignedVisit,
    @Param('mode') mode: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.answer(visit, everyMerchant(visit, mode), request, reply);
  }

  private async answer(
    visit: SignedVisit,
    place: HistoryPlace,
    request: FastifyRequest,
    reply: FastifyReply,
    viewsOf: () => Promise<SavedView[]> = async () => [],
  ): Promise<void> {
    const typed = queryOf(request);
    const tidied = tidy(typed).toString();
    if (tidied !== typed.toString()) return goTo(reply, `${place.base}/orders?${tidied}`);
    const asked = this.history.ask(place, typed);
    if (place.role === 'support') {
      await this.audit.look(visit, { action: 'orders.listed', data: auditedFilter(asked) });
    }
    const [look, views] = await Promise.all([this.history.look(asked), viewsOf()]);
    if (look.hit) return goTo(reply, `${pathOf(look.hit)}/orders/${look.hit.txid}`);
    sendPage(reply, 200, renderHistory(visit, look, views, this.config.publicUrl));
  }
}

/** The list under a filter; whatever was sent, the address stays on the list. */
function listAt({ place }: PlacedVisit, query: string): string {
  const text = new URLSearchParams(query).toString();
  return `${pathOf(place)}/orders${text && `?${text}`}`;
}
