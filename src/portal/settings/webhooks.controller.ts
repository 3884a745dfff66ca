import { Get, Param, Post, Query } from '@nestjs/common';
import { parse } from '../../contract/parse.js';
import type { WebhookEndpoint } from '../../database/notifications/webhook-endpoint.entity.js';
import type { TransactionHook } from '../../database/transaction-hook.js';
import { NEWEST_API_VERSION } from '../../common/api-version.js';
import { scopesOf } from '../../merchants/scope-holders.js';
import {
  ChangeWebhookEndpointRequest,
  CreateWebhookEndpointRequest,
  RollSecretRequest,
} from '../../notifications/webhooks/dto/webhook-endpoint.request.js';
import { WebhookEndpointsService } from '../../notifications/webhooks/webhook-endpoints.service.js';
import { AuditService } from '../../people/audit.service.js';
import { CurrentContext, pathOf, type MerchantContext } from '../../people/portal-context.js';
import { may } from '../../people/roles.js';
import { FreshFactor } from '../../people/second-factor/fresh-factor.js';
import { type PageAnswer, invalid, page, seeOther } from '../kit/answer.js';
import { attempt } from '../kit/form.js';
import { Form } from '../kit/http.js';
import { idOf } from '../kit/path-id.js';
import { Needs, PortalController } from '../portal-controller.js';
import { blankEndpoint, endpointBody, endpointForm } from './webhook.form.js';
import {
  renderEndpointDeletion,
  renderEndpointForm,
  renderEndpoints,
  renderRoll,
  renderWebhookSecret,
} from './webhooks.view.js';

const editorOf = ({ access, session, address }: MerchantContext) => ({
  ...access,
  author: {
    madeBy: session.userId,
    madeByKey: null,
    seesEvents: scopesOf(access.role).includes('events:read'),
    seesPayouts: may(access.role, 'payouts.read'),
    address,
  },
});

const listOf = ({ access }: MerchantContext): string => `${pathOf(access)}/webhooks`;

/** Webhook endpoints of the merchant. */
@PortalController('m/:merchantId/:mode/webhooks')
export class WebhooksController {
  constructor(
    private readonly endpoints: WebhookEndpointsService,
    private readonly factor: FreshFactor,
    private readonly audit: AuditService,
  ) {}

  @Get()
  @Needs('deliveries.read')
  async list(
    @CurrentContext() context: MerchantContext,
    @Query('done') done: unknown,
  ): Promise<PageAnswer> {
    const { data } = await this.endpoints.list(context.access);
    return page(renderEndpoints(context, data, done));
  }

  @Get('new')
  @Needs('webhooks.manage')
  blank(@CurrentContext() context: MerchantContext): PageAnswer {
    return page(renderEndpointForm({ context, form: blankEndpoint() }));
  }

  /** Shows the secret in the response of the POST, so that no URL contains it. */
  @Post('new')
  @Needs('webhooks.manage')
  async create(
    @CurrentContext() context: MerchantContext,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    await this.factor.demandLive(context, form);
    const maker = { ...editorOf(context), version: NEWEST_API_VERSION };
    const hook = this.audited(context, 'webhook.created');
    const made = await attempt(() =>
      this.endpoints.create(maker, parse(CreateWebhookEndpointRequest, endpointBody(form)), hook),
    );
    if (made.problems) {
      return invalid(renderEndpointForm({ context, form, problems: made.problems }));
    }
    return page(renderWebhookSecret(context, made.done), 201);
  }

  @Get(':id/edit')
  @Needs('webhooks.manage')
  async edit(
    @CurrentContext() context: MerchantContext,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    const endpoint = await this.endpoints.get(context.access, idOf(id));
    return page(renderEndpointForm({ context, endpoint, form: endpointForm(endpoint) }));
  }

