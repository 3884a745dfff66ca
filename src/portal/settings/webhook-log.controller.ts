import { Get, Param, Post, Query } from '@nestjs/common';
import { uuidOf } from '../../common/ids.js';
import { parse } from '../../contract/parse.js';
import type { LogPage } from '../../database/notifications/delivery-log.repository.js';
import { DELIVERY_STATUSES } from '../../database/notifications/delivery.entity.js';
import type { TransactionHook } from '../../database/transaction-hook.js';
import type { Query as QueryValues } from '../../http/query.js';
import { ResendEventsRequest } from '../../notifications/webhooks/dto/webhook-endpoint.request.js';
import { WebhookDeliveriesService } from '../../notifications/webhooks/webhook-deliveries.service.js';
import { WebhookEndpointsService } from '../../notifications/webhooks/webhook-endpoints.service.js';
import { AuditService } from '../../people/audit.service.js';
import { CurrentContext, pathOf, type MerchantContext } from '../../people/portal-context.js';
import { type PageAnswer, invalid, page, seeOther } from '../kit/answer.js';
import { attempt, formWith } from '../kit/form.js';
import { Form } from '../kit/http.js';
import { idOf } from '../kit/path-id.js';
import { Needs, PortalController } from '../portal-controller.js';
import { renderDelivery, renderLog } from './webhook-log.view.js';
import { renderResend } from './webhook-resend.view.js';
import { rangeBody } from './webhook.form.js';

/** Page size. */
const PAGE = 50;

const pageOf = ({ access }: MerchantContext, id: string): string =>
  `${pathOf(access)}/webhooks/${id}`;

/** Delivery log of an endpoint, and resending. */
@PortalController('m/:merchantId/:mode/webhooks/:id')
export class WebhookLogController {
  constructor(
    private readonly endpoints: WebhookEndpointsService,
    private readonly deliveries: WebhookDeliveriesService,
    private readonly audit: AuditService,
  ) {}

  @Get()
  @Needs('deliveries.read')
  async log(
    @CurrentContext() context: MerchantContext,
    @Param('id') id: string,
    @Query() query: QueryValues,
  ): Promise<PageAnswer> {
    const endpoint = await this.endpoints.get(context.access, idOf(id));
    const wanted = wantedOf(query);
    const found = await this.deliveries.list(context.access, endpoint.id, wanted);
    return page(renderLog({ context, endpoint, page: found, wanted, done: query['done'] }));
  }

  @Post('test')
  @Needs('webhooks.manage')
  async test(
    @CurrentContext() context: MerchantContext,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    const hook = this.audited(context, 'webhook.tested', idOf(id));
    await this.deliveries.test(context.access, idOf(id), hook);
    return seeOther(`${pageOf(context, idOf(id))}?done=sent`);
  }

  @Get('resend')
  @Needs('deliveries.resend')
  async askResend(
    @CurrentContext() context: MerchantContext,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    const endpoint = await this.endpoints.get(context.access, idOf(id));
    return page(renderResend({ context, endpoint, form: formWith({}) }));
  }

  /** One request resends at most 1,000 events; the page offers the rest. */
  @Post('resend')
  @Needs('deliveries.resend')
  async resendRange(
    @CurrentContext() context: MerchantContext,
    @Param('id') id: string,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const endpoint = await this.endpoints.get(context.access, idOf(id));
    const range = rangeBody(form);
    const hook: TransactionHook<number> = (tx, queued) =>
      this.audit.record(tx, context, {
        action: 'webhook.resent',
        subject: endpoint.id,
        data: { ...range, queued },
      });
    const { problems, done } = await attempt(() =>
      this.deliveries.resendRange(
        context.access,
        endpoint.id,
        parse(ResendEventsRequest, range),
        hook,
      ),
    ).then((result) => ({ done: undefined, problems: undefined, ...result }));
    const html = renderResend({ context, endpoint, form, problems: problems ?? {}, sent: done });
    return problems ? invalid(html) : page(html);
  }

  @Get('deliveries/:deliveryId')
  @Needs('deliveries.read')
  async delivery(
    @CurrentContext() context: MerchantContext,
    @Param('id') id: string,
    @Param('deliveryId') deliveryId: string,
  ): Promise<PageAnswer> {
    const endpoint = await this.endpoints.get(context.access, idOf(id));
    const delivery = await this.deliveries.get(context.access, endpoint.id, idOf(deliveryId));
    return page(renderDelivery({ context, endpoint, delivery }));
  }

  @Post('deliveries/:deliveryId/resend')
  @Needs('deliveries.resend')
  async resend(
    @CurrentContext() context: MerchantContext,
    @Param('id') id: string,
    @Param('deliveryId') deliveryId: string,
  ): Promise<PageAnswer> {
    const hook = this.audited(context, 'delivery.resent', idOf(id));
    await this.deliveries.resend(context.access, idOf(id), idOf(deliveryId), hook);
    return seeOther(`${pageOf(context, idOf(id))}?done=resent`);
  }

  private audited(
    context: MerchantContext,
    action: string,
    endpointId: string,
  ): TransactionHook<{ readonly id: string }> {
    const data = { mode: context.access.mode, endpoint: endpointId };
    return (tx, { id }) => this.audit.record(tx, context, { action, subject: id, data });
  }
}

/** Ignores parameters that it cannot parse: an old or mistyped link still opens the page. */
function wantedOf({ status, after }: QueryValues): LogPage {
  return {
    status: DELIVERY_STATUSES.find((known) => known === status) ?? null,
    after: typeof after === 'string' ? uuidOf(after) : null,
    limit: PAGE,
  };
}
