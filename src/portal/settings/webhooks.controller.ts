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
import { NEWEST_API_VERSION } from '../../common/api-version.js';
import { sendPage } from '../../common/page.js';
import type { Along } from '../../database/along.js';
import type { WebhookEndpoint } from '../../database/entities/webhook-endpoint.entity.js';
import { scopesOf } from '../../merchants/scope-holders.js';
import { WebhookEndpointsService } from '../../notifications/webhooks/webhook-endpoints.service.js';
import { formOf, goTo } from '../http.js';
import { AuditService } from '../people/audit.service.js';
import { FreshFactor } from '../people/fresh-factor.js';
import { PortalFilter } from '../portal.filter.js';
import { Portal } from '../portal.guard.js';
import { may } from '../roles.js';
import { CurrentVisit, pathOf, type PlacedVisit } from '../visit.js';
import { attempt } from './form.js';
import { idOf } from './path-id.js';
import { blankEndpoint, endpointBody, endpointForm } from './webhook.form.js';
import {
  renderEndpointDeletion,
  renderEndpointForm,
  renderEndpoints,
  renderRoll,
  renderWebhookSecret,
} from './webhooks.view.js';

const editorOf = ({ place, session, address }: PlacedVisit) => ({
  ...place,
  author: {
    madeBy: session.userId,
    madeByKey: null,
    seesEvents: scopesOf(place.role).includes('events:read'),
    seesPayouts: may(place.role, 'payouts.read'),
    address,
  },
});

const listOf = ({ place }: PlacedVisit): string => `${pathOf(place)}/webhooks`;

/** Where a merchant's programs receive events. */
@ApiExcludeController()
@UseFilters(PortalFilter)
@Controller({ path: 'portal/m/:merchantId/:mode/webhooks', version: VERSION_NEUTRAL })
export class WebhooksController {
  constructor(
    private readonly endpoints: WebhookEndpointsService,
    private readonly factor: FreshFactor,
    private readonly audit: AuditService,
  ) {}

  @Get()
  @Portal('deliveries.read')
  async list(
    @CurrentVisit() visit: PlacedVisit,
    @Query('done') done: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { data } = await this.endpoints.list(visit.place);
    sendPage(reply, 200, renderEndpoints(visit, data, done));
  }

  @Get('new')
  @Portal('webhooks.manage')
  blank(@CurrentVisit() visit: PlacedVisit, @Res() reply: FastifyReply): void {
    sendPage(reply, 200, renderEndpointForm({ visit, form: blankEndpoint() }));
  }

  /** The answer shows the secret, so that no address does. */
  @Post('new')
  @Portal('webhooks.manage')
  async create(
    @CurrentVisit() visit: PlacedVisit,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const form = formOf(request);
    await this.factor.demandLive(visit, form);
    const maker = { ...editorOf(visit), version: NEWEST_API_VERSION };
    const along = this.audited(visit, 'webhook.created');
    const made = await attempt(() => this.endpoints.create(maker, endpointBody(form), along));
    if (made.problems) {
      return sendPage(reply, 422, renderEndpointForm({ visit, form, problems: made.problems }));
    }
    sendPage(reply, 201, renderWebhookSecret(visit, made.done));
  }

  @Get(':id/edit')
  @Portal('webhooks.manage')
  async edit(
    @CurrentVisit() visit: PlacedVisit,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const endpoint = await this.endpoints.get(visit.place, idOf(id));
    sendPage(reply, 200, renderEndpointForm({ visit, endpoint, form: endpointForm(endpoint) }));
  }

  @Post(':id/edit')
  @Portal('webhooks.manage')
  async change(
    @CurrentVisit() visit: PlacedVisit,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const form = formOf(request);
    const endpoint = await this.endpoints.get(visit.place, idOf(id));
    await this.factor.demandLive(visit, form);
    const along = this.audited(visit, 'webhook.changed');
    const body = { ...endpointBody(form), url: form.get('url')?.trim() ?? '' };
    const { problems } = await attempt(() =>
      this.endpoints.change(editorOf(visit), endpoint.id, body, along),
    );
    if (problems) {
      return sendPage(reply, 422, renderEndpointForm({ visit, endpoint, form, problems }));
    }
    goTo(reply, `${listOf(visit)}/${endpoint.id}?done=saved`);
  }

  @Post(':id/enable')
  @Portal('webhooks.manage')
  enable(
    @CurrentVisit() visit: PlacedVisit,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.turn(visit, idOf(id), true, request, reply);
  }

  @Post(':id/disable')
  @Portal('webhooks.manage')
  disable(
    @CurrentVisit() visit: PlacedVisit,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.turn(visit, idOf(id), false, request, reply);
  }

  @Get(':id/secret')
  @Portal('webhooks.manage')
  async askRoll(
    @CurrentVisit() visit: PlacedVisit,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    sendPage(reply, 200, renderRoll(visit, await this.endpoints.get(visit.place, idOf(id))));
  }

  @Post(':id/secret')
  @Portal('webhooks.manage')
  async roll(
    @CurrentVisit() visit: PlacedVisit,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const endpoint = await this.endpoints.get(visit.place, idOf(id));
    const form = formOf(request);
    await this.factor.demandLive(visit, form);
    const typed = form.get('overlapHours')?.trim() ?? '';
    const body = { overlapHours: /^\d{1,3}$/.test(typed) ? Number(typed) : typed };
    const along = this.audited(visit, 'webhook.secret-rolled', body);
    const made = await attempt(() => this.endpoints.roll(visit.place, endpoint.id, body, along));
    if (made.problems) return sendPage(reply, 422, renderRoll(visit, endpoint, made.problems));
    sendPage(reply, 200, renderWebhookSecret(visit, made.done));
  }

  @Get(':id/delete')
  @Portal('webhooks.manage')
  async askDelete(
    @CurrentVisit() visit: PlacedVisit,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const endpoint = await this.endpoints.get(visit.place, idOf(id));
    sendPage(reply, 200, renderEndpointDeletion(visit, endpoint));
  }

  @Post(':id/delete')
  @Portal('webhooks.manage')
  async delete(
    @CurrentVisit() visit: PlacedVisit,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.factor.demandLive(visit, formOf(request));
    await this.endpoints.remove(visit.place, idOf(id), this.audited(visit, 'webhook.deleted'));
    goTo(reply, `${listOf(visit)}?done=deleted`);
  }

  private async turn(
    visit: PlacedVisit,
    id: string,
    enabled: boolean,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    await this.factor.demandLive(visit, formOf(request));
    const word = enabled ? 'enabled' : 'disabled';
    const along = this.audited(visit, `webhook.${word}`);
    await this.endpoints.change(editorOf(visit), id, { enabled }, along);
    goTo(reply, `${listOf(visit)}/${id}?done=${word}`);
  }

  /** Only the host of the URL: the rest may hold a token. Never the secret. */
  private audited(visit: PlacedVisit, action: string, more: object = {}): Along<WebhookEndpoint> {
    return (tx, { id, mode, url, eventTypes, apiVersion }) => {
      const data = { mode, host: URL.parse(url)?.host, eventTypes, apiVersion, ...more };
      return this.audit.record(tx, visit, { action, subject: id, data });
    };
  }
}