  @Post(':id/edit')
  @Needs('webhooks.manage')
  async change(
    @CurrentContext() context: MerchantContext,
    @Param('id') id: string,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const endpoint = await this.endpoints.get(context.access, idOf(id));
    await this.factor.demandLive(context, form);
    const hook = this.audited(context, 'webhook.changed');
    const body = { ...endpointBody(form), url: form.get('url')?.trim() ?? '' };
    const { problems } = await attempt(() =>
      this.endpoints.change(
        editorOf(context),
        endpoint.id,
        parse(ChangeWebhookEndpointRequest, body),
        hook,
      ),
    );
    if (problems) {
      return invalid(renderEndpointForm({ context, endpoint, form, problems }));
    }
    return seeOther(`${listOf(context)}/${endpoint.id}?done=saved`);
  }

  @Post(':id/enable')
  @Needs('webhooks.manage')
  enable(
    @CurrentContext() context: MerchantContext,
    @Param('id') id: string,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    return this.turn(context, idOf(id), true, form);
  }

  @Post(':id/disable')
  @Needs('webhooks.manage')
  disable(
    @CurrentContext() context: MerchantContext,
    @Param('id') id: string,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    return this.turn(context, idOf(id), false, form);
  }

  @Get(':id/secret')
  @Needs('webhooks.manage')
  async askRoll(
    @CurrentContext() context: MerchantContext,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    return page(renderRoll(context, await this.endpoints.get(context.access, idOf(id))));
  }

  @Post(':id/secret')
  @Needs('webhooks.manage')
  async roll(
    @CurrentContext() context: MerchantContext,
    @Param('id') id: string,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const endpoint = await this.endpoints.get(context.access, idOf(id));
    await this.factor.demandLive(context, form);
    const typed = form.get('overlapHours')?.trim() ?? '';
    const body = { overlapHours: /^\d{1,3}$/.test(typed) ? Number(typed) : typed };
    const hook = this.audited(context, 'webhook.secret-rolled', body);
    const made = await attempt(() =>
      this.endpoints.roll(context.access, endpoint.id, parse(RollSecretRequest, body), hook),
    );
    if (made.problems) return invalid(renderRoll(context, endpoint, made.problems));
    return page(renderWebhookSecret(context, made.done));
  }

  @Get(':id/delete')
  @Needs('webhooks.manage')
  async askDelete(
    @CurrentContext() context: MerchantContext,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    const endpoint = await this.endpoints.get(context.access, idOf(id));
    return page(renderEndpointDeletion(context, endpoint));
  }

  @Post(':id/delete')
  @Needs('webhooks.manage')
  async delete(
    @CurrentContext() context: MerchantContext,
    @Param('id') id: string,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    await this.factor.demandLive(context, form);
    await this.endpoints.remove(context.access, idOf(id), this.audited(context, 'webhook.deleted'));
    return seeOther(`${listOf(context)}?done=deleted`);
  }

  private async turn(
    context: MerchantContext,
    id: string,
    enabled: boolean,
    form: URLSearchParams,
  ): Promise<PageAnswer> {
    await this.factor.demandLive(context, form);
    const word = enabled ? 'enabled' : 'disabled';
    const hook = this.audited(context, `webhook.${word}`);
    await this.endpoints.change(editorOf(context), id, { enabled }, hook);
    return seeOther(`${listOf(context)}/${id}?done=${word}`);
  }

  /** Audits only the host of the URL, because the rest may contain a token, and never the secret. */
  private audited(
    context: MerchantContext,
    action: string,
    more: object = {},
  ): TransactionHook<WebhookEndpoint> {
    return (tx, { id, mode, url, eventTypes, fieldKey, fieldValue, apiVersion }) => {
      const only = fieldKey === null ? {} : { onlyOrdersWith: `${fieldKey} = ${fieldValue}` };
      const host = URL.parse(url)?.host;
      const data = { mode, host, eventTypes, ...only, apiVersion, ...more };
      return this.audit.record(tx, context, { action, subject: id, data });
    };
  }
}
