import {
  Controller,
  Get,
  Param,
  Post,
  Query,
  Req,
  Res,
  UseFilters,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isUuid } from '../../common/ids.js';
import { sendPage } from '../../common/page.js';
import type { Query as QueryValues } from '../../common/query.js';
import type { Along } from '../../database/along.js';
import { DELIVERY_STATUSES } from '../../database/entities/delivery.entity.js';
import type { LogPage } from '../../database/repositories/delivery-log.repository.js';
import { WebhookDeliveriesService } from '../../notifications/webhooks/webhook-deliveries.service.js';
import { WebhookEndpointsService } from '../../notifications/webhooks/webhook-endpoints.service.js';
import { formOf, goTo } from '../http.js';
import { AuditService } from '../people/audit.service.js';
import { PortalFilter } from '../portal.filter.js';
import { Portal } from '../portal.guard.js';
import { CurrentVisit, pathOf, type PlacedVisit } from '../visit.js';
import { attempt, formWith } from './form.js';
import { idOf } from './path-id.js';
import { rangeBody } from './webhook.form.js';
import { renderDelivery, renderLog } from './webhook-log.view.js';
import { renderResend } from './webhook-resend.view.js';

/** Deliveries on one page. */
const PAGE = 50;

const pageOf = ({ place }: PlacedVisit, id: string): string => `${pathOf(place)}/webhooks/${id}`;

/** What was sent to an endpoint, and what is sent once more. */
@ApiExcludeController()
@UseFilters(PortalFilter)
@Controller({ path: 'portal/m/:merchantId/:mode/webhooks/:id', version: VERSION_NEUTRAL })
export class WebhookLogController {
  constructor(
    private readonly endpoints: WebhookEndpointsService,
    private readonly deliveries: WebhookDeliveriesService,
    private readonly audit: AuditService,
  ) {}

  @Get()
  @Portal('deliveries.read')
  async log(
    @CurrentVisit() visit: PlacedVisit,
    @Param('id') id: string,
    @Query() query: QueryValues,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const endpoint = await this.endpoints.get(visit.place, idOf(id));
    const wanted = wantedOf(query);
    const page = await this.deliveries.list(visit.place, endpoint.id, wanted);
    sendPage(reply, 200, renderLog({ visit, endpoint, page, wanted, done: query['done'] }));
  }

  @Post('test')
  @Portal('webhooks.manage')
  async test(
    @CurrentVisit() visit: PlacedVisit,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const along = this.audited(visit, 'webhook.tested', idOf(id));
    await this.deliveries.test(visit.place, idOf(id), along);
    goTo(reply, `${pageOf(visit, idOf(id))}?done=sent`);
  }

  @Get('resend')
  @Portal('deliveries.resend')
  async askResend(
    @CurrentVisit() visit: PlacedVisit,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const endpoint = await this.endpoints.get(visit.place, idOf(id));
    sendPage(reply, 200, renderResend({ visit, endpoint, form: formWith({}) }));
  }

  /** The page tells how many, and offers the rest: one request sends a thousand at most. */
  @Post('resend')
  @Portal('deliveries.resend')
  async resendRange(
    @CurrentVisit() visit: PlacedVisit,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const form = formOf(request);
    const endpoint = await this.endpoints.get(visit.place, idOf(id));
    const range = rangeBody(form);
    const along: Along<number> = (tx, queued) =>
      this.audit.record(tx, visit, {
        action: 'webhook.resent',
        subject: endpoint.id,
        data: { ...range, queued },
      });
    const { problems, done } = await attempt(() =>
      this.deliveries.resendRange(visit.place, endpoint.id, range, along),
    ).then((result) => ({ done: undefined, problems: undefined, ...result }));
    const page = renderResend({ visit, endpoint, form, problems: problems ?? {}, sent: done });
    sendPage(reply, problems ? 422 : 200, page);
  }

  @Get('deliveries/:deliveryId')
  @Portal('deliveries.read')
  async delivery(
    @CurrentVisit() visit: PlacedVisit,
    @Param('id') id: string,
    @Param('deliveryId') deliveryId: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const endpoint = await this.endpoints.get(visit.place, idOf(id));
    const delivery = await this.deliveries.get(visit.place, endpoint.id, idOf(deliveryId));
    sendPage(reply, 200, renderDelivery({ visit, endpoint, delivery }));
  }

  @Post('deliveries/:deliveryId/resend')
  @Portal('deliveries.resend')
  async resend(
    @CurrentVisit() visit: PlacedVisit,
    @Param('id') id: string,
    @Param('deliveryId') deliveryId: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const along = this.audited(visit, 'delivery.resent', idOf(id));
    await this.deliveries.resend(visit.place, idOf(id), idOf(deliveryId), along);
    goTo(reply, `${pageOf(visit, idOf(id))}?done=resent`);
  }

  private audited(
    visit: PlacedVisit,
    action: string,
    endpointId: string,
  ): Along<{ readonly id: string }> {
    const data = { mode: visit.place.mode, endpoint: endpointId };
    return (tx, { id }) => this.audit.record(tx, visit, { action, subject: id, data });
  }
}

/** A page is never refused for an old or odd address: what is not understood is left out. */
function wantedOf({ status, after }: QueryValues): LogPage {
  return {
    status: DELIVERY_STATUSES.find((known) => known === status) ?? null,
    after: typeof after === 'string' && isUuid(after) ? after.toLowerCase() : null,
    limit: PAGE,
  };
}
